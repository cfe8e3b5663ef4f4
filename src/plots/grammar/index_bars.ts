import type { DataFrame } from "nodejs-polars";
import { type Column, labelWithUnit, pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { palette } from "../drawing/theme.ts";
import {
  buildFigureField,
  buildKindColor,
  buildLevelRule,
  buildMissingBand,
  fitLegendColumns,
  type KindColor,
  mark,
  type Spec,
} from "./marks.ts";
import { isPreliminary, NO_DATA, readIndexMonths } from "./rows.ts";

const [turbineColumn, monthColumn, statusColumn] = pickColumns(
  monthlyIndicesFrame,
  ["turbine_id", "month", "status"],
);

/** States of a month of an index and their colours, in the order of the legend. */
const STATES: readonly KindColor[] = [
  ["Above 100 %", palette.blue],
  ["Below 100 %", palette.orange],
  [NO_DATA, palette.missing],
  ["Above, preliminary", palette.paleBlue],
  ["Below, preliminary", palette.paleOrange],
];

/** Edge of the bars, in the full colour of their side: a pale bar alone has too little contrast. */
const EDGE = {
  condition: [[STATES[3][0], palette.blue], [STATES[4][0], palette.orange]]
    .map(([state, value]) => ({ test: `datum.state === '${state}'`, value })),
  value: null,
};

/** Months of the turbines of a frame with an index, including months that are missing in it. */
export function readIndexRows(indices: DataFrame, figure: Column, plot: string) {
  return readIndexMonths(indices, figure.name, plot).map(({ status, ...row }) => {
    const { value } = row;
    const later = isPreliminary(status) ? 3 : 0;
    return { ...row, state: value === null ? NO_DATA : STATES[(value >= 100 ? 0 : 1) + later][0] };
  });
}

/** A month of a turbine with its index. */
export type IndexRow = ReturnType<typeof readIndexRows>[number];

interface IndexBars {
  readonly figure: Column;
  readonly x: Spec;
  readonly y: Spec;
  readonly height: number;
  readonly legendWidth: number;
  /** Lines of the tooltip after the figure. */
  readonly more?: readonly Spec[];
}

/** Bars around 100 %, with marks for months without data and preliminary months. */
export function buildIndexBars(
  rows: readonly IndexRow[],
  { figure, x, y, height, legendWidth, more = [] }: IndexBars,
): Spec[] {
  const states = STATES.filter(([state]) => rows.some((row) => row.state === state));
  const legend = { columns: fitLegendColumns(legendWidth) };
  return [
    buildMissingBand("value", x, height),
    mark("bar", {
      x,
      y,
      y2: { datum: 100 },
      color: buildKindColor("state", states, legend),
      stroke: EDGE,
      strokeWidth: 0.75,
      tooltip: [
        { field: "turbine", title: turbineColumn.label },
        { field: "label", title: monthColumn.label },
        buildFigureField("value", labelWithUnit(figure), ".1f"),
        ...more,
        { field: "state", title: statusColumn.label },
      ],
    }),
    buildLevelRule(100, palette.black),
  ];
}
