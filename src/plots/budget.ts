import type { DataFrame } from "nodejs-polars";
import { pickColumns } from "../api/columns/column.ts";
import { monthlyIndicesFrame } from "../api/columns/columns.ts";
import { assembleChart, type Spec } from "./parts/assemble.ts";
import type { Chart } from "./drawing/chart.ts";
import { readNumberColumn, readOrigin, requireColumns } from "./parts/read_columns.ts";
import { buildLevelScale, buildVerticalAxis, buildWatermark } from "./parts/marks.ts";
import { buildMonthRows } from "./parts/month_rows.ts";
import { buildMonthChannel, formatEnds, formatSpan } from "./parts/months.ts";
import { type PlotOptions, plotOptions } from "./parts/plot_options.ts";
import { choosePlotSize } from "./parts/size.ts";
import { palette } from "./drawing/theme.ts";
import { checkOptions } from "../show/options/check_options.ts";
import { formatSubject, formatTitle } from "./parts/subject.ts";
import { formatFigures } from "../show/text/numbers.ts";

const WHAT = "a budget";

const [month, likeEnergy] = pickColumns(monthlyIndicesFrame, ["month", "predicted_production"]);
const unit = likeEnergy.unit ?? "";

/** Columns of the months, and of the sums from the first month on. */
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

function readRows(frame: DataFrame, columns: Readonly<Record<keyof typeof MONTH, string>>) {
  const readValues = (name: string) => {
    const values = readNumberColumn(frame, name, WHAT);
    return (at: number | undefined) => at === undefined ? null : values[at];
  };
  const [expected, low] = [readValues(columns.expected), readValues(columns.low)];
  const [high, produced] = [readValues(columns.high), readValues(columns.produced)];
  return buildMonthRows(frame, WHAT).map(({ month, label, at }) => ({
    month,
    label,
    expected: expected(at),
    low: low(at),
    high: high(at),
    produced: produced(at),
  }));
}

type Row = ReturnType<typeof readRows>[number];

function buildEnergyAxis(rows: readonly Row[], title: string, height: number): Spec {
  const values = rows.flatMap(({ expected, high, produced }) => [expected, high, produced]);
  return {
    type: "quantitative",
    scale: buildLevelScale(0, values),
    axis: { ...buildVerticalAxis(`${title} (${unit})`, height), format: ",~f" },
  };
}

/** Colour channel of one kind; the legend lists the kinds that are shown. */
function buildColor(kind: string, shown: readonly string[]): Spec {
  return {
    datum: kind,
    type: "nominal",
    scale: { domain: shown, range: shown.map((name) => COLORS[name]) },
    legend: { symbolType: "square" },
  };
}

function buildTooltip(rows: readonly Row[]): { values: Spec[]; tooltip: Spec[] } {
  const text = (value: number | null) => value === null ? "no value" : formatFigures([value], unit);
  return {
    values: rows.map((row) => ({
      ...row,
      expectedText: text(row.expected),
      producedText: text(row.produced),
      intervalText: row.low === null || row.high === null
        ? "no value"
        : formatFigures([row.low, row.high], unit),
    })),
    tooltip: [
      { field: "label", title: month.label },
      { field: "expectedText", title: NAMES.expected },
      { field: "intervalText", title: NAMES.interval },
      { field: "producedText", title: NAMES.produced },
    ],
  };
}

/** The months: expected energy as a wide bar with its interval, produced energy as a narrow bar in front of it. */
function buildMonthLayers(
  rows: readonly Row[],
  shown: readonly string[],
  width: number,
  height: number,
): Spec[] {
  const x = buildMonthChannel(rows.map((row) => row.month), width);
  const y = buildEnergyAxis(rows, "Energy of the month", height);
  const { values, tooltip } = buildTooltip(rows);
  const room = width / rows.length;
  return [
    {
      data: { values },
      mark: { type: "bar", stroke: palette.blue, strokeWidth: 0.75 },
      encoding: {
        x,
        y: { ...y, field: "expected" },
        color: buildColor(NAMES.expected, shown),
        tooltip,
      },
    },
    {
      data: { values },
      mark: { type: "bar", width: Math.max(2, 0.3 * room) },
      encoding: {
        x,
        y: { ...y, field: "produced" },
        color: buildColor(NAMES.produced, shown),
        tooltip,
      },
    },
    {
      data: { values },
      transform: [{ filter: "isValid(datum.low) && isValid(datum.high)" }],
      mark: { type: "rule", strokeWidth: Math.min(3, Math.max(1, 0.06 * room)), tooltip: null },
      encoding: {
        x,
        y: { ...y, field: "low" },
        y2: { field: "high" },
        color: buildColor(NAMES.interval, shown),
      },
    },
  ];
}

