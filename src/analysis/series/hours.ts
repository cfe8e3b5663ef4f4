import pl, { type DataFrame } from "nodejs-polars";
import { time } from "../../api/columns/columns.ts";
import { productionColumns, productionExtras } from "../../frames/production/production_columns.ts";
import { averageToHours } from "../../frames/production/to_hours.ts";
import { isNumeric, readNumbers, readStamps, type Refuse } from "../../frames/read_columns.ts";
import { buildHourlyGrid, HOUR, type HourAxis, placeOnGrid } from "../../time/hourly.ts";
import {
  columnOf,
  findWindColumn,
  isWind,
  readTurbineStamps,
  readTurbineZone,
} from "./turbine_stamps.ts";
import type { Column } from "../../api/columns/column.ts";
import { buildDatetimes, buildNumbers, extractEpochs, extractNumbers } from "../../frames/frame.ts";
import type { Stamp } from "../../windindex/climate/climate.ts";

/** A series of hours or longer periods, and notes on averaging. */
export interface SeriesInHours {
  readonly frame: DataFrame;
  /** Sentences on averaged steps; empty if the frame had hours or periods already. */
  readonly notes: readonly string[];
}

const [, power] = productionColumns.hour;
const { availability, limit, limitShare } = productionExtras;

/**
 * Averages power in regular steps below an hour to hours, as `toHours()` does; returns other frames unchanged.
 *
 * @param subject Subject of notes: "the production"
 */
export function convertToHours(frame: DataFrame, subject: string, refuse: Refuse): SeriesInHours {
  const names = Object.keys(frame);
  const unchanged = { frame, notes: [] };
  if (![time, power].every(({ name }) => names.includes(name))) return unchanged;
  if (!isNumeric(frame.getColumn(power.name))) return unchanged;
  const stamps = readStamps(frame, time.name, refuse);
  const step = findSmallestStep(stamps.epochs);
  if (step === 0 || step >= HOUR) return unchanged; // the reader of the rows rejects duplicates
  const zone = readTurbineZone(frame) ?? stamps.timeZone;
  const fine = frame.select(
    pl.col(time.name).cast(pl.Datetime("us", zone)),
    ...[power, availability, limit, limitShare].filter(({ name }) => names.includes(name))
      .map(({ name }) => pl.col(name)),
  );
  const hours = averageToHours(fine, {}, adviseToHours(refuse));
  return {
    frame: hours.frame,
    notes: hours.notes.map((note) => `${subject[0].toUpperCase()}${subject.slice(1)}: ${note}.`),
  };
}

/** Adds advice on `toHours()` to an error message. */
function adviseToHours(refuse: Refuse): Refuse {
  return (problem) => refuse(`${problem}. Average regular steps to hours with toHours()`);
}

/** Finds the smallest distance between timestamps, ms; infinite for a single one. */
function findSmallestStep(epochs: Float64Array): number {
  const sorted = epochs.toSorted();
  let smallest = Infinity;
  for (let i = 1; i < sorted.length; i++) smallest = Math.min(smallest, sorted[i] - sorted[i - 1]);
  return smallest;
}

/** Hours of a climate point, a model or a turbine on a regular axis; missing is NaN. */
export interface ReferenceHours {
  /** Column read. */
  readonly column: Column;
  /** Whether its values are wind speeds. */
  readonly isWind: boolean;
  /** Whether a value is for the instant of its timestamp or is the mean of the hour that starts there. */
  readonly stamp: Stamp;
  /** Zone of the turbine if the frame names it, else of its timestamps. */
  readonly timeZone: string;
  /** The hours. */
  readonly axis: HourAxis;
  /** Values at the timestamps. */
  readonly values: Float64Array;
  /** Mean of the hour that starts at each timestamp; of instantaneous values, the mean of two consecutive ones. */
  readonly means: Float64Array;
  /** Sentences on averaged steps below an hour. */
  readonly notes: readonly string[];
}

/** Column to read, and the meaning of its timestamps. */
interface ReadingOptions {
  /** Column to read. @default the first in the frame of the kind `prefer` */
  readonly column?: string | undefined;
  /**
   * Whether values are instantaneous or means of hours. @default instantaneous for wind, means of hours for everything
   * else
   */
  readonly stamp?: Stamp | undefined;
  /** Kind of column to look for first. */
  readonly prefer: "wind" | "power";
}

function chooseColumn(
  frame: DataFrame,
  { column, prefer }: ReadingOptions,
  refuse: Refuse,
): Column {
  const names = frame.columns;
  if (column !== undefined) {
    if (names.includes(column)) return columnOf(frame, column);
    refuse(`it has no column "${column}". Name one of its columns: ${names.join(", ")}`);
  }
  const wind = findWindColumn(names);
  const powerColumn = names.includes(power.name) ? columnOf(frame, power.name) : undefined;
  return (prefer === "wind" ? wind ?? powerColumn : powerColumn ?? wind) ?? refuse(
    `it has no wind speed and no "${power.name}". Its columns are ${
      names.join(", ")
    }. Name the column with { column }`,
  );
}

/**
 * Reads hours onto a regular axis, in order of time; averages regular steps below an hour to hours.
 *
 * @param frame `time` with a zone and values, of one point
 * @param read Column, and meaning of its timestamps
 */
export function readReferenceHours(
  frame: DataFrame,
  read: ReadingOptions,
  refuse: Refuse,
): ReferenceHours {
  if (!frame.columns.includes(time.name)) {
    refuse(
      `it needs the column "${time.name}", but has ${
        frame.columns.join(", ") || "none"
      }. Add or rename the column`,
    );
  }
  if (frame.height === 0) refuse("it has no rows. Give a frame with at least one row");
  const column = chooseColumn(frame, read, refuse);
  const sorted = frame.sort(time.name);
  const { epochs: stamps, timeZone } = readTurbineStamps(sorted, refuse);
  if (stamps.some((stamp, i) => i > 0 && stamp === stamps[i - 1])) {
    refuse("it repeats an hour. Keep one point or turbine, and one row an hour");
  }
  const numbers = readNumbers(sorted, column.name, refuse);
  const fine = stamps.some((stamp) => (stamp - stamps[0]) % HOUR !== 0);
  const { epochs, hourly, notes } = fine
    ? averageSteps(stamps, numbers, timeZone, refuse)
    : { epochs: stamps, hourly: numbers, notes: [] };
  const grid = buildHourlyGrid(epochs, { file: "the reference", clockShift: epochs[0] % HOUR });
  const values = placeOnGrid(grid, hourly);
  const wind = isWind(column.name);
  const stamp = fine ? "start" : read.stamp ?? (wind ? "instant" : "start");
  const means = stamp === "start"
    ? values
    : values.map((value, i) => (value + (values[i + 1] ?? NaN)) / 2);
  return { column, isWind: wind, stamp, timeZone, axis: grid.axis, values, means, notes };
}

/**
 * Averages steps to hours, each at its start, whatever the meaning of the timestamps: it shifts them by half a step at
 * most.
 */
function averageSteps(
  epochs: Float64Array,
  values: Float64Array,
  timeZone: string,
  refuse: Refuse,
): { epochs: Float64Array; hourly: Float64Array; notes: readonly string[] } {
  const steps = pl.DataFrame([
    buildDatetimes(time.name, epochs, timeZone),
    buildNumbers(power.name, values),
  ]);
  const { frame, notes } = averageToHours(steps, {}, adviseToHours(refuse));
  return {
    epochs: extractEpochs(frame, time.name),
    hourly: extractNumbers(frame, power.name),
    notes,
  };
}
