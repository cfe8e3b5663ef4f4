import type { PresetFormat } from "../../sites/mod.ts";
import {
  type DataFrame,
  type ErrorFacts,
  pl,
  type ProductionFormat,
  readProduction,
} from "../../../mod.ts";
import { shortPath } from "./input_files.ts";
import { isShort, layoutQuestions } from "./layout_questions.ts";
import type { Question } from "./question.ts";

/** How production is read, as far as it is known. */
export type HowRead = ProductionFormat | PresetFormat;

/** Rows below a table up to which they are looked for. */
const MAX_FOOTER = 5;

const { timeFormat, footer, zone, resolution, turbine, unit, decimal, thousands } = layoutQuestions;

/** Fields of a format that messages name, and the questions that answer them. */
const fields = Object.entries({ time_format: timeFormat, footer_rows: footer, time_zone: zone });

/** Why files are not read, with its facts. */
type Refused = Error & ErrorFacts;

const list = (...questions: readonly Pick<Question, "name">[]) => questions.map(({ name }) => name);

/** Questions of which one was answered wrongly where times do not follow each other. */
const disorder = list(turbine, timeFormat, zone, resolution);

/** Names of questions whose answer an error refutes, by its code, or by the field that it names. */
const causes: Readonly<Record<string, readonly string[]>> = {
  footer: list(footer),
  number: list(decimal, thousands),
  resolution: list(resolution),
  thousands: list(decimal, thousands),
  time_format: list(timeFormat, footer),
  time_order: disorder,
  time_repeated: disorder,
  time_zone: list(zone),
  unit: list(unit),
  values_differ: disorder,
};

/** Names of the questions that an error of a reader is about; none where it is about the file. */
export function findCauses({ code = "argument", field = "" }: ErrorFacts): readonly string[] {
  return causes[code] ?? causes[field] ?? [];
}

/** Reads files as they are declared so far, with the call of the import, to try answers out. */
export class ProductionTrial {
  readonly #file: string | readonly string[];
  #last: readonly [how: string, result: DataFrame] | undefined;
  readonly #refused = new Map<string, Refused>();

  /** @param file The files as an entry of a site file names them, all of one layout */
  constructor(file: string | readonly string[]) {
    this.#file = file;
  }

  /** Reads the files; an error is returned, with paths as short as they can be. */
  async read(how: HowRead): Promise<DataFrame | Refused> {
    const key = JSON.stringify(how);
    const known = this.#refused.get(key) ?? (this.#last?.[0] === key ? this.#last[1] : undefined);
    if (known) return known;
    try {
      this.#last = [key, await readProduction(this.#file, how)];
      return this.#last[1];
    } catch (caught) {
      const error = caught as Refused;
      const paths = [this.#file].flat();
      if (paths.length === 1) { // it is the file that is asked about
        const start = `^Cannot (?:read|use) ${RegExp.escape(paths[0])}(?: as it is declared)?: `;
        error.message = error.message.replace(new RegExp(start), "");
      }
      for (const path of paths) error.message = error.message.replaceAll(path, shortPath(path));
      for (const [field, { name }] of fields) {
        error.message = error.message.replaceAll(field, `--${name}`);
      }
      this.#refused.set(key, error);
      return error;
    }
  }

  /** Says what is wrong with the answer to a question; `undefined` where the files refute nothing. */
  async findFault(how: HowRead, { name }: Pick<Question, "name">): Promise<string | undefined> {
    const result = await this.read(how);
    if (!(result instanceof Error)) return undefined;
    const wrong = findCauses(result);
    return wrong !== disorder && wrong.includes(name) ? result.message : undefined;
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
  async readValues({ null_values: _, ...how }: ProductionFormat): Promise<number[]> {
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
    const result = await this.read(found.rows > 0 ? { ...how, footer_rows: found.rows } : how);
    return !(result instanceof Error && findCauses(result) === disorder);
  }

  /** Says that the hours of a clock change refute a zone: another one reads them. */
  async findOtherZone(how: HowRead, other: string): Promise<string | undefined> {
    const result = await this.read(how);
    if (!(result instanceof Error) || result.code !== "time_repeated") return undefined;
    const found = await this.read({ ...how, time_zone: other });
    return found instanceof Error && (found.code === "time_repeated" || found.code === "time_zone")
      ? undefined
      : `line ${result.row}: ${result.value} is duplicated: the clock goes back there. ${other} ` +
        "has such an hour";
  }

  /**
   * Finds how many rows below the table have no time.
   *
   * @returns Their number, with the first of them; or the message that refuses the format of the times
   */
  async findFooter(
    how: ProductionFormat,
  ): Promise<{ readonly rows: number; readonly first?: string } | string> {
    for (let rows = 0; rows <= MAX_FOOTER; rows++) {
      const tried = rows > 0 ? { ...how, footer_rows: rows } : how;
      if (await this.findFault(tried, footer) === undefined) {
        return { rows, ...(rows > 0 ? { first: await this.findCell(how) } : {}) };
      }
      const { code, value = "" } = await this.read(tried) as Refused;
      // What looks like a time is a row of the table, in another format.
      if (code === "footer" || /^\d+[-./]\d/.test(`${value}`)) break;
    }
    return (await this.read(how) as Refused).message;
  }

  /** The cell for which files are refused, with its place, if it is one. */
  async findCell(how: HowRead): Promise<string | undefined> {
    const { row, value }: ErrorFacts = await this.read(how) as Refused;
    return row === undefined
      ? undefined
      : `${value === undefined ? "no time" : `"${value}"`} in line ${row}`;
  }
}
