import type { DataFrame } from "nodejs-polars";
import { labelWithUnit, pickColumns } from "../api/column.ts";
import { monthlyIndicesFrame } from "../api/columns.ts";
import { formatNumber } from "../show/number.ts";
import { assembleChart, type Spec } from "./_assemble.ts";
import type { Chart } from "./chart.ts";
import { cumulativeDeviation } from "./_cumulative_deviation.ts";
import { numbersIn, originOf, requireColumns, textsIn } from "./_input.ts";
import { lone } from "./_lone.ts";
import { scaleWith, verticalAxis, watermark } from "./_marks.ts";
import { monthRows, onlyTurbine, valueAt } from "./_month_rows.ts";
import { isPreliminary, NO_DATA } from "./_month_state.ts";
import { monthChannel } from "./_months.ts";
import { PLOT_WIDTH, type PlotOptions } from "./plot_options.ts";
import { palette } from "./theme.ts";

/** Options of {@linkcode plotIndexLines}. `height` is that of the upper plot. */
export type PlotIndexLinesOptions = PlotOptions;

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
const BANDS = [[NO_DATA, palette.missing], ["Preliminary", palette.paleBlue]] as const;

interface Row extends Spec {
  month: string;
  label: string;
  last12: number | null;
  lastYear: number | null;
  deviation: number | null;
  state: string;
  lone: { last12: boolean; lastYear: boolean; deviation: boolean };
}

interface Rows {
  readonly turbine: string;
  readonly rows: readonly Row[];
}

function rowsOf(indices: DataFrame): Rows {
  const months = monthRows(indices, WHAT);
  const turbine = onlyTurbine(months, WHAT);
  const column = (name: string) => {
    const values = numbersIn(indices, name);
    return months.map((row) => valueAt(values, row));
  };
  const [index, abnormality, last12, lastYear] = [
    indexColumn,
    abnormalityColumn,
    last12Column,
    lastYearColumn,
  ].map(({ name }) => column(name));
  const status = textsIn(indices, statusColumn.name);
  const deviation = cumulativeDeviation(
    months.map(({ month }, i) => ({ month, index: index[i], abnormality: abnormality[i] })),
  );
  const alone = [last12, lastYear, deviation].map(lone);
  const rows = months.map((row, i): Row => ({
    month: row.month,
    label: row.label,
    last12: last12[i],
    lastYear: lastYear[i],
    deviation: deviation[i],
    state: index[i] === null
      ? NO_DATA
      : isPreliminary(valueAt(status, row))
      ? BANDS[1][0]
      : "Final",
    lone: { last12: alone[0][i], lastYear: alone[1][i], deviation: alone[2][i] },
  }));
  return { turbine, rows };
}

/** A band over the full height at each month without data, and each preliminary one. */
function bands(x: Spec, rows: readonly Row[], height: number, legend: boolean): Spec[] {
  const found = BANDS.filter(([state]) => rows.some((row) => row.state === state));
  return found.length === 0 ? [] : [{
    transform: [{ filter: { field: "state", oneOf: found.map(([state]) => state) } }],
    mark: { type: "bar", opacity: 0.6 },
    encoding: {
      x,
      y: { value: 0 },
      y2: { value: height },
      color: {
        field: "state",
        type: "nominal",
        scale: { domain: found.map(([state]) => state), range: found.map(([, color]) => color) },
        legend: legend ? { orient: "bottom", symbolType: "square" } : null,
      },
    },
  }];
}

interface Line {
  readonly field: "last12" | "lastYear" | "deviation";
  readonly mark: Spec;
  readonly color: string;
  /** How the line is called in the legend, where it has one. */
  readonly stroke?: Spec;
}

/** A line with gaps, and points for values between gaps. */
function lineLayers(x: Spec, y: Spec, { field, mark, color, stroke }: Line): Spec[] {
  const vertical = { ...y, field };
  return [
    {
      mark: { type: "line", ...mark, ...(stroke ? {} : { color }) },
      encoding: { x, y: vertical, ...(stroke ? { stroke } : {}) },
    },
    {
      transform: [{ filter: `datum.lone.${field}` }],
      mark: { type: "point", color, filled: true, opacity: 1, size: 22 },
      encoding: { x, y: vertical },
    },
  ];
}

/** Unseen bars over the full height, so that the pointer finds every month. */
function pointed(x: Spec, height: number): Spec {
  const number = (field: string, title: string) => ({
    field,
    title,
    format: ".1f",
    type: "quantitative",
  });
  return {
    mark: { type: "bar", opacity: 0 },
    encoding: {
      x,
      y: { value: 0 },
      y2: { value: height },
      tooltip: [
        { field: "label", title: monthColumn.label },
        number("last12", labelWithUnit(last12Column)),
        number("lastYear", labelWithUnit(lastYearColumn)),
        number("deviation", DEVIATION_TITLE),
        { field: "state", title: statusColumn.label },
      ],
    },
  };
}

function level(datum: number): Spec {
  return {
    data: { values: [{}] },
    mark: { type: "rule", color: palette.faint, strokeWidth: 1 },
    encoding: { y: { datum } },
  };
}

