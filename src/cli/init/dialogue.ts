import { visibleLines, visibleText } from "../../api/error_text.ts";
import { shellWord } from "../../storage/mod.ts";
import { MisuseError, PROGRAM } from "../command/command.ts";
import { allFields, type Field, formatValue, NONE, readAnswers } from "./fields.ts";
import type { Choice, Terminal } from "./terminal.ts";

/** Known facts about a field before it is asked. */
export interface Proposal {
  /** The proposed value. @default none */
  readonly value?: unknown;
  /** Reason, such as "the column is named so". */
  readonly reason?: string | undefined;
  /**
   * How certain it is: `proven` by the files; `usual`, accepted by --yes; or `unsure`, which only a person can confirm.
   *
   * @default {"usual"}
   */
  readonly trust?: "proven" | "usual" | "unsure";
  /** Possible choices. @default the codes of the field, or any value */
  readonly choices?: readonly Choice[];
}

const propose = (trust: Proposal["trust"]) => (value: unknown, reason: string): Proposal => ({
  value,
  reason,
  trust,
});

/** Proposes a value that the files prove. */
export const proven = propose("proven");

/** Proposes the usual value, which --yes accepts. */
export const usual = propose("usual");

/** Proposes a value that only a person can confirm. */
export const unsure = propose("unsure");

/** Describes the fault of a value; `undefined` if it has none. */
export type Check = (value: unknown) => string | undefined | Promise<string | undefined>;

/** Options of a dialogue. */
interface DialogueOptions {
  /** Answers given as options. */
  given(name: string): readonly string[];
  /** Whether usual proposals are accepted without a confirmation. */
  readonly yes: boolean;
  /** Terminal of the person who answers; `undefined` without one. */
  readonly terminal: Terminal | undefined;
  /** Prints a text if there is no terminal. */
  print(text: string): void;
}

/** A value, and how certain it is. */
interface Known {
  readonly value: unknown;
  readonly reason?: string | undefined;
  readonly trust: NonNullable<Proposal["trust"]> | "given";
}

/** Thrown when the user takes an answer back: everything is derived again. */
class AgainError extends Error {}

/** Most values of a list that are shown; longer lists show the first two and the last. */
const MAX_SHOWN = 6;

/** Most choices that a message names. */
const MAX_NAMED = 30;

function show(value: unknown): string {
  const all = formatValue(value);
  return all.length > MAX_SHOWN
    ? `${all.slice(0, 2).join(", ")} … ${all.at(-1)}, ${all.length} in all`
    : all.join(", ");
}

/** A value with its reason, for a person. */
function explain({ value, reason, trust }: Proposal | Known): string {
  if (reason === undefined) return show(value);
  return `${show(value)} (${trust === "proven" ? "" : "assumed: "}${reason})`;
}

const nameSome = (choices: readonly Choice[]) =>
  choices.slice(0, MAX_NAMED).map(({ value }) => value).join(", ") +
  (choices.length > MAX_NAMED ? ", …" : "");

/**
 * Asks for values that neither an option nor a file gives, and shows all values on one screen. Without a terminal it
 * collects missing and wrong values.
 */
export class Dialogue {
  readonly #options: DialogueOptions;
  readonly #known = new Map<string, Known>();
  /** Answers that the user took back, by name; they are asked for again, as proposals. */
  readonly #earlier = new Map<string, unknown>();
  /** Names of fields that were asked for, or answered by an option. */
  readonly #reached = new Set<string>();
  /** Missing or wrong fields, with the problem, by name. */
  readonly #missing = new Map<string, string>();
  #notes: string[] = [];
  /** The line that is probably wrong. */
  #doubted: string | undefined;

  constructor(options: DialogueOptions) {
    this.#options = options;
  }

  /** Whether a person answers. */
  get interactive(): boolean {
    return this.#options.terminal !== undefined;
  }

  /** Number of fields whose answer is missing or wrong. */
  get missing(): number {
    return this.#missing.size;
  }

  /** The value of a field; `undefined` if it has none. */
  value({ name }: Field): unknown {
    return this.#known.get(name)?.value ?? undefined;
  }

