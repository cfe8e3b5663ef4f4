/**
 * What is shown of files before anything is written: their first rows as they are read, and each turbine or point in a line.
 *
 * @module
 */
import { type DataFrame, pl } from "../../../mod.ts";
import { endOfAxis, HOUR } from "../../time/hourly.ts";
import { computeDistance, type readClimate } from "../../sites/mod.ts";
import { visibleText } from "../../api/error_text.ts";
import { formatStamp } from "../../time/stamps.ts";
import { formatPercent } from "../../show/text/numbers.ts";
import { formatGrid } from "../../show/text/plain_text.ts";
import type { Position } from "./fields.ts";
import { computeFactors } from "./judge_production.ts";

/** Time in minutes of the steps of frames, for gaps. */
const STEP_NAMES: Readonly<Record<number, string>> = {
  10: "ten minutes",
  60: "hours",
  1440: "days",
};

/** Rows that a preview shows. */
const FIRST_ROWS = 3;

/** Turbines that are described; of more only their number. */
const MAX_TURBINES = 12;

/** The mean of the values that are not NaN. */
function meanOf(values: Float64Array): number {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** Formats a number in at most four digits. */
const format = (value: number) => String(Number(value.toPrecision(4)));

function formatGap(minutes: number): string {
  return minutes < 120
    ? `${minutes} min`
    : minutes < 2880
    ? `${format(minutes / 60)} h`
    : `${format(minutes / 1440)} days`;
}

/** Describes rows of one turbine in order of time: span, step, how many have a value, the longest gap. */
function describeTurbine(frame: DataFrame, name: string, ratedPower: number): string {
  const [time, value] = name === "" ? frame.columns : frame.columns.slice(1);
  const unit = value === "power" ? "kW" : "MWh";
  const labels = formatTimes(frame, time);
  const column = frame.getColumn(value);
  const all = column.toArray() as (number | null)[];
  const valid = all.length - column.nullCount();
  if (valid === 0) return `${name}no row has a value`;
  const [mean, lowest, highest] = [column.mean(), column.min(), column.max()].map(format);
  const share = ratedPower > 0
    ? ` (${formatPercent(100 * meanOf(computeFactors(frame, ratedPower)))} of rated power)`
    : "";
  const values = `mean ${mean} ${unit}${share}, ${lowest} to ${highest} ${unit}`;
  const span = `${labels[0]} to ${labels.at(-1)}`;
  if (time !== "time") {
    return `${name}${span}: ${valid} of ${all.length} ${time}s have energy, ${values}`;
  }
  const stamps = frame.getColumn("time").toArray().map((stamp) => Number(stamp));
  const least = stamps.slice(1).reduce(
    (least, stamp, i) => Math.min(least, (stamp - stamps[i]) / 60_000),
    Infinity,
  );
  const minutes = Math.abs(least - 1440) <= 60 ? 1440 : least; // a day may have an hour less
  if (minutes === Infinity) return `${name}${labels[0]}: one row, with ${values}`;
  const expected = Math.round((stamps[stamps.length - 1] - stamps[0]) / 60_000 / minutes) + 1;
  let [gap, at, last] = [0, 0, stamps[0] - minutes * 60_000];
  for (let i = 0; i < stamps.length; i++) {
    if (all[i] === null) continue;
    const missing = (stamps[i] - last) / 60_000 - minutes;
    if (missing > gap) [gap, at] = [missing, i];
    last = stamps[i];
  }
  const longest = gap > 0 ? `; longest gap ${formatGap(gap)}, until ${labels[at]}` : "";
  const step = STEP_NAMES[minutes] ?? `steps of ${format(minutes)} min`;
  return `${name}${span}: ${valid} of ${expected} ${step} have power, ${values}${longest}`;
}

/** Times of a frame as its zone shows them. */
function formatTimes(frame: DataFrame, time: string): string[] {
  if (time === "year") return (frame.getColumn(time).toArray() as number[]).map(String);
  const pattern = time === "month" ? "%Y-%m" : "%Y-%m-%d %H:%M";
  return frame.select(pl.col(time).dt.strftime(pattern)).getColumn(time).toArray() as string[];
}

/** Turbines of a frame of production; none where it is one without a name. */
export function listTurbines(frame: DataFrame): string[] {
  return frame.columns[0] === "turbine_id"
    ? frame.getColumn("turbine_id").unique(true).toArray() as string[]
    : [];
}

/**
 * Describes production as it was read: its first rows, and each of the first turbines in a line.
 *
 * @param frame A frame of `readProduction()`
 * @param ratedPower Rated power of each turbine, kW, if it is known: means are compared with it
 */
export function describeProduction(frame: DataFrame, ratedPower = NaN): string {
  const ids = listTurbines(frame);
  const several = ids.length > 0;
  const [time, value] = several ? frame.columns.slice(1) : frame.columns;
  const zone = /\(\w+,(.+)\)\)/.exec(String(frame.getColumn(time).dtype))?.[1];
  const first = frame.head(FIRST_ROWS);
  const values = first.getColumn(value).toArray() as (number | null)[];
  const head = [
    zone ? `start (${zone})` : time,
    value === "power" ? "power (kW)" : "energy (MWh)",
  ];
  const rows = formatTimes(first, time).map((label, i) => {
    const figure = values[i];
    return [label, figure === null ? "missing" : format(figure)];
  });
  const shown = several
    ? [["turbine", ...head], ...rows.map((row) => [visibleText(ids[0]), ...row])]
    : [head, ...rows];
  const described = several
    ? ids.slice(0, MAX_TURBINES).map((id) =>
      describeTurbine(
        frame.filter(pl.col("turbine_id").eq(pl.lit(id))),
        `${visibleText(id)}, `,
        ratedPower,
      )
    )
    : [describeTurbine(frame, "", ratedPower)];
  const more = ids.length - MAX_TURBINES;
  return [
    formatGrid(shown),
    ...described,
    ...more > 0 ? [`and ${more} more turbines`] : [],
  ].join("\n");
}

