import type { DataFrame } from "nodejs-polars";
import { type Column, labelWithUnit } from "../../api/columns/column.ts";
import { assembleChart, type Spec } from "../parts/assemble.ts";
import type { Chart } from "../drawing/chart.ts";
import { findColumn } from "../parts/find_column.ts";
import { readOrigin, requireColumns } from "../parts/read_columns.ts";
import { buildMissingBand } from "../parts/bands.ts";
import {
  buildLevelScale,
  buildVerticalAxis,
  buildWatermark,
  fitLegendColumns,
} from "../parts/marks.ts";
import { buildNameLayers } from "./performance_names.ts";
import {
  type Band,
  completenessColumn,
  findMiddleBand,
  formatBand,
  formatSummary,
  type PerformanceRow,
  RATIO,
  readPerformanceRows,
  STATES,
} from "./performance_rows.ts";
import { choosePeriodColumn, readPeriods } from "../parts/periods.ts";
import { type PlotOptions, plotOptions } from "../parts/plot_options.ts";
import { choosePlotSize } from "../parts/size.ts";
import { nested, palette } from "../drawing/theme.ts";
import { checkOptions } from "../../show/options/check_options.ts";
import { formatSubject, formatTitle } from "../parts/subject.ts";
import { formatEnds, formatSpan } from "../parts/months.ts";

const WHAT = "the performance";

/** Periods named above the picture, and in the alternative text. */
const MAX_NAMED = { above: 6, text: 24 } as const;

/** The band, a bar a period: it is wider where less was expected. */
function buildBandLayers(
  rows: readonly PerformanceRow[],
  band: Band | null,
  x: Spec,
  y: Spec,
): Spec[] {
  if (!band) return [];
  return [{
    data: { values: rows.filter((row) => row.low !== null && row.high !== null) },
    mark: { type: "bar", tooltip: null },
    encoding: {
      x,
      y: { ...y, field: "low" },
      y2: { field: "high" },
      fill: {
        datum: formatBand(band),
        type: "nominal",
        scale: { range: [nested[0]] },
        legend: { symbolOpacity: 1, symbolStrokeWidth: 0, symbolType: "square" },
      },
    },
  }];
}

/** A line at the ratio of each stable state, where there was a change. */
function buildStateLayers(rows: readonly PerformanceRow[], x: Spec, y: Spec): Spec[] {
  const stable = rows.filter((row) => row.stable !== null);
  if (stable.length === 0) return [];
  return [{
    data: { values: stable.map(({ period, stable }) => ({ period, ratio: stable })) },
    mark: { type: "line", strokeWidth: 2.5, tooltip: null },
    encoding: {
      x,
      y,
      detail: { field: RATIO, type: "nominal" },
      stroke: {
        datum: "Stable state",
        type: "nominal",
        scale: { range: [palette.black] },
        legend: { symbolType: "stroke", symbolOpacity: 1 },
      },
    },
  }];
}

function buildPointLayers(
  rows: readonly PerformanceRow[],
  x: Spec,
  y: Spec,
  width: number,
  unit: string,
): Spec[] {
  const states = Object.values(STATES)
    .filter(([state]) => rows.some((row) => row.state === state && row.ratio !== null));
  const domain = states.map(([state]) => state);
  const number = (field: string, title: string, format: string) => ({
    field,
    title,
    format,
    type: "quantitative",
  });
  const legend = { columns: fitLegendColumns(width), symbolOpacity: 1 };
  return [
    {
      mark: { type: "line", color: palette.faint, opacity: 0.5, strokeWidth: 1, tooltip: null },
      encoding: { x, y },
    },
    {
      transform: [{ filter: "isValid(datum.ratio)" }],
      mark: { type: "point", filled: true, opacity: 1, size: rows.length <= 60 ? 46 : 22 },
      encoding: {
        x,
        y,
        color: {
          field: "state",
          type: "nominal",
          scale: { domain, range: states.map(([, color]) => color) },
          legend,
        },
        shape: {
          field: "state",
          type: "nominal",
          scale: { domain, range: states.map(([, , shape]) => shape) },
          legend,
        },
        tooltip: [
          { field: "label", title: "Period" },
          number(RATIO, "Ratio (%)", ".1f"),
          { field: "state", title: "State" },
          number("produced", `Produced${unit}`, ",.1f"),
          number("predicted", `Expected${unit}`, ",.1f"),
          number("completeness", `${completenessColumn.label} (%)`, ".1f"),
        ],
      },
    },
  ];
}

