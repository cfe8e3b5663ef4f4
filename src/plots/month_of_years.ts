import type { DataFrame } from "nodejs-polars";
import { pickColumns } from "../api/columns/column.ts";
import { monthlyIndicesFrame, monthRecord } from "../api/columns/columns.ts";
import { declareOptions, readOptions } from "../show/options/read_options.ts";
import { calendarMonth } from "../show/text/month.ts";
import { formatCount, formatFigures } from "../show/text/numbers.ts";
import { mean } from "../stats/spread.ts";
import type { Chart } from "./drawing/chart.ts";
import { palette } from "./drawing/theme.ts";
import { buildYearChannel, listYears, readYearPositions } from "./grammar/axes.ts";
import { drawChart, type PlotOptions, plotOptions } from "./grammar/chart.ts";
import {
  buildKindColor,
  buildLevelScale,
  buildVerticalAxis,
  fullHeight,
  type KindColor,
  mark,
  PLAIN,
  quantity,
  type Spec,
  SQUARES,
} from "./grammar/marks.ts";
import {
  type Drawn,
  frameOf,
  readMonthColumn,
  readNumberColumn,
  readTextColumn,
  requireColumns,
} from "./grammar/read.ts";
import { formatSpan } from "./grammar/text.ts";

/** Options of {@linkcode plotMonthOfYears}. */
export interface PlotMonthOfYearsOptions extends PlotOptions {
  /** Year whose bar is highlighted. @default none */
  readonly year?: number;
}

const WHAT = "a month of all years";
const ENERGY = "energy";
const IN_REFERENCE = "in_reference";

const [yearColumn] = pickColumns(monthRecord, ["year"]);
const [monthColumn, likeEnergy] = pickColumns(
  monthlyIndicesFrame,
  ["month", "predicted_production"],
);
const unit = likeEnergy.unit ?? "";

const KINDS: readonly KindColor[] = [
  ["Selected year", palette.orange],
  ["Year of the reference period", palette.blue],
  ["Other year", palette.paleBlue],
  ["Not complete", palette.missing],
];

function readBars(frame: DataFrame, selected: number | undefined) {
  const positions = readYearPositions(frame, yearColumn.name, WHAT);
  const energies = readNumberColumn(frame, ENERGY, WHAT);
  const inReference = readTextColumn(frame, IN_REFERENCE);
  return listYears(positions.keys()).map((year) => {
    const at = positions.get(year);
    const energy = at === undefined ? null : energies[at];
    const reference = at !== undefined && inReference[at] === "true";
    const kind = energy === null ? 3 : year === selected ? 0 : reference ? 1 : 2;
    const text = energy === null ? "no value" : formatFigures([energy], unit);
    return { period: String(year), energy, reference, text, kind: KINDS[kind][0] };
  });
}

type Bar = ReturnType<typeof readBars>[number];

/** Mean energy of the years of the reference period, MWh; `null` if there are none. */
function computeNormal(bars: readonly Bar[]): number | null {
  const counted = bars.flatMap(({ energy, reference }) => reference ? energy ?? [] : []);
  return counted.length === 0 ? null : mean(counted);
}

function buildLayers(
  bars: readonly Bar[],
  normal: number | null,
  width: number,
  height: number,
): Spec[] {
  const x = buildYearChannel(bars.map(({ period }) => Number(period)), width, yearColumn.label);
  const levels = [...bars.map(({ energy }) => energy), normal];
  const axis = buildVerticalAxis(`Energy (${unit})`, height, PLAIN);
  const y = quantity(ENERGY, buildLevelScale(0, levels), axis);
  const color = buildKindColor(
    "kind",
    KINDS.filter(([kind]) => bars.some((bar) => bar.kind === kind)),
    { ...SQUARES, columns: Math.max(1, Math.floor(width / 190)) },
  );
  const tooltip = [
    { field: "period", title: yearColumn.label },
    { field: "text", title: "Energy" },
    { field: "kind", title: "Counts as" },
  ];
  const bar = (valid: boolean, look: Spec) =>
    mark("bar", { where: { field: ENERGY, valid }, x, color, tooltip, ...look });
  return [
    bar(false, fullHeight(x, height)),
    bar(true, { y }),
    ...(normal === null
      ? []
      : [mark("rule", { data: [{ energy: normal }], y, color: palette.black, strokeWidth: 1.5 })]),
  ];
}

const OPTIONS = declareOptions<PlotMonthOfYearsOptions>()("year", {}, plotOptions);

/**
 * Plots the energy of one calendar month in each year, with the mean of the reference period as a line: what a normal
 * month of the same name is, and how far months differ from it.
 *
 * @param given Answer of `explainIndex()`, or `years` of its `frames`: `year`, `energy` (MWh) and `in_reference`
 * @param options Highlighted year, title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing, or a year is duplicated
 *
 * @example A normal March
 * ```ts
 * import pl from "nodejs-polars";
 * import { plotMonthOfYears } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const chart = plotMonthOfYears(
 *   pl.DataFrame({
 *     year: [2021, 2022, 2023],
 *     energy: [900, 1000, 800],
 *     in_reference: [true, true, false],
 *   }),
 *   { year: 2023 },
 * );
 * assertStringIncludes(chart.altText, "2023: 800.0 MWh, 84.2 % of the normal 950.0 MWh");
 * ```
 */
export function plotMonthOfYears(
  given: Drawn<"years">,
  options: PlotMonthOfYearsOptions = {},
): Chart {
  const chosen = readOptions("plotMonthOfYears()", options, OPTIONS);
  const years = frameOf(given, "years");
  requireColumns(years, [yearColumn.name, ENERGY, IN_REFERENCE], WHAT, "explainIndex()");
  const bars = readBars(years, chosen.year);
  const normal = computeNormal(bars);
  const selected = bars.find(({ period }) => Number(period) === chosen.year)?.energy ?? null;
  const known = normal === null ? "" : `the normal ${formatFigures([normal], unit)}`;
  const summary = selected === null
    ? known === "" ? "" : `The line is ${known}`
    : `${chosen.year}: ${formatFigures([selected], unit)}` +
      (normal === null ? "" : `, ${formatFigures([100 * selected / normal], "%")} of ${known}`);
  const months = new Set(readMonthColumn(years, monthColumn.name, WHAT).map(calendarMonth));
  return drawChart(
    { what: WHAT, from: [years], options: chosen, height: 240 },
    ({ width, height, view, subject }) => ({
      title: [
        `${months.size === 1 ? [...months][0] : "Same month's"} energy`,
        subject(years),
        formatSpan(bars.map(({ period }) => period)),
      ],
      subtitle: summary === "" ? [] : [summary],
      views: [view(buildLayers(bars, normal, width, height), { data: { values: bars } })],
      alt: [`Bar chart of ${formatCount(bars.length, "year")}`, summary || "No data"],
    }),
  );
}
