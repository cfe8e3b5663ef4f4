import type { DataFrame } from "nodejs-polars";
import { readOptions } from "../../show/options/read_options.ts";
import { chooseDecimals, formatCount, formatNumber } from "../../show/text/numbers.ts";
import type { Chart } from "../drawing/chart.ts";
import { fontSize, nested, palette } from "../drawing/theme.ts";
import { drawChart, PLOT_WIDTH, type PlotOptions, plotOptions } from "../grammar/chart.ts";
import { type Channel, dot, label, mark, PLAIN, quantity, type Spec } from "../grammar/marks.ts";
import {
  type Drawn,
  findDeclared,
  frameOf,
  readRows,
  refusePlot,
  requireColumns,
} from "../grammar/read.ts";
import { cleanText, shortenName, wrapText } from "../grammar/text.ts";
import { listGiven } from "../../show/text/lists.ts";

const PLOT = "the long-term production";
const MADE_BY = "estimateLongTerm()";

/** Most methods that fit one picture. */
const MAX_ROWS = 12;

/** Formats an energy without its unit. */
function formatEnergy(energy: number): string {
  return formatNumber(energy, chooseDecimals("MWh", Math.abs(energy)));
}

/**
 * Reads the estimates of a frame.
 *
 * @throws {ArgumentError} If a column or value is missing, or there are too many rows
 */
function readMethods(frame: DataFrame) {
  requireColumns(frame, ["method", "p50", "low", "high"], PLOT, MADE_BY);
  if (frame.height > MAX_ROWS) {
    refusePlot(PLOT, `the frame has ${frame.height} rows. Keep ${MAX_ROWS} or fewer`);
  }
  return readRows(frame, PLOT, ["p50", "low", "high", "months"], ["method"]).map((row, i) => {
    const { p50, low, high, months } = row;
    const method = cleanText(row.method ?? "").trim();
    if (method === "" || p50 === null || low === null || high === null) {
      return refusePlot(
        PLOT,
        `row ${
          i + 1
        } of the frame has no method, "p50", "low" or "high". Give all of them in every row`,
      );
    }
    if (low > p50 || p50 > high) {
      refusePlot(
        PLOT,
        `in row ${i + 1} "p50" is ${p50}, outside of ${low} to ${high}. Check "low" and "high"`,
      );
    }
    return { method, p50, low, high, months };
  });
}

/** Height of the row of a method or number of years, pixels. */
const ROW = 60;

/** Width of a character of a figure, pixels. */
const LETTER = 7.2;

/** Width of the names next to the plot, pixels. */
const NAMES = 118;

/** Vertical channel of rows, from the top, with their names in lines and further lines below. */
function buildNames(rows: readonly (readonly [name: string, more?: string | undefined])[]): Spec {
  const names = rows.map(([name, more]) =>
    listGiven(
      ...wrapText(shortenName(name, 2 * NAMES, fontSize.axis), NAMES, fontSize.axis),
      more,
    )
  );
  const scale = { domain: [rows.length - 0.5, -0.5], nice: false, zero: false };
  return quantity("y", scale, {
    domain: false,
    grid: false,
    labelBaseline: "middle",
    labelExpr: `${JSON.stringify(names)}[datum.value]`,
    labelLimit: 0,
    tickCount: rows.length, // Vega drops values beyond this number
    labelPadding: 8,
    ticks: false,
    title: null,
    values: rows.map((_, i) => i),
  });
}

/** Horizontal channel of energies, with space for the figures at the points; it need not begin at zero. */
function buildEnergyAxis(energies: readonly number[], width: number, unit: string): Channel {
  const [low, high] = [Math.min(...energies), Math.max(...energies)];
  const label = LETTER * `P90  ${formatEnergy(high)}`.length / width;
  const [left, right] = [Math.min(0.4, label), Math.min(0.2, label / 2)];
  const span = (high - low || 0.1 * high || 1) / (1 - left - right);
  const domain = [low - left * span, high + right * span];
  const axis = {
    format: PLAIN,
    grid: true,
    labelExpr: "datum.value < 0 ? '' : datum.label", // this part is space for figures
    tickCount: 6,
    title: `Energy per year (${unit})`,
  };
  return (field) => quantity(field, { domain, nice: false, zero: false }, axis);
}

