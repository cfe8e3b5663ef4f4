import pl, { type DataFrame } from "nodejs-polars";
import { month as monthColumn, time } from "../api/columns.ts";
import type { Column } from "../api/column.ts";
import { ArgumentError, DataFormatError } from "../api/errors.ts";
import { readCsv } from "./csv.ts";
import { datetimes, epochsOf, frameOf, numbersOf } from "./frame.ts";
import { HOUR } from "./hour_axis.ts";
import { hourlyGrid } from "./hourly.ts";
import { describeFrame } from "./provenance.ts";
import { assertTimeZone, clockShift, monthAsDays } from "./zones.ts";

/** How a production file is to be read. */
export interface ProductionFormat {
  /** Name of the column with the production. */
  readonly column: string;
  /** Name of the column with the time: stamps of hours, months as "2018-05", or years. */
  readonly time: string;
  /** What a row stands for. */
  readonly resolution: "hour" | "month" | "year";
  /** Unit of the production; kW only for hours. */
  readonly unit: "kW" | "kWh" | "MWh";
  /** IANA zone of stamps without offset. */
  readonly timeZone?: string;
  /** Whether a stamp names the start or the end of its hour. @default {"start"} */
  readonly stamp?: "start" | "end";
}

const power: Column = {
  name: "power",
  dtype: "f64",
  unit: "kW",
  label: "Power",
  description: "Mean power produced in the hour.",
  tag: "ours",
};

const energy: Column = {
  name: "energy",
  dtype: "f64",
  unit: "MWh",
  label: "Energy",
  description: "Energy produced in the period.",
  tag: "ours",
};

const year: Column = {
  name: "year",
  dtype: "i32",
  label: "Year",
  description: "Calendar year.",
  tag: "ours",
};

/** Columns of the frames of {@linkcode readProduction}, by resolution. */
export const productionColumns: Readonly<
  Record<ProductionFormat["resolution"], readonly Column[]>
> = {
  hour: [time, power],
  month: [monthColumn, energy],
  year: [year, energy],
};

const text = (name: string): Column => ({
  name,
  dtype: "utf8",
  label: name,
  description: name,
  tag: "ours",
});

const number = (name: string): Column => ({ ...text(name), dtype: "f64" });

/**
 * Reads production from a CSV file: the only door for production data.
 *
 * @param file Path of the file
 * @param how Its columns, unit, resolution and zone; nothing of it is guessed
 * @returns A frame of `time` (Datetime, in the zone given or UTC) and `power` (Float64, kW) for hours; `month` (Date) and
 * `energy` (Float64, MWh) for months; `year` (Int32) and `energy` for years. Missing values are null
 * @throws {DataFormatError} If the file does not fit; the message names line and column
 * @throws {ArgumentError} If unit and resolution do not go together, or the zone is unknown
 *
 * @example Monthly production
 * ```ts
 * import { readProduction } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const file = await Deno.makeTempFile({ suffix: ".csv" });
 * await Deno.writeTextFile(file, "month;energy\n2023-01;412.5\n2023-02;\n");
 * const production = await readProduction(file, {
 *   column: "energy",
 *   time: "month",
 *   resolution: "month",
 *   unit: "MWh",
 * });
 * assertEquals(production.getColumn("energy").nullCount(), 1);
 * await Deno.remove(file);
 * ```
 */
export async function readProduction(
  file: string | URL,
  how: ProductionFormat,
): Promise<DataFrame> {
  return productionOf(await Deno.readFile(file), String(file), how);
}

/**
 * Production from the bytes of a CSV file, as {@linkcode readProduction} gives it.
 *
 * @param bytes Content of the file
 * @param file Its name, for messages
 * @param how Its columns, unit, resolution and zone
 */
export function productionOf(bytes: Uint8Array, file: string, how: ProductionFormat): DataFrame {
  assertOneOf(file, "resolution", how.resolution, ["hour", "month", "year"]);
  assertOneOf(file, "unit", how.unit, ["kW", "kWh", "MWh"]);
  assertOneOf(file, "stamp", how.stamp ?? "start", ["start", "end"]);
  if (how.resolution !== "hour" && how.unit === "kW") {
    throw new ArgumentError(
      `Cannot read ${file}: the unit of a ${how.resolution}'s production is kWh or MWh, not kW`,
    );
  }
  if (how.timeZone !== undefined) assertTimeZone(how.timeZone);
  const frame = how.resolution === "hour"
    ? readHours(bytes, file, how)
    : readPeriods(bytes, file, how);
  return describeFrame(frame, productionColumns[how.resolution]);
}

/** Notebooks are not type-checked: a misspelt word must not pass for another one. */
function assertOneOf(file: string, what: string, value: string, allowed: readonly string[]): void {
  if (allowed.includes(value)) return;
  throw new ArgumentError(
    `Cannot read ${file}: the ${what} "${value}" is none of ${allowed.join(", ")}`,
  );
}

function readHours(bytes: Uint8Array, file: string, how: ProductionFormat): DataFrame {
  const columns: Column[] = [{ ...time, wire: how.time }, number(how.column)];
  const zone = how.timeZone ? { timeZone: how.timeZone } : {};
  const { frame: read, firstLine } = readCsv(bytes, columns, { file, extra: false, ...zone });
  const stamps = epochsOf(read, time.name);
  const shift = how.timeZone && stamps.length > 0
    ? { clockShift: clockShift(stamps[0], how.timeZone) }
    : {};
  hourlyGrid(stamps, { file, firstLine, ...shift });
  const move = how.stamp === "end" ? -HOUR : 0;
  const factor = how.unit === "MWh" ? 1000 : 1; // a kWh in an hour is a mean kW
  return pl.DataFrame([
    datetimes(time.name, stamps.map((stamp) => stamp + move), how.timeZone),
    read.getColumn(how.column).multiplyBy(factor).rename(power.name),
  ]);
}

function readPeriods(bytes: Uint8Array, file: string, how: ProductionFormat): DataFrame {
  const columns = [text(how.time), number(how.column)];
  const { frame: read, firstLine } = readCsv(bytes, columns, { file, extra: false });
  const labels = read.getColumn(how.time).toArray() as (string | null)[];
  const pattern = how.resolution === "month" ? /^\d{4}-(0[1-9]|1[0-2])$/ : /^\d{4}$/;
  for (const [i, label] of labels.entries()) {
    const place = `Cannot read ${file}: line ${firstLine + i}, column "${how.time}"`;
    if (label === null || !pattern.test(label)) {
      const form = how.resolution === "month" ? '"2023-05"' : '"2023"';
      throw new DataFormatError(`${place}: ${JSON.stringify(label)} is not of the form ${form}`);
    }
    if (i === 0) continue;
    if (label === labels[i - 1]) {
      throw new DataFormatError(`${place}: ${label} stands there twice. Remove one of the rows`);
    }
    if (label < labels[i - 1]!) {
      throw new DataFormatError(
        `${place}: ${label} comes after ${labels[i - 1]}. Sort the rows by time`,
      );
    }
  }
  const energies = numbersOf(read, how.column).map((value) =>
    how.unit === "kWh" ? value / 1000 : value
  );
  const values = Array.from(energies, (value) => Number.isNaN(value) ? null : value);
  const periods = (labels as string[]).map((label) =>
    how.resolution === "month" ? monthAsDays(Temporal.PlainYearMonth.from(label)) : Number(label)
  );
  const [period] = productionColumns[how.resolution];
  return frameOf([period, energy], { [period.name]: periods, [energy.name]: values });
}
