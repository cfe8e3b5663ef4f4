import { visibleLines, visibleText } from "../../api/error_text.ts";
import { shellWord } from "../../storage/mod.ts";
import { MisuseError } from "../command.ts";
import { PROGRAM } from "../project.ts";
import { type Field, formatValue, NONE, readAnswers } from "./fields.ts";
import type { Choice, Terminal } from "./terminal.ts";

/** What is known when a field is asked for. */
export interface Proposal {
  /** The value that is proposed. @default none */
  readonly value?: unknown;
  /** Why, as "the column is named so". */
  readonly reason?: string | undefined;
  /**
   * How well it is known: `proven` by the files, so that it is not asked for; `usual`, which Enter or --yes takes; or
   * `unsure`, which only a person can take. @default {"usual"}
   */
  readonly trust?: "proven" | "usual" | "unsure";
  /** What can be chosen. @default the codes of the field, or any value */
  readonly choices?: readonly Choice[];
}

/** Proposes what the files prove, so that it is not asked for. */
export const proven = (value: unknown, reason: string): Proposal => ({
  value,
  reason,
  trust: "proven",
});

/** Proposes what is usual, which Enter or --yes takes. */
export const usual = (value: unknown, reason: string): Proposal => ({ value, reason });

/** Proposes what only a person can take. */
export const unsure = (value: unknown, reason: string): Proposal => ({
  value,
  reason,
  trust: "unsure",
});

/** Says what is wrong with a value; `undefined` where nothing is. */
export type Check = (value: unknown) => string | undefined | Promise<string | undefined>;

/** How fields are answered. */
interface DialogueOptions {
  readonly fields: readonly Field[];
  /** Answers that were given as options. */
  given(name: string): readonly string[];
  /** Whether usual proposals are accepted without being asked. */
  readonly yes: boolean;
  /** Terminal of the person who answers; `undefined` if nobody does. */
  readonly terminal: Terminal | undefined;
  /** Prints a text where nobody answers. */
  print(text: string): void;
}

/** What is probably wrong with data as they were read. */
export interface Doubt {
  /** What is wrong, in sentences. */
  readonly problem: string;
  /** The answer that is probably wrong. */
  readonly field: Field;
  /** The answer that fits. @default none is known */
  readonly likely?: unknown;
}

/** Data as they were read. */
export interface Reading {
  /** First rows and totals, as a person looks at them. */
  readonly text: string;
  /** What is probably wrong. @default nothing */
  readonly doubt?: Doubt | undefined;
}

/** Steps of {@linkcode Dialogue.untilRight}. */
interface ReadingSteps<T> {
  /** Asks; `undefined` where answers are missing. */
  ask(): Promise<T | undefined>;
  /** Reads what was asked for, and describes it; `undefined` where an answer is missing for that. */
  read(asked: T): Promise<Reading | undefined>;
  /** Fields that a reading error proves wrong; none if it is about the files. */
  findCauses(error: Error): readonly Field[];
}

/** Answers that are shown; of more the first and the last. */
const MAX_SHOWN = 6;

/** A value for a person, with the reason. */
function show(value: unknown, reason?: string): string {
  const all = formatValue(value);
  const words = all.length > MAX_SHOWN
    ? `${all.slice(0, 2).join(", ")} … ${all.at(-1)}, ${all.length} in all`
    : all.join(", ");
  return visibleText(words + (reason === undefined ? "" : ` (${reason})`));
}

/** Asks for what no option answers; without a terminal it collects what is missing or wrong. */
export class Dialogue {
  readonly #options: DialogueOptions;
  readonly #answers = new Map<string, unknown>();
  /** Answers that were taken back, by name: they are asked for again, and proposed. */
  readonly #earlier = new Map<string, unknown>();
  /** Names of what was asked for, or answered by an option. */
  readonly #asked = new Set<string>();
  /** What is missing or wrong, by name, and whether --yes would take a proposal. */
  readonly #missing = new Map<string, { readonly line: string; readonly offered: boolean }>();

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

  /** The value of a field; `undefined` where it has none. */
  value({ name }: Field): unknown {
    return this.#answers.get(name) ?? undefined;
  }

  /** Whether a field is answered, or was to be asked for again. */
  wants({ name }: Field): boolean {
    return this.#answers.has(name) || this.#earlier.has(name) || this.given(name).length > 0;
  }

  /** Answers that were given as options, and not taken back. */
  given(name: string): readonly string[] {
    return this.#earlier.has(name) ? [] : this.#options.given(name);
  }

