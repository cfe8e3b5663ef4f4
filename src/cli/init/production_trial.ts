import type { PresetFormat } from "../../sites/mod.ts";
import {
  type DataFrame,
  type ErrorFacts,
  type ProductionFormat,
  readProduction,
} from "../../../mod.ts";
import { type Field, productionFields as f } from "./fields.ts";
import { shortPath } from "./input_files.ts";

/** How production is read, as far as it is known. */
export type HowRead = ProductionFormat | PresetFormat;

/** Why files are not read, with its facts. */
export type Refused = Error & ErrorFacts;

/** Texts of rows to leave out that are found by themselves, and what looks like a time or a number: a row of the table. */
const [MAX_TEXTS, FIGURES] = [8, /^[\d\s.,:/-]*\d[\d\s.,:/-]*$|\d{1,4}[-./:]\d/] as const;

/** Fields of which one is wrong where times do not follow each other. */
export const disorder: readonly Field[] = [f.turbine, f.time_format, f.time_zone, f.resolution];

/** Fields that an error refutes, by its code, or by the field that it names. */
const causes: Readonly<Record<string, readonly Field[]>> = {
  number: [f.null_values, f.decimal, f.thousands],
  resolution: [f.resolution],
  time_format: [f.time_format, f.leave_out],
  time_order: disorder,
  time_repeated: disorder,
  time_zone: [f.time_zone],
  values_differ: disorder,
};

/** Fields that an error of a reader is about; none where it is about the file. */
export function findCauses({ code = "argument", field = "" }: ErrorFacts): readonly Field[] {
  const named = Object.hasOwn(f, field) ? [f[field as keyof typeof f]] : [];
  return causes[code] ?? named;
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
      this.#refused.set(key, error);
      return error;
    }
  }

  /** Whether times, as far as they can be read, follow each other. */
  async isOrdered(how: ProductionFormat): Promise<boolean> {
    const result = await this.read(how);
    return !(result instanceof Error && findCauses(result) === disorder);
  }

  /**
   * Finds the rows that are no periods, by the words that they have in place of a time.
   *
   * @returns The words, with the place of the first; or the message that refuses the format of the times
   */
  async findLeftOut(how: ProductionFormat): Promise<{ texts: string[]; first?: string } | string> {
    const texts = [...how.leave_out ?? []];
    let first: string | undefined;
    for (;;) {
      const result = await this.read(texts.length > 0 ? { ...how, leave_out: texts } : how);
      if (!(result instanceof Error) || !findCauses(result).includes(f.leave_out)) {
        return { texts, ...(first ? { first } : {}) };
      }
      const text = `${result.value ?? ""}`.trim();
      if (text === "" || FIGURES.test(text) || texts.includes(text) || texts.length === MAX_TEXTS) {
        return texts.length === 0 || texts.includes(text)
          ? result.message
          : (await this.read(how) as Refused).message;
      }
      first ??= `"${text}"${result.row === undefined ? "" : ` in line ${result.row}`}`;
      texts.push(text);
    }
  }
}
