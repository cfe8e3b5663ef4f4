import type { DataFrame } from "nodejs-polars";
import { pickColumns } from "../api/columns/column.ts";
import { monthlyIndicesFrame, monthRecord } from "../api/columns/columns.ts";
import { formatCount, formatFigures } from "../show/text/numbers.ts";
import { calendarMonth } from "../show/text/month.ts";
import { assembleChart, type Spec } from "./parts/assemble.ts";
import type { Chart } from "./drawing/chart.ts";
import {
  readMonthColumn,
  readNumberColumn,
  readOrigin,
  readTextColumn,
  requireColumns,
} from "./parts/read_columns.ts";
import { formatSpan } from "./parts/months.ts";
import { formatSubject, formatTitle } from "./parts/subject.ts";
import { buildLevelScale, buildVerticalAxis, buildWatermark } from "./parts/marks.ts";
import { type PlotOptions, plotOptions } from "./parts/plot_options.ts";
import { choosePlotSize } from "./parts/size.ts";
import { palette } from "./drawing/theme.ts";
import { buildYearChannel, listYears, readYearPositions } from "./parts/years.ts";
import { checkOptions, nameOptions } from "../show/options/check_options.ts";

/** Options of {@linkcode plotMonthOfYears}. */
export interface PlotMonthOfYearsOptions extends PlotOptions {
  /** Year whose bar is highlighted. @default none */
  readonly year?: number;
}

const WHAT = "a month of all years";
const ENERGY = "energy";
const IN_REFERENCE = "in_reference";

const [yearColumn] = pickColumns(monthRecord, ["year"]);
const [monthColumn, likeEnergy] = pickColumns(monthlyIndicesFrame, [
  "month",
  "predicted_production",
]);
const unit = likeEnergy.unit ?? "";

const KINDS = {
  selected: "Selected year",
  reference: "Year of the reference period",
  other: "Other year",
  missing: "Not complete",
} as const;

function readBars(frame: DataFrame, selected: number | undefined) {
  const positions = readYearPositions(frame, yearColumn.name, WHAT);
  const energies = readNumberColumn(frame, ENERGY, WHAT);
  const inReference = readTextColumn(frame, IN_REFERENCE);
  return listYears(positions.keys()).map((year) => {
    const at = positions.get(year);
    const energy = at === undefined ? null : energies[at];
    const kind = energy === null
      ? KINDS.missing
      : year === selected
      ? KINDS.selected
      : at !== undefined && inReference[at] === "true"
      ? KINDS.reference
      : KINDS.other;
    return { period: String(year), energy, kind };
  });
}

type Bar = ReturnType<typeof readBars>[number];

/** Mean energy of the years of the reference period, MWh; `null` if the frame has none of them. */
function computeNormal(frame: DataFrame): number | null {
  const inReference = readTextColumn(frame, IN_REFERENCE);
  const counted = readNumberColumn(frame, ENERGY, WHAT)
    .filter((energy, i): energy is number => energy !== null && inReference[i] === "true");
  if (counted.length === 0) return null;
  return counted.reduce((sum, energy) => sum + energy, 0) / counted.length;
}

function buildLayers(
  bars: readonly Bar[],
  normal: number | null,
  width: number,
  height: number,
): Spec[] {
  const x = buildYearChannel(bars.map(({ period }) => Number(period)), width, yearColumn.label);
  const energies = bars.map(({ energy }) => energy);
  const y = {
    field: ENERGY,
    type: "quantitative",
    scale: buildLevelScale(0, [...energies, normal]),
    axis: { ...buildVerticalAxis(`Energy (${unit})`, height), format: ",~f" },
  };
  const colors: Record<string, string> = {
    [KINDS.selected]: palette.orange,
    [KINDS.reference]: palette.blue,
    [KINDS.other]: palette.paleBlue,
    [KINDS.missing]: palette.missing,
  };
  const kinds = Object.values(KINDS).filter((kind) => bars.some((bar) => bar.kind === kind));
  const color = {
    field: "kind",
    type: "nominal",
    scale: { domain: kinds, range: kinds.map((kind) => colors[kind]) },
    legend: { symbolType: "square", columns: Math.max(1, Math.floor(width / 190)) },
  };
  const shown = bars.map((bar) => ({
    ...bar,
    text: bar.energy === null ? "no value" : formatFigures([bar.energy], unit),
  }));
  const tooltip = [
    { field: "period", title: yearColumn.label },
    { field: "text", title: "Energy" },
    { field: "kind", title: "Counts as" },
  ];
  return [
    {
      data: { values: shown },
      transform: [{ filter: { field: ENERGY, valid: false } }],
      mark: { type: "bar" },
      encoding: { x, y: { value: 0 }, y2: { value: height }, color, tooltip },
    },
    {
      data: { values: shown },
      transform: [{ filter: { field: ENERGY, valid: true } }],
      mark: { type: "bar" },
      encoding: { x, y, color, tooltip },
    },
    ...(normal === null ? [] : [{
      data: { values: [{ energy: normal }] },
      mark: { type: "rule", color: palette.black, strokeWidth: 1.5, tooltip: null },
      encoding: { y },
    }]),
  ];
}

const OPTIONS = nameOptions<PlotMonthOfYearsOptions>()("year", plotOptions);

/**
 * Plots the energy of one calendar month in each year, with the mean of the reference period as a line: what a normal
 * month of the same name is, and how far months differ from it.
 *
 * @param years Frame with `year`, `energy` (MWh) and `in_reference`, as `explainIndex()` gives it
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
  years: DataFrame,
  options: PlotMonthOfYearsOptions = {},
): Chart {
  checkOptions("plotMonthOfYears()", options, OPTIONS);
  requireColumns(years, [yearColumn.name, ENERGY, IN_REFERENCE], WHAT, "explainIndex()");
  const bars = readBars(years, options.year);
  const normal = computeNormal(years);
  const { width, height } = choosePlotSize(options, 240, WHAT);
  const origin = readOrigin(years, options);
  const selected = bars.find(({ period }) => Number(period) === options.year)?.energy ?? null;
  const known = normal === null ? "" : `the normal ${formatFigures([normal], unit)}`;
  const summary = selected === null
    ? known === "" ? "" : `The line is ${known}`
    : `${options.year}: ${formatFigures([selected], unit)}` +
      (normal === null ? "" : `, ${formatFigures([100 * selected / normal], "%")} of ${known}`);
  const months = new Set(
    Reflect.ownKeys(years).includes(monthColumn.name)
      ? readMonthColumn(years, monthColumn.name, WHAT).map(calendarMonth)
      : [],
  );
  const title = options.title ?? formatTitle(
    `${months.size === 1 ? [...months][0] : "Same month's"} energy`,
    formatSubject(years, origin, WHAT),
    formatSpan(bars.map(({ period }) => period)),
  );
  return assembleChart({
    title,
    subtitle: summary === "" ? [] : [summary],
    views: [{
      width,
      height,
      layer: [
        ...buildWatermark(origin, width, height),
        ...buildLayers(bars, normal, width, height),
      ],
    }],
    width,
    altText: `Bar chart of ${formatCount(bars.length, "year")}. ${title}. ${summary || "No data"}.`,
    origin,
    theme: options.theme,
  });
}
