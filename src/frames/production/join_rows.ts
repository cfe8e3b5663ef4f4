import pl, { type DataFrame, type Series } from "nodejs-polars";
import type { Column } from "../../api/columns/column.ts";
import { turbineId } from "../../api/columns/columns.ts";
import { findClockAdvice } from "../../time/hourly.ts";
import { checkTableSize } from "../files/reader_limits.ts";
import {
  buildDatetimes,
  buildNumbers,
  buildSeries,
  extractEpochs,
  toFloats,
  zoneOf,
} from "../frame.ts";
import { refuseFile } from "../files/read_file.ts";
import { readTexts } from "../read_columns.ts";
import type { ProductionRows } from "./production.ts";
import {
  findStepLength,
  isStep,
  productionColumns,
  productionExtras,
} from "./production_columns.ts";
import { adviseOffset, assertProductionSteps } from "./production_times.ts";
import type { ProductionFormat } from "./production_format.ts";
import type { RowPlace } from "./production_table.ts";

/** Production of several files. */
interface JoinedRows {
  /** One turbine after the other, each in the order of time. */
  readonly frame: DataFrame;
  /** Sentences on merged rows. */
  readonly notes: readonly string[];
  /** File and place of a row, for messages; of merged rows, the first. */
  readonly place: (row: number) => RowPlace;
}

/**
 * Joins the production of several files in the order of time. Merges rows of the same turbine and time if their values
 * are equal or missing.
 *
 * @param parts At least one
 * @param how Resolution of all, and whether they have meter readings
 * @param repeats Whether rows of one file may repeat a time, which is then checked here
 * @throws {DataFormatError} If two rows of a time have different values; the message names both
 */
export function joinRows(
  parts: readonly ProductionRows[],
  how: Pick<ProductionFormat, "resolution" | "unit" | "counter">,
  repeats: boolean,
): JoinedRows {
  const { resolution, counter } = how;
  const place = (row: number) => findPlace(parts, row);
  if (parts.length === 1 && !repeats) return { frame: parts[0].frame, notes: [], place };
  const [column, value] = productionColumns[resolution];
  const time = column.name;
  const all = stack(parts, time);
  checkTableSize(all.height, all.width, (problem) => refuseFile(parts[0].file, problem));
  const rows = orderRows(all, time, numberTurbines(parts));
  const label = counter ? { [value.name]: "reading" } : {};
  const { first, ...merged } = mergeRows(all, column, rows, parts, label);
  if (repeats && all.height > 0) assertTurbineSteps(all, rows, first, parts, how);
  return { ...merged, place: (row) => place(first[row]) };
}

/** Stacks all rows, with the stamps of each file in the zone of the first file. */
function stack(parts: readonly ProductionRows[], time: string): DataFrame {
  const { dtype } = parts[0].frame.getColumn(time);
  return pl.concat(parts.map(({ frame }) => frame.withColumn(pl.col(time).cast(dtype))));
}

/** Finds file and place of a row of the stacked frames. */
function findPlace(parts: readonly ProductionRows[], row: number): RowPlace & { part: number } {
  let part = 0;
  for (; row >= parts[part].frame.height; part++) row -= parts[part].frame.height;
  return { file: parts[part].file, at: parts[part].place(row), part };
}

/** Numbers the turbines of the stacked frames, in the order of appearance; 0 if no column names them. */
function numberTurbines(parts: readonly ProductionRows[]): Uint32Array {
  const { name } = turbineId;
  const numbers = new Uint32Array(parts.reduce((sum, { frame }) => sum + frame.height, 0));
  const known = new Map<string | null, number>();
  let from = 0;
  for (const { frame } of parts) {
    const to = from + frame.height;
    if (frame.columns.includes(name)) {
      const isSingle = frame.getColumn(name).nUnique() === 1;
      const ids = readTexts(isSingle ? frame.head(1) : frame, name);
      const turbineNumbers = ids.map((id) => {
        if (!known.has(id)) known.set(id, known.size);
        return known.get(id)!;
      });
      if (isSingle) numbers.fill(turbineNumbers[0], from, to); // a year of texts takes longer than its figures
      else numbers.set(turbineNumbers, from);
    }
    from = to;
  }
  return numbers;
}

/** The rows of a frame by turbine and time. */
interface RowOrder {
  /** Positions in the frame, by turbine in the order of appearance, then by time. */
  readonly positions: Uint32Array;
  /** Whether the rows of the frame are in that order. */
  readonly ordered: boolean;
  /** Numbers of the turbines of the rows. */
  readonly turbines: Uint32Array;
  /** Milliseconds since 1970 UTC, days since then, or years. */
  readonly times: Float64Array;
  /** Compares two rows; 0 if they are of the same turbine and time. */
  readonly compare: (a: number, b: number) => number;
}

function orderRows(frame: DataFrame, time: string, turbines: Uint32Array): RowOrder {
  const column = frame.getColumn(time);
  const times = column.dtype.variant === "Datetime"
    ? extractEpochs(frame, time)
    : toFloats(column.cast(pl.Int32));
  const compare = (a: number, b: number) => turbines[a] - turbines[b] || times[a] - times[b];
  const positions = Uint32Array.from(times.keys());
  const ordered = positions.every((row) => row === 0 || compare(row - 1, row) <= 0);
  if (!ordered) positions.sort((a, b) => compare(a, b) || a - b);
  return { positions, ordered, turbines, times, compare };
}

