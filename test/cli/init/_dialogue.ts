import { Dialogue } from "../../../src/cli/init/dialogue.ts";
import { StoppedError } from "../../../src/cli/init/terminal.ts";

/** Answers to a dialogue in a test. */
interface Setting {
  /** Answers by words of the question, in turn; "" accepts the proposal. @default there is no terminal */
  readonly answers?: Readonly<Record<string, string | readonly string[]>>;
  /** Answers as options. @default none */
  readonly options?: Readonly<Record<string, readonly string[]>>;
  /** Whether --yes is set. @default {false} */
  readonly yes?: boolean;
}

/** Text of the terminal's review of all answers. */
const REVIEW = /^Is this right|^Write /;

/**
 * A dialogue with its output and its questions. Answers to a multiple choice are separated by "|". A question without an
 * answer in the test ends the dialogue, as Ctrl-C does.
 */
export function openDialogue({ answers, options = {}, yes = false }: Setting) {
  const lines: string[] = [];
  const asked: string[] = [];
  const waiting = new Map(
    Object.entries(answers ?? {}).map(([name, one]) => [name, [one].flat()]),
  );
  const next = (message: string) => {
    lines.push(message);
    const name = REVIEW.test(message)
      ? "review"
      : [...waiting.keys()].find((about) => message.toLowerCase().includes(about.toLowerCase()));
    asked.push(message);
    const answer = name === undefined ? undefined : waiting.get(name)?.shift();
    if (answer === undefined && name === "review") return "yes";
    if (answer === undefined) throw new StoppedError();
    return answer;
  };
  const dialogue = new Dialogue({
    given: (name) => options[name] ?? [],
    yes,
    print: (text) => void lines.push(text),
    terminal: answers && {
      say: (text) => void lines.push(text),
      ask: (message, proposed) => Promise.resolve(next(message) || proposed),
      choose: (message, _choices, proposed) => {
        const answer = next(message);
        return Promise.resolve(answer === "" ? proposed : answer.split("|"));
      },
    },
  });
  const find = <T>(ask: () => Promise<T>) => dialogue.untilRight(ask, () => "Is this right?");
  return { dialogue, text: () => lines.join("\n"), asked, find };
}