  /** Shows a text. */
  say(text: string): void {
    const visible = visibleLines(text);
    const { terminal, print } = this.#options;
    if (terminal) terminal.say(visible);
    else print(visible);
  }

  /**
   * Asks for a field, unless it is answered, an option answers it, or a proposal is taken. A wrong answer is explained, and
   * asked for again.
   *
   * @returns The value, `null` for none; `undefined` where there is no answer, and nobody answers
   * @throws {StoppedError} At Ctrl-C
   */
  async ask(field: Field, proposal: Proposal = {}, check?: Check): Promise<unknown> {
    const { name, about, choices: codes } = field;
    if (this.#answers.has(name)) return this.#answers.get(name);
    this.#asked.add(name);
    const { terminal, yes } = this.#options;
    const given = this.given(name);
    const { value: proposed, reason, trust = "usual" } = proposal;
    const choices = proposal.choices ?? codes.map((value): Choice => ({ value }));
    const again = this.#earlier.has(name);
    const taken = proposed !== undefined && !again && given.length === 0 &&
      (trust === "proven" || trust === "usual" && yes);
    const judge = async (value: unknown) => {
      const problem = await check?.(value);
      return problem === undefined ? { value } : { problem };
    };
    const read = async (answers: readonly string[]) => {
      const wrong = choices.length > 0 &&
        answers.find((answer) => answer !== NONE && !choices.some(({ value }) => value === answer));
      if (wrong) {
        const some = choices.slice(0, 30).map(({ value }) => value).join(", ");
        return { problem: `"${wrong}" is not one of ${some}${choices.length > 30 ? ", …" : ""}` };
      }
      const found = readAnswers(field, answers);
      return "problem" in found ? found : await judge(found.value);
    };
    const first = taken ? await judge(proposed) : given.length > 0 ? await read(given) : undefined;
    if (first && "value" in first) {
      if (taken) this.say(`${name}: ${show(proposed, reason)}`);
      return this.#accept(name, first.value);
    }
    if (!terminal) {
      const offered = proposed !== undefined && trust !== "unsure" && first === undefined;
      const list = choices.length > 0 && codes.length === 0
        ? `, one of ${choices.slice(0, 30).map(({ value }) => value).join(", ")}`
        : "";
      const offer = proposed === undefined
        ? ""
        : offered
        ? ` (--yes takes ${show(proposed, reason)})`
        : ` (perhaps ${show(proposed, reason)}; --yes does not take it)`;
      this.miss(field, first?.problem ?? about + list + offer, offered);
      return undefined;
    }
    if (first) this.say(first.problem);
    const earlier = this.#earlier.get(name);
    const offer = earlier ?? proposed;
    const why = earlier === undefined && reason !== undefined && proposed !== undefined
      ? ` (${choices.length > 0 ? `${show(proposed)}: ` : ""}${reason})`
      : "";
    for (;;) {
      const words = visibleText(about + why);
      const known = offer === undefined ? [] : formatValue(offer);
      const answers = choices.length > 0
        ? await terminal.choose(words, choices, known, field.several && codes.length === 0)
        : this.#split(field, await terminal.ask(words, known.join(", ")));
      const found = answers.length === 0 ? { problem: "An answer is needed" } : await read(answers);
      if ("value" in found) return this.#accept(name, found.value);
      this.say(found.problem);
    }
  }

  /** Notes that an answer is missing or wrong, where nobody is asked. */
  miss({ name, value }: Field, problem: string, offered = false): void {
    if (this.#missing.has(name)) return;
    this.#missing.set(name, { line: `  --${name} ${value}: ${visibleText(problem)}`, offered });
  }

  /** Takes answers back: the fields are asked for, and what was answered is proposed. */
  askAgain(fields: readonly Field[]): void {
    for (const { name } of fields) {
      this.#earlier.set(name, this.#answers.get(name));
      this.#answers.delete(name);
    }
  }

  /** Forgets answers, as those about another file. */
  forget(fields: readonly Field[]): void {
    for (const { name } of fields) {
      this.#earlier.delete(name);
      this.#answers.delete(name);
    }
  }

  /**
   * Asks whether something is right, and if not, which field is wrong or missing; that field is asked for again.
   * Without a terminal, and with --yes, it counts as right unless there is a doubt.
   *
   * @param fields What can be wrong
   * @param doubt What is probably wrong: it is proposed in place of yes
   */
  async review(about: string, fields: readonly Field[], doubt?: Doubt): Promise<boolean> {
    const { terminal, yes } = this.#options;
    if (doubt && !terminal) this.miss(doubt.field, doubt.problem);
    if (!terminal || yes && !doubt) return !doubt;
    const all = doubt ? [...new Set([...fields, doubt.field])] : fields;
    const choices = all.map(({ name, about }) => ({
      value: name,
      label: this.#answers.has(name)
        ? `no: ${name} is not ${show(this.#answers.get(name))}`
        : `no: ${name} is missing`,
      hint: about,
    }));
    const [answered, open] = [true, false].map((is) =>
      choices.filter(({ value }) => this.#answers.has(value) === is)
    );
    const listed: Choice[] = [{ value: "yes" }, ...answered, ...open];
    const proposed = doubt?.field.name ?? "yes";
    const [answer] = await terminal.choose(about, listed, [proposed], false);
    this.askAgain(all.filter(({ name }) => name === answer));
    if (answer === doubt?.field.name && doubt?.likely !== undefined) {
      this.#earlier.set(answer, doubt.likely);
    }
    return answer === "yes";
  }

  /**
   * Asks until the data that the answers lead to are right: fields that an error proves wrong, or that the user finds
   * wrong, are asked for again.
   *
   * @param fields What can be wrong, the files first
   * @returns What was asked for; `undefined` where answers are missing
   */
  async untilRight<T>(
    fields: readonly Field[],
    { ask, read, findCauses }: ReadingSteps<T>,
  ): Promise<T | undefined> {
    for (;;) {
      const asked = await ask();
      if (asked === undefined) return undefined;
      let reading: Reading | undefined;
      try {
        reading = await read(asked);
      } catch (cause) {
        const error = cause as Error;
        const causes = findCauses(error);
        const answered = causes.filter(({ name }) => this.#answers.has(name));
        const open = causes.filter(({ name }) =>
          !this.#answers.has(name) && !this.#earlier.has(name)
        );
        // Fields that were not asked for yet need no excuse.
        const excused = open.length > 0 && answered.length === 0;
        if (!excused && !this.interactive) {
          this.miss(open[0] ?? answered[0] ?? fields[0], error.message);
          return undefined;
        }
        if (!excused) this.say(error.message);
        this.askAgain(causes.length > 0 ? causes : fields);
        continue;
      }
      if (reading === undefined) return undefined;
      const { text, doubt } = reading;
      this.say(`Read as:\n${text}${doubt ? `\n${doubt.problem}` : ""}`);
      if (await this.review("Is this right?", fields, doubt)) return asked;
      if (!this.interactive) return undefined;
    }
  }

  /** @throws {MisuseError} If answers are missing or wrong, or options are not used; the message has all of them */
  assertComplete(): void {
    if (this.#missing.size > 0) {
      const format = (wanted: boolean) =>
        [...this.#missing.values()].filter(({ offered }) => offered === wanted)
          .map(({ line }) => `${line}\n`).join("");
      const offered = format(true);
      throw new MisuseError(
        "Cannot ask what is missing or wrong, as there is no terminal. Give these options:\n" +
          `${format(false)}${offered && `And these, or --yes:\n${offered}`}`.trimEnd(),
      );
    }
    const unused = this.#options.fields.filter(({ name }) =>
      !this.#asked.has(name) && this.given(name).length > 0
    );
    if (unused.length === 0) return;
    for (const { name } of unused) this.#asked.add(name); // the call to go on with is without them
    throw new MisuseError(
      "Cannot use these options, as nothing asks for them in such files. Leave them out:\n" +
        unused.map(({ name }) => `  --${name} ${this.#options.given(name).join(", ")}`).join("\n"),
    );
  }

  /** The call that has as options all answers so far, and the options that were not reached. */
  formatCall(more: readonly string[] = []): string {
    const options = this.#options.fields.flatMap(({ name }) => {
      const known = this.#answers.has(name)
        ? formatValue(this.#answers.get(name))
        : this.#asked.has(name)
        ? []
        : this.given(name);
      return known.map((one) => `--${name}${one.startsWith("-") ? "=" : " "}${shellWord(one)}`);
    });
    return [`  ${PROGRAM} init`, ...options, ...more].join(" \\\n    ");
  }

  #accept(name: string, value: unknown): unknown {
    this.#answers.set(name, value);
    return value;
  }

  /** The answers of a line: of a field that takes several, with commas between them. */
  #split({ several }: Field, line: string): string[] {
    const text = line.trim();
    return text === "" ? [] : several ? text.split(/,\s+/) : [text];
  }
}