/** Levels of the points. */
const LEVELS = ["P50", "P75", "P90"] as const;

/** A point at an energy and its level, in the row of a name. */
const buildPoint = (y: number, of: string, level: string, energy: number) => ({
  y,
  of,
  level,
  energy,
  figure: formatEnergy(energy),
  label: level === "P50" ? formatEnergy(energy) : `${level} ${formatEnergy(energy)}`,
});

/** Points at the levels of an energy, with their figures. */
function buildPoints(points: readonly Spec[], x: Channel, y: Spec, unit: string): Spec[] {
  const place = { data: points, x: x("energy"), y };
  const text = (level: string, look: Spec) =>
    label("label", { ...place, where: { field: "level", equal: level }, ...look });
  return [
    dot({
      ...place,
      shape: {
        field: "level",
        type: "nominal",
        scale: { domain: LEVELS, range: ["circle", "square", "diamond"] },
        legend: null,
      },
      color: palette.black,
      size: 60,
      tooltip: [
        { field: "of", title: "Of" },
        { field: "level", title: "Level" },
        { field: "figure", title: `Energy per year (${unit})` },
      ],
    }),
    text("P50", { baseline: "bottom", dy: -9, fontWeight: "bold" }),
    text("P90", { align: "right", dx: -8 }),
    text("P75", { baseline: "top", dy: 8 }),
  ];
}

/** Formats the months of the record used by the methods: "from 43 months", "from 40 to 43 months". */
function formatMonths(months: readonly number[]): string {
  if (months.length === 0) return "";
  const [least, most] = [Math.min(...months), Math.max(...months)];
  return `from ${least === most ? "" : `${least} to `}${formatCount(most, "month")}`;
}

/**
 * Plots the normal year from several methods side by side, each with its 90 % interval.
 *
 * @param given Answer of `estimateLongTerm()`, or `estimates` of its `frames`: `method`, `p50`, `low`, `high` (MWh) and optionally `months`
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
  const methods = readMethods(estimates);
  const unit = findDeclared("p50", [estimates, chosen.source])?.unit ?? "MWh";
  const intervals = methods.map(({ method, p50, low, high }) =>
    `${shortenName(method, 240, fontSize.axis)} ${formatEnergy(p50)} ${unit}, 90 % interval ` +
    `${formatEnergy(low)} to ${formatEnergy(high)} ${unit}`
  );
  const y = buildNames(methods.map(({ method, months }) => [
    method,
    months === null ? undefined : formatCount(months, "month"),
  ]));
  return drawChart(
    PLOT,
    [estimates],
    { width: PLOT_WIDTH - NAMES, ...chosen },
    ROW * methods.length,
    ({ width, view, subject }) => {
      const x = buildEnergyAxis(methods.flatMap(({ low, high }) => [low, high]), width, unit);
      return {
        title: [
          "Production of a normal year",
          subject(estimates),
          formatMonths(methods.flatMap(({ months }) => months ?? [])),
        ],
        subtitle: ["The bars are 90 % intervals of the normal year (P50)."],
        views: [view([
          mark("rule", {
            data: methods.map(({ low, high }, i) => ({ low, high, y: i })),
            x: x("low"),
            x2: { field: "high" },
            y,
            color: nested[3],
            strokeWidth: 16,
          }),
          ...buildPoints(
            methods.map(({ method, p50 }, i) => buildPoint(i, method, "P50", p50)),
            x,
            y,
            unit,
          ),
        ])],
        notes: ["The axis does not begin at zero"],
        alt: ["Range chart", intervals.join("; ")],
      };
    },
  );
}

/** Height of a share, pixels. */
const SHARE_ROW = 26;

/** Reads the shares of an uncertainty; unknown shares have no bar. */
function readShares(frame: DataFrame) {
  requireColumns(frame, ["share", "standard_error", "of_variance"], PLOT, MADE_BY);
  return readRows(frame, PLOT, ["standard_error", "of_variance"], ["share"]).map((row, y) => {
    const { standard_error: error, of_variance: part } = row;
    const figure = error === null ? "unknown" : `${formatNumber(error, 1)} %`;
    const label = part === null ? figure : `${figure} (${formatNumber(part, 1)} % of the variance)`;
    const share = shortenName((row.share ?? "").trim(), NAMES, fontSize.axis);
    return { y, share, error: error ?? 0, label };
  });
}

