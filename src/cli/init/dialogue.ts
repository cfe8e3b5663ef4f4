import { visibleText } from "../../api/error_text.ts";
import { MisuseError } from "../command.ts";
import { PROGRAM } from "../project.ts";
import { formatProposed, formatRead, quote } from "./format_answers.ts";
import type { Answers, Proposal, Question } from "./question.ts";
import type { Terminal } from "./terminal.ts";
import { wrapLine } from "./wrap_line.ts";

/** How questions are answered. */
interface DialogueOptions {
  readonly questions: readonly Question[];
  /** Answers that were given as options. */
  given(name: string): readonly string[];
  /** Whether proposals are accepted without being asked. */
  readonly yes: boolean;
  /** Who answers; nobody where it is `undefined`. */
  readonly terminal: Terminal | undefined;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Answers of choices may be their numbers. */
function findChoice(answer: string, choices: readonly string[] = []): string {
  if (choices.includes(answer)) return answer;
  return (/^\d+$/.test(answer) ? choices[Number(answer) - 1] : undefined) ?? answer;
}

/** Asks what options do not answer; without a terminal it collects what is missing or wrong. */
export class Dialogue {
  readonly #options: DialogueOptions;
  readonly #answers = new Map<string, readonly string[]>();
  /** Answers that were taken back: they are proposed again. */
  readonly #earlier = new Map<string, readonly string[]>();
  /** Names of what was asked, or answered by an option. */
  readonly #asked = new Set<string>();
  /** What is missing or wrong, by the name of its question. */
  readonly #missing = new Map<string, string>();
  /** Names of what is missing that --yes would take. */
  readonly #offered = new Set<string>();

  constructor(options: DialogueOptions) {
    this.#options = options;
  }

  get answers(): Answers {
    return this.#answers;
  }

  /** Whether somebody answers. */
  get interactive(): boolean {
    return this.#options.terminal !== undefined;
  }

  /** Number of questions whose answer is missing or wrong. */
  get missing(): number {
    return this.#missing.size;
  }

  /** Answers that were given as options, and not taken back. */
  given(name: string): readonly string[] {
    return this.#earlier.has(name) ? [] : this.#options.given(name);
  }

