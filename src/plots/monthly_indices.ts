import type { DataFrame } from "nodejs-polars";
import { type Column, labelWithUnit, pickColumns } from "../api/columns/column.ts";
import { monthlyIndicesFrame } from "../api/columns/columns.ts";
import { formatNumber } from "../show/text/numbers.ts";
import { assembleChart, type Spec } from "./parts/assemble.ts";
import { buildMissingBand, buildStateColor, type StateColor } from "./parts/bands.ts";
import type { Chart } from "./drawing/chart.ts";
import {
  readNumberColumn,
  readOrigin,
  readTextColumn,
  requireColumns,
} from "./parts/read_columns.ts";
import { buildFigureField, buildLevelRule, buildLineLegend } from "./parts/lines.ts";
import {
  buildLevelScale,
  buildVerticalAxis,
  buildWatermark,
  fitLegendColumns,
} from "./parts/marks.ts";
import { buildMonthRows, listTurbines, readIndexFigures, valueAt } from "./parts/month_rows.ts";
import { classifyMonth, listStates, stateEdge } from "./parts/month_state.ts";
import { buildMonthChannel, formatEnds, formatSpan, listMonths } from "./parts/months.ts";
import { type PlotOptions, plotOptions } from "./parts/plot_options.ts";
import { choosePlotSize } from "./parts/size.ts";
import { formatSubject, formatTitle } from "./parts/subject.ts";
import { palette } from "./drawing/theme.ts";
import { checkOptions, nameOptions } from "../show/options/check_options.ts";

/** Options of {@linkcode plotMonthlyIndices}. */
export interface PlotMonthlyIndicesOptions extends PlotOptions {
  /** Figure of the bars: relative to one twelfth of a normal year, or to a normal month of the same name. @default {"month_index"} */
  readonly figure?: "month_index" | "month_abnormality_index";
  /** A line below the title and what the figure means, such as the reference period. @default none */
  readonly subtitle?: string;
}

const WHAT = "monthly indices";

/** Turbines whose figures are in the alternative text, which is read aloud. */
const MAX_DESCRIBED = 5;

const [turbineColumn, monthColumn, last12Column, statusColumn] = pickColumns(
  monthlyIndicesFrame,
  ["turbine_id", "month", "last12_month_index", "status"],
);

/** One row per turbine and month, also for months that are missing in the frame. */
function readRows(indices: DataFrame, figure: Column) {
  const values = readIndexFigures(indices, figure.name, WHAT);
  const last12 = readNumberColumn(indices, last12Column.name, WHAT);
  const status = readTextColumn(indices, statusColumn.name);
  return buildMonthRows(indices, WHAT).map((row) => {
    const value = valueAt(values, row);
    return {
      turbine: row.turbine,
      month: row.month,
      label: row.label,
      state: classifyMonth(value, valueAt(status, row)),
      value,
      last12: valueAt(last12, row),
    };
  });
}

type Row = ReturnType<typeof readRows>[number];

function formatAltText(title: string, rows: readonly Row[], turbines: readonly string[]): string {
  const parts = turbines.slice(0, MAX_DESCRIBED).map((turbine) => {
    const own = rows.filter((row) => row.turbine === turbine);
    const known = own.filter((row) => row.value !== null)
      .sort((a, b) => (a.value ?? 0) - (b.value ?? 0));
    const name = turbines.length > 1 ? `${turbine}: ` : "";
    const span = `${name}${formatEnds(own)}`;
    if (known.length === 0) return `${span}, no data`;
    const [low, high] = [known[0], known[known.length - 1]].map((row) =>
      `${formatNumber(row.value ?? 0)} % in ${row.label}`
    );
    const gaps = own.length - known.length;
    return `${span}, lowest ${low}, highest ${high}` +
      (gaps > 0 ? `, ${gaps} of ${own.length} months without data` : "");
  });
  const more = turbines.length - parts.length;
  return `Bar chart. ${title}. ${parts.join(". ")}${more > 0 ? `. ${more} more turbines` : ""}.`;
}

