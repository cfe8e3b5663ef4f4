import project from "../../../deno.json" with { type: "json" };
import { suggestName } from "../../show/options/suggest.ts";

/** How a command ended, as the exit code of the process; docs/commands.md describes them. */
export type ExitCode = 0 | 1 | 2 | 3 | 75 | 78 | 130 | 143;

/** The exit codes by what they mean, and those of a signal by its name; 75 and 78 are those of sysexits.h. */
export const exitCodes = {
  done: 0,
  failed: 1,
  misused: 2,
  nothingNew: 3,
  tryAgain: 75,
  needsPerson: 78,
  SIGINT: 130,
  SIGTERM: 143,
} as const satisfies Record<string, ExitCode>;

/** An option of a command: it takes a value where the help has a name for that value. */
export interface CommandOption {
  /** What it does, for the help. */
  readonly about: string;
  /** Name of its value in the help, such as `DIR`. @default none: it takes no value */
  readonly value?: string;
  /** The letter by which it is given instead, such as `p`. @default none */
  readonly short?: string;
  /** Whether it may be given several times. @default {false} */
  readonly multiple?: boolean;
}

/** The arguments of a command, read. */
export interface Arguments {
  /** An option with a value. */
  text(name: string): string | undefined;
  /** The values of an option, as often as it is given. */
  texts(name: string): readonly string[];
  /** Whether an option without a value is given. */
  flag(name: string): boolean;
  /** The arguments that are not options. */
  readonly rest: readonly string[];
  /** Aborted by Ctrl-C and SIGTERM, where the command says how to go on after them. */
  readonly signal: AbortSignal;
}

/** A command of the command line: how it is called, what its help says, and what it does. */
export interface Command {
  /**
   * What follows its name in a call, a line for each form: arguments, then options, which are `[OPTIONS]`. So many arguments
   * must be given; any number where the first is in brackets or ends with `...`. Forms that begin with the name of an action
   * are chosen by it.
   */
  readonly forms: readonly string[];
  /** Its arguments beside the options by their names, for the help. @default none */
  readonly arguments?: Readonly<Record<string, string>>;
  /** Its options by their names. */
  readonly options: Readonly<Record<string, CommandOption>>;
  /** What follows its name in a call that a reader can try. */
  readonly example: string;
  /** Paragraphs that end the help. @default none */
  readonly notes?: readonly string[];
  /**
   * How to go on after Ctrl-C, SIGTERM or a time-out, in sentences. @default none: a signal ends the process at once
   */
  readonly resume?: string;
  /** The exit code for an error that it throws. @default 1 for all */
  exitCodeOf?(error: unknown): ExitCode;
  /** Runs the command; the message of what it throws is printed. Its exit code is 0 unless it returns another. */
  run(given: Arguments): Promise<ExitCode | void>;
}

/** A command before it is loaded. */
export interface CommandHead {
  /** Its name, as it is called. */
  readonly name: string;
  /** What it does, a sentence without a period. */
  readonly purpose: string;
}

/** Arguments that cannot be read: how the command is called follows the message. */
export class MisuseError extends Error {}

/** Options of other programs, with the names that they have here. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  "-o": "--to",
  "--out": "--to",
  "--output": "--to",
};

/** The message for a name that does not exist. */
export function formatUnknown(
  what: string,
  name: string,
  known: readonly string[],
): string {
  const other = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : "";
  const near = known.includes(other) ? other : suggestName(name, known);
  return `Unknown ${what} "${name}": ${
    near === undefined ? `give one of ${known.join(", ")}` : `did you mean ${near}?`
  }`;
}

/** Name and version of this library, as `--version` prints them. */
export const VERSION: string = `${project.name.slice(1).split("/")[0]} ${project.version}`;

/** How a command is started: a checkout has a task for each, a package only this program. */
export const PROGRAM: string = "tasks" in project ? "deno task" : "vindkit";
