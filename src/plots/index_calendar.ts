import type { DataFrame } from "nodejs-polars";
import { type Column, labelWithUnit, pickColumns } from "../api/column.ts";
import { monthlyIndicesFrame } from "../api/columns.ts";
import { formatNumber } from "../show/number.ts";
import { assembleChart, type Spec } from "./_assemble.ts";
import { columnChannel, MONTHS, rowHeight, WITH_YEAR, yearAxis } from "./_calendar_axes.ts";
import type { Chart } from "./chart.ts";
import { numbersIn, originOf, requireColumns, textsIn } from "./_input.ts";
import { watermark } from "./_marks.ts";
import { monthRows, onlyTurbine, valueAt } from "./_month_rows.ts";
import { isPreliminary, NO_DATA } from "./_month_state.ts";
import { PLOT_WIDTH, type PlotOptions } from "./plot_options.ts";
import { diverging, palette } from "./theme.ts";

/** Options of {@linkcode plotIndexCalendar}. `height` is that of all years together. */
export interface PlotIndexCalendarOptions extends PlotOptions {
  /** Figure of a cell: against a normal month of that name, or against one twelfth of a normal year. @default {"month_abnormality_index"} */
  readonly figure?: "month_index" | "month_abnormality_index";
}

const WHAT = "the index calendar";

/** Share of the cells that may be in the outermost classes before these get wider. */
const MOST_OUTSIDE = 0.15;

/** Least room of a cell with a figure in it, pixels. */
const FIGURE = { width: 21, height: 11 };

const PRELIMINARY = "Preliminary";
const FINAL = "Final";

const [monthColumn, last12Column, statusColumn] = pickColumns(
  monthlyIndicesFrame,
  ["month", "last12_month_index", "status"],
);

interface Cell extends Spec {
  year: string;
  /** Calendar month, "01" to "12", or "Year". */
  column: string;
  label: string;
  value: number | null;
  state: string;
}

function stateOf(value: number | null, status: string | null): string {
  return value === null ? NO_DATA : isPreliminary(status) ? PRELIMINARY : FINAL;
}

interface Cells {
  readonly turbine: string;
  readonly months: readonly Cell[];
  /** Whole calendar years that are known. */
  readonly years: readonly Cell[];
}

function cellsOf(indices: DataFrame, figure: Column): Cells {
  const status = textsIn(indices, statusColumn.name);
  const values = numbersIn(indices, figure.name);
  const last12 = numbersIn(indices, last12Column.name);
  const rows = monthRows(indices, WHAT);
  const months = rows.map((row): Cell => {
    const value = valueAt(values, row);
    const state = stateOf(value, valueAt(status, row));
    const [year, column] = row.month.split("-");
    return { year, column, label: row.label, value, state };
  });
  // In December the last twelve months are the calendar year.
  const years = rows.filter((row) => row.month.endsWith("-12")).flatMap((row): Cell[] => {
    const value = valueAt(last12, row);
    const year = row.month.slice(0, 4);
    const state = stateOf(value, valueAt(status, row));
    return value === null ? [] : [{ year, column: "Year", label: year, value, state }];
  });
  return { turbine: onlyTurbine(rows, WHAT), months, years };
}

/** Bounds of the classes: tens around 100 %, or twenties where too many values would be in the outermost ones. */
function boundsOf(cells: readonly Cell[]): number[] {
  const far = cells.filter(({ value }) => value !== null && Math.abs(value - 100) > 35).length;
  const step = far <= MOST_OUTSIDE * cells.length ? 10 : 20;
  return diverging.slice(1).map((_, i) => 100 + step * (i - (diverging.length - 2) / 2));
}

function colorOf(figure: Column, bounds: readonly number[], width: number): Spec {
  return {
    field: "value",
    type: "quantitative",
    scale: { type: "threshold", domain: bounds, range: diverging },
    legend: {
      direction: "horizontal",
      title: labelWithUnit(figure),
      labelOverlap: false,
      titleLimit: width,
    },
  };
}

/** What the layers of the calendar share. */
interface Calendar {
  readonly x: Spec;
  readonly y: Spec;
  readonly color: Spec;
  /** Value from which a figure is written in white. */
  readonly dark: number;
  /** States that a mark tells. */
  readonly marked: readonly string[];
  /** Width of a month, pixels. */
  readonly step: number;
  /** Height of a year, pixels. */
  readonly row: number;
}

/** Marks of the cells that have no value, or one that may change: a cross, and a dark corner. */
function stateMarks({ x, y, marked, row, step }: Calendar): Spec[] {
  const shapes: Record<string, string> = {
    [NO_DATA]: "M-1,-.8L-.8,-1L0,-.2L.8,-1L1,-.8L.2,0L1,.8L.8,1L0,.2L-.8,1L-1,.8L-.2,0Z",
    [PRELIMINARY]: "M-1,-1L1,-1L1,1Z",
  };
  const scale = { domain: marked, range: marked.map((state) => shapes[state]) };
  return marked.map((state) => {
    const corner = state === PRELIMINARY;
    return {
      transform: [{ filter: { field: "state", equal: state } }],
      mark: {
        type: "point",
        fill: palette.black,
        size: corner ? 26 : Math.min(36, row ** 2 / 4),
        strokeWidth: 0,
        ...(corner ? { xOffset: step / 2 - 5, yOffset: 4.5 - row / 2 } : {}),
      },
      encoding: {
        x,
        y,
        shape: {
          field: "state",
          type: "nominal",
          scale,
          legend: { orient: "bottom", symbolOpacity: 1, symbolStrokeWidth: 0 },
        },
      },
    };
  });
}

