import type { DataFrame } from "nodejs-polars";
import { ArgumentError } from "../api/errors.ts";
import { readOptions } from "../show/options/read_options.ts";
import { chooseDecimals, formatCount, formatNumber } from "../show/text/numbers.ts";
import type { Chart } from "./drawing/chart.ts";
import { fontSize, nested, palette } from "./drawing/theme.ts";
import { drawChart, PLOT_WIDTH, type PlotOptions, plotOptions } from "./grammar/chart.ts";
import { buildKindColor, type Channel, mark, PLAIN, quantity, type Spec } from "./grammar/marks.ts";
import {
  type Drawn,
  findDeclared,
  frameOf,
  readNumberColumn,
  readTextColumn,
  requireColumns,
} from "./grammar/read.ts";
import { cleanText, shortenName, wrapText } from "./grammar/text.ts";

const WHAT = "the long-term production";

/** Columns of an estimate, as `estimateLongTerm()` names them. */
const NEEDED = ["method", "p50", "low", "high"] as const;

/** Methods that fit one picture. */
const MAX_ROWS = 12;

/** Names of the strokes in the legend. */
const STROKES = {
  interval: "Normal year, 90 % interval",
  ten: "Ten years, mean",
  one: "One year",
} as const;

/** Levels of the points. */
const LEVELS = ["P50", "P75", "P90"] as const;

/** Vertical offsets of the strokes of a method from its middle, in rows. */
const OFFSETS = { interval: -0.2, ten: 0.12, one: 0.38 } as const;

/** One method of the picture. */
interface MethodRow {
  readonly method: string;
  readonly p50: number;
  readonly low: number;
  readonly high: number;
  readonly months: number | null;
}

/** Strokes and points of the picture. */
interface LongTermMarks {
  readonly methods: readonly MethodRow[];
  /** From one energy to another, each at its height. */
  readonly strokes: readonly Spec[];
  readonly points: readonly Spec[];
  readonly energies: readonly number[];
  /** Whether some method has a P75 or P90. */
  readonly exceeded: boolean;
}

/** Formats an energy without its unit. */
function formatEnergy(energy: number): string {
  return formatNumber(energy, chooseDecimals("MWh", Math.abs(energy)));
}

/**
 * The estimates of a frame as strokes and points.
 *
 * @throws {ArgumentError} If a column or value is missing, or there are too many rows
 */
function readLongTermMarks(frame: DataFrame): LongTermMarks {
  requireColumns(frame, NEEDED, WHAT, "estimateLongTerm()");
  const names = readTextColumn(frame, "method");
  const column = (name: string) => readNumberColumn(frame, name, WHAT);
  const [p50, low, high, months] = ["p50", "low", "high", "months"].map(column);
  if (names.length > MAX_ROWS) {
    throw new ArgumentError(
      `Cannot plot ${WHAT}: the frame has ${names.length} rows. Keep ${MAX_ROWS} or fewer`,
    );
  }
  const methods = names.map((name, i): MethodRow => {
    const method = cleanText(name ?? "").trim();
    const [middle, lower, upper] = [p50[i], low[i], high[i]];
    if (method === "" || middle === null || lower === null || upper === null) {
      throw new ArgumentError(
        `Cannot plot ${WHAT}: row ${
          i + 1
        } of the frame has no method, "p50", "low" or "high". Give all of them in every row`,
      );
    }
    if (lower > middle || middle > upper) {
      throw new ArgumentError(
        `Cannot plot ${WHAT}: in row ${
          i + 1
        } "p50" is ${middle}, outside of ${lower} to ${upper}. ` +
          `Check "low" and "high"`,
      );
    }
    return { method, p50: middle, low: lower, high: upper, months: months[i] };
  });
  const levels = ([["ten", 10], ["one", 1]] as const).flatMap(([kind, years]) =>
    LEVELS.slice(1).map((level) => ({
      kind,
      level,
      values: column(`${level.toLowerCase()}_${years}`),
    }))
  );
  const exceeded = levels.some(({ values }) => values.some((value) => value !== null));
  const heights = exceeded ? OFFSETS : { ...OFFSETS, interval: 0 };
  const points = methods.flatMap(({ method, p50 }, i): Spec[] => {
    const point = (kind: keyof typeof OFFSETS, level: string, energy: number) => ({
      method,
      level,
      what: STROKES[kind],
      energy,
      figure: formatEnergy(energy),
      label: level === "P50" ? formatEnergy(energy) : `${level} ${formatEnergy(energy)}`,
      share: `${formatNumber(100 * energy / p50, 1)} %`,
      y: i + heights[kind],
    });
    return [
      point("interval", "P50", p50),
      ...levels.flatMap(({ kind, level, values }) => {
        const energy = values[i];
        return energy === null ? [] : [point(kind, level, energy)];
      }),
    ];
  });
  const strokes = methods.flatMap(({ low, high, p50 }, i): Spec[] => [
    { what: STROKES.interval, from: low, to: high, y: i + heights.interval },
    ...(["ten", "one"] as const).flatMap((kind) => {
      const own = levels.filter((level) => level.kind === kind).flatMap(({ values }) =>
        values[i] ?? []
      );
      const y = i + heights[kind];
      return own.length === 0 ? [] : [{ what: STROKES[kind], from: Math.min(...own), to: p50, y }];
    }),
  ]);
  const energies = [
    ...points.map(({ energy }) => energy as number),
    ...methods.flatMap(({ low, high }) => [low, high]),
  ];
  return { methods, strokes, points, energies, exceeded };
}

