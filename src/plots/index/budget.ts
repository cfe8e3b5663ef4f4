import type { DataFrame } from "nodejs-polars";
import { pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { readOptions } from "../../show/options/read_options.ts";
import { formatFigures } from "../../show/text/numbers.ts";
import type { Chart } from "../drawing/chart.ts";
import { palette } from "../drawing/theme.ts";
import { buildMonthChannel } from "../grammar/axes.ts";
import { drawChart, type PlotOptions, plotOptions } from "../grammar/chart.ts";
import {
  buildKindColor,
  buildLevels,
  type Channel,
  fullHeight,
  type KindColor,
  mark,
  PLAIN,
  type Spec,
  SQUARES,
} from "../grammar/marks.ts";
import { type Drawn, frameOf, requireColumns } from "../grammar/read.ts";
import { buildMonthRows, fillRows } from "../grammar/rows.ts";
import { formatEnds, formatSpan } from "../grammar/text.ts";

const PLOT = "a budget";

const [month, likeEnergy] = pickColumns(monthlyIndicesFrame, ["month", "predicted_production"]);
const unit = likeEnergy.unit ?? "";

/** Columns of the months, and of the running sums. */
const MONTH = { expected: "expected", low: "low", high: "high", produced: "produced" } as const;
const SUM = {
  expected: "cumulative_expected",
  low: "cumulative_low",
  high: "cumulative_high",
  produced: "cumulative_produced",
} as const;

const NAMES = { expected: "Expected", interval: "90 % interval", produced: "Produced" } as const;
const KINDS = Object.values(NAMES);
const COLORS: Record<string, string> = {
  [NAMES.expected]: palette.paleBlue,
  [NAMES.interval]: palette.black,
  [NAMES.produced]: palette.blue,
};

const WITH_INTERVAL = "isValid(datum.low) && isValid(datum.high)";

function readRows(frame: DataFrame, columns: Readonly<Record<keyof typeof MONTH, string>>) {
  const text = (...values: readonly (number | null)[]) =>
    values.includes(null) ? "no value" : formatFigures(values.map(Number), unit);
  return fillRows(frame, buildMonthRows(frame, PLOT), columns, PLOT)
    .map(({ turbine: _, ...row }) => ({
      ...row,
      expectedText: text(row.expected),
      producedText: text(row.produced),
      intervalText: text(row.low, row.high),
    }));
}

type Row = ReturnType<typeof readRows>[number];

const TOOLTIP = [
  { field: "label", title: month.label },
  { field: "expectedText", title: NAMES.expected },
  { field: "intervalText", title: NAMES.interval },
  { field: "producedText", title: NAMES.produced },
];

/** The months: expected energy as a wide bar with its interval, produced energy as a narrow bar in front of it. */
function buildMonths(x: Spec, y: Channel, color: (kind: string) => Spec, room: number): Spec[] {
  return [
    mark("bar", {
      x,
      y: y("expected"),
      color: color(NAMES.expected),
      stroke: palette.blue,
      strokeWidth: 0.75,
      tooltip: TOOLTIP,
    }),
    mark("bar", {
      x,
      y: y("produced"),
      color: color(NAMES.produced),
      width: Math.max(2, 0.3 * room),
      tooltip: TOOLTIP,
    }),
    mark("rule", {
      where: WITH_INTERVAL,
      x,
      y: y("low"),
      y2: { field: "high" },
      color: color(NAMES.interval),
      strokeWidth: Math.min(3, Math.max(1, 0.06 * room)),
    }),
  ];
}

/** The running sums: expected energy with its interval, and produced energy. */
function buildSums(x: Spec, y: Channel, color: (kind: string) => Spec, height: number): Spec[] {
  return [
    mark("area", {
      where: WITH_INTERVAL,
      x,
      y: y("low"),
      y2: { field: "high" },
      color: palette.paleBlue,
      opacity: 0.6,
    }),
    mark("line", { x, y: y("expected"), color: palette.black, strokeWidth: 1 }),
    mark("line", {
      where: "isValid(datum.produced)",
      x,
      y: y("produced"),
      color: color(NAMES.produced),
      point: { filled: true, size: 24 },
      strokeWidth: 2,
    }),
    mark("bar", { ...fullHeight(x, height), opacity: 0, tooltip: TOOLTIP }),
  ];
}

/**
 * Plots a budget: the expected energy of each month with its 90 % interval, the produced energy, and the running sums of
 * both.
 *
 * @param given Answer of `planBudget()`, or `months` of its `frames`
 * @param options Title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing, or a month is duplicated
 *
 * @example The budget of a year
 * ```ts
 * import { monthlyIndices, planBudget, plotBudget } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const coming = planBudget(await monthlyIndices("T1"), { from: "2026-01" });
 * const chart = plotBudget(coming);
 * assertStringIncludes(chart.altText, "January 2026 to December 2026");
 * ```
 */
export function plotBudget(given: Drawn<"months">, options: PlotOptions = {}): Chart {
  const chosen = readOptions("plotBudget()", options, plotOptions);
  const months = frameOf(given, "months");
  const needed = [month.name, ...Object.values(MONTH), ...Object.values(SUM)];
  requireColumns(months, needed, PLOT, "planBudget()");
  const [rows, sums] = [readRows(months, MONTH), readRows(months, SUM)];
  const produced = rows.some(({ produced }) => produced !== null);
  const interval = rows.some(({ low }) => low !== null);
  const drawnKinds = KINDS.filter((kind) =>
    kind === NAMES.produced ? produced : kind === NAMES.interval ? interval : true
  );
  const kinds = drawnKinds.map((name): KindColor => [name, COLORS[name]]);
  const color = (datum: string) => buildKindColor({ datum }, kinds, SQUARES);
  const last = sums[sums.length - 1];
  const latest = sums.findLast(({ produced }) => produced !== null);
  const summary = [
    last.expected === null ? "" : `${last.expectedText} expected`,
    latest === undefined ? "" : `${latest.producedText} produced to ${latest.label}` +
      (latest.expected === null ? "" : ` of ${latest.expectedText} expected`),
  ].filter((text) => text !== "").join("; ");
  return drawChart(PLOT, [months], chosen, 180, ({ width, height, view, subject }) => {
    const x = buildMonthChannel(rows.map((row) => row.month), width);
    const y = (periods: readonly Row[], title: string): Channel => {
      const energies = periods.flatMap((
        { expected, high, produced },
      ) => [expected, high, produced]);
      return buildLevels(0, energies, `${title} (${unit})`, height, PLAIN);
    };
    const energies = buildMonths(x, y(rows, "Energy of the month"), color, width / rows.length);
    return {
      title: [
        produced ? "Expected and produced energy" : "Expected energy",
        subject(months),
        formatSpan(rows.map((row) => row.month)),
      ],
      subtitle: summary === "" ? [] : [summary],
      views: [
        view(energies, { data: { values: rows } }),
        view(buildSums(x, y(sums, "Sum so far"), color, height), { data: { values: sums } }),
      ],
      alt: [
        "Bars of months and a line of their sums",
        `${formatEnds(rows)}: ${summary || "no data"}`,
      ],
    };
  });
}
