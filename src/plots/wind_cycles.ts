import type { DataFrame } from "nodejs-polars";
import { type Column, labelWithUnit } from "../api/column.ts";
import { month as monthColumn, time as timeColumn } from "../api/columns.ts";
import { ArgumentError } from "../api/errors.ts";
import { HOUR } from "../frames/hour_axis.ts";
import { calendarMonth } from "../show/month.ts";
import { formatNumber } from "../show/number.ts";
import { assembleChart, type Spec } from "./_assemble.ts";
import type { Chart } from "./chart.ts";
import {
  dailyCycle,
  type HourMean,
  MIN_MONTH_SHARE,
  type MonthMean,
  SEASONS,
  yearlyCycle,
} from "./_cycle_figures.ts";
import { declaredColumn } from "./_declared.ts";
import { originOf, requireColumns } from "./_input.ts";
import { verticalAxis, watermark } from "./_marks.ts";
import { speedColumnIn } from "./_speed_columns.ts";
import { subjectOf, titled } from "./_subject.ts";
import { clockOf, finiteIn, inOrder, rowWord, stampsIn, stepOf } from "./_values.ts";
import { PLOT_WIDTH, type PlotOptions } from "./plot_options.ts";
import { palette } from "./theme.ts";

/** Options of {@linkcode plotWindCycles}. */
export interface PlotWindCyclesOptions extends PlotOptions {
  /** Column whose cycles are shown. @default {"wind_speed"}, or that of the greatest height */
  readonly column?: string;
}

const WHAT = "the daily and yearly cycle";
const MADE_BY = "modelData() or orderAndWait()";

/** Colour and dashes of each season: told apart in a grey print as well. */
const LINES: readonly (readonly [string, readonly number[]])[] = [
  [palette.blue, [1, 0]],
  [palette.black, [6, 3]],
  [palette.orange, [1, 0]],
  [palette.vermilion, [2, 2]],
];

function quantity(field: string, column: Column, height: number): Spec {
  return {
    field,
    type: "quantitative",
    scale: { zero: false, nice: true },
    axis: verticalAxis(labelWithUnit(column), height),
  };
}

function figure(field: string, title: string, unit: string | undefined): Spec {
  return { field, title: unit ? `${title} (${unit})` : title, format: ".2f", type: "quantitative" };
}

function dailyLayers(
  means: readonly HourMean[],
  column: Column,
  zone: string,
  width: number,
  height: number,
): Spec[] {
  const shown = SEASONS.filter((season) => means.some((mean) => mean.season === season));
  const lines = shown.map((season) => LINES[SEASONS.indexOf(season)]);
  const legend = { columns: width < 400 ? 2 : 4, symbolType: "stroke", symbolSize: 300 };
  const hour = "(datum.value < 10 ? '0' : '') + datum.value + ':00'";
  return [{
    data: {
      values: means.map((mean) => ({
        ...mean,
        label: `${String(mean.hour).padStart(2, "0")}:00`,
      })),
    },
    mark: {
      type: "line",
      strokeWidth: 2,
      point: { filled: true, size: 14, strokeWidth: 0 },
    },
    encoding: {
      x: {
        field: "hour",
        type: "quantitative",
        scale: { domain: [0, 23], nice: false },
        axis: {
          title: `Hour of the day, ${zone}`,
          values: width < 400 ? [0, 6, 12, 18] : [0, 3, 6, 9, 12, 15, 18, 21],
          labelExpr: hour,
        },
      },
      y: quantity("mean", column, height),
      color: {
        field: "season",
        type: "nominal",
        scale: { domain: shown, range: lines.map(([color]) => color) },
        legend,
      },
      strokeDash: {
        field: "season",
        type: "nominal",
        scale: { domain: shown, range: lines.map(([, dash]) => dash) },
        legend,
      },
      tooltip: [
        { field: "season", title: "Season", type: "nominal" },
        { field: "label", title: "Hour", type: "nominal" },
        figure("mean", `Mean ${column.label.toLowerCase()}`, column.unit),
        { field: "count", title: "Values", format: ",", type: "quantitative" },
      ],
    },
  }];
}

function yearlyLayers(months: readonly MonthMean[], column: Column, height: number): Spec[] {
  const letters = "substring('JFMAMJJASOND', datum.value - 1, datum.value)";
  const x = {
    field: "month",
    type: "ordinal",
    scale: { domain: Array.from({ length: 12 }, (_, i) => i + 1) },
    axis: { title: monthColumn.label, labelAngle: 0, labelExpr: letters, ticks: false },
  };
  const data = {
    values: months.map((month) => ({
      ...month,
      label: calendarMonth(`0000-${String(month.month).padStart(2, "0")}`),
    })),
  };
  const tooltip = [
    { field: "label", title: monthColumn.label, type: "nominal" },
    figure("mean", `Mean ${column.label.toLowerCase()}`, column.unit),
    figure("low", "Lowest year", column.unit),
    figure("high", "Highest year", column.unit),
    { field: "years", title: "Years", type: "quantitative" },
  ];
  return [
    {
      data,
      mark: { type: "bar", width: { band: 0.55 } },
      encoding: {
        x,
        y: quantity("low", column, height),
        y2: { field: "high" },
        color: {
          datum: "Lowest to highest year",
          type: "nominal",
          scale: { range: [palette.paleBlue] },
          legend: { symbolType: "square" },
        },
        tooltip,
      },
    },
    {
      data,
      mark: {
        type: "line",
        strokeWidth: 2,
        point: { color: palette.black, filled: true, size: 26 },
      },
      encoding: {
        x,
        y: quantity("mean", column, height),
        stroke: {
          datum: "Mean of the years",
          type: "nominal",
          scale: { range: [palette.black] },
          legend: { symbolType: "stroke" },
        },
        tooltip,
      },
    },
  ];
}

