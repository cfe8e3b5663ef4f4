import type { DataFrame } from "nodejs-polars";
import { labelWithUnit, pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { assembleChart, type Spec } from "../parts/assemble.ts";
import { buildPointerBars, buildStateBands } from "../parts/bands.ts";
import type { Chart } from "../drawing/chart.ts";
import { formatIndexLineAltText, type IndexLineRow, readIndexLineRows } from "./index_line_rows.ts";
import { readOrigin, requireColumns } from "../parts/read_columns.ts";
import { buildFigureField, buildLevelRule, buildLineWithGaps } from "../parts/lines.ts";
import { buildLevelScale, buildVerticalAxis, buildWatermark } from "../parts/marks.ts";
import { NO_DATA, PRELIMINARY } from "../parts/month_state.ts";
import { buildMonthChannel, formatSpan } from "../parts/months.ts";
import { type PlotOptions, plotOptions } from "../parts/plot_options.ts";
import { choosePlotSize } from "../parts/size.ts";
import { palette } from "../drawing/theme.ts";
import { checkOptions } from "../../show/options/check_options.ts";
import { formatSubject, formatTitle } from "../parts/subject.ts";

const WHAT = "the index lines";

/** Height of the view of the cumulative deviation, pixels. */
const DEVIATION_HEIGHT = 150;

const DEVIATION_TITLE = "Energy against normal, summed (% of a normal year)";

const [monthColumn, indexColumn, abnormalityColumn, last12Column, lastYearColumn, statusColumn] =
  pickColumns(monthlyIndicesFrame, [
    "month",
    "month_index",
    "month_abnormality_index",
    "last12_month_index",
    "last_full_year_index",
    "status",
  ]);

/** Bands behind the lines, with their colours. */
const BANDS = [[NO_DATA, palette.missing], [PRELIMINARY, palette.paleBlue]] as const;

/** The two indices in the order in which they are drawn. */
const INDICES = [
  {
    field: "lastYear",
    label: lastYearColumn.label,
    color: palette.vermilion,
    mark: { interpolate: "step", strokeDash: [5, 2], strokeWidth: 1.5 },
  },
  {
    field: "last12",
    label: last12Column.label,
    color: palette.blue,
    mark: { strokeWidth: 2.25 },
  },
] as const;

/** Stroke channel of an index, with the legend of both. */
function buildIndexStroke(label: string): Spec {
  const shown = INDICES.toReversed();
  const scale = { domain: shown.map((one) => one.label), range: shown.map(({ color }) => color) };
  const legend = { symbolStrokeWidth: 2, symbolType: "stroke" };
  return { stroke: { datum: label, type: "nominal", scale, legend } };
}

function buildTooltip(): Spec[] {
  return [
    { field: "label", title: monthColumn.label },
    buildFigureField("last12", labelWithUnit(last12Column), ".1f"),
    buildFigureField("lastYear", labelWithUnit(lastYearColumn), ".1f"),
    buildFigureField("deviation", DEVIATION_TITLE, ".1f"),
    { field: "state", title: statusColumn.label },
  ];
}

function buildIndexLayers(x: Spec, rows: readonly IndexLineRow[], height: number): Spec[] {
  const y = {
    type: "quantitative",
    scale: {
      ...buildLevelScale(100, rows.flatMap((row) => [row.last12, row.lastYear])),
      padding: 6,
    },
    axis: buildVerticalAxis(`Index (${last12Column.unit})`, height),
  };
  return [
    buildLevelRule(100, palette.faint),
    ...INDICES.flatMap(({ field, label, color, mark }) =>
      buildLineWithGaps(x, y, {
        field,
        alone: `datum.lone.${field}`,
        color,
        mark,
        named: buildIndexStroke(label),
      })
    ),
    buildPointerBars(x, height, buildTooltip()),
  ];
}

function buildDeviationLayers(x: Spec, rows: readonly IndexLineRow[]): Spec[] {
  const y = {
    type: "quantitative",
    scale: { ...buildLevelScale(0, rows.map((row) => row.deviation)), padding: 6 },
    axis: {
      ...buildVerticalAxis(DEVIATION_TITLE, DEVIATION_HEIGHT),
      format: "+~f",
      labelExpr: "datum.value === 0 ? '0' : datum.label",
    },
  };
  return [
    buildLevelRule(0, palette.faint),
    ...buildLineWithGaps(x, y, {
      field: "deviation",
      alone: "datum.lone.deviation",
      color: palette.black,
      mark: { strokeWidth: 1.75 },
    }),
    buildPointerBars(x, DEVIATION_HEIGHT, buildTooltip()),
  ];
}

function formatGapNotes(rows: readonly IndexLineRow[]): string[] {
  const gaps = rows.filter((row) => row.deviation === null).length;
  if (gaps === 0) return [];
  return [
    gaps === 1
      ? "1 month without data counts as a normal one in the sum"
      : `${gaps} months without data count as normal ones in the sum`,
  ];
}

/**
 * Plots the wind of a turbine over the years: the index of the last twelve months as a line, that of the last full
 * calendar year as steps, and below them the energy above or below that of normal months, summed since the first one.
 * After whole calendar years it is the sum of their indices minus 100 %.
 *
 * @param indices Frame of one turbine from `monthlyIndices()`
 * @param options Title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing, the frame is empty, has several turbines or repeats a month
 *
 * @example Five years of a turbine
 * ```ts
 * import { monthlyIndices, plotIndexLines } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const index = await monthlyIndices("T1", { from: "2019-01", to: "2023-12" });
 * const chart = plotIndexLines(index);
 * assertStringIncludes(chart.altText, "of a normal year by December 2023");
 * ```
 */
export function plotIndexLines(indices: DataFrame, options: PlotOptions = {}): Chart {
  checkOptions("plotIndexLines()", options, plotOptions);
  const needed = [monthColumn, indexColumn, abnormalityColumn, last12Column, lastYearColumn];
  requireColumns(indices, needed.map(({ name }) => name), WHAT, "monthlyIndices()");
  const { width, height } = choosePlotSize(options, 220, WHAT);
  const { turbine, rows } = readIndexLineRows(indices, WHAT);
  const origin = readOrigin(indices, options);
  const title = options.title ?? formatTitle(
    "Wind index",
    turbine || formatSubject(indices, origin, WHAT),
    formatSpan(rows.map((row) => row.month)),
  );
  const x = buildMonthChannel(rows.map((row) => row.month), width);
  const bare = { ...x, axis: { labels: false, ticks: false, title: null } };
  const view = (channel: Spec, viewHeight: number, layers: readonly Spec[]) => ({
    data: { values: rows },
    width,
    height: viewHeight,
    layer: [
      ...buildWatermark(origin, width, viewHeight),
      ...buildStateBands(channel, viewHeight, rows, BANDS),
      ...layers,
    ],
  });
  return assembleChart({
    title,
    subtitle: [
      "100 % is the energy of a normal year. " +
      `Below: energy above or below that of normal months, summed since ${rows[0].label}.`,
    ],
    views: [
      view(bare, height, buildIndexLayers(bare, rows, height)),
      view(x, DEVIATION_HEIGHT, buildDeviationLayers(x, rows)),
    ],
    notes: formatGapNotes(rows),
    width,
    altText: formatIndexLineAltText(title, rows),
    origin,
    theme: options.theme,
  });
}
