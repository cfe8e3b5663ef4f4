import { Dialogue } from "../../../src/cli/init/dialogue.ts";
import type { Question } from "../../../src/cli/init/question.ts";

/** How a dialogue of a test is answered. */
interface Setting {
  /** Lines of a terminal. @default there is none */
  readonly lines?: readonly string[];
  /** Answers given as options. @default none */
  readonly options?: Readonly<Record<string, readonly string[]>>;
  /** Whether --yes is given. @default {false} */
  readonly yes?: boolean;
  /** All questions. @default none */
  readonly questions?: readonly Question[];
}

/** A dialogue, and what it has printed in its terminal. */
export function openDialogue({ lines, options = {}, yes = false, questions = [] }: Setting) {
  const printed: string[] = [];
  const waiting = [...lines ?? []];
  const dialogue = new Dialogue({
    questions,
    given: (name) => options[name] ?? [],
    yes,
    terminal: lines && {
      write: (text) => void printed.push(text),
      readLine: () => Promise.resolve(waiting.shift()),
    },
    signal: new AbortController().signal,
  });
  return { dialogue, text: () => printed.join("") };
}