/** Reads P50, P75 and P90 of means over several years as points. */
function readExceedance(frame: DataFrame) {
  const columns = ["years", "p50", "p75", "p90"] as const;
  requireColumns(frame, columns, PLOT, MADE_BY);
  const rows = readRows(frame, PLOT, columns);
  const names = rows.map(({ years }) => years === 1 ? "1 year" : `${years} years, mean`);
  const points = rows.flatMap(({ p50, p75, p90 }, y) =>
    [p50, p75, p90].flatMap((energy, i) =>
      energy === null ? [] : [buildPoint(y, names[y], LEVELS[i], energy)]
    )
  );
  return { names, points };
}

/**
 * Plots the causes of the uncertainty of a year's energy, a bar for the standard error of each share, and below it P50, P75
 * and P90 of one year and of the mean of several.
 *
 * @param estimate Answer of `estimateLongTerm()`: its `frames` `uncertainty` (`share`, `standard_error` and `of_variance`, %) and
 * `exceedance` (`years`, `p50`, `p75` and `p90`, MWh)
 * @param options Title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing
 *
 * @example Two shares
 * ```ts
 * import pl from "nodejs-polars";
 * import { plotUncertainty } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const uncertainty = pl.DataFrame({
 *   share: ["calibration", "year to year"],
 *   standard_error: [3, 6],
 *   of_variance: [20, 80],
 * });
 * const exceedance = pl.DataFrame({ years: [1, 10], p50: [9780, 9780], p75: [9330, 9545], p90: [8920, 9330] });
 * const chart = plotUncertainty({ frames: { uncertainty, exceedance } });
 * assertStringIncludes(chart.altText, "1 year P90 8,920 MWh");
 * ```
 */
export function plotUncertainty(
  estimate: { readonly frames: Readonly<Record<"uncertainty" | "exceedance", DataFrame>> },
  options: PlotOptions = {},
): Chart {
  const chosen = readOptions("plotUncertainty()", options, plotOptions);
  const { frames: { uncertainty, exceedance } } = estimate;
  const shares = readShares(uncertainty);
  const { names, points } = readExceedance(exceedance);
  const unit = findDeclared("p50", [exceedance, chosen.source])?.unit ?? "MWh";
  const bars = buildNames(shares.map(({ share }) => [share]));
  const rows = buildNames(names.map((name) => [name]));
  const most = Math.max(...shares.map(({ error }) => error)) || 1;
  return drawChart(
    PLOT,
    [uncertainty, exceedance],
    { width: PLOT_WIDTH - NAMES, ...chosen },
    SHARE_ROW * shares.length,
    ({ width, view, subject }) => {
      const x = buildEnergyAxis(points.map(({ energy }) => energy), width, unit);
      const error = quantity("error", { domain: [0, 1.5 * most] }, { // with space for the figures
        grid: true,
        tickCount: 6,
        title: "Standard error of a year (%)",
      });
      return {
        title: ["Uncertainty of the production of a year", subject(exceedance), ""],
        subtitle: [
          "The energy exceeds P75 in 75 of 100 cases and P90 in 90. P50 is the normal year.",
        ],
        views: [
          view([
            mark("bar", {
              data: shares,
              x: error,
              y: bars,
              color: palette.blue,
              height: 14,
              orient: "horizontal",
            }),
            label("label", { data: shares, x: error, y: bars, align: "left", dx: 5 }),
          ]),
          view([
            mark("line", {
              data: points,
              x: x("energy"),
              y: rows,
              detail: { field: "of", type: "nominal" },
              color: palette.orange,
              strokeWidth: 2.5,
            }),
            ...buildPoints(points, x, rows, unit),
          ], { height: ROW * names.length }),
        ],
        notes: ["The axis of the energies does not begin at zero"],
        alt: [
          "Bar chart and points",
          [
            ...shares.map(({ share, label }) => `${share} ${label}`),
            ...points.map(({ of, level, figure }) => `${of} ${level} ${figure} ${unit}`),
          ].join("; "),
        ],
      };
    },
  );
}