/** Height of a method, with and without P75 and P90, pixels. */
const ROW = 92;
const LOW_ROW = 60;

/** Width of a figure beside its point, pixels. */
const LABEL = 80;

/** Width of the names beside the plot, pixels. */
const NAMES = 118;

/** Axis with the names of the methods in lines, and their number of months. */
function buildNamesAxis(methods: readonly MethodRow[]): Spec {
  const names = methods.map(({ method, months }) => [
    ...wrapText(shortenName(method, 2 * NAMES, fontSize.axis), NAMES, fontSize.axis),
    ...(months === null ? [] : [formatCount(months, "month")]),
  ]);
  return {
    domain: false,
    grid: false,
    labelBaseline: "middle",
    labelExpr: `${JSON.stringify(names)}[datum.value]`,
    labelLimit: 0,
    labelPadding: 8,
    ticks: false,
    title: null,
    values: methods.map((_, i) => i),
  };
}

/** Ends of the axis, with space on the left for the figures beside the points; it need not begin at zero. */
function computeDomain(energies: readonly number[], width: number): [number, number] {
  const [low, high] = [Math.min(...energies), Math.max(...energies)];
  const [left, right] = [Math.min(0.4, LABEL / width), 0.06];
  const span = (high - low || 0.1 * high || 1) / (1 - left - right);
  return [low - left * span, high + right * span];
}

function buildLayers(
  marks: LongTermMarks,
  domain: readonly number[],
  width: number,
  unit: string,
): Spec[] {
  const axis = {
    format: PLAIN,
    grid: true,
    labelExpr: "datum.value < 0 ? '' : datum.label", // this part is space for figures
    tickCount: 6,
    title: `Energy a year (${unit})`,
  };
  const x: Channel = (field) => quantity(field, { domain, nice: false, zero: false }, axis);
  const heights = { domain: [marks.methods.length - 0.5, -0.5], nice: false, zero: false };
  const y = quantity("y", heights, buildNamesAxis(marks.methods));
  const names = marks.exceeded ? Object.values(STROKES) : [STROKES.interval];
  const colors = [nested[3], palette.blue, palette.orange];
  const legend = { columns: width < 400 ? 1 : 3, symbolStrokeWidth: 4, symbolType: "stroke" };
  const stroke = buildKindColor("what", names.map((name, i) => [name, colors[i]]), legend);
  const strokes = (where: string, strokeWidth: number) =>
    mark("rule", {
      data: marks.strokes,
      where: `datum.what ${where} ${JSON.stringify(STROKES.interval)}`,
      x: x("from"),
      x2: { field: "to" },
      y,
      stroke,
      strokeWidth,
    });
  const text = (level: string, look: Spec) =>
    mark("text", {
      data: marks.points,
      where: { field: "level", equal: level },
      x: x("energy"),
      y,
      text: { field: "label", type: "nominal" },
      color: palette.black,
      fontSize: fontSize.axis,
      ...look,
    });
  return [
    strokes("===", 16),
    ...(marks.exceeded ? [strokes("!==", 2.5)] : []),
    mark("point", {
      data: marks.points,
      x: x("energy"),
      y,
      shape: {
        field: "level",
        type: "nominal",
        scale: { domain: LEVELS, range: ["circle", "square", "diamond"] },
        legend: null,
      },
      color: palette.black,
      filled: true,
      opacity: 1,
      size: 60,
      tooltip: [
        { field: "method", title: "Method" },
        { field: "level", title: "Level" },
        { field: "what", title: "Of" },
        { field: "figure", title: `Energy a year (${unit})` },
        { field: "share", title: "Of the normal year" },
      ],
    }),
    text("P50", { baseline: "bottom", dy: -9, fontWeight: "bold" }),
    ...(marks.exceeded
      ? [
        text("P90", { align: "right", dx: -8 }),
        text("P75", { baseline: "bottom", dy: -7 }),
      ]
      : []),
  ];
}