/** The sums from the first month on: expected with its interval, and produced. */
function buildSumLayers(
  rows: readonly Row[],
  shown: readonly string[],
  width: number,
  height: number,
): Spec[] {
  const x = buildMonthChannel(rows.map((row) => row.month), width);
  const y = buildEnergyAxis(rows, "Sum so far", height);
  const { values, tooltip } = buildTooltip(rows);
  return [
    {
      data: { values },
      transform: [{ filter: "isValid(datum.low) && isValid(datum.high)" }],
      mark: { type: "area", color: palette.paleBlue, opacity: 0.6, tooltip: null },
      encoding: { x, y: { ...y, field: "low" }, y2: { field: "high" } },
    },
    {
      data: { values },
      mark: { type: "line", color: palette.black, strokeWidth: 1, tooltip: null },
      encoding: { x, y: { ...y, field: "expected" } },
    },
    {
      data: { values },
      transform: [{ filter: "isValid(datum.produced)" }],
      mark: { type: "line", point: { filled: true, size: 24 }, strokeWidth: 2, tooltip: null },
      encoding: {
        x,
        y: { ...y, field: "produced" },
        color: buildColor(NAMES.produced, shown),
      },
    },
    {
      data: { values },
      mark: { type: "bar", opacity: 0 },
      encoding: { x, y: { value: 0 }, y2: { value: height }, tooltip },
    },
  ];
}

/**
 * Plots a budget: the expected energy of each month with its 90 % interval, the produced energy, and the sums of both
 * from the first month on.
 *
 * @param months Frame of the months of `planBudget()`
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
 * const chart = plotBudget(coming.months);
 * assertStringIncludes(chart.altText, "January 2026 to December 2026");
 * ```
 */
export function plotBudget(months: DataFrame, options: PlotOptions = {}): Chart {
  checkOptions("plotBudget()", options, plotOptions);
  requireColumns(
    months,
    [month.name, ...Object.values(MONTH), ...Object.values(SUM)],
    WHAT,
    "planBudget()",
  );
  const { width, height } = choosePlotSize(options, 180, WHAT);
  const [rows, sums] = [readRows(months, MONTH), readRows(months, SUM)];
  const origin = readOrigin(months, options);
  const shown = KINDS.filter((kind) =>
    kind === NAMES.produced
      ? rows.some(({ produced }) => produced !== null)
      : kind === NAMES.interval
      ? rows.some(({ low }) => low !== null)
      : true
  );
  const last = sums[sums.length - 1];
  const span = formatEnds(rows);
  const title = options.title ?? formatTitle(
    shown.includes(NAMES.produced) ? "Expected and produced energy" : "Expected energy",
    formatSubject(months, origin, WHAT),
    formatSpan(rows.map((row) => row.month)),
  );
  const known = sums.findLast(({ produced }) => produced !== null);
  const summary = [
    last.expected === null ? "" : `${formatFigures([last.expected], unit)} expected`,
    known === undefined
      ? ""
      : `${formatFigures([known.produced!], unit)} produced to ${known.label}` +
        (known.expected === null ? "" : ` of ${formatFigures([known.expected], unit)} expected`),
  ].filter((text) => text !== "").join("; ");
  return assembleChart({
    title,
    subtitle: summary === "" ? [] : [summary],
    views: [
      {
        width,
        height,
        layer: [
          ...buildWatermark(origin, width, height),
          ...buildMonthLayers(rows, shown, width, height),
        ],
      },
      {
        width,
        height,
        layer: [
          ...buildWatermark(origin, width, height),
          ...buildSumLayers(sums, shown, width, height),
        ],
      },
    ],
    width,
    altText: `Bars of months and a line of their sums. ${title}. ${span}: ${summary || "no data"}.`,
    origin,
    theme: options.theme,
  });
}
