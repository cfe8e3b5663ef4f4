import { isCancel, log, multiselect, select, text } from "@clack/prompts";
import { wrap } from "../command/run_command.ts";

/** A choice: its code and label. */
export interface Choice {
  /** Its code, also the answer. */
  readonly value: string;
  /** Displayed text. @default its code */
  readonly label?: string;
  /** Text next to it while it is selected. */
  readonly hint?: string;
}

/** A terminal with a person who answers. */
export interface Terminal {
  /** Shows a text. */
  say(text: string): void;
  /** Asks for a text; Enter accepts `proposed`, if any. */
  ask(message: string, proposed: string): Promise<string>;
  /** Asks for one or several of some codes. */
  choose(
    message: string,
    choices: readonly Choice[],
    proposed: readonly string[],
    several: boolean,
  ): Promise<readonly string[]>;
}

/** Ctrl-C: a terminal that asks receives it as a key, not as a signal. */
export class StoppedError extends Error {
  override message =
    "Stopped by Ctrl-C. No step is left half done. The lines above say how to continue.";
}

/** Most characters of a line, and of the guide on its left. */
const [MAX_WIDTH, GUIDE] = [100, 3];

function take<T>(answer: T): Exclude<T, symbol> {
  if (isCancel(answer)) throw new StoppedError();
  return answer as Exclude<T, symbol>;
}

const terminal: Terminal = {
  say(words) {
    const width = Math.min(Deno.consoleSize().columns, MAX_WIDTH) - GUIDE;
    const lines = words.split("\n").flatMap((line) =>
      line.length > width ? wrap(line, width) : line
    );
    log.message(lines, { spacing: 0 });
  },
  async ask(message, proposed) {
    const offer = proposed === "" ? {} : { placeholder: proposed, defaultValue: proposed };
    return take(await text({ message, ...offer })) ?? "";
  },
  async choose(message, choices, proposed, several) {
    const how = { message, options: [...choices], maxItems: 12 };
    if (several) {
      return take(await multiselect({ ...how, initialValues: [...proposed], required: true }));
    }
    return [
      take(await select(proposed.length === 0 ? how : { ...how, initialValue: proposed[0] })),
    ];
  },
};

/** The terminal of this process; `undefined` if no person can see and answer questions. */
export function openTerminal(): Terminal | undefined {
  return Deno.stdin.isTerminal() && Deno.stdout.isTerminal() ? terminal : undefined;
}
