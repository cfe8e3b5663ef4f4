import { parseArgs } from "node:util";
import { TimeoutError, VindkitError } from "../../api/errors.ts";
import {
  type Arguments,
  type Command,
  type CommandHead,
  type CommandOption,
  type ExitCode,
  exitCodes,
  formatUnknown,
  MisuseError,
  PROGRAM,
} from "./command.ts";
import { isRefusal, nameFailure } from "../../disk/files.ts";
import { PassingError } from "../../storage/mod.ts";

/** Width of the help, that of a standard terminal. */
const COLUMNS = 80;

/** Breaks a text into lines; a word longer than a line gets its own line. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= columns) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Longest name with its meaning next to it, characters; a longer name has it below. */
const MAX_NAME = 28;

/**
 * Formats names and their meanings as two columns.
 *
 * @param rows Pairs of name and meaning
 */
export function formatRows(rows: readonly (readonly [string, string])[]): string {
  const width = Math.min(MAX_NAME, Math.max(...rows.map(([name]) => name.length))) + 4;
  const gap = " ".repeat(width);
  return rows.map(([name, about]) => {
    const lines = wrap(about, COLUMNS - width).join(`\n${gap}`);
    return name.length > MAX_NAME ? `  ${name}\n${gap}${lines}` : `  ${name}`.padEnd(width) + lines;
  }).join("\n");
}

function formatOption(name: string, { short, value }: CommandOption): string {
  return [short ? `-${short}, --${name}` : `--${name}`, value].filter(Boolean).join(" ");
}

/** Formats the syntax of a command, a line for each form. */
export function formatForms(name: string, { forms }: Command): string {
  return forms.map((form) => `  ${PROGRAM} ${name} ${form}`.trimEnd()).join("\n");
}

/** Formats the help of a command: purpose, syntax, options and an example. */
export function formatHelp({ name, purpose }: CommandHead, command: Command): string {
  const { arguments: argumentTexts = {}, options, example, notes = [] } = command;
  const rows = [
    ...Object.entries(argumentTexts),
    ...Object.entries(options).map(([option, how]) =>
      [formatOption(option, how), how.about] as const
    ),
    ["-h, --help", "prints this"] as const,
  ];
  return [
    wrap(`${purpose}.`, COLUMNS).join("\n"),
    `Usage:\n${formatForms(name, command)}`,
    formatRows(rows),
    `Example:\n  ${PROGRAM} ${name} ${example}`.trimEnd(),
    ...notes.map((note) => wrap(note, COLUMNS).join("\n")),
  ].join("\n\n");
}

