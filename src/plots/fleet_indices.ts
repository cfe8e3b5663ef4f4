import type { DataFrame } from "nodejs-polars";
import { type Column, labelWithUnit, pickColumns } from "../api/columns/column.ts";
import { monthlyIndicesFrame } from "../api/columns/columns.ts";
import { formatNumber } from "../show/text/numbers.ts";
import { assembleChart, type Spec } from "./parts/assemble.ts";
import { buildMissingBand, buildStateColor } from "./parts/bands.ts";
import type { Chart } from "./drawing/chart.ts";
import { readOrigin, readTextColumn, requireColumns } from "./parts/read_columns.ts";
import { buildFigureField, buildLevelRule } from "./parts/lines.ts";
import { buildLevelScale, buildWatermark, fitLegendColumns } from "./parts/marks.ts";
import { buildMonthRows, listTurbines, readIndexFigures, valueAt } from "./parts/month_rows.ts";
import { classifyMonth, listStates, stateEdge } from "./parts/month_state.ts";
import { buildMonthChannel, formatEnds, formatSpan, listMonths } from "./parts/months.ts";
import { type PlotOptions, plotOptions } from "./parts/plot_options.ts";
import { choosePlotSize } from "./parts/size.ts";
import { shortenName } from "./parts/text.ts";
import { fontSize, palette } from "./drawing/theme.ts";
import { checkOptions, nameOptions } from "../show/options/check_options.ts";
import { formatTitle } from "./parts/subject.ts";

/** Options of {@linkcode plotFleetIndices}. `width` is that of all panels together. */
export interface PlotFleetIndicesOptions extends PlotOptions {
  /** Figure of the bars: relative to a normal month of the same name, which removes the season, or to one twelfth of a normal year. @default {"month_abnormality_index"} */
  readonly figure?: "month_index" | "month_abnormality_index";
}

const WHAT = "the fleet";

/** Width that a panel should have, pixels. */
const PANEL_WIDTH = 140;

/** Gap between panels, pixels. */
const GAP = 14;

const [turbineColumn, monthColumn, statusColumn] = pickColumns(
  monthlyIndicesFrame,
  ["turbine_id", "month", "status"],
);

function readRows(indices: DataFrame, figure: Column) {
  const values = readIndexFigures(indices, figure.name, WHAT);
  const status = readTextColumn(indices, statusColumn.name);
  return buildMonthRows(indices, WHAT).map((row) => {
    const value = valueAt(values, row);
    const state = classifyMonth(value, valueAt(status, row));
    return { turbine: row.turbine, month: row.month, label: row.label, value, state };
  });
}

type Row = ReturnType<typeof readRows>[number];

/** Columns of panels that fit a width, so that the rows are filled evenly. */
function choosePanelColumns(turbines: number, width: number): number {
  const most = Math.max(1, Math.floor((width + GAP) / (PANEL_WIDTH + GAP)));
  return Math.ceil(turbines / Math.ceil(turbines / most));
}

interface Panel {
  readonly width: number;
  readonly height: number;
}

function buildPanelLayers(
  rows: readonly Row[],
  figure: Column,
  panel: Panel,
  legendWidth: number,
): Spec[] {
  const months = listMonths(rows.map((row) => row.month));
  const x = buildMonthChannel(months, panel.width);
  const bare = { ...x, axis: { ...x.axis as Spec, title: null } };
  const states = listStates(rows);
  return [
    buildMissingBand("value", bare, panel.height),
    {
      mark: { type: "bar", strokeWidth: 0.75 },
      encoding: {
        x: bare,
        y: {
          field: "value",
          type: "quantitative",
          scale: buildLevelScale(100, rows.map((row) => row.value)),
          axis: { grid: true, tickCount: 3, title: null },
        },
        y2: { datum: 100 },
        color: buildStateColor(states, { columns: fitLegendColumns(legendWidth) }),
        stroke: stateEdge,
        tooltip: [
          { field: "turbine", title: turbineColumn.label },
          { field: "label", title: monthColumn.label },
          buildFigureField("value", labelWithUnit(figure), ".1f"),
          { field: "state", title: statusColumn.label },
        ],
      },
    },
    buildLevelRule(100, palette.black),
  ];
}

