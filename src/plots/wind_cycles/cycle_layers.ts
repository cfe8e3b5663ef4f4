import { type Column, labelWithUnit } from "../../api/columns/column.ts";
import { month as monthColumn } from "../../api/columns/columns.ts";
import { calendarMonth } from "../../show/text/month.ts";
import type { Spec } from "../parts/assemble.ts";
import { type HourMean, type MonthMean, SEASONS } from "./cycle_figures.ts";
import { buildFigureField, buildLineLegend, chooseFormat } from "../parts/lines.ts";
import { buildRangeScale, buildVerticalAxis } from "../parts/marks.ts";
import { palette } from "../drawing/theme.ts";

/** Colour and dashes of each season: distinguishable in a grey print as well. */
const LINES: readonly (readonly [string, readonly number[]])[] = [
  [palette.blue, [1, 0]],
  [palette.black, [6, 3]],
  [palette.orange, [1, 0]],
  [palette.vermilion, [2, 2]],
];

/** Vertical channel over the values that are drawn. */
function buildQuantityChannel(values: readonly number[], column: Column, height: number) {
  const scale = buildRangeScale([Math.min(...values), Math.max(...values)]);
  const axis = buildVerticalAxis(labelWithUnit(column), height);
  return (field: string): Spec => ({ field, type: "quantitative", scale, axis });
}

function buildFigure(
  field: string,
  label: string,
  { unit }: Column,
  values: readonly number[],
): Spec {
  return buildFigureField(field, unit ? `${label} (${unit})` : label, chooseFormat(unit, values));
}

/** The daily cycle: a line a season. */
export function buildDailyLayers(
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
      y: buildQuantityChannel(means.map(({ mean }) => mean), column, height)("mean"),
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
        buildFigure(
          "mean",
          `Mean ${column.label.toLowerCase()}`,
          column,
          means.map(({ mean }) => mean),
        ),
        buildFigureField("count", "Values", ","),
      ],
    },
  }];
}

/** The yearly cycle: the mean of each month, and for several years a bar from the lowest to the highest. */
export function buildYearlyLayers(
  months: readonly MonthMean[],
  column: Column,
  height: number,
): Spec[] {
  const letters = "substring('JFMAMJJASOND', datum.value - 1, datum.value)";
  const x = {
    field: "month",
    type: "ordinal",
    scale: { domain: Array.from({ length: 12 }, (_, i) => i + 1) },
    axis: { title: monthColumn.label, labelAngle: 0, labelExpr: letters, ticks: false },
  };
  const y = buildQuantityChannel(months.flatMap(({ low, high }) => [low, high]), column, height);
  const data = {
    values: months.map((month) => ({
      ...month,
      label: calendarMonth(`0000-${String(month.month).padStart(2, "0")}`),
    })),
  };
  const highs = months.map(({ high }) => high);
  const tooltip = [
    { field: "label", title: monthColumn.label, type: "nominal" },
    buildFigure("mean", `Mean ${column.label.toLowerCase()}`, column, highs),
    buildFigure("low", "Lowest year", column, highs),
    buildFigure("high", "Highest year", column, highs),
    { field: "years", title: "Years", type: "quantitative" },
  ];
  const spread = {
    data,
    mark: { type: "bar", width: { band: 0.55 }, stroke: palette.blue, strokeWidth: 0.75 },
    encoding: {
      x,
      y: y("low"),
      y2: { field: "high" },
      color: {
        datum: "Lowest to highest year",
        type: "nominal",
        scale: { range: [palette.paleBlue] },
        legend: { symbolType: "square" },
      },
      tooltip,
    },
  };
  return [
    ...(months.some(({ years }) => years > 1) ? [spread] : []),
    {
      data,
      mark: {
        type: "line",
        strokeWidth: 2,
        point: { color: palette.black, filled: true, size: 26 },
      },
      encoding: {
        x,
        y: y("mean"),
        stroke: buildLineLegend("Mean of the years", palette.black),
        tooltip,
      },
    },
  ];
}
