import type { DataFrame } from "nodejs-polars";
import { readOptions } from "../../show/options/read_options.ts";
import type { Chart } from "../drawing/chart.ts";
import { palette } from "../drawing/theme.ts";
import { drawChart, type PlotOptions, plotOptions } from "../grammar/chart.ts";
import {
  buildFigureField,
  buildKindColor,
  buildLevelRule,
  buildLevels,
  dot,
  type KindColor,
  mark,
  quantity,
  type Spec,
} from "../grammar/marks.ts";
import { readRows, requireColumns } from "../grammar/read.ts";
import { listGiven } from "../../show/text/lists.ts";

const PLOT = "the proof of an index";

const PERIODS = ["period", "produced", "predicted", "low", "high"] as const;
const LENGTHS = ["months", "month_most", "year_most"] as const;

/** Kinds of periods, by whether the produced energy is inside their interval, and their colours. */
const STATES: readonly KindColor[] = [
  ["In the 90 % interval", palette.blue],
  ["Outside the interval", palette.orange],
  ["Produced", palette.black],
];

/** Lines by number of months of production, and their colours. */
const LINES: readonly KindColor[] = [
  ["A month of another year", palette.orange],
  ["A normal year", palette.blue],
];

/** The periods: produced energy and interval, over the predicted energy, %. */
function readPeriods(frame: DataFrame) {
  requireColumns(frame, PERIODS, PLOT, "proveIndex()");
  return readRows(frame, PLOT, ["produced", "predicted", "low", "high"], ["period"]).map((row) => {
    const [deviation, low, high] = [row.produced, row.low, row.high].map((energy) =>
      energy === null ? null : 100 * (energy / (row.predicted ?? NaN) - 1)
    );
    const hit = low === null || high === null ? 2 : low <= deviation! && deviation! <= high ? 0 : 1;
    return { period: row.period ?? "", deviation, low, high, state: STATES[hit][0] };
  });
}

type Period = ReturnType<typeof readPeriods>[number];

function buildPeriods(periods: readonly Period[], height: number): Spec[] {
  const x = {
    field: "period",
    type: "ordinal",
    scale: { domain: periods.map(({ period }) => period) },
    axis: { labelOverlap: "greedy", title: null },
  };
  const values = periods.flatMap(({ deviation, low, high }) => [deviation, low, high]);
  const y = buildLevels(0, values, "Produced over predicted (%)", height, "~f");
  const kinds = STATES.filter(([name]) => periods.some(({ state }) => state === name));
  return [
    mark("bar", {
      where: "isValid(datum.low) && isValid(datum.high)",
      x,
      y: y("low"),
      y2: { field: "high" },
      color: palette.paleBlue,
    }),
    buildLevelRule(0, palette.black),
    dot({
      x,
      y: y("deviation"),
      color: buildKindColor("state", kinds),
      size: periods.length <= 60 ? 50 : 14,
      tooltip: [
        { field: "period", title: "Period" },
        buildFigureField("deviation", "Produced over predicted (%)", "+.1f"),
      ],
    }),
  ];
}

/** Errors by number of months of production: a row for each line and number. */
function readLengths(frame: DataFrame) {
  requireColumns(frame, LENGTHS, PLOT, "proveIndex()");
  return readRows(frame, PLOT, LENGTHS).flatMap(({ months, month_most, year_most }) =>
    [month_most, year_most].map((error, i) => ({ months: months ?? 0, error, line: LINES[i][0] }))
  );
}

function buildLengths(rows: ReturnType<typeof readLengths>, height: number): Spec[] {
  const y = buildLevels(
    0,
    rows.map(({ error }) => error),
    "Error in nine of ten cases (%)",
    height,
  );
  const ticks = [1, 2, 3, 6, 12, 24, 60, 120, 240];
  return [
    mark("line", {
      x: quantity("months", { type: "log", domain: [1, ticks[ticks.length - 1]] }, {
        values: ticks,
        title: "Months of production",
      }),
      y: y("error"),
      stroke: buildKindColor("line", LINES, { symbolType: "stroke" }),
      strokeWidth: 2,
    }),
  ];
}

/**
 * Plots how accurate an index is: each period, predicted without its own production, with its 90 % interval, and the errors
 * by number of months of production.
 *
 * @param proof Answer of `proveIndex()`
 * @param options Title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing
 *
 * @example Two months
 * ```ts
 * import pl from "nodejs-polars";
 * import { plotProof } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const periods = pl.DataFrame({
 *   period: ["2018-01", "2018-02"],
 *   produced: [500, 400],
 *   predicted: [510, 500],
 *   low: [460, 450],
 *   high: [560, 550],
 * });
 * const lengths = pl.DataFrame({ months: [1, 12], year_most: [12, 5], month_most: [18, 11] });
 * assertStringIncludes(plotProof({ frames: { periods, lengths } }).altText, "1 of 2");
 * ```
 */
export function plotProof(
  proof: { readonly frames: Readonly<Record<"periods" | "lengths", DataFrame>> },
  options: PlotOptions = {},
): Chart {
  const chosen = readOptions("plotProof()", options, plotOptions);
  const { frames: { periods: frame, lengths } } = proof;
  const periods = readPeriods(frame);
  const rows = lengths.height === 0 ? [] : readLengths(lengths); // years have no errors by number of months
  const judged = periods.filter(({ low }) => low !== null);
  const hits = judged.filter(({ state }) => state === STATES[0][0]).length;
  const summary = judged.length === 0
    ? `${periods.length} periods`
    : `${hits} of ${judged.length} periods are inside their 90 % interval`;
  return drawChart(PLOT, [frame, lengths], chosen, 180, ({ height, view, subject }) => ({
    title: [
      "Error of the index",
      subject(frame),
      `${periods[0].period} to ${periods[periods.length - 1].period}`,
    ],
    subtitle: [summary],
    views: listGiven(
      view(buildPeriods(periods, height), { data: { values: periods } }),
      rows.length > 0 && view(buildLengths(rows, height), { data: { values: rows } }),
    ),
    alt: ["Points with intervals, and lines by months of production", summary],
  }));
}