  /** Prints a line; a long one is broken between words. */
  say(text = ""): void {
    const wrapped = text.split("\n").map((line) => wrapLine(line)).join("\n");
    if (this.#options.terminal) this.#options.terminal.write(`${wrapped}\n`);
    else console.log(wrapped);
  }

  /** Prints the heading of some questions, where somebody answers them. */
  head(text: string): void {
    if (this.interactive) this.say(text);
  }

  /**
   * Asks a question, unless it is answered, or an option answers it. A wrong answer is explained, and asked again.
   *
   * @returns The answers; `undefined` where there are none, and nobody answers
   * @throws {MisuseError} If the input ends
   */
  async ask(question: Question, proposal: Proposal = {}): Promise<readonly string[] | undefined> {
    const { name, about } = question;
    const known = this.#answers.get(name);
    if (known) return known;
    this.#asked.add(name);
    const { terminal, yes } = this.#options;
    const option = this.given(name);
    const { answers: proposed = [], choices, unsure = false } = proposal;
    const taken = yes && !unsure && !this.#earlier.has(name) ? proposed : [];
    const answers = this.#read(question, proposal, option.length > 0 ? option : taken);
    const problem = await this.#findProblem(question, proposal, answers);
    if (answers.length > 0 && problem === undefined) {
      if (option.length === 0) this.say(`${about}: ${formatProposed(proposal)}`);
      else if (String(answers) !== String(option)) this.say(`${about}: ${formatRead(answers)}`);
      return this.#accept(name, answers);
    }
    if (terminal) {
      if (problem !== undefined) this.say(`  ${problem}`);
      return await this.#askTerminal(terminal, question, proposal);
    }
    const list = choices && !choices.every((choice) => about.includes(choice))
      ? `, one of ${choices.slice(0, 30).map(visibleText).join(", ")}`
      : "";
    const offer = proposed.length === 0
      ? ""
      : unsure
      ? ` (perhaps ${formatProposed(proposal)}; --yes does not take it)`
      : ` (--yes takes ${formatProposed(proposal)})`;
    this.miss(question, problem ?? `${visibleText(about)}${list}${offer}`);
    if (proposed.length > 0 && !unsure && problem === undefined) this.#offered.add(name);
    return undefined;
  }

  /** Notes that an answer is missing or wrong, where nobody is asked. */
  miss({ name, value }: Question, problem: string): void {
    if (!this.#missing.has(name)) this.#missing.set(name, `--${name} ${value}: ${problem}`);
  }

  /**
   * Asks whether something is right, and if not, which answers are wrong: these are taken back. Without a terminal, and
   * with --yes, it is right.
   *
   * @param about What is asked
   * @param names Questions whose answers may be wrong
   * @param others Questions that were perhaps not asked, and may have to be
   * @returns Names of the questions to ask again, or for the first time; none where it is right
   */
  async review(
    about: string,
    names: readonly string[],
    others: readonly Question[] = [],
  ): Promise<readonly string[]> {
    const { terminal, yes } = this.#options;
    if (!terminal || yes) return [];
    for (;;) {
      terminal.write(`${about}? [yes]: `);
      const line = (await this.#readLine(terminal)).toLowerCase();
      if (["", "y", "yes"].includes(line)) return [];
      if (!["n", "no"].includes(line)) {
        this.say("  Answer yes or no");
        continue;
      }
      const wrong = await this.#askWrong(terminal, names, others);
      this.forget(wrong);
      if (wrong.length > 0) return wrong;
    }
  }

  /** Asks which answers are wrong; none is the way back. */
  async #askWrong(
    terminal: Terminal,
    names: readonly string[],
    others: readonly Question[],
  ): Promise<string[]> {
    const known = names.filter((name) => this.#answers.has(name));
    const open = others.filter(({ name }) => !known.includes(name));
    const lines = [
      ...known.map((name) => `${name}: ${this.#answers.get(name)!.join(", ")}`),
      ...open.map(({ about }) => `something else: ${about}`),
    ];
    for (const [i, line] of lines.entries()) {
      this.say(visibleText(`${`${i + 1}`.padStart(4)}  ${line}`));
    }
    const choices = [...known, ...open.map(({ name }) => name)];
    for (;;) {
      terminal.write(
        "Which of these is wrong? Its number, of several with blanks between them, or Enter to go back: ",
      );
      const line = await this.#readLine(terminal);
      const wrong = line.split(/[\s,]+/).filter((part) => part !== "")
        .map((part) => findChoice(part, choices));
      if (wrong.every((name) => choices.includes(name))) return wrong;
      this.say(visibleText(`  "${line}" is not a number from 1 to ${choices.length}`));
    }
  }

  /**
   * Takes answers back, so that they are asked again; what was answered is proposed.
   *
   * @param names Their questions
   * @param propose Whether they are proposed: not where another file is asked about
   */
  forget(names: readonly string[], propose = true): void {
    for (const name of names) {
      const answers = this.#answers.get(name);
      if (answers) this.#earlier.set(name, propose ? answers : []);
      this.#answers.delete(name);
    }
  }

  /** @throws {MisuseError} If answers are missing or wrong, or options are not used; the message has all of them */
  assertComplete(): void {
    if (this.#missing.size > 0) {
      const format = (offered: boolean) =>
        [...this.#missing].filter(([name]) => this.#offered.has(name) === offered)
          .map(([, line]) => `${wrapLine(`  ${line}`)}\n`).join("");
      const yes = this.#offered.size > 0 ? `And these, or --yes:\n${format(true)}` : "";
      throw new MisuseError(
        "Cannot ask what is missing or wrong, as there is no terminal. Give these options:\n" +
          `${format(false)}${yes}`.trimEnd(),
      );
    }
    const unused = this.#options.questions.filter(({ name }) =>
      !this.#asked.has(name) && this.given(name).length > 0
    );
    if (unused.length === 0) return;
    for (const { name } of unused) this.#asked.add(name); // the call to go on with is without them
    throw new MisuseError(
      "Cannot use these options, as nothing asks for them in such files. Leave them out:\n" +
        unused.map(({ name }) => `  --${name} ${this.given(name).join(", ")}`).join("\n"),
    );
  }

  /** The call that has as options all answers so far, and the options that were not reached. */
  formatCall(more: readonly string[] = []): string {
    const options = this.#options.questions.flatMap(({ name }) =>
      (this.#answers.get(name) ?? (this.#asked.has(name) ? [] : this.given(name)))
        .map((answer) => `--${name}${answer.startsWith("-") ? "=" : " "}${quote(answer)}`)
    );
    return [`  ${PROGRAM} init`, ...options, ...more].join(" \\\n    ");
  }

  #accept(name: string, answers: readonly string[]): readonly string[] {
    this.#answers.set(name, answers);
    return answers;
  }

  /** Answers as they are used: choices by themselves, coordinates in degrees. */
  #read({ normalize }: Question, { choices }: Proposal, answers: readonly string[]): string[] {
    return answers.map((answer) => findChoice(answer, choices))
      .map((answer) => normalize?.(answer) ?? answer);
  }

  /** Says what is wrong with answers; `undefined` where nothing is. */
  async #findProblem(
    { check, most = 1 }: Question,
    { choices }: Proposal,
    answers: readonly string[],
  ): Promise<string | undefined> {
    if (answers.length > most) return `There are ${answers.length} answers, give ${most}`;
    for (const answer of answers) {
      if (choices && !choices.includes(answer)) {
        const some = choices.slice(0, 30).join(", ") + (choices.length > 30 ? ", …" : "");
        return visibleText(`"${answer}" is not one of ${some}`);
      }
      const problem = await check?.(answer, this.#answers);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  async #askTerminal(
    terminal: Terminal,
    question: Question,
    proposal: Proposal,
  ): Promise<readonly string[] | undefined> {
    const earlier = this.#earlier.get(question.name) ?? [];
    const known = earlier.length > 0 ? { answers: earlier } : proposal;
    const { answers: proposed = [] } = known;
    const offer = proposed.length > 0 ? ` [${formatProposed(known)}]` : "";
    for (;;) {
      terminal.write(`${wrapLine(`${visibleText(question.about)}${offer}:`)} `);
      const given = this.#split(question, proposal, await this.#readLine(terminal));
      const answers = this.#read(question, proposal, given.length > 0 ? given : proposed);
      const problem = answers.length === 0
        ? "An answer is needed"
        : await this.#findProblem(question, proposal, answers);
      if (problem === undefined) {
        if (given.length > 0 && String(given) !== String(answers)) {
          this.say(`  ${formatRead(answers)}`);
        }
        return this.#accept(question.name, answers);
      }
      this.say(`  ${problem}`);
    }
  }

  /** The answers of a line; choices may have blanks between them. */
  #split({ most = 1 }: Question, { choices }: Proposal, line: string): string[] {
    if (line === "") return [];
    if (most === 1 || choices?.includes(line)) return [line];
    return line.split(choices ? /[\s,+]+/ : /\s*,\s+/);
  }

  async #readLine(terminal: Terminal): Promise<string> {
    const line = await terminal.readLine(this.#options.signal);
    if (line !== undefined) return line.trim();
    this.say();
    throw new MisuseError("Cannot go on: the input ended before the last answer");
  }
}
