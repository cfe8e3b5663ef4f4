import { visibleText } from "../../api/visible_text.ts";
import { MisuseError } from "../command.ts";
import { PROGRAM } from "../project.ts";
import type { Answers, Proposal, Question } from "./question.ts";
import type { Terminal } from "./terminal.ts";

/** How questions are answered. */
interface DialogueOptions {
  /** Answers that were given as options. */
  given(name: string): readonly string[];
  /** Whether proposals are accepted without being asked. */
  readonly yes: boolean;
  /** Who answers; nobody where it is `undefined`. */
  readonly terminal: Terminal | undefined;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Puts a text in quotes for a shell, where it needs them. */
export function quote(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Formats why an answer is proposed. */
const formatReason = ({ reason }: Proposal) => reason === undefined ? "" : ` (${reason})`;

const formatOption = ({ name, value }: Question) => `--${name} ${value}`;

/** Asks what options do not answer; without a terminal it collects what is missing or wrong. */
export class Dialogue {
  readonly #options: DialogueOptions;
  readonly #answers = new Map<string, readonly string[]>();
  /** Answers that were taken back: they are proposed again. */
  readonly #earlier = new Map<string, readonly string[]>();
  readonly #missing: string[] = [];

  constructor(options: DialogueOptions) {
    this.#options = options;
  }

  /** The answers so far. */
  get answers(): Answers {
    return this.#answers;
  }

  /** Whether somebody answers. */
  get interactive(): boolean {
    return this.#options.terminal !== undefined;
  }

  /** Prints a line. */
  say(text = ""): void {
    if (this.#options.terminal) this.#options.terminal.write(`${text}\n`);
    else console.log(text);
  }

  /** Prints the heading of some questions, where somebody answers them. */
  head(text: string): void {
    if (this.interactive) this.say(text);
  }

  /**
   * Asks a question, unless an option has answered it. A wrong answer is explained, and asked again.
   *
   * @param question The question
   * @param proposal What is known
   * @returns The answers; `undefined` where there are none, and nobody answers
   * @throws {MisuseError} If the input ends
   */
  async ask(question: Question, proposal: Proposal = {}): Promise<readonly string[] | undefined> {
    const { name } = question;
    const { terminal, yes } = this.#options;
    const earlier = this.#earlier.get(name);
    const option = earlier ? [] : this.#options.given(name);
    const problem = option.length === 0
      ? undefined
      : await this.#findProblem(question, proposal, option);
    if (option.length > 0 && problem === undefined) return this.#accept(name, option);
    const { answers: proposed = [] } = proposal;
    const accepted = yes && proposed.length > 0 && problem === undefined && !earlier;
    if (terminal && !accepted) {
      if (problem !== undefined) this.say(`  ${problem}`);
      return await this.#askTerminal(terminal, question, proposal, earlier);
    }
    const shown = proposal.shown ?? proposed.join(", ");
    if (accepted) {
      this.say(visibleText(`${question.about}: ${shown}${formatReason(proposal)}`));
      return this.#accept(name, proposed);
    }
    const choices = proposal.choices ? `, one of ${proposal.choices.join(", ")}` : "";
    const offer = proposed.length > 0 ? ` (--yes takes ${shown}${formatReason(proposal)})` : "";
    this.#missing.push(
      visibleText(`${formatOption(question)}: ${problem ?? `${question.about}${choices}${offer}`}`),
    );
    return undefined;
  }

  /** Asks whether something is right. Without a terminal, and with --yes, it is. */
  async confirm(about: string): Promise<boolean> {
    const { terminal, yes } = this.#options;
    if (!terminal || yes) return true;
    for (;;) {
      terminal.write(`${about}? [yes]: `);
      const line = (await this.#readLine(terminal)).toLowerCase();
      if (["", "y", "yes"].includes(line)) return true;
      if (["n", "no"].includes(line)) return false;
      this.say("  Answer yes or no");
    }
  }

  /** Takes answers back, so that they are asked again; what was answered is proposed. */
  forget(names: readonly string[]): void {
    for (const name of names) {
      this.#earlier.set(name, this.#answers.get(name) ?? []);
      this.#answers.delete(name);
    }
  }

  /** @throws {MisuseError} If answers are missing or wrong; the message has all of them with their options */
  assertComplete(): void {
    if (this.#missing.length === 0) return;
    throw new MisuseError(
      "Cannot ask what is missing or wrong, as there is no terminal. Give these options:\n" +
        this.#missing.map((line) => `  ${line}`).join("\n"),
    );
  }

  /** The call that has the answers so far as options. */
  formatCall(): string {
    const options = [...this.#answers].flatMap(([name, answers]) =>
      answers.map((answer) => `--${name}${answer.startsWith("-") ? "=" : " "}${quote(answer)}`)
    );
    return [`${PROGRAM} init`, ...options].join(" ");
  }

  #accept(name: string, answers: readonly string[]): readonly string[] {
    this.#answers.set(name, answers);
    return answers;
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
        return visibleText(`"${answer}" is not one of ${choices.join(", ")}`);
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
    earlier: readonly string[] = [],
  ): Promise<readonly string[] | undefined> {
    const known = earlier.length > 0 ? { answers: earlier } : proposal;
    const { answers: proposed = [], shown = proposed.join(", ") } = known;
    const offer = proposed.length > 0 ? ` [${visibleText(shown + formatReason(known))}]` : "";
    for (;;) {
      terminal.write(`${question.about}${offer}: `);
      const given = await this.#readAnswers(terminal, question, proposal.choices);
      const answers = given.length > 0 ? given : proposed;
      const problem = answers.length === 0
        ? "An answer is needed"
        : await this.#findProblem(question, proposal, answers);
      if (problem === undefined) return this.#accept(question.name, answers);
      this.say(`  ${problem}`);
    }
  }

  /** Reads the answers of a line; of choices also by number, with blanks between them. */
  async #readAnswers(
    terminal: Terminal,
    { most = 1 }: Question,
    choices: readonly string[] | undefined,
  ): Promise<string[]> {
    const line = await this.#readLine(terminal);
    if (line === "") return [];
    if (choices?.includes(line)) return [line];
    if (!choices) return most === 1 ? [line] : line.split(/\s*,\s+/);
    const parts = most === 1 ? [line] : line.split(/[\s,+]+/);
    return parts.map((part) => (/^\d+$/.test(part) ? choices[Number(part) - 1] : part) ?? part);
  }

  async #readLine(terminal: Terminal): Promise<string> {
    const line = await terminal.readLine(this.#options.signal);
    if (line !== undefined) return line.trim();
    this.say();
    throw new MisuseError("Cannot go on: the input ended before the last answer");
  }
}
