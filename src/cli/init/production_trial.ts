import { type DataFrame, pl, type ProductionFormat, readProduction } from "../../../mod.ts";
import type { PresetFormat } from "../../sites/mod.ts";
import { shortPath } from "./input_files.ts";
import { isShort, layoutQuestions } from "./layout_questions.ts";
import type { Question } from "./question.ts";

/** How production is read, as far as it is known. */
export type HowRead = ProductionFormat | PresetFormat;

/** Rows below a table up to which they are looked for. */
const MAX_FOOTER = 5;

const { timeFormat, footer, zone, resolution, turbine, unit, decimal, thousands } = layoutQuestions;

/** Fields of a format that messages name, and the questions that answer them. */
const fields = Object.entries({ timeFormat, footerRows: footer, timeZone: zone });

type Named = Pick<Question, "name">;

/** What a message of the reader is about: the first pattern that fits counts. */
interface Cause {
  readonly pattern: RegExp;
  /** Questions whose answer it refutes. */
  readonly wrong: readonly Named[];
  /** Questions of which one was answered wrongly. */
  readonly perhaps?: readonly Named[];
}

/** Times that do not follow each other. */
const disorder = /is duplicated|comes after|different values|at the same time/;

const causes: readonly Cause[] = [
  {
    pattern:
      /does not exist in|either of two hours|offset from UTC|zone of its stamps|known. Give --/,
    wrong: [zone],
  },
  {
    pattern: disorder,
    wrong: [],
    perhaps: [turbine, timeFormat, zone, resolution],
  },
  { pattern: /whole hour|whole ten minutes|minutes or more apart/, wrong: [resolution] },
  { pattern: /its unit is declared/, wrong: [unit] },
  { pattern: /below the table has a time/, wrong: [footer] },
  {
    pattern: /decimal mark|thousands|is not a number|Declare decimal|is not a finite number/,
    wrong: [decimal, thousands],
  },
  {
    pattern:
      /is not of the form|--time-format|valid date and time|(?:stamp|month|year) is missing|is not (?:a time|a month|a year|the first day)|format of the first stamp|ISO 8601/,
    wrong: [timeFormat, footer],
  },
];

const findCause = (message: string) => causes.find(({ pattern }) => pattern.test(message));

/** Names of the questions that the message of a reader is about; none where it is about the file. */
export function findCauses(message: string): string[] {
  const { wrong = [], perhaps = [] } = findCause(message) ?? {};
  return [...wrong, ...perhaps].map(({ name }) => name);
}

/** Reads files as they are declared so far, with the call of the import, to try answers out. */
export class ProductionTrial {
  readonly #file: string | readonly string[];
  #last: readonly [how: string, result: DataFrame | Error] | undefined;
  readonly #messages = new Map<string, Error>();

  /** @param file The files as an entry of a site file names them, all of one layout */
  constructor(file: string | readonly string[]) {
    this.#file = file;
  }

  /** Reads the files; an error is returned, with paths as short as they can be. */
  async read(how: HowRead): Promise<DataFrame | Error> {
    const key = JSON.stringify(how);
    const known = this.#messages.get(key) ?? (this.#last?.[0] === key ? this.#last[1] : undefined);
    if (known) return known;
    try {
      this.#last = [key, await readProduction(this.#file, how)];
      return this.#last[1];
    } catch (cause) {
      let { message } = cause as Error;
      const paths = [this.#file].flat();
      if (paths.length === 1) { // it is the file that is asked about
        const start = `^Cannot (?:read|use) ${RegExp.escape(paths[0])}(?: as it is declared)?: `;
        message = message.replace(new RegExp(start), "");
      }
      for (const path of paths) message = message.replaceAll(path, shortPath(path));
      for (const [field, { name }] of fields) message = message.replaceAll(field, `--${name}`);
      const error = new Error(message, { cause });
      this.#messages.set(key, error);
      return error;
    }
  }

  /** Says what is wrong with the answer to a question; `undefined` where the files refute nothing. */
  async findFault(how: HowRead, { name }: Named): Promise<string | undefined> {
    const result = await this.read(how);
    return result instanceof Error &&
        findCause(result.message)?.wrong.some((question) => question.name === name)
      ? result.message
      : undefined;
  }

  /** The first time and the last as the file has them, in minutes of the day; none where it cannot be read. */
  async readClock({ stamp: _, ...how }: ProductionFormat): Promise<number[]> {
    const frame = await this.read(how);
    if (frame instanceof Error || !frame.columns.includes("time")) return [];
    const clock = frame.select(pl.col("time").dt.strftime("%H:%M")).getColumn("time");
    return [clock.get(0), clock.get(frame.height - 1)].map(String).map((time) =>
      60 * Number(time.slice(0, 2)) + Number(time.slice(3))
    );
  }

  /** The production as the file has it, in its own unit; none where it cannot be read. */
  async readValues({ nullValues: _, ...how }: ProductionFormat): Promise<number[]> {
    const { unit, resolution } = how;
    const frame = await this.read(how);
    if (frame instanceof Error) return [];
    const short = isShort(resolution);
    const perUnit = (unit.startsWith("M") ? 1 : 0.001) * (short ? 1000 : 1) *
      (unit.endsWith("h") && resolution === "10min" ? 6 : 1);
    return (frame.getColumn(short ? "power" : "energy").toArray() as (number | null)[])
      .filter((value) => value !== null)
      .map((value) => Math.round(1e6 * value / perUnit) / 1e6);
  }

  /** Whether times, as far as they can be read, follow each other. */
  async isOrdered(how: ProductionFormat | undefined): Promise<boolean> {
    const found = how && await this.findFooter(how);
    if (!how || typeof found !== "object") return false;
    const result = await this.read(found.rows > 0 ? { ...how, footerRows: found.rows } : how);
    return !(result instanceof Error && disorder.test(result.message));
  }

  /** Says that the hours of a clock change refute a zone: another one reads them. */
  async findOtherZone(how: HowRead, other: string): Promise<string | undefined> {
    const result = await this.read(how);
    if (!(result instanceof Error) || !result.message.includes("is duplicated")) return undefined;
    const found = await this.read({ ...how, timeZone: other });
    return found instanceof Error &&
        /is duplicated|either of two hours|does not exist in/.test(found.message)
      ? undefined
      : `${result.message.split(". ")[0]}: the clock goes back there. ${other} has such an hour`;
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
      const fault = await this.findFault(rows > 0 ? { ...how, footerRows: rows } : how, footer);
      if (fault === undefined) return { rows, ...(before ? { first: findCell(before) } : {}) };
      // What looks like a time is a row of the table, in another format.
      if (/^"\d+[-./]\d/.test(findCell(fault)) || fault.includes("has a time")) {
        return before ?? fault;
      }
      before ??= fault;
    }
    return before!;
  }
}

/** The cell that a message refuses, with its place. */
export function findCell(message: string): string {
  const [, place = "", quoted, plain] =
    /((?:line|cell|row) \w+).*?: (?:"(.*?)"|(\S+))(?= is not)/.exec(message) ??
      /((?:line|cell|row) \w+)/.exec(message) ?? [];
  const text = quoted ?? plain;
  return `${text === undefined ? "no time" : `"${text}"`} in ${place}`;
}
