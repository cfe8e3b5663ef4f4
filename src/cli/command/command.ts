import project from "../../../deno.json" with { type: "json" };
import { suggestName } from "../../show/options/suggest.ts";

/** How a command ended, as the exit code of the process (see docs/commands.md). */
export type ExitCode = 0 | 1 | 2 | 3 | 75 | 78 | 130 | 143;

/** Exit codes by meaning, and by signal name; 75 and 78 follow sysexits.h. */
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

/** An option of a command; it takes a value if the help has a name for it. */
export interface CommandOption {
  /** Description for the help. */
  readonly about: string;
  /** Name of its value in the help, such as `DIR`. @default none: it takes no value */
  readonly value?: string;
  /** Short form, a letter such as `p`. @default none */
  readonly short?: string;
  /** Whether it may be given several times. @default {false} */
  readonly multiple?: boolean;
}

/** The parsed arguments of a command. */
export interface Arguments {
  /** An option with a value. */
  text(name: string): string | undefined;
  /** The values of an option that may be repeated. */
  texts(name: string): readonly string[];
  /** Whether an option without a value is set. */
  flag(name: string): boolean;
  /** The arguments that are not options. */
  readonly rest: readonly string[];
  /** Aborted by Ctrl-C and SIGTERM, if the command explains how to resume. */
  readonly signal: AbortSignal;
}

/** A command of the command line: its syntax, help and action. */
export interface Command {
  /**
   * Syntax after the name, a line for each form: arguments, then `[OPTIONS]`. The number of arguments must match; any
   * number is allowed if the first is in brackets or ends with `...`. If forms begin with the name of an action, that name
   * selects the form.
   */
  readonly forms: readonly string[];
  /** Arguments that are not options, by name, for the help. @default none */
  readonly arguments?: Readonly<Record<string, string>>;
  /** Its options by name. */
  readonly options: Readonly<Record<string, CommandOption>>;
  /** Text after the name in a call that a reader can try. */
  readonly example: string;
  /** Last paragraphs of the help. @default none */
  readonly notes?: readonly string[];
  /**
   * How to resume after Ctrl-C, SIGTERM or a timeout, in sentences. @default none: a signal ends the process at once
   */
  readonly resume?: string;
  /** The exit code for an error thrown by the command. @default 1 for all */
  exitCodeOf?(error: unknown): ExitCode;
  /** Runs the command; the caller prints the message of an error. The exit code is 0 unless it returns another. */
  run(args: Arguments): Promise<ExitCode | void>;
}

/** A command before it is loaded. */
export interface CommandHead {
  /** Its name in a call. */
  readonly name: string;
  /** Its purpose, a sentence without a period. */
  readonly purpose: string;
}

/** Arguments that cannot be read; the syntax of the command follows the message. */
export class MisuseError extends Error {}

/** Options of other programs, with their names here. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  "-o": "--to",
  "--out": "--to",
  "--output": "--to",
};

/** The message for an unknown name. */
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

/** How to start a command: a checkout has a task for each, a package only this program. */
export const PROGRAM: string = "tasks" in project ? "deno task" : "vindkit";