  /** Whether a person has answered a field, or should answer it. */
  wants({ name }: Field): boolean {
    return [this.#known, this.#earlier, this.#missing].some((some) => some.has(name)) ||
      this.given(name).length > 0;
  }

  /** Answers given as options and not taken back. */
  given(name: string): readonly string[] {
    return this.#earlier.has(name) ? [] : this.#options.given(name);
  }

  /** Shows a text. */
  say(text: string): void {
    const { terminal, print } = this.#options;
    (terminal?.say ?? print)(visibleLines(text));
  }

  /** Adds lines to the screen. */
  note(...lines: readonly string[]): void {
    this.#notes.push(...lines);
  }

  /**
   * Determines the value of a field from an answer, an option or a proposal, which the screen shows. Otherwise it asks. It
   * explains a wrong answer, and asks again.
   *
   * @returns The value, `null` for none; `undefined` if there is no answer and no terminal
   * @throws {StoppedError} On Ctrl-C
   */
  async ask(field: Field, proposal: Proposal = {}, check?: Check): Promise<unknown> {
    const { name, about, choices: codes } = field;
    const known = this.#known.get(name);
    if (known) return known.value;
    this.#reached.add(name);
    const { terminal, yes } = this.#options;
    const optionAnswers = this.given(name);
    const { value: proposed, trust = "usual" } = proposal;
    const choices = proposal.choices ?? codes.map((value): Choice => ({ value }));
    const judge = async (value: unknown) => {
      const problem = await check?.(value);
      return problem === undefined ? { value } : { problem };
    };
    const read = async (answers: readonly string[]) => {
      const wrong = choices.length > 0 &&
        answers.find((answer) => answer !== NONE && !choices.some(({ value }) => value === answer));
      if (wrong) return { problem: `"${wrong}" is not one of ${nameSome(choices)}` };
      const reading = readAnswers(field, answers);
      return "problem" in reading ? reading : await judge(reading.value);
    };
    const isTaken = proposed !== undefined && !this.#earlier.has(name) &&
      optionAnswers.length === 0 &&
      (trust === "proven" || (trust === "usual" ? yes || terminal : terminal && !yes));
    const first = isTaken
      ? await judge(proposed)
      : optionAnswers.length > 0
      ? await read(optionAnswers)
      : undefined;
    if (first && "value" in first) {
      this.#known.set(
        name,
        isTaken ? { ...proposal, ...first, trust } : { ...first, trust: "given" },
      );
      return first.value;
    }
    if (!terminal) {
      const list = choices.length > 0 && codes.length === 0 ? `, one of ${nameSome(choices)}` : "";
      const proposedText = explain({ ...proposal, trust: "proven" });
      const offer = proposed === undefined
        ? ""
        : trust === "unsure"
        ? ` (perhaps ${proposedText}, but too uncertain for --yes)`
        : ` (--yes accepts ${proposedText})`;
      return this.miss(field, first?.problem ?? about + list + offer);
    }
    if (first) this.say(first.problem);
    const offered = this.#earlier.get(name) ?? proposed;
    const words = visibleText(about);
    const offers = offered === undefined ? [] : formatValue(offered);
    for (;;) {
      const answers = choices.length > 0
        ? await terminal.choose(words, choices, offers, field.several && codes.length === 0)
        : this.#split(field, await terminal.ask(words, offers.join(", ")));
      const reading = answers.length === 0 ? { problem: "Give an answer" } : await read(answers);
      if ("value" in reading) {
        this.#known.set(name, { ...reading, trust: "given" });
        return reading.value;
      }
      this.say(reading.problem);
    }
  }

  /** Records that an answer is missing or wrong, without a terminal. */
  miss({ name, value }: Field, problem: string): undefined {
    if (!this.#missing.has(name)) {
      this.#missing.set(name, `  --${name} ${value}: ${visibleText(problem)}`);
    }
  }

  /** Marks an answer as probably wrong: a person has to confirm or change it. */
  doubt(field: Field, problem: string): void {
    if (!this.interactive) this.miss(field, problem);
    this.note(problem);
    this.#doubted = field.name;
  }

