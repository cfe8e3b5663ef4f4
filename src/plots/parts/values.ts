import type { DataFrame } from "nodejs-polars";
import { ArgumentError } from "../../api/errors.ts";
import { time as timeColumn, zoneColumns } from "../../api/columns/columns.ts";
import { extractEpochs } from "../../frames/frame.ts";
import { buildRefuse, isNumeric, readNumbers, readStamps } from "../../frames/read_columns.ts";
import { HOUR } from "../../time/hourly.ts";
import { assertTimeZone, clockAt, monthAt, startOfMonth } from "../../time/zones.ts";
import { formatSpan } from "./months.ts";
import { readTextColumn } from "./read_columns.ts";
import { clipText } from "./text.ts";

/** Names of the numeric columns of a frame. */
export function listNumericColumns(frame: DataFrame): string[] {
  return frame.columns.filter((name) => isNumeric(frame.getColumn(name)));
}

/**
 * A column as numbers; NaN where a value is missing or not finite.
 *
 * @throws {ArgumentError} If the column is not numeric
 */
export function readFiniteNumbers(frame: DataFrame, name: string, what: string): Float64Array {
  return readNumbers(frame, name, buildRefuse(`plot ${what}`));
}

/** Stamps of a frame. */
export interface Stamps {
  /** Milliseconds since 1970 UTC. */
  readonly epochs: Float64Array;
  /** IANA zone of the clock. */
  readonly zone: string;
}

const YEARS = [1800, 2200];

/** Milliseconds since 1970 at the start of a year, UTC. */
function startOfYear(year: number): number {
  return startOfMonth(Temporal.PlainYearMonth.from({ year, month: 1 }), "UTC");
}

/** Bounds of plausible stamps: others are in a wrong unit of time. */
const [FIRST_STAMP, END_STAMP] = YEARS.map(startOfYear);

/** The zone that a frame names in a column beside its stamps in UTC; `undefined` if it names none. */
function readNamedZone(frame: DataFrame, what: string): string | undefined {
  const [{ name }] = zoneColumns;
  const zones = [...new Set(readTextColumn(frame, name))].filter((zone) => zone !== null);
  if (zones.length <= 1) return zones[0];
  throw new ArgumentError(
    `Cannot plot ${what}: the rows are in ${zones.length} time zones, ${
      clipText(zones.slice(0, 3).join(", "))
    }. Keep the rows of one with filter()`,
  );
}

/**
 * Reads the stamps of a frame, and the zone of its clock.
 *
 * @throws {ArgumentError} If the column has no time stamps or no zone, one is missing, or one is not plausible
 */
export function readZonedStamps(frame: DataFrame, what: string): Stamps {
  const { name } = timeColumn;
  const { epochs, timeZone } = readStamps(frame, name, buildRefuse(`plot ${what}`));
  const zone = readNamedZone(frame, what) ?? timeZone;
  assertTimeZone(zone);
  if (!epochs.every((epoch) => epoch >= FIRST_STAMP && epoch < END_STAMP)) {
    throw new ArgumentError(
      `Cannot plot ${what}: column "${name}" has a time stamp outside of the years ` +
        `${YEARS.join(" to ")}. Check its unit of time`,
    );
  }
  return { epochs, zone };
}

/** Part of a series at each end that does not name a month, ms: years of UTC end an hour into January in Copenhagen. */
const EDGE = 12 * HOUR;

/** The months from the first to the last stamp of a frame, on its own clock; empty for a frame without stamps. */
export function formatStampSpan(frame: DataFrame): string {
  const { name } = timeColumn;
  if (!Reflect.ownKeys(frame).includes(name)) return "";
  if (frame.getColumn(name).dtype.variant !== "Datetime") return "";
  const { epochs, zone } = readZonedStamps(frame, "the time");
  const [first, last] = [
    epochs.reduce((a, b) => Math.min(a, b)),
    epochs.reduce((a, b) => Math.max(a, b)),
  ];
  const edge = Math.min(EDGE, (last - first) / 4);
  return formatSpan([first + edge, last - edge].map((epoch) => monthAt(epoch, zone).toString()));
}

/**
 * Positions of stamps in the order of time.
 *
 * @throws {ArgumentError} If a stamp is duplicated
 */
export function sortStamps({ epochs, zone }: Stamps, what: string): Int32Array {
  const order = Int32Array.from(epochs, (_, i) => i);
  if (!epochs.every((epoch, i) => i === 0 || epoch >= epochs[i - 1])) {
    order.sort((a, b) => epochs[a] - epochs[b]);
  }
  const twice = order.find((position, i) => i > 0 && epochs[position] === epochs[order[i - 1]]);
  if (twice === undefined) return order;
  const stamp = clockAt(epochs[twice], zone).toPlainDateTime().toString({ smallestUnit: "minute" });
  throw new ArgumentError(
    `Cannot plot ${what}: ${stamp} is duplicated. Keep one row per time stamp, of one turbine`,
  );
}

/** Median distance of consecutive stamps, ms; an hour if there is only one stamp. */
export function findTimeStep(epochs: Float64Array): number {
  const steps = new Float64Array(Math.max(0, epochs.length - 1));
  for (let i = 0; i < steps.length; i++) steps[i] = epochs[i + 1] - epochs[i];
  const forward = steps.filter((step) => step > 0).sort();
  // The lower median is a distance that occurs; the mean of two need not.
  return forward.length === 0 ? HOUR : forward[Math.floor((forward.length - 1) / 2)];
}

/** Word for rows in texts: "hours" only if the stamps are an hour apart. */
export function chooseRowWord(frame: DataFrame): "hours" | "rows" {
  const { name } = timeColumn;
  if (!frame.columns.includes(name) || frame.getColumn(name).dtype.variant !== "Datetime") {
    return "rows";
  }
  return frame.height > 1 && findTimeStep(extractEpochs(frame, name)) === HOUR ? "hours" : "rows";
}
