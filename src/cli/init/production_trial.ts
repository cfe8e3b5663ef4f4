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

/** Rows below a table up to which they are looked for. */
const MAX_FOOTER = 5;

/** Fields of which one is wrong where times do not follow each other. */
export const disorder: readonly Field[] = [f.turbine, f.time_format, f.time_zone, f.resolution];

/** Fields that an error refutes, by its code, or by the field that it names. */
const causes: Readonly<Record<string, readonly Field[]>> = {
  footer: [f.footer_rows],
  number: [f.decimal, f.thousands, f.null_values],
  resolution: [f.resolution],
  time_format: [f.time_format, f.footer_rows],
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
   * Finds how many rows below the table have no time.
   *
   * @returns Their number, with the first of them; or the message that refuses the format of the times
   */
  async findFooter(how: ProductionFormat): Promise<{ rows: number; first?: string } | string> {
    let first: string | undefined;
    for (let rows = 0; rows <= MAX_FOOTER; rows++) {
      const result = await this.read(rows > 0 ? { ...how, footer_rows: rows } : how);
      if (!(result instanceof Error) || !findCauses(result).includes(f.footer_rows)) {
        return { rows, ...(rows > 0 && first ? { first } : {}) };
      }
      const { code, value = "", row } = result;
      first ??= `${value === "" ? "no time" : `"${value}"`} in line ${row}`;
      // What looks like a time is a row of the table, in another format.
      if (code === "footer" || /^\d+[-./]\d/.test(`${value}`)) break;
    }
    return (await this.read(how) as Refused).message;
  }
}
