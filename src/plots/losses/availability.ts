import { pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { readOptions } from "../../show/options/read_options.ts";
import { formatFigures } from "../../show/text/numbers.ts";
import type { Chart } from "../drawing/chart.ts";
import { diverging, nested, palette, ramp } from "../drawing/theme.ts";
import { buildMonthChannel } from "../grammar/axes.ts";
import { drawChart, type PlotOptions, plotOptions } from "../grammar/chart.ts";
import {
  buildFigureField,
  buildKindColor,
  buildLevels,
  buildVerticalAxis,
  dot,
  type KindColor,
  mark,
  PLAIN,
  quantity,
  SQUARES,
} from "../grammar/marks.ts";
import {
  type Drawn,
  frameOf,
  readMonthColumn,
  readRows,
  refusePlot,
  requireColumns,
} from "../grammar/read.ts";
import { buildMonthRows, fillRows } from "../grammar/rows.ts";
import { formatEnds, formatSpan } from "../grammar/text.ts";
import { listGiven } from "../../show/text/lists.ts";

const PLOT = "the availability";
const MADE_BY = "measureAvailability()";

const [month] = pickColumns(monthlyIndicesFrame, ["month"]);

/** Figures of a month, %, by their name in the picture. */
const FIGURES = {
  time: "time_availability",
  production: "production_availability",
  low: "production_availability_low",
  high: "production_availability_high",
} as const;

const [TIME, PRODUCTION] = ["By time", "By production, with 90 % interval"];

/**
 * Colours: availabilities, then categories of unavailable or limited time. Each has a different lightness, so a grey print
 * distinguishes them.
 */
const COLORS: readonly KindColor[] = [
  [TIME, palette.blue],
  [PRODUCTION, palette.black],
  ["Forced Outage", palette.vermilion],
  ["Unclassified Stop", palette.missing],
  ["Planned Corrective Action", palette.orange],
  ["Scheduled Maintenance", diverging[1]],
  ["Requested Shutdown", ramp[3]],
  ["Out of Electrical Specification", nested[2]],
  ["Partial Performance", ramp[4]],
  ["Technical Standby", ramp[1]],
  ["Suspended", ramp[5]],
  ["Force Majeure", ramp[6]],
];

/**
 * Plots the availability of each month, by time and by production with its 90 % interval, and below it the loss in each
 * category: energy, or hours if energies are unknown.
 *
 * @param given Answer of `measureAvailability()`: `months` and `monthCategories` of its `frames`
 * @param options Title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing, a month is duplicated, or no month has a figure
 *
 * @example The availability of the sample by its power alone
 * ```ts
 * import {
 *   exampleFile,
 *   measureAvailability,
 *   modelData,
 *   plotAvailability,
 *   readProduction,
 * } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const production = await readProduction(await exampleFile("production.csv"), {
 *   resolution: "hour",
 *   unit: "kW",
 *   time: "time",
 *   column: "power",
 * });
 * const predicted = await modelData("T1", { from: 2024, to: 2024 });
 * const chart = plotAvailability(measureAvailability(production, { predicted, from: 2024, to: 2024 }));
 * assertStringIncludes(chart.altText, "January 2024 to December 2024");
 * ```
 */
export function plotAvailability(
  given: Drawn<"months" | "monthCategories">,
  options: PlotOptions = {},
): Chart {
  const chosen = readOptions("plotAvailability()", options, plotOptions);
  const [months, parts] = [frameOf(given, "months"), frameOf(given, "monthCategories")];
  requireColumns(months, [month.name, ...Object.values(FIGURES)], PLOT, MADE_BY);
  requireColumns(parts, [month.name, "category", "counts", "hours", "lost"], PLOT, MADE_BY);
  const rows = fillRows(months, buildMonthRows(months, PLOT), FIGURES, PLOT);
  const losses = readRows(parts, PLOT, ["hours", "lost"], ["category", "counts"]);
  const known = losses.some(({ lost }) => lost !== null);
  const unit = known ? "MWh" : "h";
  const bars = readMonthColumn(parts, month.name, PLOT).map((month, i) => {
    const { category, hours, lost } = losses[i];
    return { month, category, value: known ? lost : hours };
  }).filter(({ value }, i) => value !== null && /unavailable|limited/.test(losses[i].counts ?? ""));
  if (bars.length === 0 && rows.every(({ time, production }) => (time ?? production) === null)) {
    refusePlot(
      PLOT,
      `no month has an availability, and no category a loss. Give months with figures from ${MADE_BY}`,
    );
  }
  const kinds = COLORS.filter(([name]) =>
    name === TIME || (name === PRODUCTION && known) || bars.some((bar) => bar.category === name)
  );
  const [lowest] = rows.filter(({ time }) => time !== null).sort((a, b) => a.time! - b.time!);
  const sums = kinds.flatMap(([name]) => {
    const lostValues = bars.filter(({ category }) => category === name).map(({ value }) => value!);
    return lostValues.length === 0
      ? []
      : [`${name} ${formatFigures([lostValues.reduce((a, b) => a + b)], unit)}`];
  });
  const summary = [
    lowest ? `Lowest by time: ${formatFigures([lowest.time!], "%")} in ${lowest.label}` : "No data",
    ...sums,
  ].join("; ");
  return drawChart(PLOT, [months], chosen, 160, ({ width, height, view, subject }) => {
    const x = buildMonthChannel(rows.map((row) => row.month), width);
    const legend = { ...SQUARES, columns: Math.max(1, Math.floor(width / 210)) };
    const color = (of: string | { datum: string }) => buildKindColor(of, kinds, legend);
    const levels = rows.flatMap(({ time, low, production }) => [time, low, production]);
    const y = buildLevels(100, levels, "Availability (%)", height, PLAIN);
    const point = (field: "time" | "production", datum: string, shape: string) =>
      dot({
        where: { field, valid: true },
        x,
        y: y(field),
        color: color({ datum }),
        shape,
        tooltip: [{ field: "label", title: "Month" }, buildFigureField(field, datum, ".1f")],
      });
    const marks = [
      mark("rule", {
        where: "isValid(datum.low) && isValid(datum.high)",
        x,
        y: y("low"),
        y2: { field: "high" },
        color: color({ datum: PRODUCTION }),
      }),
      point("production", PRODUCTION, "diamond"),
      point("time", TIME, "circle"),
    ];
    const stack = mark("bar", {
      x,
      color: color("category"),
      stroke: palette.text,
      strokeWidth: 0.5,
      y: quantity("value", undefined, buildVerticalAxis(`Lost (${unit})`, height, PLAIN)),
      tooltip: [
        { field: "category", title: "Category" },
        buildFigureField("value", `Lost (${unit})`, ",.1f"),
      ],
    });
    return {
      title: ["Availability", subject(months), formatSpan(rows.map((row) => row.month))],
      subtitle: [summary],
      views: listGiven(
        view(marks, { data: { values: rows } }),
        bars.length !== 0 && view([stack], { data: { values: bars } }),
      ),
      alt: ["Points of months, and bars of what was lost", `${formatEnds(rows)}. ${summary}`],
    };
  });
}
