/**
 * The command line: what the tasks of a checkout run, for those who have the package alone.
 *
 * ```sh
 * deno run --allow-ffi --allow-sys --allow-env --allow-read --allow-write --allow-net \
 *   jsr:@vindkit/vindkit/cli serve --sample
 * ```
 *
 * @example The commands, from code
 * ```ts
 * import { runCli } from "@vindkit/vindkit/cli";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(await runCli(["report", "--help"]), 0);
 * ```
 *
 * @module
 */
import { formatUnknown, runCommand } from "./command.ts";
import { commands } from "./commands.ts";
import { PROGRAM, VERSION } from "./project.ts";

function formatHelp(): string {
  const names = Object.keys(commands);
  const width = Math.max(...names.map((name) => name.length));
  return [
    "Wind indices and climate data: a service on your own data, reports, notebooks.\n",
    `${PROGRAM} COMMAND [OPTIONS]\n`,
    ...names.map((name) => `  ${name.padEnd(width)}  ${commands[name].purpose}`),
    `\n${PROGRAM} COMMAND --help says what a command takes, --version which version this is.`,
  ].join("\n");
}

/**
 * Runs a command as the command line gives it, and prints its output.
 *
 * @param args Name of the command, then its arguments; `--help` or `--version`
 * @returns The exit code: 0, 1 where the command fails, 2 where it is misused
 */
export async function runCli(args: readonly string[]): Promise<0 | 1 | 2> {
  const [name, ...rest] = args;
  if (name === "--help" || name === "-h" || name === "--version") {
    console.log(name === "--version" ? VERSION : formatHelp());
    return 0;
  }
  if (name !== undefined && Object.hasOwn(commands, name)) {
    return await runCommand(await commands[name].load(), rest);
  }
  const problem = name === undefined
    ? "The command is missing"
    : formatUnknown("command", name, Object.keys(commands));
  console.error(`${problem}\n\n${formatHelp()}`);
  return 2;
}

if (import.meta.main) {
  const code = await runCli(Deno.args);
  if (code !== 0) Deno.exit(code);
}
