import type { DataFrame } from "nodejs-polars";
import { climateColumnByName } from "../../api/columns/climate_columns.ts";
import { type Column, pickColumns } from "../../api/columns/column.ts";
import {
  modelDataCsv,
  monthlyIndicesFrame,
  time as timeColumn,
  zoneColumns,
} from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { extractEpochs } from "../../frames/frame.ts";
import {
  buildRefuse,
  isNumeric,
  readMonths,
  readNumbers,
  readStamps,
  readTexts,
} from "../../frames/read_columns.ts";
import { checkFrame, displayOf, isFrame } from "../../show/check_frame.ts";
import { HOUR } from "../../time/hourly.ts";
import { assertTimeZone, clockAt, monthAt, monthOfNumber, startOfMonth } from "../../time/zones.ts";
import { clipText, formatSpan } from "./text.ts";

/** Input of a chart of an answer: the answer, or its frame with the data. */
export type Drawn<Name extends string> =
  | DataFrame
  | { readonly frames: { readonly [Frame in Name]: DataFrame } };

/** The frame to draw. Anything that is neither an answer nor a frame is refused later, when its columns are read. */
export function frameOf<Name extends string>(given: Drawn<Name>, name: Name): DataFrame {
  return isFrame(given) ? given : given?.frames?.[name] ?? given as never;
}

/** Refuses to plot something, and says why. */
export function refusePlot(plot: string, problem: string): never {
  throw new ArgumentError(`Cannot plot ${plot}: ${problem}`);
}

/** Whether a frame has a column; Object.keys() would build a series of each column. */
export function hasColumn(frame: DataFrame, name: string): boolean {
  return Reflect.ownKeys(frame).includes(name);
}

/** Columns that a message lists before "and N more". */
const MAX_NAMES = 8;

/**
 * Checks that a frame can be plotted.
 *
 * @throws {ArgumentError} If it has no rows or lacks a column
 */
export function requireColumns(
  frame: DataFrame,
  names: readonly string[],
  plot: string,
  madeBy: string,
): void {
  checkFrame(frame, `plot ${plot}`, madeBy);
  const missing = names.filter((name) => !hasColumn(frame, name));
  if (missing.length > 0) {
    const quoteNames = (names: readonly string[]) =>
      names.map((name) => `"${clipText(name)}"`).join(", ") || "no columns";
    const { columns } = frame;
    const more = columns.length > MAX_NAMES ? ` and ${columns.length - MAX_NAMES} more` : "";
    refusePlot(
      plot,
      `the frame has no ${missing.length > 1 ? "columns" : "column"} ${
        quoteNames(missing)
      }; it has ${quoteNames(columns.slice(0, MAX_NAMES))}${more}. ` +
        `Give a frame from ${madeBy}, or rename your column`,
    );
  }
  if (frame.getColumn(names[0]).length === 0) {
    refusePlot(plot, "the frame has no rows. Give a frame with at least one row");
  }
}

const buildNulls = ({ height }: DataFrame) => Array<null>(height).fill(null);

/**
 * Values of a column as numbers; `null` for a missing or infinite value, and in all rows if the column is missing.
 *
 * @throws {ArgumentError} If the column is not numeric
 */
export function readNumberColumn(frame: DataFrame, name: string, plot: string): (number | null)[] {
  if (!hasColumn(frame, name)) return buildNulls(frame);
  const values = readNumbers(frame, name, buildRefuse(`plot ${plot}`));
  return Array.from(values, (value) => Number.isNaN(value) ? null : value);
}

/** Values of a column as texts; `null` for a missing value, and in all rows if the column is missing. */
export function readTextColumn(frame: DataFrame, name: string): (string | null)[] {
  if (!hasColumn(frame, name)) return buildNulls(frame);
  return readTexts(frame, name);
}

/** Reads the rows of a frame, numbers then texts, by column name, as {@linkcode readNumberColumn} does. */
export function readRows<Numbers extends string, Texts extends string = never>(
  frame: DataFrame,
  plot: string,
  numbers: readonly Numbers[],
  texts: readonly Texts[] = [],
) {
  const columns = [
    ...numbers.map((name) => [name, readNumberColumn(frame, name, plot)] as const),
    ...texts.map((name) => [name, readTextColumn(frame, name)] as const),
  ];
  return columns[0][1].map((_, i) =>
    Object.fromEntries(columns.map(([name, values]) => [name, values[i]])) as
      & Record<Numbers, number | null>
      & Record<Texts, string | null>
  );
}