function indexLayers(x: Spec, rows: readonly Row[], height: number): Spec[] {
  const y = {
    type: "quantitative",
    scale: { ...scaleWith(100, rows.flatMap((row) => [row.last12, row.lastYear])), padding: 6 },
    axis: verticalAxis(`Index (${last12Column.unit})`, height),
  };
  const lines = [
    { field: "lastYear", label: lastYearColumn.label, color: palette.vermilion },
    { field: "last12", label: last12Column.label, color: palette.blue },
  ] as const;
  const stroke = (label: string) => ({
    datum: label,
    type: "nominal",
    scale: {
      domain: lines.map((line) => line.label).reverse(),
      range: lines.map((line) => line.color).reverse(),
    },
    legend: { symbolStrokeWidth: 2, symbolType: "stroke" },
  });
  const marks = {
    lastYear: { interpolate: "step", strokeDash: [5, 2], strokeWidth: 1.5 },
    last12: { strokeWidth: 2.25 },
  };
  return [
    level(100),
    ...lines.flatMap(({ field, label, color }) =>
      lineLayers(x, y, { field, color, mark: marks[field], stroke: stroke(label) })
    ),
    pointed(x, height),
  ];
}

function deviationLayers(x: Spec, rows: readonly Row[]): Spec[] {
  const y = {
    type: "quantitative",
    scale: { ...scaleWith(0, rows.map((row) => row.deviation)), padding: 6 },
    axis: {
      ...verticalAxis(DEVIATION_TITLE, DEVIATION_HEIGHT),
      format: "+~f",
      labelExpr: "datum.value === 0 ? '0' : datum.label",
    },
  };
  return [
    level(0),
    ...lineLayers(x, y, {
      field: "deviation",
      color: palette.black,
      mark: { strokeWidth: 1.75 },
    }),
    pointed(x, DEVIATION_HEIGHT),
  ];
}

function last(rows: readonly Row[], field: "last12" | "deviation"): Row | undefined {
  return rows.findLast((row) => row[field] !== null);
}

function signed(value: number): string {
  return `${value < 0 ? "" : "+"}${formatNumber(value, 1)} %`;
}

function altTextOf(title: string, rows: readonly Row[]): string {
  const values = rows.flatMap((row) => row.last12 ?? []);
  const [end, sum] = [last(rows, "last12"), last(rows, "deviation")];
  const lines = end === undefined
    ? "no twelve months in a row"
    : `last 12 months index from ${formatNumber(Math.min(...values))} to ` +
      `${formatNumber(Math.max(...values))} %, ` +
      `${formatNumber(end.last12 ?? 0)} % in ${end.label}`;
  const deviation = sum === undefined
    ? ""
    : `, energy against normal months ${
      signed(sum.deviation ?? 0)
    } of a normal year by ${sum.label}`;
  return `Line charts. ${title}. ${rows[0].label} to ${rows[rows.length - 1].label}, ` +
    `${lines}${deviation}.`;
}

/**
 * Plots how the wind of a turbine went over the years: the index of the last twelve months as a line, that of the last
 * full calendar year as steps, and below the energy gained or lost against normal months, summed since the first one.
 * After whole calendar years that sum is what their indices are above or below 100 %.
 *
 * @param indices Frame of one turbine, as `monthlyIndices()` makes it
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
export function plotIndexLines(indices: DataFrame, options: PlotIndexLinesOptions = {}): Chart {
  const needed = [monthColumn, indexColumn, abnormalityColumn, last12Column, lastYearColumn];
  requireColumns(indices, needed.map(({ name }) => name), WHAT, "monthlyIndices()");
  const { turbine, rows } = rowsOf(indices);
  const { width = PLOT_WIDTH, height = 220 } = options;
  const origin = originOf(indices, options);
  const title = options.title ?? (turbine === "" ? "Wind over the years" : `Wind at ${turbine}`);
  const x = monthChannel(rows.map((row) => row.month), width);
  const bare = { ...x, axis: { labels: false, ticks: false, title: null } };
  const gaps = rows.filter((row) => row.deviation === null).length;
  const view = (channel: Spec, viewHeight: number, layers: readonly Spec[], legend: boolean) => ({
    data: { values: rows },
    width,
    height: viewHeight,
    layer: [
      ...watermark(origin, width, viewHeight),
      ...bands(channel, rows, viewHeight, legend),
      ...layers,
    ],
  });
  return assembleChart({
    title,
    subtitle: [
      "100 % is the energy of a normal year. " +
      `Below: what months brought above or below normal ones, since ${rows[0].label}.`,
    ],
    views: [
      view(bare, height, indexLayers(bare, rows, height), true),
      view(x, DEVIATION_HEIGHT, deviationLayers(x, rows), true),
    ],
    notes: gaps > 0
      ? [
        gaps === 1
          ? "1 month without data counts as a normal one in the sum"
          : `${gaps} months without data count as normal ones in the sum`,
      ]
      : [],
    width,
    altText: altTextOf(title, rows),
    origin,
  });
}
