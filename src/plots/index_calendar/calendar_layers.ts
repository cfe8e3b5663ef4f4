import { type Column, labelWithUnit, pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { CROSS } from "../parts/calendar_axes.ts";
import type { Spec } from "../parts/assemble.ts";
import { NO_DATA, PRELIMINARY } from "../parts/month_state.ts";
import { fontSize, palette } from "../drawing/theme.ts";

/** Height of a cell from which its figure is written, pixels. */
const MIN_FIGURE_HEIGHT = 12;

const [monthColumn, statusColumn] = pickColumns(monthlyIndicesFrame, ["month", "status"]);

/** What the layers of the calendar share. */
export interface Calendar {
  readonly x: Spec;
  readonly y: Spec;
  readonly color: Spec;
  /** Value from which a figure is written in white. */
  readonly dark: number;
  /** States that have a mark. */
  readonly markedStates: readonly string[];
  /** Width of a month, pixels. */
  readonly step: number;
  /** Width of the widest figure, pixels. */
  readonly figureWidth: number;
  /** Height of a year, pixels. */
  readonly row: number;
}

/** Marks of the cells that have no value, or one that may change: a cross, and a dark corner. */
export function buildStateMarks({ x, y, markedStates, row, step }: Calendar): Spec[] {
  const shapes: Record<string, string> = {
    [NO_DATA]: CROSS,
    [PRELIMINARY]: "M-1,-1L1,-1L1,1Z",
  };
  const scale = { domain: markedStates, range: markedStates.map((state) => shapes[state]) };
  return markedStates.map((state) => {
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

/** The cells: grey without a value, with their figure if there is space. */
export function buildCellLayers({ x, y, color, dark, row, step, figureWidth }: Calendar): Spec[] {
  const figures = {
    transform: [{ filter: KNOWN }],
    mark: { type: "text", fontSize: fontSize.axis },
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
    ...(step < figureWidth + 2 || row < MIN_FIGURE_HEIGHT ? [] : [figures]),
  ];
}

/** Invisible cells on top, so that the tooltips work below the figures. */
export function buildPointerLayer({ x, y }: Calendar, figure: Column): Spec {
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