/** Finds the lowest and the highest of at least one value. */
export function findEnds<T extends number | string>(values: Iterable<T>): [least: T, most: T] {
  let ends: [T, T] | undefined;
  for (const value of values) {
    ends ??= [value, value];
    if (value < ends[0]) ends[0] = value;
    if (value > ends[1]) ends[1] = value;
  }
  return ends!;
}

/**
 * Values of a column of dates as months, "2023-05"; none if the frame lacks it.
 *
 * @throws {ArgumentError} If the column has no dates, or one is missing
 */
export function readMonthColumn(frame: DataFrame, name: string, plot: string): string[] {
  if (!hasColumn(frame, name)) return [];
  return readMonths(frame, name, buildRefuse(`plot ${plot}`))
    .map((number) => monthOfNumber(number).toString());
}

/** Names of the numeric columns of a frame. */
export function listNumericColumns(frame: DataFrame): string[] {
  return frame.columns.filter((name) => isNumeric(frame.getColumn(name)));
}

/**
 * A column as numbers; NaN for a missing or infinite value.
 *
 * @throws {ArgumentError} If the column is not numeric
 */
export function readFiniteNumbers(frame: DataFrame, name: string, plot: string): Float64Array {
  return readNumbers(frame, name, buildRefuse(`plot ${plot}`));
}

/** Timestamps of a frame. */
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

/** Bounds of plausible timestamps: others use a wrong unit of time. */
const [FIRST_STAMP, END_STAMP] = YEARS.map(startOfYear);

/** The zone in a column next to timestamps in UTC; `undefined` if the frame has none. */
function readNamedZone(frame: DataFrame, plot: string): string | undefined {
  const [{ name }] = zoneColumns;
  const zones = [...new Set(readTextColumn(frame, name))].filter((zone) => zone !== null);
  if (zones.length <= 1) return zones[0];
  refusePlot(
    plot,
    `the rows are in ${zones.length} time zones, ${
      clipText(zones.slice(0, 3).join(", "))
    }. Keep the rows of one with filter()`,
  );
}

/**
 * Reads the timestamps of a frame, and the zone of its clock.
 *
 * @throws {ArgumentError} If the column has no timestamps or no zone, one is missing, or one is not plausible
 */
export function readZonedStamps(frame: DataFrame, plot: string): Stamps {
  const { name } = timeColumn;
  const { epochs, timeZone } = readStamps(frame, name, buildRefuse(`plot ${plot}`));
  const zone = readNamedZone(frame, plot) ?? timeZone;
  assertTimeZone(zone);
  if (!epochs.every((epoch) => epoch >= FIRST_STAMP && epoch < END_STAMP)) {
    refusePlot(
      plot,
      `column "${name}" has a timestamp outside the years ` +
        `${YEARS.join(" to ")}. Check its time unit`,
    );
  }
  return { epochs, zone };
}

/**
 * Part of a series at each end that does not add a month to its span, ms: years in UTC end an hour into January in
 * Copenhagen.
 */
const EDGE = 12 * HOUR;

/** The months from the first to the last timestamp of a frame, by its own clock; empty for a frame without timestamps. */
export function formatStampSpan(frame: DataFrame): string {
  const { name } = timeColumn;
  if (!hasColumn(frame, name)) return "";
  if (frame.getColumn(name).dtype.variant !== "Datetime") return "";
  const { epochs, zone } = readZonedStamps(frame, "the time");
  const [first, last] = findEnds(epochs);
  const edge = Math.min(EDGE, (last - first) / 4);
  return formatSpan([first + edge, last - edge].map((epoch) => monthAt(epoch, zone).toString()));
}

/**
 * Positions of timestamps in order of time.
 *
 * @throws {ArgumentError} If a timestamp is duplicated
 */
export function sortStamps({ epochs, zone }: Stamps, plot: string): Int32Array {
  const order = Int32Array.from(epochs, (_, i) => i);
  if (!epochs.every((epoch, i) => i === 0 || epoch >= epochs[i - 1])) {
    order.sort((a, b) => epochs[a] - epochs[b]);
  }
  const twice = order.find((position, i) => i > 0 && epochs[position] === epochs[order[i - 1]]);
  if (twice === undefined) return order;
  const stamp = clockAt(epochs[twice], zone).toPlainDateTime().toString({ smallestUnit: "minute" });
  refusePlot(plot, `${stamp} is duplicated. Keep one row per timestamp, of one turbine`);
}

/** Median distance of consecutive timestamps, ms; an hour if there is only one timestamp. */
export function findTimeStep(epochs: Float64Array): number {
  const steps = new Float64Array(Math.max(0, epochs.length - 1));
  for (let i = 0; i < steps.length; i++) steps[i] = epochs[i + 1] - epochs[i];
  const forward = steps.filter((step) => step > 0).sort();
  // The lower median is a distance that occurs; the mean of two may not.
  return forward.length === 0 ? HOUR : forward[Math.floor((forward.length - 1) / 2)];
}

