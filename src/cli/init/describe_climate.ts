import { endOfAxis, HOUR } from "../../time/hourly.ts";
import type { readClimate } from "../../sites/mod.ts";
import { formatStamp } from "../../time/stamps.ts";
import { formatGrid } from "../../show/text/plain_text.ts";

/** A point of a climate as it is read. */
export type ClimatePoint = Awaited<ReturnType<typeof readClimate>>[number];

/** Rows that a preview shows. */
const FIRST_ROWS = 3;

/** Points that are described; of a grid of many the first. */
const MAX_POINTS = 9;

const formatNumber = (value: number) => Number.isNaN(value) ? "missing" : value.toFixed(1);

/** The wind speed of each hour at the greatest height. */
function computeSpeeds({ levels }: ClimatePoint): Float64Array {
  const { u, v } = levels[levels.length - 1];
  return u.map((value, i) => Math.hypot(value, v[i]));
}

function describePoint(point: ClimatePoint): string {
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
  return `${latitude} N, ${longitude} E: ${formatStamp(axis.start)} to ` +
    `${formatStamp(endOfAxis(axis) - HOUR)}, ${valid} of ${axis.length} hours have wind at ` +
    `${heights} m (mean ${formatNumber(sum / valid)} m/s)${air ? `, ${air}` : ""}${gap}`;
}

/**
 * Describes climate as it was read: first rows, and each point in a line.
 *
 * @param points The points, one at least
 */
export function describeClimate(points: readonly ClimatePoint[]): string[] {
  const [first] = points;
  const { axis, levels, temperature } = first;
  const rows = Array.from({ length: Math.min(FIRST_ROWS, axis.length) }, (_, i) => [
    formatStamp(axis.start + i * HOUR),
    ...levels.map(({ u, v }) => formatNumber(Math.hypot(u[i], v[i]))),
    ...levels.slice(-1).map(({ u, v }) =>
      formatNumber((Math.atan2(-u[i], -v[i]) * 180 / Math.PI + 360) % 360)
    ),
    ...temperature ? [formatNumber(temperature[i])] : [],
  ]);
  const head = [
    "hour",
    ...levels.map(({ height }) => `wind ${height} m (m/s)`),
    "from (deg)",
    ...temperature ? ["temperature (degC)"] : [],
  ];
  const more = points.length - MAX_POINTS;
  return [
    ...formatGrid([head, ...rows]).split("\n"),
    ...points.slice(0, MAX_POINTS).map(describePoint),
    ...more > 0 ? [`and ${more} more points`] : [],
  ];
}
