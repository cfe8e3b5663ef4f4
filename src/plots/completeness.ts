import type { DataFrame } from "nodejs-polars";
import { pickColumns } from "../api/columns/column.ts";
import { monthRecord } from "../api/columns/columns.ts";
import { ArgumentError } from "../api/errors.ts";
import { formatMonth, monthColumnName } from "../show/text/month.ts";
import { assembleChart, type Spec } from "./parts/assemble.ts";
import {
  buildColumnChannel,
  buildYearRows,
  chooseRowHeight,
  CROSS,
  MONTHS,
} from "./parts/calendar_axes.ts";
import type { Chart } from "./drawing/chart.ts";
import { readNumberColumn, readOrigin, requireColumns } from "./parts/read_columns.ts";
import { buildWatermark } from "./parts/marks.ts";
import { listYears, readYearPositions } from "./parts/years.ts";
import { type PlotOptions, plotOptions } from "./parts/plot_options.ts";
import { choosePlotSize } from "./parts/size.ts";
import { diverging, fontSize, palette } from "./drawing/theme.ts";
import { checkOptions } from "../show/options/check_options.ts";
import { formatSubject, formatTitle } from "./parts/subject.ts";
import { formatEnds, formatSpan } from "./parts/months.ts";
import { formatShare } from "../show/text/numbers.ts";

const WHAT = "the completeness";

/** Lower bounds of the classes, %: from 98 on, a month counts as complete. */
const BOUNDS = [50, 80, 90, 98];

/** Colours of the classes, the least complete first: orange, and blue for complete months. */
const COLORS = [diverging[0], diverging[1], diverging[2], diverging[3], diverging[6]];

/** Size of a cell from which its figure is written, pixels. */
const MIN_FIGURE_ROOM = { width: 22, height: 12 };

const NO_VALUE = "No value";

const [yearColumn] = pickColumns(monthRecord, ["year"]);

interface Cell extends Spec {
  year: string;
  /** Calendar month, "01" to "12". */
  column: string;
  label: string;
  /** Share, %. */
  share: number;
  /** The share as it is written, %: 100 only if nothing is missing. */
  figure: string;
  /** The same with one decimal. */
  exact: string;
  state: string;
}

/** Months of the record, in order of time. */
function readCells(frame: DataFrame): Cell[] {
  const positions = readYearPositions(frame, yearColumn.name, WHAT);
  const shares = MONTHS.map((_, i) => readNumberColumn(frame, monthColumnName(i + 1), WHAT));
  return listYears(positions.keys()).flatMap((year) => {
    const at = positions.get(year);
    return MONTHS.flatMap((column, i): Cell[] => {
      const share = at === undefined ? null : shares[i][at];
      const label = formatMonth(`${year}-${column}`);
      if (share === null) return [];
      if (share < 0 || share > 1) {
        throw new ArgumentError(
          `Cannot plot ${WHAT}: ${label} is ${share}, not a share of 0 to 1. ` +
            `Divide percentages by 100`,
        );
      }
      const figure = formatShare(share, 0);
      const state = share === 0 ? NO_VALUE : "Values";
      return [{
        year: String(year),
        column,
        label,
        share: 100 * share,
        exact: formatShare(share),
        figure,
        state,
      }];
    });
  });
}

function buildLayers(cells: readonly Cell[], x: Spec, y: Spec, step: number, row: number): Spec[] {
  const color = {
    field: "share",
    type: "quantitative",
    scale: { type: "threshold", domain: BOUNDS, range: COLORS },
    legend: { direction: "horizontal", title: "Hours with a value (%)", labelOverlap: false },
  };
  const nothing = { field: "state", equal: NO_VALUE };
  const empty = cells.some(({ state }) => state === NO_VALUE);
  return [
    {
      transform: [{ filter: { not: nothing } }],
      mark: { type: "rect" },
      encoding: { x, y, color },
    },
    ...(empty
      ? [
        {
          transform: [{ filter: nothing }],
          mark: { type: "rect", color: palette.missing },
          encoding: { x, y },
        },
        {
          transform: [{ filter: nothing }],
          mark: {
            type: "point",
            fill: palette.black,
            size: Math.min(36, row ** 2 / 4),
            strokeWidth: 0,
          },
          encoding: {
            x,
            y,
            shape: {
              field: "state",
              type: "nominal",
              scale: { domain: [NO_VALUE], range: [CROSS] },
              legend: { orient: "bottom", symbolOpacity: 1, symbolStrokeWidth: 0 },
            },
          },
        },
      ]
      : []),
    ...(step < MIN_FIGURE_ROOM.width || row < MIN_FIGURE_ROOM.height ? [] : [{
      transform: [{ filter: { not: nothing } }],
      mark: { type: "text", color: palette.black, fontSize: fontSize.axis },
      encoding: { x, y, text: { field: "figure", type: "nominal" } },
    }]),
  ];
}

