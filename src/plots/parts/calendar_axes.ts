import type { Spec } from "./assemble.ts";
import { roundUpYears } from "./months.ts";
import { fontSize } from "../drawing/theme.ts";

/** Columns of a calendar: twelve months. */
export const MONTHS = Array.from({ length: 12 }, (_, i) => String(i + 1).padStart(2, "0"));

/** Columns of a calendar with an empty column and the year after December. */
export const WITH_YEAR = [...MONTHS, "", "Year"];

/** Width from which a month is named by three letters instead of one, pixels. */
const MIN_NAME_WIDTH = 34;

/** Height of the row of a year, pixels: lower for more years. */
export function chooseRowHeight(years: number): number {
  return years <= 3 ? 28 : years <= 40 ? 20 : 13;
}

/** Horizontal channel of the columns, with their names above them. */
export function buildColumnChannel(columns: readonly string[], step: number): Spec {
  const letters = step < MIN_NAME_WIDTH ? 1 : 3;
  const names = "'JanFebMarAprMayJunJulAugSepOctNovDec'";
  const month = `substring(${names}, 3 * datum.value - 3, 3 * datum.value - ${3 - letters})`;
  return {
    field: "column",
    type: "ordinal",
    scale: { domain: columns, padding: 0.03 },
    axis: {
      domain: false,
      labelAngle: 0,
      labelExpr: `length(datum.value) === 2 ? ${month} : datum.value`,
      labelOverlap: false,
      orient: "top",
      ticks: false,
      title: null,
    },
  };
}

/** Outline of the cross that marks a field without data. */
export const CROSS = "M-1,-.8L-.8,-1L0,-.2L.8,-1L1,-.8L.2,0L1,.8L.8,1L0,.2L-.8,1L-1,.8L-.2,0Z";

/** Vertical channel of the years, with as many of them at the axis as there is space for. */
export function buildYearRows(years: readonly string[], row: number): Spec {
  const every = roundUpYears(fontSize.axis / row);
  const round = years.filter((year) => Number(year) % every === 0);
  return {
    field: "year",
    type: "ordinal",
    scale: { domain: years, padding: 0.04 },
    axis: {
      grid: false,
      labelOverlap: false,
      // The theme's number of ticks would drop some of them.
      tickCount: years.length,
      title: null,
      values: round.length > 0 ? round : years.slice(0, 1),
    },
  };
}
