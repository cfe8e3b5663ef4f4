import { Dialogue } from "../../../src/cli/init/dialogue.ts";
import { StoppedError } from "../../../src/cli/init/terminal.ts";

/** How a dialogue of a test is answered. */
interface Setting {
  /** Answers by the names of what is asked, in turn; "" takes what is proposed. @default there is no terminal */
  readonly answers?: Readonly<Record<string, string | readonly string[]>>;
  /** Answers given as options. @default none */
  readonly options?: Readonly<Record<string, readonly string[]>>;
  /** Whether --yes is given. @default {false} */
  readonly yes?: boolean;
}

/** What a terminal shows where something can be wrong. */
const REVIEW = /^Is this right|^Write /;

/**
 * A dialogue, what it has said, and what it has asked for. An answer to several choices has "|" between them. What has no
 * answer in a test ends the dialogue, as Ctrl-C does.
 */
export function openDialogue({ answers, options = {}, yes = false }: Setting) {
  const said: string[] = [];
  const asked: string[] = [];
  const waiting = new Map(
    Object.entries(answers ?? {}).map(([name, one]) => [name, [one].flat()]),
  );
  const next = (message: string) => {
    said.push(message);
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
    print: (text) => void said.push(text),
    terminal: answers && {
      say: (text) => void said.push(text),
      ask: (message, proposed) => Promise.resolve(next(message) || proposed),
      choose: (message, _choices, proposed) => {
        const answer = next(message);
        return Promise.resolve(answer === "" ? proposed : answer.split("|"));
      },
    },
  });
  const find = <T>(ask: () => Promise<T>) => dialogue.untilRight(ask, () => "Is this right?");
  return { dialogue, text: () => said.join("\n"), asked, find };
}
