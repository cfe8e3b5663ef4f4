import { DAY, HOUR } from "../../time/hourly.ts";
import { startOfDay } from "../../time/zones.ts";
import type { CellTable } from "../cells/cell_table.ts";
import { readDayCells, readPeriodCells } from "../cells/period_cells.ts";
import { joinTimeCells, readStampCells } from "../cells/stamp_cells.ts";
import { countDayHours, countHours } from "./period_shares.ts";
import { findStepLength, isStep, type StepResolution } from "./production_columns.ts";
import type { ProductionFormat } from "./production_format.ts";
import { assertStamps } from "./production_times.ts";

/** The periods of the rows of the frame. */
export interface Periods {
  readonly values: Float64Array;
  /** Hours of the period of a row; of months and years without changes of the clock. */
  readonly hours: (row: number) => number;
}

/** How to read rows. */
interface RowOrder {
  /** Whether rows may repeat a time, in any order. */
  readonly repeats: boolean;
  /** Whether the end of a period is its start plus its length, even if the clocks change. */
  readonly byStart: boolean;
}

/**
 * Reads the periods of the rows of a table.
 *
 * @param times Number of the columns of the time, the first of the table
 * @throws {DataFormatError} If a time does not fit its declaration, or does not follow the one before
 */
export function readPeriods(
  table: CellTable,
  times: number,
  how: ProductionFormat,
  { repeats, byStart }: RowOrder,
): Periods {
  const { resolution } = how;
  if (isStep(resolution)) {
    return readStampedRows(table, times, how, { resolution, repeats, byStart });
  }
  return resolution === "day"
    ? readDayRows(table, times, how, repeats)
    : readPeriodRows(table, times, how);
}

function readStampedRows(
  table: CellTable,
  times: number,
  how: ProductionFormat,
  { resolution, repeats, byStart }: RowOrder & { readonly resolution: StepResolution },
): Periods {
  const { time_zone: timeZone } = how;
  const step = findStepLength(resolution);
  const passRule = repeats ? "copies" : "order";
  const stamps = readStampCells(table, times, { ...how, passRule, back: byStart ? step : 0 });
  const series = {
    file: table.file,
    place: (row: number) => table.place(row, 0),
    line: table.line,
    step,
    timeZone,
  };
  assertStamps(stamps, series, how, repeats);
  // A meter is read at its stamp, where the period up to the next stamp begins.
  const move = how.stamp === "end" && !how.counter && !byStart ? -step : 0;
  return {
    values: move === 0 ? stamps : stamps.map((stamp) => stamp + move),
    hours: () => step / HOUR,
  };
}

/** Reads days of the declared zone: they begin at its midnight, and have 23 to 25 hours. */
function readDayRows(
  table: CellTable,
  times: number,
  how: ProductionFormat,
  repeats: boolean,
): Periods {
  const zone = how.time_zone ?? "UTC";
  const { stamps, hasClock } = readDayCells(table, times, {
    ...how,
    passRule: repeats ? "copies" : "order",
  });
  const place = (row: number) => table.place(row, 0);
  const series = { file: table.file, place, line: table.line, step: DAY };
  assertStamps(stamps, series, how, repeats);
  // A reading with only a date was taken at the start or the end of that day.
  const move = how.stamp === "end" && (!how.counter || hasClock) ? -1 : 0;
  const values = stamps.map((stamp) => {
    const day = new Temporal.PlainDate(1970, 1, 1).add({ days: stamp / DAY + move });
    return startOfDay(day, zone);
  });
  return { values, hours: (row) => countDayHours(values[row], zone) };
}

function readPeriodRows(table: CellTable, times: number, how: ProductionFormat): Periods {
  const resolution = how.resolution as "month" | "year";
  const wide = Array.isArray(how.column);
  const [{ name }, ...others] = table.columns;
  const joined = times === 1 ? table : {
    ...table,
    columns: [{ name, cells: joinTimeCells(table, times, how.time_format) }, ...others],
  };
  const periods = readPeriodCells(joined, wide ? "year" : resolution, how.time_format);
  const numbers = wide
    ? periods.numbers.flatMap((year) => Array.from({ length: 12 }, (_, month) => year * 12 + month))
    : periods.numbers;
  return {
    values: Float64Array.from(resolution === "month" ? numbers.map(periods.firstDayOf) : numbers),
    hours: (row) => countHours(resolution, numbers[row]),
  };
}

/** Starts of periods, ms since 1970 UTC, as if years and months were in UTC. */
export function startsOf(values: Float64Array, { resolution }: ProductionFormat): Float64Array {
  if (resolution === "month") return values.map((days) => days * 86_400_000);
  return resolution === "year" ? values.map((year) => Date.UTC(year, 0)) : values;
}
