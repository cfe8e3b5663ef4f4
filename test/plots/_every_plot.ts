/**
 * Every kind of plot, on real data and on the sample. Run as a program, it prints each as SVG, and the clock's UTC offset.
 *
 * @module
 */
import { plotActualAgainstPredicted } from "../../src/plots/comparison/actual_predicted.ts";
import type { Chart } from "../../src/plots/drawing/chart.ts";
import { plotMonthlyIndices } from "../../src/plots/index/monthly_indices.ts";
import { plotPowerCurve } from "../../src/plots/hours/power_curve.ts";
import {
  buildComparisonFrame,
  buildDetails,
  buildHoursFrame,
  buildIndicesFrame,
} from "./_frames.ts";

/** Every plot, on real data and on the sample. */
export function buildEveryPlot(): Record<string, Chart> {
  const sample = buildIndicesFrame({ world: "sample" });
  return {
    "one turbine": plotMonthlyIndices(buildIndicesFrame()),
    "one turbine of the sample": plotMonthlyIndices(sample),
    "three turbines": plotMonthlyIndices(buildIndicesFrame({ turbines: ["T1", "T2", "T3"] }), {
      figure: "month_abnormality_index",
    }),
    "twenty years": plotMonthlyIndices(buildIndicesFrame({ from: "2004-01", months: 240 })),
    "one month": plotMonthlyIndices(buildIndicesFrame({ months: 1, gaps: [] })),
    "months without data": plotMonthlyIndices(buildIndicesFrame({ months: 3, gaps: [0, 1, 2] })),
    "a power curve": plotPowerCurve(buildDetails()),
    "a power curve with hours": plotPowerCurve(buildDetails(), { points: buildHoursFrame(8760) }),
    "a power curve without rated power": plotPowerCurve(buildDetails({ rated_power: null })),
    "a comparison": plotActualAgainstPredicted(buildComparisonFrame()),
    "a comparison of the sample": plotActualAgainstPredicted(buildComparisonFrame(), {
      source: sample,
    }),
    "a small chart": plotActualAgainstPredicted(buildComparisonFrame(), {
      width: 200,
      height: 100,
    }),
  };
}

/** Output of this program. */
export interface ProgramOutput {
  /** Minutes by which the machine's clock is behind UTC. */
  readonly offset: number;
  /** Each plot as SVG. */
  readonly plots: Readonly<Record<string, string>>;
}

if (import.meta.main) {
  const plots: Record<string, string> = {};
  for (const [name, chart] of Object.entries(buildEveryPlot())) plots[name] = await chart.svg();
  const drawn: ProgramOutput = { offset: new Date(0).getTimezoneOffset(), plots };
  console.log(JSON.stringify(drawn));
}