  /** Takes back answers that the files refute. Without a terminal, the first one counts as wrong. */
  refute(fields: readonly Field[], problem: string): undefined {
    if (!this.interactive) return this.miss(fields[0], problem);
    this.say(problem);
    this.#takeBack(fields.map(({ name }) => name));
    throw new AgainError();
  }

  /**
   * Asks, shows everything on one screen, and repeats the question that a person selects, until all is right.
   *
   * @param about Summary that a person confirms
   * @throws {MisuseError} If answers are missing or wrong, or options are unused; the message lists all
   */
  async untilRight<T>(ask: () => Promise<T>, about: () => string): Promise<T> {
    for (;;) {
      for (const [name, { trust }] of this.#known) if (trust !== "given") this.#known.delete(name);
      this.#reached.clear();
      [this.#notes, this.#doubted] = [[], undefined];
      try {
        const result = await ask();
        this.#assertComplete();
        if (await this.#confirm(about())) return result;
      } catch (error) {
        if (!(error instanceof AgainError)) throw error;
      }
    }
  }

  async #confirm(about: string): Promise<boolean> {
    const { terminal, yes } = this.#options;
    const lines = allFields.flatMap(({ name, about }) => {
      const known = this.#known.get(name);
      return known ? [{ value: name, text: `${name}: ${explain(known)}`, hint: about }] : [];
    });
    this.say(
      [
        "From your files and answers:",
        ...lines.map(({ text }) => `  ${text}`),
        ...this.#notes,
      ]
        .join("\n"),
    );
    if (!terminal || yes && this.#doubted === undefined) return true;
    const choices = lines.map(({ text, ...one }) => ({
      ...one,
      label: `no, change ${visibleText(text)}`,
    }));
    const all = [{ value: "yes" }, ...choices];
    const [answer] = await terminal.choose(about, all, [this.#doubted ?? "yes"], false);
    if (answer !== "yes") this.#takeBack([answer]);
    return answer === "yes";
  }

  /** Takes answers back so they are asked again; forgets facts that depend on them, such as the columns of a file. */
  #takeBack(names: readonly string[]): void {
    for (const name of names) {
      this.#earlier.set(name, this.#known.get(name)?.value);
      for (const { name: other } of allFields) {
        if (other.startsWith(`${name}-`)) {
          this.#earlier.delete(other);
          this.#known.delete(other);
        }
      }
      this.#known.delete(name);
    }
  }

  #assertComplete(): void {
    if (this.#missing.size > 0) {
      throw new MisuseError(
        "Cannot ask for missing or wrong values: there is no terminal. Give these options:\n" +
          [...this.#missing.values()].join("\n"),
      );
    }
    const unused = allFields.filter(({ name }) =>
      !this.#reached.has(name) && !this.#known.has(name) && this.given(name).length > 0
    );
    if (unused.length === 0) return;
    for (const { name } of unused) this.#reached.add(name); // the call for the next try omits them
    throw new MisuseError(
      "Cannot use these options: init has no question for them with these files. Omit them:\n" +
        unused.map(({ name }) => `  --${name} ${this.given(name).join(", ")}`).join("\n"),
    );
  }

  /**
   * The call with all values so far as options, plus the options that were not reached.
   *
   * @param without Fields to leave out. @default none
   */
  formatCall(more: readonly string[], without: readonly Field[] = []): string {
    const options = allFields.filter((field) => !without.includes(field)).flatMap(({ name }) => {
      const known = this.#known.get(name);
      const all = known
        ? known.value === null && known.trust === "proven" ? [] : formatValue(known.value)
        : this.#reached.has(name)
        ? []
        : this.given(name);
      return all.map((one) => `--${name}${one.startsWith("-") ? "=" : " "}${shellWord(one)}`);
    });
    return [`  ${PROGRAM} init`, ...options, ...more].join(" \\\n    ");
  }

  /** Splits a line into answers, at commas if the field takes several. */
  #split({ several }: Field, line: string): string[] {
    const text = line.trim();
    return text === "" ? [] : several ? text.split(/,\s+/) : [text];
  }
}
