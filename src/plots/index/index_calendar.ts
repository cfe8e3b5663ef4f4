import type { DataFrame } from "nodejs-polars";
import { type Column, labelWithUnit, pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import type { Chart } from "../drawing/chart.ts";
import { diverging } from "../drawing/theme.ts";
import { buildCalendar, chooseCalendarHeight, MONTHS, WITH_YEAR } from "../grammar/calendar.ts";
import { drawChart, type PlotOptions, plotOptions } from "../grammar/chart.ts";
import { buildFigureField } from "../grammar/marks.ts";
import { requireColumns } from "../grammar/read.ts";
import {
  classifyRecord,
  describeIndex,
  listIndexBounds,
  NO_DATA,
  PRELIMINARY,
  readIndexMonths,
  requireSingleTurbine,
} from "../grammar/rows.ts";
import { formatSpan } from "../grammar/text.ts";
import { listGiven } from "../../show/text/lists.ts";

/** Options of {@linkcode plotIndexCalendar}. `height` is the sum of all years. */
export interface PlotIndexCalendarOptions extends PlotOptions {
  /** Figure of a cell: relative to a normal month of the same name, or to one twelfth of a normal year. @default {"month_abnormality_index"} */
  readonly figure?: "month_index" | "month_abnormality_index";
}

const PLOT = "the index calendar";

const [monthColumn, monthIndex, statusColumn] = pickColumns(
  monthlyIndicesFrame,
  ["month", "month_index", "status"],
);

/** Months of a calendar, and its complete years. */
function readCells(indices: DataFrame, figure: Column) {
  const rows = readIndexMonths(indices, figure.name, PLOT);
  requireSingleTurbine(rows, PLOT);
  const cell = (
    { month, status }: typeof rows[number],
    value: number | null,
    column: string,
    label: string,
  ) => ({
    year: month.slice(0, 4),
    column,
    label,
    value,
    figure: value?.toFixed(0),
    state: classifyRecord(value, status),
  });
  return {
    months: rows.map((row) => cell(row, row.value, row.month.slice(5), row.label)),
    // In December the last twelve months are the calendar year.
    years: rows.filter((row) => row.month.endsWith("-12"))
      .map((row) => cell(row, row.last12, "Year", row.month.slice(0, 4)))
      .filter(({ value }) => value !== null),
  };
}

const OPTIONS = declareOptions<PlotIndexCalendarOptions>()("", {
  figure: "month_abnormality_index",
}, plotOptions);

/**
 * Plots the index of every month as a calendar: a row per year, a column per month, blue above and orange below 100 %.
 * Months without data are crossed out, preliminary ones have a dark corner, and months outside the record stay white.
 * If the frame has `last12_month_index`, complete calendar years get a column.
 *
 * @param indices Frame of one turbine from `monthlyIndices()`
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
  const chosen = readOptions("plotIndexCalendar()", options, OPTIONS);
  const [figure] = pickColumns(monthlyIndicesFrame, [chosen.figure]);
  requireColumns(indices, [monthColumn.name, figure.name], PLOT, "monthlyIndices()");
  const { months, years } = readCells(indices, figure);
  const cells = [...months, ...years];
  const names = [...new Set(months.map((cell) => cell.year))];
  return drawChart(
    PLOT,
    [indices],
    chosen,
    chooseCalendarHeight(names),
    ({ width, height, view, subject }) => ({
      title: [figure.label, subject(indices), formatSpan(names)],
      subtitle: listGiven(
        figure.description,
        years.length > 0 && "Year: the calendar year over a normal year.",
      ),
      views: [view(
        buildCalendar(cells, {
          columns: years.length === 0 ? MONTHS : WITH_YEAR,
          years: names,
          width,
          height,
          bounds: listIndexBounds(figure.name === monthIndex.name ? 20 : 10),
          colors: diverging,
          title: labelWithUnit(figure),
          states: [NO_DATA, PRELIMINARY],
          tooltip: [
            { field: "label", title: monthColumn.label },
            buildFigureField("value", labelWithUnit(figure), ".1f"),
            { field: "state", title: statusColumn.label },
          ],
        }),
        { data: { values: cells } },
      )],
      alt: ["Calendar of years by months", describeIndex(months)],
    }),
  );
}
