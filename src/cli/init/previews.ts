/**
 * Previews of files for the screen: each turbine or point in a line, as the import reads it.
 *
 * @module
 */
import { type DataFrame, pl } from "../../../mod.ts";
import { endOfAxis, HOUR } from "../../time/hourly.ts";
import { computeDistance, type readClimate, suspectUnit } from "../../sites/mod.ts";
import { visibleText } from "../../api/error_text.ts";
import { formatStamp } from "../../time/stamps.ts";
import { monthOfDays } from "../../time/zones.ts";
import { formatPercent } from "../../show/text/numbers.ts";
import type { Position } from "./fields.ts";

/** Number of values that a line begins with, and most lines of turbines or points; the rest is only counted. */
const [FIRST_VALUES, MAX_LINES] = [3, 12];

/** Hours of a mean year. */
const YEAR_HOURS = 8766;

/**
 * Computes production as a share of the output at rated power in the same time, value by value.
 *
 * @param frame Production from the import
 * @param ratedPower Rated power of all turbines measured together, kW
 */
function computeFactors(frame: DataFrame, ratedPower: number): Float64Array {
  const isPower = frame.columns.includes("power");
  const months = frame.columns.includes("month")
    ? frame.getColumn("month").cast(pl.Int32).toArray() as number[]
    : [];
  const values = frame.getColumn(isPower ? "power" : "energy").toArray() as (number | null)[];
  return Float64Array.from(values, (value, i) => {
    const hours = months.length > 0 ? 24 * monthOfDays(months[i]).daysInMonth : YEAR_HOURS;
    return (value ?? NaN) * (isPower ? 1 : 1000 / hours) / ratedPower;
  });
}

/**
 * Compares production with rated power, as the import does.
 *
 * @returns The probable fault; `undefined` if there is none, or rated power is unknown
 */
export function suspectProduction(frame: DataFrame, ratedPower: number): string | undefined {
  if (!(ratedPower > 0)) return undefined;
  const kind = frame.columns.includes("power") ? "hours" : "periods";
  const [finding] = suspectUnit(computeFactors(frame, ratedPower), kind);
  return finding && `Compared with ${ratedPower} kW, production has a ${finding.message}`;
}

/** Formats a number with at most four digits. */
const format = (value: number) => String(Number(value.toPrecision(4)));

/** Times of a frame in its time zone. */
function formatTimes(frame: DataFrame, time: string): string[] {
  if (time === "year") return (frame.getColumn(time).toArray() as number[]).map(String);
  const pattern = time === "month" ? "%Y-%m" : "%Y-%m-%d %H:%M";
  return frame.select(pl.col(time).dt.strftime(pattern)).getColumn(time).toArray() as string[];
}

/** Describes rows of one turbine in order of time: span, time zone, number of values, and their size. */
function describeTurbine(frame: DataFrame, name: string, ratedPower: number): string {
  const [time, value] = name === "" ? frame.columns : frame.columns.slice(1);
  const column = frame.getColumn(value);
  const valid = frame.height - column.nullCount();
  if (valid === 0) return `  ${name}all rows are empty`;
  const zone = /\(\w+,(.+)\)\)/.exec(String(frame.getColumn(time).dtype))?.[1];
  const labels = formatTimes(frame, time);
  const factors = computeFactors(frame, ratedPower).filter((factor) => !Number.isNaN(factor));
  const share = 100 * factors.reduce((sum, factor) => sum + factor, 0) / factors.length;
  const ofRated = ratedPower > 0 ? ` (${formatPercent(share)} of rated power)` : "";
  const [mean, least, greatest] = [column.mean(), column.min(), column.max()].map(format);
  const first = (column.toArray() as (number | null)[]).slice(0, FIRST_VALUES)
    .map((one) => one === null ? "missing" : format(one)).join(", ");
  const unit = value === "power" ? "kW" : "MWh";
  return `  ${name}${labels[0]} to ${labels.at(-1)}${
    zone ? ` (${zone})` : ""
  }: ${valid} of ${frame.height} ` +
    `rows have ${value}, first ${first}, mean ${mean} ${unit}${ofRated}, ${least} to ${greatest} ${unit}`;
}

/** Turbines of a production frame; empty for a single one without a name. */
export function listTurbines(frame: DataFrame): string[] {
  return frame.columns[0] === "turbine_id"
    ? frame.getColumn("turbine_id").unique(true).toArray() as string[]
    : [];
}

const countMore = (count: number, things: string) =>
  count > MAX_LINES ? [`  and ${count - MAX_LINES} more ${things}`] : [];

/**
 * Describes the production, each of the first turbines in a line.
 *
 * @param frame A frame of `readProduction()`
 * @param ratedPower Rated power of each turbine, kW, if known, to compare with the means
 */
export function describeProduction(frame: DataFrame, ratedPower = NaN): string[] {
  const ids = listTurbines(frame);
  if (ids.length === 0) return [describeTurbine(frame, "", ratedPower)];
  const lines = ids.slice(0, MAX_LINES).map((id) => {
    const rows = frame.filter(pl.col("turbine_id").eq(pl.lit(id)));
    return describeTurbine(rows, `${visibleText(id)}, `, ratedPower);
  });
  return [...lines, ...countMore(ids.length, "turbines")];
}

/** A point of the climate, as the import reads it. */
export type ClimatePoint = Awaited<ReturnType<typeof readClimate>>[number];

/** Describes the climate, each point in a line. */
export function describeClimate(points: readonly ClimatePoint[], place?: Position): string[] {
  const lines = points.slice(0, MAX_LINES).map((point) => {
    const { axis, levels, latitude, longitude, temperature, pressure } = point;
    const { u, v } = levels[levels.length - 1];
    const speeds = u.map((value, i) => Math.hypot(value, v[i])).filter((one) => !Number.isNaN(one));
    const mean = speeds.reduce((sum, speed) => sum + speed, 0) / speeds.length;
    const air = [temperature && "temperature", pressure && "pressure"].filter(Boolean);
    const away = place ? ` (${computeDistance(point, place).toFixed(1)} km from the turbine)` : "";
    return `  ${latitude} N, ${longitude} E${away}: ${formatStamp(axis.start)} to ${
      formatStamp(endOfAxis(axis) - HOUR)
    }, ${speeds.length} of ${axis.length} hours have wind at ` +
      `${levels.map(({ height }) => height).join(" and ")} m (mean ${mean.toFixed(1)} m/s)` +
      (air.length > 0 ? `, ${air.join(" and ")}` : "");
  });
  return [...lines, ...countMore(points.length, "points")];
}
