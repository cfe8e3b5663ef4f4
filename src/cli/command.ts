import { parseArgs } from "node:util";
import { suggestName } from "../api/suggest.ts";

/** Options of a command, as `parseArgs` takes them. */
export type CommandOptions = Readonly<
  Record<string, {
    readonly type: "string" | "boolean";
    readonly short?: string;
    readonly multiple?: boolean;
  }>
>;

/** The arguments of a command, read. */
export interface Arguments {
  /** An option with a value. */
  text(name: string): string | undefined;
  /** The values of an option that may be given several times. */
  texts(name: string): readonly string[];
  /** Whether an option without a value is given. */
  flag(name: string): boolean;
  /** The arguments that are not options. */
  readonly rest: readonly string[];
}

/** A command of the command line. */
export interface Command {
  /** What `--help` prints. */
  readonly help: string;
  readonly options: CommandOptions;
  /**
   * Number of arguments beside the options; a record has it by the first argument, which counts itself; `"any"` takes
   * any number.
   */
  readonly rest: number | "any" | Readonly<Record<string, number>>;
  /** Runs the command; the message of what it throws is printed. */
  run(given: Arguments): Promise<void>;
}

/** Arguments that cannot be read: the help follows the message. */
class MisuseError extends Error {}

/** The message for a name that does not exist. */
export function formatUnknown(
  what: string,
  name: string,
  known: readonly string[],
): string {
  const near = suggestName(name, known);
  return `Unknown ${what} "${name}": ${
    near === undefined ? `give one of ${known.join(", ")}` : `did you mean ${near}?`
  }`;
}

/** Number of arguments that the first one requires. */
function findArgumentCount(
  counts: Readonly<Record<string, number>>,
  [first]: readonly string[],
): number {
  if (first !== undefined && Object.hasOwn(counts, first)) return counts[first];
  const found = first === undefined ? "nothing" : `"${first}"`;
  throw new MisuseError(
    `The first argument is ${found}: give one of ${Object.keys(counts).join(", ")}`,
  );
}

function parse(args: readonly string[], options: CommandOptions) {
  const all = { ...options, help: { type: "boolean", short: "h" } } as const;
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: all });
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    const name = /'(-[^\s']*)/.exec(message)?.[1];
    if (code !== "ERR_PARSE_ARGS_UNKNOWN_OPTION" || !name) throw new MisuseError(message);
    const known = Object.keys(all).map((option) => `--${option}`);
    throw new MisuseError(formatUnknown("option", name, known));
  }
}

/** @throws {MisuseError} If an option is unknown, or the number of arguments is not that of the command */
function readArguments(args: readonly string[], command: Command): Arguments | "help" {
  const { values, positionals }: { values: Record<string, unknown>; positionals: string[] } = parse(
    args,
    command.options,
  );
  if (values.help) return "help";
  const { rest } = command;
  const found = positionals.length;
  const wanted = rest === "any" ? found : typeof rest === "number" ? rest : findArgumentCount(
    rest,
    positionals,
  );
  if (found !== wanted) {
    const words = `${wanted} argument${wanted === 1 ? "" : "s"}`;
    throw new MisuseError(`There must be ${words} beside the options, there are ${found}`);
  }
  return {
    text: (name) => values[name] as string | undefined,
    texts: (name) => values[name] as string[] | undefined ?? [],
    flag: (name) => values[name] === true,
    rest: positionals,
  };
}

/**
 * Runs a command with its arguments: prints its help when asked for or misused, and errors as one message.
 *
 * @returns The exit code: 0, 1 where the command fails, 2 where it is misused
 */
export async function runCommand(command: Command, args: readonly string[]): Promise<0 | 1 | 2> {
  try {
    const given = readArguments(args, command);
    if (given === "help") console.log(command.help);
    else await command.run(given);
    return 0;
  } catch (error) {
    const { message } = error as Error;
    const misused = error instanceof MisuseError;
    console.error(misused ? `${message}\n\n${command.help}` : message);
    return misused ? 2 : 1;
  }
}
