import { isPlausibleLevel } from "../series/assert_level.ts";
import type { CheckResult, PeriodResult } from "./check_result.ts";
import { refuse } from "./refuse.ts";

/**
 * Checks that production and prediction can be of one turbine.
 *
 * @param units Number of turbines that the production is of
 * @throws {ArgumentError} If production or prediction is 0, or their ratio is not plausible
 */
export function assertPlausible(
  { periods, outages, normalRatio, by, hourly }: CheckResult,
  units: number,
): void {
  const [column, unit] = hourly ? ["power", "kW"] : ["energy", "MWh"];
  const both = periods.filter(({ produced, predicted }) => Number.isFinite(produced + predicted));
  const sum = (value: (period: PeriodResult) => number) =>
    both.reduce((total, period) => total + value(period), 0);
  const [produced, predicted] = [sum((period) => period.produced), sum((one) => one.predicted)];
  const labels = both.length === 1
    ? `in ${both[0].label}`
    : `from ${both[0].label} to ${both[both.length - 1].label}`;
  if (!(predicted > 0)) {
    refuse(`the prediction is 0 MWh ${labels}. Give predictions of a turbine that runs`);
  }
  const stopsKnown = hourly || outages.some(({ source }) => source !== "detected");
  if (!stopsKnown && !(produced > 0)) {
    refuse(
      `column "${column}" of the production has no more than 0 ${unit} in all ${by}s ${labels}. If the ` +
        "turbine was stopped all the time, name that as an outage with { outages: [{ from, to }] }",
    );
  }
  const ran = both.some(({ running }) => Number.isFinite(running));
  const ratio = ran ? normalRatio : produced / predicted;
  if (isPlausibleLevel(ratio, by === "year" ? 12 * both.length : both.length, ran)) return;
  const times = ratio >= 1 ? ratio.toFixed(1) : ratio.toPrecision(2);
  refuse(
    `${
      ran ? "outside of outages " : ""
    }the production is ${times} times the prediction, over ${by}s ${labels}. ` +
      `Column "${column}" must be in ${unit}, and of ` +
      `${units === 1 ? "one turbine" : `${units} turbines`}: convert it, or give the number of ` +
      "turbines of a park with { units: ... }",
  );
}
