import pl, { type DataFrame } from "nodejs-polars";
import { time } from "../../api/columns/columns.ts";
import { productionColumns, productionExtras } from "../../frames/production/production_columns.ts";
import { averageToHours } from "../../frames/production/to_hours.ts";
import { isNumeric, readStamps, type Refuse } from "../../frames/read_columns.ts";
import { HOUR } from "../../time/hourly.ts";
import { readTurbineZone } from "./turbine_stamps.ts";

/** A series of hours or longer periods, and notes on averaging. */
export interface SeriesInHours {
  readonly frame: DataFrame;
  /** How steps were averaged, in sentences; empty where there were hours or periods already. */
  readonly notes: readonly string[];
}

const [, power] = productionColumns.hour;
const { availability } = productionExtras;

/**
 * Averages power in regular steps below an hour to hours, as `toHours()` does; returns other frames unchanged.
 *
 * @param what What it is, for notes: "the production"
 */
export function convertToHours(frame: DataFrame, what: string, refuse: Refuse): SeriesInHours {
  const names = Object.keys(frame);
  const unchanged = { frame, notes: [] };
  if (![time, power].every(({ name }) => names.includes(name))) return unchanged;
  if (!isNumeric(frame.getColumn(power.name))) return unchanged;
  const stamps = readStamps(frame, time.name, refuse);
  const step = findSmallestStep(stamps.epochs);
  if (step === 0 || step >= HOUR) return unchanged; // duplicated rows are refused where they are read
  const zone = readTurbineZone(frame) ?? stamps.timeZone;
  const fine = frame.select(
    pl.col(time.name).cast(pl.Datetime("us", zone)),
    ...[power, availability].filter(({ name }) => names.includes(name))
      .map(({ name }) => pl.col(name)),
  );
  const hours = averageToHours(fine, {}, adviseToHours(refuse));
  return {
    frame: hours.frame,
    notes: hours.notes.map((note) =>
      `${what[0].toUpperCase()}${what.slice(1)}: ${note[0].toLowerCase()}${note.slice(1)}`
    ),
  };
}

/** Adds the advice to use `toHours()` to an error message. */
export function adviseToHours(refuse: Refuse): Refuse {
  return (problem) => refuse(`${problem}. toHours() averages regular steps to hours`);
}

/** Finds the smallest distance of stamps, ms; infinite for a single one. */
function findSmallestStep(epochs: Float64Array): number {
  const sorted = epochs.toSorted();
  let smallest = Infinity;
  for (let i = 1; i < sorted.length; i++) smallest = Math.min(smallest, sorted[i] - sorted[i - 1]);
  return smallest;
}