function computeMean(rows: readonly Row[]): number | null {
  const known = rows.flatMap((row) => row.value ?? []);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

function formatAltText(title: string, rows: readonly Row[], turbines: readonly string[]): string {
  const means = turbines.map((turbine) => ({
    turbine,
    value: computeMean(rows.filter((row) => row.turbine === turbine)),
  })).filter((entry) => entry.value !== null).sort((a, b) => (a.value ?? 0) - (b.value ?? 0));
  const span = formatEnds(rows);
  const words = (entry: { turbine: string; value: number | null }) =>
    `${formatNumber(entry.value ?? 0, 1)} % at ${shortenName(entry.turbine, 320, fontSize.axis)}`;
  const count = `${turbines.length} ${turbines.length === 1 ? "turbine" : "turbines"}`;
  const extremes = means.length === 0
    ? "no data"
    : means.length === 1
    ? `mean ${words(means[0])}`
    : `lowest mean ${words(means[0])}, highest mean ${words(means[means.length - 1])}`;
  const gaps = rows.filter((row) => row.value === null).length;
  return `Small bar charts, one a turbine. ${title}. ${count}, ${span}, ${extremes}` +
    (gaps > 0 ? `, ${gaps} of ${rows.length} months without data` : "") + ".";
}

/** Header of a panel: the name of its turbine, cut to its width. */
function buildHeader(turbines: readonly string[], width: number): Spec {
  const names = turbines.map((turbine) => shortenName(turbine, width, fontSize.axis, true));
  return {
    title: null,
    labelAnchor: "start",
    labelExpr: `${JSON.stringify(names)}[indexof(${JSON.stringify(turbines)}, datum.value)]`,
    labelFontSize: fontSize.axis,
    labelLimit: 0,
    labelOrient: "top",
    labelPadding: 4,
  };
}

const OPTIONS = nameOptions<PlotFleetIndicesOptions>()("figure", plotOptions);

/**
 * Plots the indices of a fleet: a small panel per turbine, in the order of the frame, all on the same scales.
 * Months without data and preliminary months are marked.
 *
 * @param indices Frame of up to 60 turbines from `monthlyIndices()`
 * @param options Title, figure, source, width of all panels together and height of one
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing, the frame is empty, a month is duplicated, or there are more turbines
 *
 * @example A year of three turbines
 * ```ts
 * import { monthlyIndices, plotFleetIndices } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const indices = await monthlyIndices(["T1", "T2"], { from: "2023-01", to: "2023-12" });
 * const chart = plotFleetIndices(indices);
 * assertStringIncludes(chart.altText, "2 turbines");
 * ```
 */
export function plotFleetIndices(indices: DataFrame, options: PlotFleetIndicesOptions = {}): Chart {
  checkOptions("plotFleetIndices()", options, OPTIONS);
  const [figure] = pickColumns(monthlyIndicesFrame, [options.figure ?? "month_abnormality_index"]);
  const needed = [turbineColumn.name, monthColumn.name, figure.name];
  requireColumns(indices, needed, WHAT, "monthlyIndices()");
  const rows = readRows(indices, figure);
  const turbines = listTurbines(rows, WHAT);
  const { width, height } = choosePlotSize(options, 64, WHAT);
  const columns = choosePanelColumns(turbines.length, width);
  const panel = { width: Math.floor((width - (columns - 1) * GAP) / columns), height };
  const origin = readOrigin(indices, options);
  const title = options.title ??
    formatTitle(
      figure.label,
      turbines.length === 1 ? turbines[0] : `${turbines.length} turbines`,
      formatSpan(listMonths(rows.map((row) => row.month))),
    );
  return assembleChart({
    title,
    subtitle: [`${figure.description} Bars from 100 %, in %; all panels on the same scales.`],
    views: [{
      data: { values: rows },
      facet: {
        field: "turbine",
        type: "nominal",
        sort: turbines,
        header: buildHeader(turbines, panel.width),
      },
      columns,
      spacing: GAP,
      spec: {
        ...panel,
        layer: [
          ...buildWatermark(origin, panel.width, height),
          ...buildPanelLayers(rows, figure, panel, width),
        ],
      },
    }],
    width,
    altText: formatAltText(title, rows, turbines),
    origin,
    theme: options.theme,
  });
}