/**
 * Plots the ratio of produced to expected energy by month or by year, with the band of normal ratios, and names the
 * periods outside of it.
 *
 * @param comparison The `comparison` of `checkPerformance()`: `month` or `year`, `ratio` (%), and where they are known
 * `band_low`, `band_high` (%), `stable_ratio` (%: a line for each stable state) and `state`
 * @param options Title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing, the frame is empty or repeats a period
 *
 * @example Four months, the last of them below the band
 * ```ts
 * import pl from "nodejs-polars";
 * import { plotPerformance } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const month = pl.Series("month", ["2023-01-01", "2023-02-01", "2023-03-01", "2023-04-01"])
 *   .str.strptime(pl.Date, "%Y-%m-%d");
 * const chart = plotPerformance(pl.DataFrame([
 *   month,
 *   pl.Series("ratio", [101, 97, 104, 71], pl.Float64),
 *   pl.Series("band_low", [88, 88, 88, 88], pl.Float64),
 *   pl.Series("band_high", [113, 113, 113, 113], pl.Float64),
 *   pl.Series("state", ["normal", "normal", "normal", "low"]),
 * ]));
 * assertStringIncludes(chart.altText, "below April 2023 71.0 %");
 * ```
 */
export function plotPerformance(
  comparison: DataFrame,
  options: PlotOptions = {},
): Chart {
  checkOptions("plotPerformance()", options, plotOptions);
  requireColumns(comparison, [choosePeriodColumn(comparison), RATIO], WHAT, "checkPerformance()");
  const { width, height } = choosePlotSize(options, 240, WHAT);
  const { turbine, periods, x } = readPeriods(comparison, width, WHAT);
  const rows = readPerformanceRows(comparison, periods, WHAT);
  const band = findMiddleBand(rows);
  const ratio: Column = { ...findColumn(RATIO, [comparison, options.source]), unit: "%" };
  const label = ratio.label === RATIO ? "Ratio" : ratio.label;
  const produced = findColumn("produced", [comparison, options.source]);
  const y = {
    field: RATIO,
    type: "quantitative",
    scale: {
      ...buildLevelScale(100, [...rows.flatMap((row) => [row.ratio, row.low, row.high])]),
      padding: 20,
    },
    axis: buildVerticalAxis(labelWithUnit({ ...ratio, label }), height),
  };
  const origin = readOrigin(comparison, options);
  const title = options.title ??
    formatTitle(
      "Produced over expected energy",
      turbine || formatSubject(comparison, origin, WHAT),
      formatSpan(periods.map(({ period }) => period)),
    );
  const gaps = rows.filter((row) => row.ratio === null).length;
  return assembleChart({
    title,
    subtitle: [formatSummary(rows, band, MAX_NAMED.above)],
    views: [{
      data: { values: rows },
      width,
      height,
      layer: [
        ...buildBandLayers(rows, band, x, y),
        ...buildWatermark(origin, width, height),
        buildMissingBand(RATIO, x, height),
        {
          data: { values: [{}] },
          mark: { type: "rule", color: palette.black, strokeWidth: 1, tooltip: null },
          encoding: { y: { datum: 100 } },
        },
        ...buildStateLayers(rows, x, y),
        ...buildPointLayers(rows, x, y, width, produced.unit ? ` (${produced.unit})` : ""),
        ...buildNameLayers(rows, x, y, width),
      ],
    }],
    notes: gaps > 0 ? ["Grey: nothing to compare"] : [],
    width,
    altText: `Points in a band. ${title}. ${formatEnds(rows)}. ` +
      `${formatSummary(rows, band, MAX_NAMED.text)}${
        gaps > 0 ? `. ${gaps} of ${rows.length} without anything to compare` : ""
      }.`,
    origin,
    theme: options.theme,
  });
}