/** Invisible cells on top, so that the tooltips work below the figures. */
function buildPointerLayer(x: Spec, y: Spec): Spec {
  return {
    mark: { type: "rect", opacity: 0 },
    encoding: {
      x,
      y,
      tooltip: [
        { field: "label", title: "Month" },
        { field: "exact", title: "Hours with a value (%)" },
      ],
    },
  };
}

function formatAltText(title: string, cells: readonly Cell[]): string {
  const span = formatEnds(cells);
  const short = cells.filter(({ share }) => share < BOUNDS[BOUNDS.length - 1])
    .toSorted((a, b) => a.share - b.share);
  const named = short.slice(0, 3).map(({ label, share }) =>
    `${formatShare(share / 100)} % in ${label}`
  );
  const found = short.length === 0
    ? "all months at least 98 % complete"
    : `${short.length} of ${cells.length} months below 98 %, the least complete ${
      named.join(", ")
    }`;
  return `Calendar of years by months. ${title}. ${span}, ${found}.`;
}

/**
 * Plots the completeness of a record as a calendar: a row per year, a column per month, the share of its hours that have a
 * value in each cell. Blue months count as complete (98 %), months without any value are crossed out, and months outside of
 * the record stay white. Figures are rounded down: 100 means that nothing is missing.
 *
 * @param completeness Frame with `year` and the shares (0 to 1) of `jan` to `dec` from `checkQuality()`
 * @param options Title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing, the frame is empty, a year is duplicated, or a share is not 0 to 1
 *
 * @example The completeness of the sample's production
 * ```ts
 * import { checkQuality, exampleFile, plotCompleteness, readProduction } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const production = await readProduction(await exampleFile("production.csv"), {
 *   resolution: "hour",
 *   unit: "kW",
 *   time: "time",
 *   column: "power",
 * });
 * const { completeness } = checkQuality(production, { timeZone: "Europe/Copenhagen" });
 * assertStringIncludes(plotCompleteness(completeness).altText, "January 2021 to");
 * ```
 */
export function plotCompleteness(
  completeness: DataFrame,
  options: PlotOptions = {},
): Chart {
  checkOptions("plotCompleteness()", options, plotOptions);
  const needed = [yearColumn.name, ...MONTHS.map((_, i) => monthColumnName(i + 1))];
  requireColumns(completeness, needed, WHAT, "checkQuality()");
  const cells = readCells(completeness);
  if (cells.length === 0) {
    throw new ArgumentError(
      `Cannot plot ${WHAT}: no month has a share. Give the completeness of a record with values`,
    );
  }
  const years = [...new Set(cells.map(({ year }) => year))];
  const names = listYears(years.map(Number)).map(String);
  const { width, height } = choosePlotSize(
    options,
    names.length * chooseRowHeight(names.length),
    WHAT,
  );
  const [step, row] = [width / MONTHS.length, height / names.length];
  const x = buildColumnChannel(MONTHS, step);
  const y = buildYearRows(names, row);
  const origin = readOrigin(completeness, options);
  const title = options.title ?? formatTitle(
    "Completeness",
    formatSubject(completeness, origin, WHAT) || "the record",
    formatSpan(cells.map(({ year, column }) => `${year}-${column}`)),
  );
  return assembleChart({
    title,
    subtitle: ["Share of the hours of each month that have a value, rounded down."],
    views: [{
      data: { values: cells },
      width,
      height,
      layer: [
        ...buildLayers(cells, x, y, step, row),
        ...buildWatermark(origin, width, height),
        buildPointerLayer(x, y),
      ],
    }],
    width,
    altText: formatAltText(title, cells),
    origin,
    theme: options.theme,
  });
}