/** Word for rows in texts: "hours" only if the timestamps are an hour apart. */
export function chooseRowWord(frame: DataFrame): "hours" | "rows" {
  const { name } = timeColumn;
  if (!frame.columns.includes(name) || frame.getColumn(name).dtype.variant !== "Datetime") {
    return "rows";
  }
  return frame.height > 1 && findTimeStep(extractEpochs(frame, name)) === HOUR ? "hours" : "rows";
}

/** Most characters shown of an undeclared column's name. */
const MAX_NAME_LENGTH = 40;

/** Declaration of a column in the frame's metadata. */
export function findDeclared(
  name: string,
  frames: readonly (DataFrame | undefined)[],
): Column | undefined {
  return frames.flatMap((frame) => frame ? displayOf(frame)?.columns ?? [] : [])
    .find((column) => column.name === name);
}

/**
 * Finds the declaration of a column: in the frames, else in the contract. An unknown column gets its name as label, and no
 * unit.
 */
export function findColumn(name: string, frames: readonly (DataFrame | undefined)[]): Column {
  return findDeclared(name, frames) ??
    [...modelDataCsv, ...monthlyIndicesFrame].find((column) => column.name === name) ??
    climateColumnByName(name) ?? {
    name,
    dtype: "f64",
    label: clipText(name, MAX_NAME_LENGTH),
    description: name,
    tag: "ours",
  };
}

const [speedColumn, directionColumn] = pickColumns(modelDataCsv, ["wind_speed", "wind_direction"]);

/** The column of wind speeds: the chosen one, else `wind_speed`, else the one at the greatest height. */
export function chooseSpeedColumn(frame: DataFrame, chosen: string | undefined): string {
  if (chosen !== undefined) return chosen;
  const { name } = speedColumn;
  if (frame.columns.includes(name)) return name;
  const height = (column: string) => Number(column.slice(name.length + 1).replace("_", "."));
  const [highest] = frame.columns.filter((column) => column.startsWith(`${name}_`))
    .filter((column) => Number.isFinite(height(column)))
    .sort((a, b) => height(b) - height(a));
  return highest ?? name;
}

/** The column of directions that belongs to a column of speeds: `wind_direction_100` for `wind_speed_100`. */
export function findDirectionColumn(speed: string): string {
  return speed.startsWith(speedColumn.name)
    ? speed.replace(speedColumn.name, directionColumn.name)
    : directionColumn.name;
}

/** Highest possible wind speed, m/s: a higher value is in another unit, or a code for a missing value. */
const MAX_WIND_SPEED = 150;

/**
 * Checks that wind speeds are possible in m/s; NaN is a missing value.
 *
 * @throws {ArgumentError} If a speed is above 150 m/s
 */
export function assertSpeeds(speeds: Float64Array, column: string, plot: string): void {
  const wrong = speeds.find((speed) => speed > MAX_WIND_SPEED);
  if (wrong === undefined) return;
  refusePlot(
    plot,
    `column "${clipText(column)}" has a wind speed of ${wrong}, above ` +
      `${MAX_WIND_SPEED} m/s. Convert the column to m/s, or replace such values with null`,
  );
}

/** Length of a mean vector below which it has no direction: the directions cancel out. */
const MIN_MEAN_LENGTH = 1e-9;

/** Whether a column has directions: 0 follows 360 deg, so minimum, maximum and arithmetic mean are meaningless. */
export function isDirection({ unit, range }: Column): boolean {
  return unit === "deg" && range?.[0] === 0 && range[1] === 360;
}

/**
 * Mean direction of unit vectors, 0 to 360 deg; `null` if they cancel out or `count` is 0.
 *
 * @param east Sum of the sines
 * @param north Sum of the cosines
 */
export function computeMeanDirection(east: number, north: number, count: number): number | null {
  if (count === 0 || Math.hypot(east, north) <= MIN_MEAN_LENGTH * count) return null;
  const degrees = Math.atan2(east, north) * 180 / Math.PI;
  return degrees < 0 ? degrees + 360 : degrees;
}

/** Mean direction, 0 to 360 deg; NaN is a missing value. */
export function averageDirections(directions: Float64Array): number | null {
  let [east, north, count] = [0, 0, 0];
  for (const degrees of directions) {
    if (Number.isNaN(degrees)) continue;
    east += Math.sin(degrees * Math.PI / 180);
    north += Math.cos(degrees * Math.PI / 180);
    count++;
  }
  return computeMeanDirection(east, north, count);
}
