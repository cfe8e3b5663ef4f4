import {
  type DataFrame,
  type PresetFormat,
  type ProductionFormat,
  readProduction,
} from "../../../mod.ts";
import { shortPath } from "./input_files.ts";
import { layoutQuestions } from "./layout_questions.ts";

/** How production is read, as far as it is known. */
export type HowRead = ProductionFormat | PresetFormat;

/** Rows below a table up to which they are looked for. */
const MAX_FOOTER = 5;

const { timeFormat, footer, zone, stamp, resolution, turbine, unit, decimal, thousands } =
  layoutQuestions;

/** Questions that may have been answered wrongly, by the words in which the reader refuses a file; the first that fits counts. */
const causes: readonly (readonly [RegExp, readonly { readonly name: string }[]])[] = [
  [/either of two hours|offset from UTC|zone of its stamps|one that is known. Give timeZone/, [
    zone,
  ]],
  [/is duplicated|comes after|different values|at the same time/, [
    turbine,
    timeFormat,
    zone,
    resolution,
  ]],
  [/whole hour|whole ten minutes|minutes or more apart/, [resolution, stamp]],
  [/its unit is declared/, [unit]],
  [/below the table has a time|fewer footerRows/, [footer]],
  [/decimal mark|thousands|is not a number|Declare decimal|is not a finite number/, [
    decimal,
    thousands,
  ]],
  [
    /is not of the form|timeFormat|valid date and time|the stamp is missing|is not a time|format of the first stamp|ISO 8601/,
    [timeFormat, footer],
  ],
];

/** Names of the questions that the message of a reader is about; none where it is about the file. */
export function findCauses(message: string): string[] {
  const [, questions = []] = causes.find(([pattern]) => pattern.test(message)) ?? [];
  return questions.map(({ name }) => name);
}

/** Reads files as they are declared so far, with the call of the import, to try answers out. */
export class ProductionTrial {
  readonly #paths: readonly string[];
  #last: readonly [how: string, result: DataFrame | Error] | undefined;
  readonly #messages = new Map<string, Error>();

  /** @param paths The files, all of one layout */
  constructor(paths: readonly string[]) {
    this.#paths = paths;
  }

  /** Reads the files; an error is returned, with paths as short as they can be. */
  async read(how: HowRead): Promise<DataFrame | Error> {
    const key = JSON.stringify(how);
    const known = this.#messages.get(key) ?? (this.#last?.[0] === key ? this.#last[1] : undefined);
    if (known) return known;
    try {
      this.#last = [key, await readProduction(this.#paths, how)];
      return this.#last[1];
    } catch (cause) {
      let { message } = cause as Error;
      for (const path of this.#paths) message = message.replaceAll(path, shortPath(path));
      const error = new Error(message, { cause });
      this.#messages.set(key, error);
      return error;
    }
  }

  /** Says what is wrong with the answer to a question; `undefined` where the files refute nothing. */
  async findFault(how: HowRead, { name }: { readonly name: string }): Promise<string | undefined> {
    const result = await this.read(how);
    return result instanceof Error && findCauses(result.message).includes(name)
      ? result.message
      : undefined;
  }

  /**
   * Finds how many rows below the table have no time.
   *
   * @returns Their number, with the first of them; or the message that refuses the format of the times
   */
  async findFooter(
    how: ProductionFormat,
  ): Promise<{ readonly rows: number; readonly first?: string } | string> {
    let before: string | undefined;
    for (let rows = 0; rows <= MAX_FOOTER; rows++) {
      const fault = await this.findFault({ ...how, footerRows: rows }, footer);
      if (fault === undefined) return { rows, ...(before ? { first: findCell(before) } : {}) };
      if (rows > 0 && fault.includes("has a time")) break;
      before ??= fault;
    }
    return before!;
  }
}

/** The cell that a message refuses, with its place. */
export function findCell(message: string): string {
  const [, place = "", text] = /((?:line|cell|row) \w+)[^:]*: ("(?:[^"\\]|\\.)*")?/.exec(message) ??
    [];
  return `${text ?? "a row without a time"} in ${place}`;
}
