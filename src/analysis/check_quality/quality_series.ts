import type { DataFrame } from "nodejs-polars";
import type { Column } from "../../api/columns/column.ts";
import { time } from "../../api/columns/columns.ts";
import { zoneOf } from "../../frames/frame.ts";
import { productionColumns } from "../../frames/production/production.ts";
import { readNumbers, type Refuse } from "../../frames/read_columns.ts";
import { findUsualStep } from "../../screening/stamps.ts";
import { computeHourMeans } from "../../screening/values/hourly_power.ts";
import { HOUR, type HourAxis } from "../../time/hourly.ts";
import { computeClockShift } from "../../time/zones.ts";
import { columnOf, findWindColumn, isWind, readTurbineStamps } from "../series/turbine_stamps.ts";

/** A series for the quality check: its rows unchanged, and its values on a regular axis. */
export interface QualitySeries {
  /** Its timestamps in the order of the rows, ms since 1970 UTC; NaN if a row has none. */
  readonly stamps: Float64Array;
  /** Zone that sets the months. */
  readonly timeZone: string;
  /** Zone of its timestamps. */
  readonly stampZone: string;
  /** Column to check. */
  readonly column: Column;
  /** Kind of values. */
  readonly quantity: "power" | "wind" | "other";
  /** Whole hours that the record touches. */
  readonly axis: HourAxis;
  /** Steps per hour: 1, or 6 for 10 minutes. */
  readonly perHour: number;
  /** Value of each step; NaN if missing. */
  readonly values: Float64Array;
  /** Position of the first step with a row, and the position after the last one. */
  readonly rows: readonly [from: number, to: number];
  /** Usual distance of the rows, hours, if it is more than 1. */
  readonly coarse: number | undefined;
}

/** Longest plausible record, ms: a longer one has a wrong timestamp. */
const MAX_LENGTH = 200 * 365.25 * 24 * HOUR;

const [, power] = productionColumns.hour;

/** Chooses the column to check: the named one, else power, else the highest wind. */
export function chooseColumn(frame: DataFrame, named: string | undefined, refuse: Refuse): Column {
  const names = frame.columns;
  if (named !== undefined) {
    if (names.includes(named)) return columnOf(frame, named);
    refuse(`it has no column "${named}". Name one of its columns: ${names.join(", ")}`);
  }
  if (names.includes(power.name)) return power;
  return findWindColumn(names) ?? refuse(
    `it has no "${power.name}" (${power.unit}) and no wind speed. Its columns are ` +
      `${names.join(", ")}. Name the column to check with { column }`,
  );
}

/** Finds the distance of rows, hours, if it is more than an hour: then the hours between them are not gaps. */
function findCoarseStep(sorted: Float64Array): number | undefined {
  const steps = sorted.slice(1).map((stamp, i) => stamp - sorted[i]).sort();
  // A step that occurs: the median of an even number may lie between two.
  const hours = Math.round((steps[Math.floor(steps.length / 2)] ?? HOUR) / HOUR);
  return hours > 1 ? hours : undefined;
}

/**
 * Reads a series for the quality check. It rejects nothing that can be a finding.
 *
 * @param frame `time` with a zone and values
 * @param zone Zone that sets the months, if it is not the frame's
 */
export function readQualitySeries(
  frame: DataFrame,
  named: string | undefined,
  zone: string | undefined,
  refuse: Refuse,
): QualitySeries {
  const column = chooseColumn(frame, named, refuse);
  const { epochs: stamps, timeZone: stampZone } = readTurbineStamps(frame, refuse, "gaps");
  const timeZone = zone ?? stampZone;
  const read = readNumbers(frame, column.name, refuse);
  const sorted = Float64Array.from(new Set(stamps.filter((stamp) => !Number.isNaN(stamp)))).sort();
  if (sorted.length === 0) {
    refuse(`no row has a timestamp in "${time.name}". Give rows with timestamps`);
  }
  const [first, last] = [sorted[0], sorted[sorted.length - 1]];
  if (last - first > MAX_LENGTH) {
    const [from, to] = [first, last].map((stamp) =>
      Temporal.Instant.fromEpochMilliseconds(Math.floor(stamp)).toString().slice(0, 10)
    );
    refuse(
      `its timestamps run from ${from} to ${to}, more than 200 years. Remove the rows with wrong timestamps`,
    );
  }
  const step = findUsualStep(sorted);
  const perHour = Math.round(HOUR / step);
  // Whole hours of the zone's clock; in hourly rows the first timestamp shows whether they are whole hours of UTC.
  const shift = perHour === 1 && first % HOUR === 0 ? 0 : computeClockShift(first, timeZone);
  const place = (stamp: number, start: number) => Math.ceil((stamp - start) / step - 0.5);
  const start = Math.floor((first - shift) / HOUR) * HOUR + shift;
  const before = place(first, start);
  const end = place(last, start) + 1;
  const axis = { start, length: Math.ceil(end / perHour) };
  const values = new Float64Array(axis.length * perHour).fill(NaN);
  stamps.forEach((stamp, row) => {
    const position = Number.isNaN(stamp) ? -1 : place(stamp, start);
    // Of several rows for the same step, the first one with a value counts.
    if (position >= 0 && Number.isNaN(values[position])) values[position] = read[row];
  });
  return {
    stamps,
    timeZone,
    stampZone: zoneOf(frame.getColumn(time.name).dtype) ?? timeZone,
    column,
    quantity: column.name === power.name ? "power" : isWind(column.name) ? "wind" : "other",
    axis,
    perHour,
    values,
    rows: [before, end],
    coarse: findCoarseStep(sorted),
  };
}

/** Computes hourly values of a series: means of the hours in which every step has a value. */
export function computeHours({ values, perHour, axis }: QualitySeries): Float64Array {
  if (perHour === 1) return values;
  const means = computeHourMeans(values, perHour);
  return Float64Array.from({ length: axis.length }, (_, i) => means[i * perHour]);
}
