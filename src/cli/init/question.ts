/** Answers by the names of their questions; those of most questions have one entry. */
export type Answers = ReadonlyMap<string, readonly string[]>;

/** Something that is asked, and an option of the command. */
export interface Question {
  /** Its name: that of the option. */
  readonly name: string;
  /** Name of its value in the help, such as `KW`. */
  readonly value: string;
  /** What is asked, without a question mark; the help says the same. */
  readonly about: string;
  /** Most answers that it takes. @default {1} */
  readonly most?: number;
  /** Writes an answer as it is used, before it is checked: `48.45 N` is `48.45`. @default as it is */
  normalize?(answer: string): string;
  /**
   * Says what is wrong with an answer, and what to give.
   *
   * @param answer The answer, not empty
   * @param answers Those before it
   * @returns `undefined` where it is right
   */
  check?(answer: string, answers: Answers): string | undefined | Promise<string | undefined>;
}

/** What is known when a question is asked. */
export interface Proposal {
  /** Answers that Enter accepts. @default none */
  readonly answers?: readonly string[];
  /** How they are shown. @default as they are */
  readonly shown?: string;
  /** Why they are proposed, as "the column is named so". */
  readonly reason?: string;
  /** Whether nothing proves them, so that --yes does not take them. @default {false} */
  readonly unsure?: boolean;
  /** Answers to choose from, by number or by themselves. @default any that is right */
  readonly choices?: readonly string[];
}

/** Answer to a question that takes one; a question that must have been asked before. */
export function answerOf(answers: Answers, name: string): string {
  const [answer] = answers.get(name) ?? [];
  if (answer === undefined) throw new Error(`--${name} has no answer`);
  return answer;
}

/** Makes the check of a number. */
export function checkNumber(
  unit: string,
  [least, most]: readonly [number, number],
): (answer: string) => string | undefined {
  return (answer) => {
    const value = /^[+-]?\d+(\.\d+)?$/.test(answer) ? Number(answer) : NaN;
    if (Number.isNaN(value)) return `"${answer}" is not a plain number, as 12 or 12.5`;
    return value >= least && value <= most
      ? undefined
      : `${answer} is not from ${least} to ${most} (${unit})`;
  };
}
