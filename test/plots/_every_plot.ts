/**
 * Every kind of plot, on real data and on the sample. As a program it prints what they look like and where the clock is.
 *
 * @module
 */
import { plotActualAgainstPredicted } from "../../src/plots/actual_predicted/actual_predicted.ts";
import type { Chart } from "../../src/plots/drawing/chart.ts";
import { plotMonthlyIndices } from "../../src/plots/monthly_indices.ts";
import { plotPowerCurve } from "../../src/plots/power_curve.ts";
import { comparisonFrame, detailsOf, hoursFrame, indicesFrame } from "./_frames.ts";

/** Every plot, on real data and on the sample. */
export function everyPlot(): Record<string, Chart> {
  const sample = indicesFrame({ world: "sample" });
  return {
    "one turbine": plotMonthlyIndices(indicesFrame()),
    "one turbine of the sample": plotMonthlyIndices(sample),
    "three turbines": plotMonthlyIndices(indicesFrame({ turbines: ["T1", "T2", "T3"] }), {
      figure: "month_abnormality_index",
    }),
    "twenty years": plotMonthlyIndices(indicesFrame({ from: "2004-01", months: 240 })),
    "one month": plotMonthlyIndices(indicesFrame({ months: 1, gaps: [] })),
    "months without data": plotMonthlyIndices(indicesFrame({ months: 3, gaps: [0, 1, 2] })),
    "a power curve": plotPowerCurve(detailsOf()),
    "a power curve with hours": plotPowerCurve(detailsOf(), { points: hoursFrame(8760) }),
    "a power curve without rated power": plotPowerCurve(detailsOf({ rated_power: null })),
    "a comparison": plotActualAgainstPredicted(comparisonFrame()),
    "a comparison of the sample": plotActualAgainstPredicted(comparisonFrame(), { source: sample }),
    "a small chart": plotActualAgainstPredicted(comparisonFrame(), { width: 200, height: 100 }),
  };
}

/** What this program prints. */
export interface Drawn {
  /** Minutes that the machine's clock is behind UTC. */
  readonly offset: number;
  /** Each plot as SVG. */
  readonly plots: Readonly<Record<string, string>>;
}

if (import.meta.main) {
  const plots: Record<string, string> = {};
  for (const [name, chart] of Object.entries(everyPlot())) plots[name] = await chart.svg();
  const drawn: Drawn = { offset: new Date(0).getTimezoneOffset(), plots };
  console.log(JSON.stringify(drawn));
}