function buildBars(
  figure: Column,
  x: Spec,
  states: readonly StateColor[],
  width: number,
  height: number,
  rows: readonly Row[],
): Spec {
  return {
    mark: { type: "bar", strokeWidth: 0.75 },
    encoding: {
      x,
      y: {
        field: "value",
        type: "quantitative",
        scale: buildLevelScale(100, rows.flatMap((row) => [row.value, row.last12])),
        axis: buildVerticalAxis(labelWithUnit(figure), height),
      },
      y2: { datum: 100 },
      color: buildStateColor(states, { columns: fitLegendColumns(width) }),
      stroke: stateEdge,
      tooltip: [
        { field: "turbine", title: turbineColumn.label },
        { field: "label", title: monthColumn.label },
        buildFigureField("value", labelWithUnit(figure), ".1f"),
        buildFigureField("last12", labelWithUnit(last12Column), ".1f"),
        { field: "state", title: statusColumn.label },
      ],
    },
  };
}

/** The line over the bars, with a white edge that separates it from them. */
function buildLine(x: Spec, months: number): Spec[] {
  const y = { field: "last12", type: "quantitative" };
  const point = months <= 60 ? { color: palette.black, filled: true, size: 12 } : false;
  return [
    { mark: { type: "line", color: "white", strokeWidth: 4 }, encoding: { x, y } },
    {
      mark: { type: "line", strokeWidth: 1.75, point, tooltip: null },
      encoding: {
        x,
        y,
        stroke: buildLineLegend(last12Column.label, palette.black),
      },
    },
  ];
}

const OPTIONS = nameOptions<PlotMonthlyIndicesOptions>()("figure subtitle", plotOptions);

/**
 * Plots monthly indices: bars around 100 %, with the index of the last twelve months as a line.
 * Months without data and preliminary months are marked; several turbines have a row each.
 *
 * @param indices Frame from `monthlyIndices()`
 * @param options Title, `subtitle`, `figure`, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing, the frame is empty or has more than 60 turbines, or a month is duplicated
 */
export function plotMonthlyIndices(
  indices: DataFrame,
  options: PlotMonthlyIndicesOptions = {},
): Chart {
  checkOptions("plotMonthlyIndices()", options, OPTIONS);
  const [figure] = pickColumns(monthlyIndicesFrame, [options.figure ?? "month_index"]);
  requireColumns(indices, [monthColumn.name, figure.name], WHAT, "monthlyIndices()");
  const rows = readRows(indices, figure);
  const turbines = listTurbines(rows, WHAT);
  const several = turbines.length > 1;
  const { width, height } = choosePlotSize(options, several ? 130 : 260, WHAT);
  const origin = readOrigin(indices, options);
  const months = listMonths(rows.map((row) => row.month));
  const subject = several
    ? `${turbines.length} turbines`
    : turbines[0] || formatSubject(indices, origin, WHAT);
  const title = options.title ?? formatTitle(figure.label, subject, formatSpan(months));
  const x = buildMonthChannel(months, width);
  const states = listStates(rows);
  const layer: Spec[] = [
    ...buildWatermark(origin, width, height),
    buildMissingBand("value", x, height),
    buildBars(figure, x, states, width, height, rows),
    buildLevelRule(100, palette.black),
    ...(rows.some((row) => row.last12 !== null) ? buildLine(x, months.length) : []),
  ];
  const view = several
    ? {
      facet: {
        field: "turbine",
        type: "nominal",
        sort: turbines,
        header: { title: null, labelOrient: "top", labelAnchor: "start" },
      },
      columns: 1,
      spec: { width, height, layer },
    }
    : { width, height, layer };
  return assembleChart({
    title,
    subtitle: [figure.description, ...(options.subtitle ? [options.subtitle] : [])],
    views: [{ data: { values: rows }, ...view }],
    width,
    altText: formatAltText(title, rows, turbines),
    origin,
    theme: options.theme,
  });
}
