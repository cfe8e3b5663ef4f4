import type { DataFrame } from "nodejs-polars";
import { time as timeColumn } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { HOUR } from "../../time/hourly.ts";
import { chooseDecimals, formatNumber } from "../../show/text/numbers.ts";
import { assembleChart, type Spec } from "../parts/assemble.ts";
import type { Chart } from "../drawing/chart.ts";
import {
  computeDailyCycle,
  computeYearlyCycle,
  type HourMean,
  MIN_MONTH_SHARE,
} from "./cycle_figures.ts";
import { buildDailyLayers, buildYearlyLayers } from "./cycle_layers.ts";
import { findColumn } from "../parts/find_column.ts";
import { isDirection } from "../parts/direction.ts";
import { readOrigin, requireColumns } from "../parts/read_columns.ts";
import { buildWatermark } from "../parts/marks.ts";
import { choosePlotSize } from "../parts/size.ts";
import { chooseSpeedColumn } from "../parts/speed_columns.ts";
import { formatSubject, formatTitle } from "../parts/subject.ts";
import {
  chooseRowWord,
  findTimeStep,
  formatStampSpan,
  readFiniteNumbers,
  readLocalClock,
  readZonedStamps,
  sortStamps,
} from "../parts/values.ts";
import { type PlotOptions, plotOptions } from "../parts/plot_options.ts";
import { checkOptions, nameOptions } from "../../show/options/check_options.ts";

/** Options of {@linkcode plotWindCycles}. */
export interface PlotWindCyclesOptions extends PlotOptions {
  /** Column whose cycles are shown. @default {"wind_speed"}, or that of the greatest height */
  readonly column?: string;
}

const WHAT = "the daily and yearly cycle";
const MADE_BY = "modelData() or orderAndWait()";

function findExtremes<T>(items: readonly T[], value: (item: T) => number): readonly [T, T] {
  const sorted = [...items].sort((a, b) => value(a) - value(b));
  return [sorted[0], sorted[sorted.length - 1]];
}

const OPTIONS = nameOptions<PlotWindCyclesOptions>()("column", plotOptions);

/**
 * Plots the daily cycle by season and the yearly cycle with its spread between the years. Hours and months are those of
 * the frame's own time zone, summer time included.
 *
 * @param frame Frame with `time` from `modelData()` or `orderAndWait()`, of one turbine or place
 * @param options Column, title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing, has no value or has directions, the stamps have no zone or several, the values are of
 * whole days or more, or the rows are of several turbines
 *
 * @example
 * ```ts
 * import { modelData, plotWindCycles } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const hours = await modelData("T1", { from: 2021, to: 2023 });
 * assertStringIncludes(plotWindCycles(hours).altText, "Europe/Copenhagen");
 * ```
 */
export function plotWindCycles(frame: DataFrame, options: PlotWindCyclesOptions = {}): Chart {
  checkOptions("plotWindCycles()", options, OPTIONS);
  const name = chooseSpeedColumn(frame, options.column);
  requireColumns(frame, [timeColumn.name, name], WHAT, MADE_BY);
  const { width, height } = choosePlotSize(options, 180, WHAT);
  const origin = readOrigin(frame, options);
  const column = findColumn(name, [frame, options.source]);
  if (isDirection(column)) {
    throw new ArgumentError(
      `Cannot plot ${WHAT}: column "${name}" has directions, whose means by hour and month ` +
        `are meaningless. Plot them with plotWindRose()`,
    );
  }
  const title = options.title ??
    formatTitle(
      `Daily and yearly cycle of ${column.label.toLowerCase()}`,
      formatSubject(frame, origin, WHAT),
      formatStampSpan(frame),
    );
  const stamps = readZonedStamps(frame, WHAT);
  const { epochs, zone } = stamps;
  const step = findTimeStep(Float64Array.from(sortStamps(stamps, WHAT), (i) => epochs[i]));
  if (step >= 24 * HOUR) {
    throw new ArgumentError(
      `Cannot plot ${WHAT}: the values are ${formatNumber(step / HOUR)} hours apart, ` +
        `so they have no daily cycle. Give hourly values`,
    );
  }
  const values = readFiniteNumbers(frame, name, WHAT);
  const valid = values.filter((value) => !Number.isNaN(value)).length;
  const word = chooseRowWord(frame);
  if (valid === 0) {
    throw new ArgumentError(
      `Cannot plot ${WHAT}: column "${name}" has no value in ${formatNumber(values.length)} ` +
        `${word}. Choose another with { column }`,
    );
  }
  const clock = readLocalClock(frame, zone);
  const hours = computeDailyCycle(values, clock);
  const { months, leftOut } = computeYearlyCycle(values, clock, zone, step);
  const counted = `${formatNumber(valid)} ${word} counted, ` +
    `${formatNumber(values.length - valid)} without a value`;
  const unit = column.unit ? ` ${column.unit}` : "";
  const [quiet, windy] = findExtremes(hours, (hour) => hour.mean);
  const decimals = chooseDecimals(column.unit, Math.max(0, ...hours.map(({ mean }) => mean))) ?? 2;
  const formatMean = (mean: number) => `${formatNumber(mean, decimals)}${unit}`;
  const formatHour = (hour: HourMean) =>
    `${formatMean(hour.mean)} at ${hour.hour}:00 in ${hour.season}`;
  const years = Math.max(0, ...months.map((month) => month.years));
  const [least, most] = findExtremes(months, (month) => month.mean);
  const yearly = months.length === 0
    ? `No month has ${100 * MIN_MONTH_SHARE} % of its values, so there is no yearly cycle`
    : `Monthly means from ${formatNumber(least.mean, decimals)} to ${
      formatMean(most.mean)
    }, over ${years} ${years === 1 ? "year" : "years"} at most`;
  const view = (layers: readonly Spec[]) => ({
    width,
    height,
    layer: [...buildWatermark(origin, width, height), ...layers],
  });
  return assembleChart({
    title,
    subtitle: [`By season and hour of the clock in ${zone}, and by month`, yearly],
    views: [{
      vconcat: [
        view(buildDailyLayers(hours, column, zone, width, height)),
        ...(months.length === 0 ? [] : [view(buildYearlyLayers(months, column, height))]),
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
      `Line charts. ${title}. By hour in ${zone} from ${formatHour(quiet)} to ${
        formatHour(windy)
      }. ` +
      `${yearly}. ${counted}.`,
    origin,
    theme: options.theme,
  });
}