/** Formats the months of the record that the methods use: "from 43 months", "from 40 to 43 months". */
function formatMonths(months: readonly number[]): string {
  if (months.length === 0) return "";
  const [least, most] = [Math.min(...months), Math.max(...months)];
  return `from ${least === most ? "" : `${least} to `}${most} ${most === 1 ? "month" : "months"}`;
}

/**
 * Plots the normal year by several methods side by side: each with its 90 % interval, and below it the energies that one
 * year and the mean of ten years exceed with a probability of 75 and 90 % (P75 and P90), if known.
 *
 * @param given Answer of `estimateLongTerm()`, or `estimates` of its `frames`: `method`, `p50`, `low`, `high` and, where known, `p75_1`, `p90_1`,
 * `p75_10`, `p90_10` (MWh) and `months`
 * @param options Title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column or value is missing, or an interval does not contain its estimate
 *
 * @example Two methods
 * ```ts
 * import pl from "nodejs-polars";
 * import { plotLongTerm } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const chart = plotLongTerm(pl.DataFrame({
 *   method: ["1200 method", "regression"],
 *   p50: [9770, 9781],
 *   low: [9622, 9650],
 *   high: [9920, 9914],
 * }));
 * assertStringIncludes(chart.altText, "1200 method 9,770 MWh, 90 % interval 9,622 to 9,920 MWh");
 * ```
 */
export function plotLongTerm(given: Drawn<"estimates">, options: PlotOptions = {}): Chart {
  const chosen = readOptions("plotLongTerm()", options, plotOptions);
  const estimates = frameOf(given, "estimates");
  const marks = readLongTermMarks(estimates);
  const unit = findDeclared("p50", [estimates, chosen.source])?.unit ?? "MWh";
  const intervals = marks.methods.map(({ method, p50, low, high }) =>
    `${shortenName(method, 240, fontSize.axis)} ${formatEnergy(p50)} ${unit}, 90 % interval ` +
    `${formatEnergy(low)} to ${formatEnergy(high)} ${unit}`
  );
  const lowest = marks.points.filter(({ level, what }) => level === "P90" && what === STROKES.one)
    .map(({ method, figure }) => `one year exceeds ${figure} ${unit} with 90 % (${method})`);
  return drawChart(
    {
      what: WHAT,
      from: [estimates],
      options: chosen,
      height: (marks.exceeded ? ROW : LOW_ROW) * marks.methods.length,
      width: PLOT_WIDTH - NAMES,
    },
    ({ width, view, subject }) => {
      const domain = computeDomain(marks.energies, width);
      return {
        title: [
          "Production of a normal year",
          subject(estimates),
          formatMonths(marks.methods.flatMap(({ months }) => months ?? [])),
        ],
        subtitle: marks.exceeded
          ? ["P75 and P90 are exceeded in 75 and in 90 of 100 cases; the normal year is P50."]
          : ["The spread of the years is not known: no P75 and P90."],
        views: [view(buildLayers(marks, domain, width, unit))],
        notes: domain[0] > 0 ? ["The axis does not begin at zero"] : [],
        alt: ["Range chart", [...intervals, ...lowest].join("; ")],
      };
    },
  );
}