/** A point of a climate as it is read. */
export type ClimatePoint = Awaited<ReturnType<typeof readClimate>>[number];

/** Points that are described; of a grid of many the first. */
const MAX_POINTS = 9;

const formatClimate = (value: number) => Number.isNaN(value) ? "missing" : value.toFixed(1);

/** The wind speed of each hour at the greatest height. */
function computeSpeeds({ levels }: ClimatePoint): Float64Array {
  const { u, v } = levels[levels.length - 1];
  return u.map((value, i) => Math.hypot(value, v[i]));
}

function describePoint(point: ClimatePoint, place: Position | undefined): string {
  const { axis, levels, latitude, longitude, temperature, pressure } = point;
  const speeds = computeSpeeds(point);
  let [sum, valid, run, longest] = [0, 0, 0, 0];
  for (const speed of speeds) {
    if (Number.isNaN(speed)) {
      longest = Math.max(longest, ++run);
      continue;
    }
    [sum, valid, run] = [sum + speed, valid + 1, 0];
  }
  const heights = levels.map(({ height }) => height).join(" and ");
  const air = [temperature && "temperature", pressure && "pressure"].filter(Boolean).join(" and ");
  const gap = longest > 0 ? `; longest gap ${longest} h` : "";
  const away = place ? ` (${computeDistance(point, place).toFixed(1)} km from the turbine)` : "";
  return `${latitude} N, ${longitude} E${away}: ${formatStamp(axis.start)} to ` +
    `${formatStamp(endOfAxis(axis) - HOUR)}, ${valid} of ${axis.length} hours have wind at ` +
    `${heights} m (mean ${formatClimate(sum / valid)} m/s)${air ? `, ${air}` : ""}${gap}`;
}

/**
 * Describes climate as it was read: first rows, and each point in a line.
 *
 * @param points The points, one at least
 * @param place Where the turbine is, if it is known
 */
export function describeClimate(points: readonly ClimatePoint[], place?: Position): string {
  const [first] = points;
  const { axis, levels, temperature } = first;
  const rows = Array.from({ length: Math.min(FIRST_ROWS, axis.length) }, (_, i) => [
    formatStamp(axis.start + i * HOUR),
    ...levels.map(({ u, v }) => formatClimate(Math.hypot(u[i], v[i]))),
    ...levels.slice(-1).map(({ u, v }) =>
      formatClimate((Math.atan2(-u[i], -v[i]) * 180 / Math.PI + 360) % 360)
    ),
    ...temperature ? [formatClimate(temperature[i])] : [],
  ]);
  const head = [
    "hour",
    ...levels.map(({ height }) => `wind ${height} m (m/s)`),
    "from (deg)",
    ...temperature ? ["temperature (degC)"] : [],
  ];
  const more = points.length - MAX_POINTS;
  return [
    formatGrid([head, ...rows]),
    ...points.slice(0, MAX_POINTS).map((point) => describePoint(point, place)),
    ...more > 0 ? [`and ${more} more points`] : [],
  ].join("\n");
}
