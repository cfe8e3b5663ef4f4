import { type Finding, remedies } from "../finding.ts";
import { POWER_RANGE } from "./hourly_power.ts";
import { quantile, sumOf } from "../../stats/spread.ts";

/** Capacity factor below which a month or a year counts as a standstill. */
const STANDSTILL_CAPACITY_FACTOR = 0.01;

/**
 * Finds months or years of standstill, or whose energy is more than a turbine can produce or consume. Consumption of
 * a stopped turbine is a standstill. Skips a period without valid hours, because its energy covers no time.
 *
 * @param periods Energy in kWh (missing is NaN) of each period, and the hours that it covers
 * @param ratedPower Rated power, kW
 */
export function findPeriodFaults(
  periods: readonly { readonly label: string; readonly energy: number; readonly hours: number }[],
  ratedPower: number,
): Finding[] {
  return periods.flatMap(({ label, energy, hours }, i): Finding[] => {
    if (hours === 0) return [];
    const factor = energy / (hours * ratedPower);
    const percent = `${(100 * factor).toFixed(1)} %`;
    if (factor < POWER_RANGE[0] || factor > 1) {
      const message = `${label}: capacity factor of ${percent}`;
      return [{ kind: "out_of_range", from: i, to: i + 1, message }];
    }
    if (factor < STANDSTILL_CAPACITY_FACTOR) {
      const message = `${label}: standstill, capacity factor of ${percent}`;
      return [{ kind: "standstill", from: i, to: i + 1, message }];
    }
    return [];
  });
}

/** Share of impossible capacity factors above which the unit is suspected, not the turbine. */
const WRONG_UNIT_SHARE = 0.05;

/** Largest hourly capacity factor below which the unit is suspected: any turbine exceeds it sometimes. */
const MIN_LARGEST_FACTOR = 0.05;

/** Mean capacity factor below which the unit is suspected. */
const MIN_MEAN_FACTOR = 0.005;

/** Whether capacity factors are of hours, or of longer periods such as months and years. */
export type FactorKind = "hours" | "periods";

/**
 * Usual capacity factors: rated power in the strongest hours, a third of it in months and years. From periods the
 * factor is accurate within a factor of about two.
 */
const USUAL_FACTOR: Readonly<Record<FactorKind, number>> = { hours: 1, periods: 0.33 };

/**
 * Suspects a wrong unit, rated power or number of units by the capacity factor: impossibly large in more than
 * {@linkcode WRONG_UNIT_SHARE} of the values, or nearly 0 all the time.
 *
 * @param factors Production divided by the production at rated power; missing is NaN
 * @param kind Whether the values are of hours or of periods
 * @returns One finding over all values that names the likely factor, or none
 */
export function suspectUnit(factors: Float64Array, kind: FactorKind): Finding[] {
  const known = factors.filter((factor) => !Number.isNaN(factor));
  if (known.length === 0) return [];
  const limit = kind === "hours" ? POWER_RANGE[1] : 1;
  const above = known.reduce((count, factor) => factor > limit ? count + 1 : count, 0);
  const mean = sumOf(known) / known.length;
  const largest = known.reduce((most, factor) => Math.max(most, factor), -Infinity);
  const tooMuch = above > WRONG_UNIT_SHARE * known.length;
  const tooLittle = mean < MIN_MEAN_FACTOR || (kind === "hours" && largest < MIN_LARGEST_FACTOR);
  if (!tooMuch && !tooLittle) return [];
  // By a quantile, so a single wrong value does not set the factor.
  const sorted = known.sort();
  const seen = kind === "hours" ? quantile(sorted, 0.99) : quantile(sorted, 0.5);
  const message =
    `mean capacity factor of ${formatFactor(mean)}, largest ${formatFactor(largest)}: ` +
    `${explainRatio(seen / USUAL_FACTOR[kind])}. ${remedies.wrong_unit}`;
  return [{ kind: "wrong_unit", from: 0, to: factors.length, message }];
}

/** Largest ratio that counts as a number of units in a park; a larger one is a power of a thousand. */
const MAX_UNITS = 250;

/**
 * Explains a ratio to the usual or the predicted production by units and numbers of turbines.
 *
 * @param ratio Produced over expected energy, as a share
 */
export function explainRatio(ratio: number): string {
  if (!(ratio > 0)) return "always nearly 0";
  const size = ratio > 1 ? ratio : 1 / ratio;
  const thousands = size < MAX_UNITS ? 0 : 1 + Math.floor(Math.log10(size / MAX_UNITS) / 3);
  const factor = thousands > 0 ? 1000 ** thousands : Math.max(2, Math.round(size));
  if (ratio > 1) {
    return thousands > 0
      ? `probably ${factor} times too much, such as kWh read as MWh`
      : `probably the total of about ${factor} units`;
  }
  const share = thousands > 0
    ? `probably 1/${factor} of the true value, such as MWh read as kWh`
    : `probably divided by about ${factor}`;
  return `${share}, unless it was stopped all the time`;
}

const formatFactor = (factor: number) => Number(factor.toPrecision(3)).toString();