function extremes<T>(items: readonly T[], value: (item: T) => number): readonly [T, T] {
  const sorted = [...items].sort((a, b) => value(a) - value(b));
  return [sorted[0], sorted[sorted.length - 1]];
}

/**
 * Plots the daily cycle by season and the yearly cycle with its spread between the years. Hours and months are those of
 * the frame's own time zone, summer time included.
 *
 * @param frame Frame with `time`, as `modelData()` or `orderAndWait()` makes it, of one turbine or place
 * @param options Column, title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing or has no value, the stamps have no zone or several, the values are of
 * whole days or more, or the rows are of several turbines
 *
 * @example
 * ```ts
 * import { modelData, plotWindCycles } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const hours = await modelData("T1", { start: "2021-01-01", end: "2024-01-01" });
 * assertStringIncludes(plotWindCycles(hours).altText, "Europe/Copenhagen");
 * ```
 */
export function plotWindCycles(frame: DataFrame, options: PlotWindCyclesOptions = {}): Chart {
  const name = speedColumnIn(frame, options.column);
  requireColumns(frame, [timeColumn.name, name], WHAT, MADE_BY);
  const { width = PLOT_WIDTH, height = 180 } = options;
  const origin = originOf(frame, options);
  const column = declaredColumn(name, [frame, options.source]);
  const title = options.title ??
    titled(
      `Daily and yearly cycle of ${column.label.toLowerCase()}`,
      subjectOf(frame, origin, WHAT),
    );
  const stamps = stampsIn(frame, WHAT);
  const { epochs, zone } = stamps;
  const step = stepOf(Float64Array.from(inOrder(stamps, WHAT), (i) => epochs[i]));
  if (step >= 24 * HOUR) {
    throw new ArgumentError(
      `Cannot plot ${WHAT}: the values stand ${formatNumber(step / HOUR)} hours apart, ` +
        `so they have no daily cycle. Give hourly values`,
    );
  }
  const values = finiteIn(frame, name, WHAT);
  const valid = values.filter((value) => !Number.isNaN(value)).length;
  const word = rowWord(frame);
  if (valid === 0) {
    throw new ArgumentError(
      `Cannot plot ${WHAT}: column "${name}" has no value in ${formatNumber(values.length)} ` +
        `${word}. Choose another with { column }`,
    );
  }
  const clock = clockOf(frame, zone);
  const hours = dailyCycle(values, clock);
  const { months, leftOut } = yearlyCycle(values, clock, zone, step);
  const counted = `${formatNumber(valid)} ${word} counted, ` +
    `${formatNumber(values.length - valid)} without a value`;
  const unit = column.unit ? ` ${column.unit}` : "";
  const [quiet, windy] = extremes(hours, (hour) => hour.mean);
  const spoken = (hour: HourMean) =>
    `${formatNumber(hour.mean, 2)}${unit} at ${hour.hour}:00 in ${hour.season}`;
  const years = Math.max(0, ...months.map((month) => month.years));
  const [least, most] = extremes(months, (month) => month.mean);
  const yearly = months.length === 0
    ? `No month has ${100 * MIN_MONTH_SHARE} % of its values, so there is no yearly cycle`
    : `Monthly means from ${formatNumber(least.mean, 2)} to ${
      formatNumber(most.mean, 2)
    }${unit}, over ${years} ${years === 1 ? "year" : "years"} at most`;
  const view = (layers: readonly Spec[]) => ({
    width,
    height,
    layer: [...watermark(origin, width, height), ...layers],
  });
  return assembleChart({
    title,
    subtitle: [`By season and hour of the clock in ${zone}, and by month`, yearly],
    views: [{
      vconcat: [
        view(dailyLayers(hours, column, zone, width, height)),
        ...(months.length === 0 ? [] : [view(yearlyLayers(months, column, height))]),
      ],
      // Each view has a legend of its own.
      resolve: {
        scale: { color: "independent", stroke: "independent", strokeDash: "independent" },
      },
    }],
    notes: [
      counted +
      (leftOut > 0
        ? `; not in the yearly cycle: ${formatNumber(leftOut)} ` +
          `${leftOut === 1 ? "month" : "months"} with less than ${
            100 * MIN_MONTH_SHARE
          } % of its values`
        : ""),
    ],
    width,
    altText:
      `Line charts. ${title}. By hour in ${zone} from ${spoken(quiet)} to ${spoken(windy)}. ` +
      `${yearly}. ${counted}.`,
    origin,
  });
}
