import { visibleLines, visibleText } from "../../api/error_text.ts";
import { shellWord } from "../../storage/mod.ts";
import { MisuseError, PROGRAM } from "../command/command.ts";
import { allFields, type Field, formatValue, NONE, readAnswers } from "./fields.ts";
import type { Choice, Terminal } from "./terminal.ts";

/** What is known when a field is asked for. */
export interface Proposal {
  /** The value that is proposed. @default none */
  readonly value?: unknown;
  /** Why, as "the column is named so". */
  readonly reason?: string | undefined;
  /**
   * How well it is known: `proven` by the files; `usual`, which --yes takes; or `unsure`, which only a person can confirm.
   *
   * @default {"usual"}
   */
  readonly trust?: "proven" | "usual" | "unsure";
  /** What can be chosen. @default the codes of the field, or any value */
  readonly choices?: readonly Choice[];
}

const propose = (trust: Proposal["trust"]) => (value: unknown, reason: string): Proposal => ({
  value,
  reason,
  trust,
});

/** Proposes what the files prove. */
export const proven = propose("proven");

/** Proposes what is usual, which --yes takes. */
export const usual = propose("usual");

/** Proposes what only a person can confirm. */
export const unsure = propose("unsure");

/** Says what is wrong with a value; `undefined` if nothing is. */
export type Check = (value: unknown) => string | undefined | Promise<string | undefined>;

/** How fields are answered. */
interface DialogueOptions {
  /** Answers that were given as options. */
  given(name: string): readonly string[];
  /** Whether usual proposals are accepted without a confirmation. */
  readonly yes: boolean;
  /** Terminal of the person who answers; `undefined` if nobody does. */
  readonly terminal: Terminal | undefined;
  /** Prints a text if nobody answers. */
  print(text: string): void;
}

/** A value, and how it is known. */
interface Known {
  readonly value: unknown;
  readonly reason?: string | undefined;
  readonly trust: NonNullable<Proposal["trust"]> | "given";
}

/** An answer was taken back: everything is derived again. */
class AgainError extends Error {}

/** Values of a list that are shown; of more the first two and the last. */
const MAX_SHOWN = 6;

/** Choices that a message names. */
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
 * Asks for what neither an option nor a file says, and shows all values on one screen. Without a terminal it collects what
 * is missing or wrong.
 */
export class Dialogue {
  readonly #options: DialogueOptions;
  readonly #known = new Map<string, Known>();
  /** Answers that were taken back, by name: they are asked for again, and proposed. */
  readonly #earlier = new Map<string, unknown>();
  /** Names of what was asked for, or answered by an option. */
  readonly #asked = new Set<string>();
  /** What is missing or wrong, by name. */
  readonly #missing = new Map<string, string>();
  #notes: string[] = [];
  /** The line that is probably wrong. */
  #doubted: string | undefined;

  constructor(options: DialogueOptions) {
    this.#options = options;
  }

  /** Whether somebody answers. */
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

  /** Whether a person has answered a field, or is to be asked for it. */
  wants({ name }: Field): boolean {
    return [this.#known, this.#earlier, this.#missing].some((some) => some.has(name)) ||
      this.given(name).length > 0;
  }

  /** Answers that were given as options, and not taken back. */
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
   * Finds the value of a field: an answer, an option, or a proposal, which the screen shows. Otherwise it asks; a wrong answer
   * is explained, and asked for again.
   *
   * @returns The value, `null` for none; `undefined` if there is no answer, and nobody answers
   * @throws {StoppedError} At Ctrl-C
   */
  async ask(field: Field, proposal: Proposal = {}, check?: Check): Promise<unknown> {
    const { name, about, choices: codes } = field;
    const known = this.#known.get(name);
    if (known) return known.value;
    this.#asked.add(name);
    const { terminal, yes } = this.#options;
    const given = this.given(name);
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
      const found = readAnswers(field, answers);
      return "problem" in found ? found : await judge(found.value);
    };
    const isTaken = proposed !== undefined && !this.#earlier.has(name) && given.length === 0 &&
      (trust === "proven" || (trust === "usual" ? yes || terminal : terminal && !yes));
    const first = isTaken
      ? await judge(proposed)
      : given.length > 0
      ? await read(given)
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
      const shown = explain({ ...proposal, trust: "proven" });
      const offer = proposed === undefined
        ? ""
        : trust === "unsure"
        ? ` (perhaps ${shown}, but too uncertain for --yes)`
        : ` (--yes accepts ${shown})`;
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
      const found = answers.length === 0 ? { problem: "Give an answer" } : await read(answers);
      if ("value" in found) {
        this.#known.set(name, { ...found, trust: "given" });
        return found.value;
      }
      this.say(found.problem);
    }
  }

  /** Notes that an answer is missing or wrong, if nobody is asked. */
  miss({ name, value }: Field, problem: string): undefined {
    if (!this.#missing.has(name)) {
      this.#missing.set(name, `  --${name} ${value}: ${visibleText(problem)}`);
    }
  }

  /** Shows that an answer is probably wrong: a person has to confirm it, or to change it. */
  doubt(field: Field, problem: string): void {
    if (!this.interactive) this.miss(field, problem);
    this.note(problem);
    this.#doubted = field.name;
  }

  /** Takes back answers that the files refute. Without a terminal the first one counts as wrong. */
  refute(fields: readonly Field[], problem: string): undefined {
    if (!this.interactive) return this.miss(fields[0], problem);
    this.say(problem);
    this.#takeBack(fields.map(({ name }) => name));
    throw new AgainError();
  }

  /**
   * Asks, shows all on one screen, and asks again for the line that a person chooses, until it is right.
   *
   * @param about What a person confirms
   * @throws {MisuseError} If answers are missing or wrong, or options are not used; the message has all of them
   */
  async untilRight<T>(ask: () => Promise<T>, about: () => string): Promise<T> {
    for (;;) {
      for (const [name, { trust }] of this.#known) if (trust !== "given") this.#known.delete(name);
      this.#asked.clear();
      [this.#notes, this.#doubted] = [[], undefined];
      try {
        const asked = await ask();
        this.#assertComplete();
        if (await this.#confirm(about())) return asked;
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

  /** Takes answers back, so that they are asked for again; what depends on them, such as the columns of a file, is forgotten. */
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
      !this.#asked.has(name) && !this.#known.has(name) && this.given(name).length > 0
    );
    if (unused.length === 0) return;
    for (const { name } of unused) this.#asked.add(name); // the call to go on with is without them
    throw new MisuseError(
      "Cannot use these options: init has no question for them with these files. Omit them:\n" +
        unused.map(({ name }) => `  --${name} ${this.given(name).join(", ")}`).join("\n"),
    );
  }

  /**
   * The call that has as options all values so far, and the options that were not reached.
   *
   * @param without Fields to leave out. @default none
   */
  formatCall(more: readonly string[], without: readonly Field[] = []): string {
    const options = allFields.filter((field) => !without.includes(field)).flatMap(({ name }) => {
      const known = this.#known.get(name);
      const all = known
        ? known.value === null && known.trust === "proven" ? [] : formatValue(known.value)
        : this.#asked.has(name)
        ? []
        : this.given(name);
      return all.map((one) => `--${name}${one.startsWith("-") ? "=" : " "}${shellWord(one)}`);
    });
    return [`  ${PROGRAM} init`, ...options, ...more].join(" \\\n    ");
  }

  /** The answers of a line: of a field that takes several, with commas between them. */
  #split({ several }: Field, line: string): string[] {
    const text = line.trim();
    return text === "" ? [] : several ? text.split(/,\s+/) : [text];
  }
}
