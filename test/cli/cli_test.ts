/**
 * The command line as a program: which commands there are, and what it says where it is misused.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { commands } from "../../src/cli/commands.ts";
import project from "../../deno.json" with { type: "json" };

const ENTRY = new URL("../../src/cli/mod.ts", import.meta.url).pathname;

/** Runs the program without any permission. */
async function cli(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", ENTRY, ...args],
    env: { NO_COLOR: "1" },
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, out, err };
}

describe("the command line", () => {
  it("lists its commands with a sentence each, and its version, without any permission", async () => {
    const { code, out, err } = await cli("--help");
    assertEquals([code, err], [0, ""]);
    for (const name of Object.keys(commands)) {
      assertMatch(out, new RegExp(`^  ${name} +\\S+ `, "m"));
    }
    assertEquals((await cli("--version")).out, `vindkit ${project.version}\n`);
  });

  it("has a task for each command, named like it", () => {
    const tasks = project.tasks as Record<string, { command: string }>;
    for (const name of Object.keys(commands)) {
      assert(tasks[name].command.endsWith(` src/cli/mod.ts ${name}`), tasks[name].command);
    }
  });

  for (const name of Object.keys(commands)) {
    it(`says in the help of ${name} how it is called and each of its options`, async () => {
      const command = await commands[name].load();
      assertStringIncludes(command.help, `\ndeno task ${name}`);
      for (const option of Object.keys(command.options)) {
        const { short } = command.options[option];
        assert(command.help.includes(short ? `-${short} ` : `--${option}`), option);
      }
    });
  }

  it("refuses an unknown command or option with a suggestion", async () => {
    const command = await cli("reprot");
    assertEquals([command.code, command.out], [2, ""]);
    assert(command.err.startsWith('Unknown command "reprot": did you mean report?\n'), command.err);
    const option = await cli("kernel", "--remov");
    assertEquals([option.code, option.out], [2, ""]);
    assert(option.err.startsWith('Unknown option "--remov": did you mean --remove?\n'), option.err);
    const far = await cli("kernel", "--xyzzyxyzzy");
    assert(far.err.startsWith('Unknown option "--xyzzyxyzzy": give one of --to, --remove, --help'));
    assert((await cli()).err.startsWith("The command is missing\n\n"));
  });
});