/** The number of arguments that a command takes in the form that `given` selects. */
function countArguments({ forms }: Command, given: readonly string[]): number {
  if (/^\[(?!OPTIONS|-)|\.\.\./.test(forms[0])) return given.length;
  const all = forms.map((form) => form.split(/\[|--/)[0].split(" ").filter(Boolean));
  const actions = all.map(([action]) => action);
  if (!/^[a-z]/.test(actions[0] ?? "")) return all[0].length;
  const chosen = actions.indexOf(given[0]);
  if (chosen >= 0) return all[chosen].length;
  const problem = given.length === 0
    ? "An argument is missing"
    : `The first argument is "${given[0]}"`;
  throw new MisuseError(`${problem}: give one of ${actions.join(", ")}`);
}

function parse(
  args: readonly string[],
  { options }: Command,
): { values: Readonly<Record<string, unknown>>; positionals: readonly string[] } {
  const declared = Object.entries(options).map(([name, { value, short, multiple = false }]) => {
    const type: "string" | "boolean" = value === undefined ? "boolean" : "string";
    return [name, { type, multiple, ...(short !== undefined && { short }) }] as const;
  });
  const all = { ...Object.fromEntries(declared), help: { type: "boolean", short: "h" } } as const;
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

/**
 * Reads the arguments of a command.
 *
 * @returns The arguments, or `"help"` if the user asks for it
 * @throws {MisuseError} If an option is unknown, or the number of arguments is wrong
 */
export function readArguments(
  args: readonly string[],
  command: Command,
): Omit<Arguments, "signal"> | "help" {
  const { values, positionals } = parse(args, command);
  if (values.help) return "help";
  const count = positionals.length;
  const wanted = countArguments(command, positionals);
  if (count !== wanted) {
    const words = `${wanted} argument${wanted === 1 ? "" : "s"}`;
    throw new MisuseError(
      `The command takes ${words} in addition to its options, but got ${count}`,
    );
  }
  return {
    text: (name) => values[name] as string | undefined,
    texts: (name) => [values[name] ?? []].flat() as string[],
    flag: (name) => values[name] === true,
    rest: positionals,
  };
}

/** The signals that stop a command, with their senders. */
const stopSignals: readonly (readonly ["SIGINT" | "SIGTERM", string])[] = [
  ["SIGINT", "Ctrl-C"],
  ...Deno.build.os === "windows" ? [] : [["SIGTERM", "SIGTERM"] as const],
];

/**
 * Signals within this time count as one, ms: a terminal sends Ctrl-C to all processes, and `deno task` forwards it to the
 * command a second time.
 */
const SAME_SIGNAL = 500;

/** Handles the signals that stop a command: the first aborts its work, a later one ends the process at once. */
class Stop implements Disposable {
  readonly #controller = new AbortController();
  readonly #listeners: (() => void)[] = [];
  #at: number | undefined;
  /** The exit code after a signal. */
  code: ExitCode | undefined;

  /** @param resume How to resume, in sentences */
  constructor(resume: string) {
    for (const [name, sender] of stopSignals) {
      const listener = () => {
        const now = performance.now();
        const words = `Stopped by ${sender}`;
        if (this.#at === undefined) {
          [this.#at, this.code] = [now, exitCodes[name]];
          this.#controller.abort(new Error(words));
        } else if (now - this.#at > SAME_SIGNAL) {
          console.error(`${words} at once. ${resume}`);
          Deno.exit(exitCodes[name]);
        }
      };
      Deno.addSignalListener(name, listener);
      this.#listeners.push(() => Deno.removeSignalListener(name, listener));
    }
  }

  /** Aborted at the first signal. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    for (const remove of this.#listeners) remove();
  }
}

/** Describes why a command ended, and how to resume if it was stopped or timed out. */
function describeEnd(error: Error, resume: string | undefined, stopped: Error | undefined): string {
  const { message } = error;
  const says = !stopped || error === stopped || error.cause === stopped;
  const words = says ? message : `${stopped.message}. ${message}`;
  if (resume === undefined || !stopped && !(error instanceof TimeoutError)) return words;
  return `${words}${words.endsWith(".") ? "" : "."} ${resume}`;
}

/** The exit code for an error of any command. */
function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof PassingError) return exitCodes.tryAgain;
  const isWrongPair = error instanceof VindkitError && error.code === "other_files";
  return isWrongPair ? exitCodes.needsPerson : exitCodes.failed;
}

/**
 * Runs a command with its arguments: prints the help on request, the syntax after misuse, and errors as one message, with
 * how to resume if it was stopped.
 *
 * @param head Name and purpose of the command
 * @param command The command
 * @param args Its arguments
 * @returns The exit code
 */
export async function runCommand(
  head: CommandHead,
  command: Command,
  args: readonly string[],
): Promise<ExitCode> {
  const { resume } = command;
  using stop = resume === undefined ? undefined : new Stop(resume);
  const { signal } = stop ?? new AbortController();
  try {
    const parsed = readArguments(args, command);
    if (parsed !== "help") return await command.run({ ...parsed, signal }) ?? exitCodes.done;
    console.log(formatHelp(head, command));
    return exitCodes.done;
  } catch (error) {
    if (error instanceof MisuseError) {
      const more = `For more, run: ${PROGRAM} ${head.name} --help`;
      console.error(`${error.message}\n\nUsage:\n${formatForms(head.name, command)}\n\n${more}`);
      return exitCodes.misused;
    }
    const named = isRefusal(error) ? nameFailure(`run ${head.name}`, error) : error as Error;
    console.error(describeEnd(named, resume, signal.reason));
    return stop?.code ?? command.exitCodeOf?.(error) ?? exitCodeOf(error);
  }
}