const KNOWN = "isValid(datum.value)";

function cellLayers({ x, y, color, dark, row, step }: Calendar): Spec[] {
  const figures = {
    transform: [{ filter: KNOWN }],
    mark: { type: "text", fontSize: row < 14 || step < 30 ? 8 : 9 },
    encoding: {
      x,
      y,
      text: { field: "value", type: "quantitative", format: ".0f" },
      color: {
        condition: { test: `datum.value >= ${dark}`, value: "white" },
        value: palette.black,
      },
    },
  };
  return [
    {
      transform: [{ filter: `!${KNOWN}` }],
      mark: { type: "rect", color: palette.missing },
      encoding: { x, y },
    },
    { transform: [{ filter: KNOWN }], mark: { type: "rect" }, encoding: { x, y, color } },
    ...(step < FIGURE.width || row < FIGURE.height ? [] : [figures]),
  ];
}

/** Unseen cells over all else, so that the pointer finds them below the watermark. */
function pointed({ x, y }: Calendar, figure: Column): Spec {
  return {
    mark: { type: "rect", opacity: 0 },
    encoding: {
      x,
      y,
      tooltip: [
        { field: "label", title: monthColumn.label },
        { field: "value", title: labelWithUnit(figure), format: ".1f", type: "quantitative" },
        { field: "state", title: statusColumn.label },
      ],
    },
  };
}

function altTextOf(title: string, months: readonly Cell[]): string {
  const known = months.filter((cell) => cell.value !== null)
    .sort((a, b) => (a.value ?? 0) - (b.value ?? 0));
  const span = `${months[0].label} to ${months[months.length - 1].label}`;
  if (known.length === 0) return `Calendar of years by months. ${title}. ${span}, no data.`;
  const [low, high] = [known[0], known[known.length - 1]].map((cell) =>
    `${formatNumber(cell.value ?? 0)} % in ${cell.label}`
  );
  const gaps = months.length - known.length;
  return `Calendar of years by months. ${title}. ${span}, lowest ${low}, highest ${high}` +
    (gaps > 0 ? `, ${gaps} of ${months.length} months without data` : "") + ".";
}

/**
 * Plots the index of every month as a calendar: a row a year, a column a month, blue above and orange below 100 %.
 * Months without data are crossed out, preliminary ones have a dark corner, and months outside the record stay white.
 * Where the frame has `last12_month_index`, whole calendar years stand in a column of their own.
 *
 * @param indices Frame of one turbine, as `monthlyIndices()` makes it
 * @param options Title, figure, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing, the frame is empty, has several turbines or repeats a month
 *
 * @example Three years of a turbine
 * ```ts
 * import { monthlyIndices, plotIndexCalendar } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const index = await monthlyIndices("T1", { from: "2021-01", to: "2023-12" });
 * const chart = plotIndexCalendar(index);
 * assertStringIncludes(chart.altText, "January 2021 to December 2023");
 * ```
 */
export function plotIndexCalendar(
  indices: DataFrame,
  options: PlotIndexCalendarOptions = {},
): Chart {
  const [figure] = pickColumns(monthlyIndicesFrame, [options.figure ?? "month_abnormality_index"]);
  requireColumns(indices, [monthColumn.name, figure.name], WHAT, "monthlyIndices()");
  const { turbine, months, years } = cellsOf(indices, figure);
  const cells = [...months, ...years];
  const names = [...new Set(months.map((cell) => cell.year))];
  const { width = PLOT_WIDTH, height = names.length * rowHeight(names.length) } = options;
  const columns = years.length === 0 ? MONTHS : WITH_YEAR;
  const bounds = boundsOf(cells);
  const row = height / names.length;
  const step = width / columns.length;
  const calendar: Calendar = {
    x: columnChannel(columns, step),
    y: {
      field: "year",
      type: "ordinal",
      scale: { domain: names, padding: 0.04 },
      axis: yearAxis(names, row),
    },
    color: colorOf(figure, bounds, width),
    dark: bounds[bounds.length - 1],
    marked: [NO_DATA, PRELIMINARY].filter((state) => cells.some((cell) => cell.state === state)),
    step,
    row,
  };
  const origin = originOf(indices, options);
  const title = options.title ?? (turbine === "" ? figure.label : `${figure.label} of ${turbine}`);
  return assembleChart({
    title,
    subtitle: [
      figure.description,
      ...(years.length > 0 ? ["Year: the calendar year over a normal year."] : []),
    ],
    views: [{
      data: { values: cells },
      width,
      height,
      layer: [
        ...cellLayers(calendar),
        ...stateMarks(calendar),
        ...watermark(origin, width, height),
        pointed(calendar, figure),
      ],
    }],
    width,
    altText: altTextOf(title, months),
    origin,
  });
}