/** Merges rows of the same turbine and time. */
function mergeRows(
  all: DataFrame,
  timeColumn: Column,
  rows: RowOrder,
  parts: readonly ProductionRows[],
  labels: Readonly<Record<string, string>>,
): Pick<JoinedRows, "frame" | "notes"> & { readonly first: Uint32Array } {
  const { positions } = rows;
  const begins = positions.map((row, i) =>
    Number(i === 0 || rows.compare(positions[i - 1], row) !== 0)
  );
  const first = positions.filter((_, i) => begins[i] === 1);
  if (rows.ordered && first.length === all.height) return { frame: all, notes: [], first };
  const counts = { repeated: 0, shared: 0 };
  const fileOf = (row: number) => findPlace(parts, row).file;
  for (let i = 1, head = 0; i < positions.length; i++) {
    if (begins[i]) head = i;
    else counts[fileOf(positions[head]) === fileOf(positions[i]) ? "repeated" : "shared"]++;
  }
  const columns = all.columns.map((name): Series => {
    const series = all.getColumn(name);
    if (name === timeColumn.name) {
      const times = Float64Array.from(first, (row) => rows.times[row]);
      const zone = zoneOf(series.dtype);
      return zone === undefined
        ? buildSeries(timeColumn, Int32Array.from(times))
        : buildDatetimes(name, times, zone);
    }
    const texts = [turbineId.name, productionExtras.status.name].includes(name)
      ? readTexts(all, name)
      : undefined;
    const numbers = texts ? new Float64Array(0) : toFloats(series);
    const value = (row: number) =>
      texts ? texts[row] : Number.isNaN(numbers[row]) ? null : numbers[row];
    const out: (string | number | null)[] = [];
    let from = -1;
    for (const [i, row] of positions.entries()) {
      const rowValue = value(row);
      if (begins[i]) {
        out.push(rowValue);
        from = row;
      } else if (rowValue !== null && out[out.length - 1] === null) {
        out[out.length - 1] = rowValue;
        from = row;
      } else if (rowValue !== null && rowValue !== out[out.length - 1]) {
        const zone = zoneOf(all.getColumn(timeColumn.name).dtype);
        const clock = zone && findClockAdvice(rows.times[row], zone, adviseOffset);
        const values = [out[out.length - 1]!, rowValue] as const;
        refuseDifference(parts, [from, row], labels[name] ?? name, values, clock);
      }
    }
    if (texts) return pl.Series(name, out as string[], pl.Utf8);
    return buildNumbers(name, Float64Array.from(out as (number | null)[], (one) => one ?? NaN));
  });
  const notes = [
    ...(counts.repeated === 0 ? [] : [
      `${counts.repeated} rows repeat a timestamp of their file with the same values or none; Vindkit merged them`,
    ]),
    ...(counts.shared === 0 ? [] : [
      `${counts.shared} rows are in two files with the same values or none; Vindkit counts them once`,
    ]),
  ];
  return { frame: pl.DataFrame(columns), notes, first };
}

function refuseDifference(
  parts: readonly ProductionRows[],
  rows: readonly [one: number, other: number],
  column: string,
  [first, second]: readonly [string | number, string | number],
  clock: string | undefined,
): never {
  const [one, other] = rows.map((row) => findPlace(parts, row));
  const otherPlace = other.file === one.file ? one.at : `${one.file}, ${one.at}`;
  const [part, next] = [parts[one.part], parts[other.part]];
  const advice = part !== next && part.tentative ? adviseNewer(part, next) : clock ??
    "Remove the wrong rows. If the rows belong to several turbines, read the files of each turbine separately";
  refuseFile(
    other.file,
    `${other.at}: the ${column} is ${second}, but ${first} at the same time in ${otherPlace}. ${advice}`,
    { code: "values_differ", value: second },
  );
}

/** Advises which of two files to read if later files revise the months of earlier ones. */
function adviseNewer(one: ProductionRows, other: ProductionRows): string {
  const [{ name }] = productionColumns.month;
  const [first, second] = [one, other].map(({ frame }) =>
    frame.getColumn(name).cast(pl.Int32).max()
  );
  const newer = first === second
    ? "the newer file"
    : `${(first > second ? one : other).file}, which has later months`;
  return `Later files revise preliminary months, so read only ${newer}`;
}

/** Checks the steps of each turbine, as for files without repeated times. */
function assertTurbineSteps(
  all: DataFrame,
  { times, turbines }: RowOrder,
  first: Uint32Array,
  parts: readonly ProductionRows[],
  how: Pick<ProductionFormat, "resolution" | "unit">,
): void {
  const { resolution } = how;
  const [{ name: time }] = productionColumns[resolution];
  if (!isStep(resolution)) return;
  const stamps = Float64Array.from(first, (row) => times[row]);
  const zone = zoneOf(all.getColumn(time).dtype) ?? "UTC";
  for (let from = 0, to; from < stamps.length; from = to) {
    to = from + 1;
    while (to < stamps.length && turbines[first[to]] === turbines[first[from]]) to++;
    const begin = from;
    const series = {
      file: findPlace(parts, first[from]).file,
      place: (row: number) => findPlace(parts, first[begin + row]).at,
      step: findStepLength(resolution),
      timeZone: zone,
    };
    assertProductionSteps(stamps.subarray(from, to), series, how);
  }
}
