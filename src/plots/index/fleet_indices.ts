import type { DataFrame } from "nodejs-polars";
import type { MonthLike } from "../../api/calendar.ts";
import { pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { formatCount, formatNumber } from "../../show/text/numbers.ts";
import { mean } from "../../stats/spread.ts";
import type { Chart } from "../drawing/chart.ts";
import { fontSize } from "../drawing/theme.ts";
import { buildMonthChannel, listMonths } from "../grammar/axes.ts";
import { drawChart, type PlotOptions, plotOptions } from "../grammar/chart.ts";
import { buildIndexBars, type IndexRow, readIndexRows } from "../grammar/index_bars.ts";
import { buildLevelScale, buildMarkedMonth, quantity, type Spec } from "../grammar/marks.ts";
import { requireColumns } from "../grammar/read.ts";
import { formatGaps, listTurbines } from "../grammar/rows.ts";
import { formatEnds, formatSpan, shortenName } from "../grammar/text.ts";

/** Options of {@linkcode plotFleetIndices}. `width` is the sum of all panels. */
export interface PlotFleetIndicesOptions extends PlotOptions {
  /** Figure of the bars: relative to a normal month of the same name, which removes the season, or to one twelfth of a normal year. @default {"month_abnormality_index"} */
  readonly figure?: "month_index" | "month_abnormality_index";
  /** Month to mark, such as the month of a report. @default none */
  readonly marked?: MonthLike;
}

const PLOT = "the fleet";

/** Preferred width of a panel, pixels. */
const PANEL_WIDTH = 140;

/** Gap between panels, pixels. */
const GAP = 14;

const [turbineColumn, monthColumn] = pickColumns(monthlyIndicesFrame, ["turbine_id", "month"]);

/** Number of panel columns that fit a width and fill the rows evenly. */
function choosePanelColumns(turbines: number, width: number): number {
  const most = Math.max(1, Math.floor((width + GAP) / (PANEL_WIDTH + GAP)));
  return Math.ceil(turbines / Math.ceil(turbines / most));
}

function formatFacts(rows: readonly IndexRow[], turbines: readonly string[]): string {
  const means = turbines.flatMap((turbine) => {
    const known = rows.flatMap((row) => row.turbine === turbine ? row.value ?? [] : []);
    return known.length === 0 ? [] : [{ turbine, mean: mean(known) }];
  }).sort((a, b) => a.mean - b.mean).map(({ turbine, mean }) =>
    `${formatNumber(mean, 1)} % at ${shortenName(turbine, 320, fontSize.axis)}`
  );
  const extremes = means.length === 0
    ? "no data"
    : means.length === 1
    ? `mean ${means[0]}`
    : `lowest mean ${means[0]}, highest mean ${means[means.length - 1]}`;
  return `${formatCount(turbines.length, "turbine")}, ${formatEnds(rows)}, ${extremes}` +
    formatGaps(rows);
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

const OPTIONS = declareOptions<PlotFleetIndicesOptions>()(
  "marked",
  { figure: "month_abnormality_index" },
  plotOptions,
);

/**
 * Plots the indices of a fleet: a small panel per turbine, in the order of the frame, all with the same scales.
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
  const chosen = readOptions("plotFleetIndices()", options, OPTIONS);
  const [figure] = pickColumns(monthlyIndicesFrame, [chosen.figure]);
  const needed = [turbineColumn.name, monthColumn.name, figure.name];
  requireColumns(indices, needed, PLOT, "monthlyIndices()");
  const rows = readIndexRows(indices, figure, PLOT);
  const turbines = listTurbines(rows, PLOT);
  const months = listMonths(rows.map((row) => row.month));
  return drawChart(PLOT, [indices], chosen, 64, ({ width, height, view }) => {
    const columns = choosePanelColumns(turbines.length, width);
    const panel = { width: Math.floor((width - (columns - 1) * GAP) / columns), height };
    const x = buildMonthChannel(months, panel.width);
    const bars = buildIndexBars(rows, {
      figure,
      x: { ...x, axis: { ...x.axis as Spec, title: null } },
      y: quantity("value", buildLevelScale(100, rows.map((row) => row.value)), {
        grid: true,
        tickCount: 3,
        title: null,
      }),
      height,
      legendWidth: width,
    });
    return {
      title: [
        figure.label,
        turbines.length === 1 ? turbines[0] : `${turbines.length} turbines`,
        formatSpan(months),
      ],
      subtitle: [`${figure.description} Bars start at 100 %. All panels have the same scales.`],
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
        spec: view([...buildMarkedMonth(chosen.marked, x, height), ...bars], panel),
      }],
      alt: ["Small bar charts, one per turbine", formatFacts(rows, turbines)],
    };
  });
}
