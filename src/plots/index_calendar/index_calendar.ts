import type { DataFrame } from "nodejs-polars";
import { type Column, labelWithUnit, pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { assembleChart, type Spec } from "../parts/assemble.ts";
import {
  buildColumnChannel,
  buildYearRows,
  chooseRowHeight,
  MONTHS,
  WITH_YEAR,
} from "../parts/calendar_axes.ts";
import { chooseBounds, formatCalendarAltText, readCells } from "./calendar_cells.ts";
import {
  buildCellLayers,
  buildPointerLayer,
  buildStateMarks,
  type Calendar,
} from "./calendar_layers.ts";
import type { Chart } from "../drawing/chart.ts";
import { readOrigin, requireColumns } from "../parts/read_columns.ts";
import { buildWatermark } from "../parts/marks.ts";
import { NO_DATA, PRELIMINARY } from "../parts/month_state.ts";
import { type PlotOptions, plotOptions } from "../parts/plot_options.ts";
import { choosePlotSize } from "../parts/size.ts";
import { formatSubject, formatTitle } from "../parts/subject.ts";
import { measureText } from "../drawing/text_width.ts";
import { diverging, fontSize } from "../drawing/theme.ts";
import { checkOptions, nameOptions } from "../../show/options/check_options.ts";
import { formatSpan } from "../parts/months.ts";

/** Options of {@linkcode plotIndexCalendar}. `height` is that of all years together. */
export interface PlotIndexCalendarOptions extends PlotOptions {
  /** Figure of a cell: relative to a normal month of the same name, or to one twelfth of a normal year. @default {"month_abnormality_index"} */
  readonly figure?: "month_index" | "month_abnormality_index";
}

const WHAT = "the index calendar";

const [monthColumn] = pickColumns(monthlyIndicesFrame, ["month"]);

function buildColor(figure: Column, bounds: readonly number[], width: number): Spec {
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

const OPTIONS = nameOptions<PlotIndexCalendarOptions>()("figure", plotOptions);

/**
 * Plots the index of every month as a calendar: a row per year, a column per month, blue above and orange below 100 %.
 * Months without data are crossed out, preliminary ones have a dark corner, and months outside the record stay white.
 * If the frame has `last12_month_index`, whole calendar years have a column.
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
  checkOptions("plotIndexCalendar()", options, OPTIONS);
  const [figure] = pickColumns(monthlyIndicesFrame, [options.figure ?? "month_abnormality_index"]);
  requireColumns(indices, [monthColumn.name, figure.name], WHAT, "monthlyIndices()");
  const { turbine, months, years } = readCells(indices, figure, WHAT);
  const cells = [...months, ...years];
  const names = [...new Set(months.map((cell) => cell.year))];
  const { width, height } = choosePlotSize(
    options,
    names.length * chooseRowHeight(names.length),
    WHAT,
  );
  const columns = years.length === 0 ? MONTHS : WITH_YEAR;
  const bounds = chooseBounds(cells);
  const row = height / names.length;
  const step = width / columns.length;
  const calendar: Calendar = {
    x: buildColumnChannel(columns, step),
    y: buildYearRows(names, row),
    color: buildColor(figure, bounds, width),
    dark: bounds[bounds.length - 1],
    markedStates: [NO_DATA, PRELIMINARY].filter((state) =>
      cells.some((cell) => cell.state === state)
    ),
    step,
    row,
    figureWidth: Math.max(
      ...cells.map(({ value }) => measureText((value ?? 0).toFixed(0), fontSize.axis)),
    ),
  };
  const origin = readOrigin(indices, options);
  const title = options.title ?? formatTitle(
    figure.label,
    turbine || formatSubject(indices, origin, WHAT),
    formatSpan(names),
  );
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
        ...buildCellLayers(calendar),
        ...buildStateMarks(calendar),
        ...buildWatermark(origin, width, height),
        buildPointerLayer(calendar, figure),
      ],
    }],
    width,
    altText: formatCalendarAltText(title, months),
    origin,
    theme: options.theme,
  });
}
