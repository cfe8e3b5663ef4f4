import type { DataFrame } from "nodejs-polars";
import { ArgumentError } from "../../api/errors.ts";
import type { Spec } from "./assemble.ts";
import { readNumberColumn } from "./read_columns.ts";
import { roundUpYears } from "./months.ts";

/** Most years of a chart: more come from a number that was misread. */
const MAX_YEARS = 200;

/** Least room for a year at the axis, pixels. */
const MIN_YEAR_WIDTH = 36;

/**
 * The years of a frame by their position in it.
 *
 * @throws {ArgumentError} If one is missing, is no whole number or stands twice, or they span more than 200
 */
export function readYearPositions(
  frame: DataFrame,
  name: string,
  what: string,
): Map<number, number> {
  const positions = new Map<number, number>();
  readNumberColumn(frame, name, what).forEach((year, i) => {
    if (year === null || !Number.isInteger(year) || positions.has(year)) {
      throw new ArgumentError(
        `Cannot plot ${what}: ${name} ${year ?? "of row " + (i + 1)} ${
          year === null ? "is missing" : positions.has(year) ? "stands twice" : "is no whole number"
        }. Keep one row a year`,
      );
    }
    positions.set(year, i);
  });
  const years = [...positions.keys()];
  const [first, last] = [Math.min(...years), Math.max(...years)];
  if (last - first > MAX_YEARS) {
    throw new ArgumentError(
      `Cannot plot ${what}: its years run from ${first} to ${last}. ` +
        `Look for one that was misread, or keep at most ${MAX_YEARS}`,
    );
  }
  return positions;
}

/** All years from the first to the last. */
export function listYears(years: Iterable<number>): number[] {
  const all = [...years];
  const first = Math.min(...all);
  return Array.from({ length: Math.max(...all) - first + 1 }, (_, i) => first + i);
}

/** Horizontal channel of years, with a label at as many as there is room for. */
export function buildYearChannel(years: readonly number[], width: number, title: string): Spec {
  const every = roundUpYears(MIN_YEAR_WIDTH * years.length / width);
  const round = years.filter((year) => year % every === 0).map(String);
  return {
    field: "period",
    type: "ordinal",
    scale: { domain: years.map(String), paddingInner: 0.15, paddingOuter: 0.1 },
    axis: { labelAngle: 0, title, values: round.length > 0 ? round : [String(years[0])] },
  };
}
