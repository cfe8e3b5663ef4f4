/**
 * The command line: the tasks of a checkout, for users of the package alone.
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
import { type ExitCode, exitCodes, formatUnknown, PROGRAM, VERSION } from "./command/command.ts";
import { commands } from "./commands.ts";
import { formatRows, runCommand } from "./command/run_command.ts";

export type {
  Arguments,
  Command,
  CommandHead,
  CommandOption,
  ExitCode,
} from "./command/command.ts";
export { runCommand } from "./command/run_command.ts";

function formatCommands(): string {
  return [
    "Wind indices and climate data: a service on your own data, reports, notebooks.",
    `Usage:\n  ${PROGRAM} COMMAND [OPTIONS]`,
    formatRows(Object.entries(commands).map(([name, { purpose }]) => [name, purpose])),
    `${PROGRAM} COMMAND --help explains a command, --version shows the version.\n` +
    "Exit codes: 0 done, 1 failed, 2 wrong call, 3 no news, 75 try again, 78 a person must act, 130 and 143 stopped " +
    "(docs/commands.md).",
  ].join("\n\n");
}

/**
 * Runs a command from its command-line arguments, and prints its output.
 *
 * @param args Name of the command, then its arguments; `--help` or `--version`
 * @returns The exit code
 */
export async function runCli(args: readonly string[]): Promise<ExitCode> {
  const [name, ...rest] = args;
  if (name === "--help" || name === "-h" || name === "--version") {
    console.log(name === "--version" ? VERSION : formatCommands());
    return exitCodes.done;
  }
  if (name !== undefined && Object.hasOwn(commands, name)) {
    const { purpose, load } = commands[name];
    return await runCommand({ name, purpose }, await load(), rest);
  }
  const problem = name === undefined
    ? "The command is missing"
    : formatUnknown("command", name, Object.keys(commands));
  console.error(`${problem}\n\n${formatCommands()}`);
  return exitCodes.misused;
}

if (import.meta.main) Deno.exit(await runCli(Deno.args));
