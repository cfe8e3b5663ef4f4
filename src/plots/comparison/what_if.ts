import type { DataFrame } from "nodejs-polars";
import { labelWithUnit, pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { readOptions } from "../../show/options/read_options.ts";
import type { Chart } from "../drawing/chart.ts";
import { palette } from "../drawing/theme.ts";
import { buildMonthChannel } from "../grammar/axes.ts";
import { drawChart, type PlotOptions, plotOptions } from "../grammar/chart.ts";
import { buildKindColor, buildLevels, type KindColor, mark } from "../grammar/marks.ts";
import { readMonthColumn, readNumberColumn, requireColumns } from "../grammar/read.ts";
import { formatSpan } from "../grammar/text.ts";

const PLOT = "a what-if";

/** Number of months shown, the last ones. */
const MONTHS = 36;

const NEEDED = ["month", "predicted_production", "month_abnormality_index"] as const;

const [monthColumn, ...shown] = pickColumns(monthlyIndicesFrame, NEEDED);

const KINDS: readonly KindColor[] = [["Now", palette.blue], ["What if", palette.orange]];

/**
 * Plots how a turbine would perform after a change: energy and month abnormality index of the last 36 months, today and
 * what-if.
 *
 * @param answer Answer of `whatIf()`
 * @param options Title, source and size
 * @returns A chart that shows itself in notebooks
 * @throws {ArgumentError} If a column is missing
 *
 * @example Two months
 * ```ts
 * import { pl, plotWhatIf } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const months = (energies: number[]) =>
 *   pl.DataFrame({
 *     month: pl.Series("month", [new Date("2023-01-01"), new Date("2023-02-01")], pl.Date),
 *     predicted_production: energies,
 *     month_abnormality_index: [98, 102],
 *   });
 * const frames = { now: months([500, 400]), what_if: months([540, 436]) };
 * const summary = ["With hubHeight 120 a normal year gives 8 % more."];
 * assertStringIncludes(plotWhatIf({ frames, summary }).altText, "hubHeight 120");
 * ```
 */
export function plotWhatIf(
  { frames, summary }: {
    readonly frames: Readonly<Record<"now" | "what_if", DataFrame>>;
    readonly summary: readonly string[];
  },
  options: PlotOptions = {},
): Chart {
  const chosen = readOptions("plotWhatIf()", options, plotOptions);
  const scenarios = [frames.now, frames.what_if];
  for (const frame of scenarios) requireColumns(frame, NEEDED, PLOT, "whatIf()");
  const months = readMonthColumn(frames.now, monthColumn.name, PLOT).slice(-MONTHS);
  return drawChart(PLOT, scenarios, chosen, 150, ({ width, height, view, subject }) => ({
    title: ["What if", subject(frames.now), formatSpan(months)],
    subtitle: summary,
    views: shown.map((column) => {
      const rows = scenarios.flatMap((frame, i) => {
        const values = readNumberColumn(frame, column.name, PLOT).slice(-MONTHS);
        return months.map((month, j) => ({ month, value: values[j], kind: KINDS[i][0] }));
      });
      const values = rows.map(({ value }) => value);
      const level = column.unit === "%" ? 100 : 0;
      const line = mark("line", {
        x: { ...buildMonthChannel(months, width), scale: { domain: months, padding: 0.5 } },
        y: buildLevels(level, values, labelWithUnit(column), height)("value"),
        stroke: buildKindColor("kind", KINDS, { symbolType: "stroke" }),
        strokeWidth: 2,
      });
      return view([line], { data: { values: rows } });
    }),
    alt: ["Lines by month", summary.join(" ").slice(0, -1)],
  }));
}
