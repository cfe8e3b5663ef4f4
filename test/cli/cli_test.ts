/**
 * The command line as a program: its commands, their help, and the messages after misuse.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { commands } from "../../src/cli/commands.ts";
import { formatHelp, readArguments } from "../../src/cli/command/run_command.ts";
import project from "../../deno.json" with { type: "json" };
import { runSuccessfully } from "./_task.ts";

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

/** Asserts that a help has the standard form: purpose, syntax, names and meanings in two columns, example. */
function assertHelp(help: string, name: string, purpose: string): void {
  const parts = help.trimEnd().split("\n\n");
  assertEquals(parts[0].replaceAll("\n", " "), `${purpose}.`);
  assertMatch(parts[1], new RegExp(`^Usage:(\n  deno task ${name}( .+)?)+$`));
  const about = /^( {2}-h, --help +)prints this$/m.exec(parts[2])![1].length;
  for (const row of parts[2].split("\n")) {
    if (row.startsWith("  --") && !row.slice(2, about).includes("  ")) continue; // a long name with its meaning below
    assertMatch(row.slice(about - 2, about), /^ {2}$/, row);
    assert(row[about] !== " ", row);
  }
  assertMatch(parts[3], new RegExp(`^Example:\n  deno task ${name}( .+)?$`));
  const long = help.split("\n").filter((line) => line.length > 80 && !/\S{40}/.test(line));
  assertEquals(long, []);
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

  it("has a task for each command, named like it, with the same sentence", () => {
    const tasks: Record<string, { command: string; description: string }> = project.tasks;
    for (const [name, { purpose }] of Object.entries(commands)) {
      assert(tasks[name], `deno.json has no task "${name}"`);
      assert(tasks[name].command.endsWith(` src/cli/mod.ts ${name}`), tasks[name].command);
      assertEquals(tasks[name].description, purpose);
    }
  });

  for (const [name, { purpose, load }] of Object.entries(commands)) {
    it(`V19: shows in the help of ${name} its syntax, each option, and an example that it accepts`, async () => {
      const command = await load();
      const help = formatHelp({ name, purpose }, command);
      assertHelp(help, name, purpose);
      for (const option of Object.keys(command.options)) {
        assertStringIncludes(help, ` --${option} `);
      }
      readArguments(command.example.split(" ").filter((word) => word !== ""), command);
    });
  }

  for (
    const name of [
      "demo",
      "docs",
      "test",
      "bench",
      "validate",
      "soak",
      "pack",
      "checks",
      "ok",
    ] as const
  ) {
    it(`V19: deno task ${name} --help prints its help and does nothing else`, async () => {
      assertHelp(await runSuccessfully(name, "--help"), name, project.tasks[name].description);
    });
  }

  it("refuses an unknown command or option with a suggestion, and shows the syntax", async () => {
    const command = await cli("reprot");
    assertEquals([command.code, command.out], [2, ""]);
    assert(command.err.startsWith('Unknown command "reprot": did you mean report?\n'), command.err);
    const option = await cli("kernel", "--remov");
    assertEquals([option.code, option.out], [2, ""]);
    assertEquals(
      option.err,
      'Unknown option "--remov": did you mean --remove?\n\nUsage:\n  deno task kernel [--to DIR]\n' +
        "  deno task kernel --remove [--to DIR]\n\nFor more, run: deno task kernel --help\n",
    );
    for (const name of ["-o", "--out", "--output"]) {
      const { err } = await cli("kernel", name, "x");
      assert(err.startsWith(`Unknown option "${name}": did you mean --to?`), `W16: ${err}`);
    }
    const far = await cli("kernel", "--xyzzyxyzzy");
    assert(far.err.startsWith('Unknown option "--xyzzyxyzzy": give one of --to, --remove, --help'));
    assert((await cli()).err.startsWith("The command is missing\n\n"));
  });
});
