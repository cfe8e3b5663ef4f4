import type { DataFrame } from "nodejs-polars";
import { ArgumentError } from "../../api/errors.ts";
import type { Spec } from "./assemble.ts";
import { readNumberColumn } from "./read_columns.ts";
import { roundUpYears } from "./months.ts";

/** Years that a chart may span: more come from a misread number. */
const MAX_YEARS = 200;

/** Space for a year at the axis, pixels. */
const MIN_YEAR_WIDTH = 36;

/**
 * Position of each year in a frame.
 *
 * @throws {ArgumentError} If one is missing, not a whole number or duplicated, or they span more than 200
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
          year === null
            ? "is missing"
            : positions.has(year)
            ? "is duplicated"
            : "is not a whole number"
        }. Keep one row per year`,
      );
    }
    positions.set(year, i);
  });
  const years = [...positions.keys()];
  const [first, last] = [Math.min(...years), Math.max(...years)];
  if (last - first > MAX_YEARS) {
    throw new ArgumentError(
      `Cannot plot ${what}: its years run from ${first} to ${last}. ` +
        `Look for a misread year, or keep at most ${MAX_YEARS}`,
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

/** Horizontal channel of years, with as many labels as there is space for. */
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
