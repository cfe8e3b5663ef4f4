import { quantile } from "../../stats/quantile.ts";
import type { Finding } from "../finding.ts";
import { POWER_RANGE } from "./hourly_power.ts";
import { remedies } from "../remedies.ts";

/** Share of impossible capacity factors from which the unit, not the turbine, is in doubt. */
const WRONG_UNIT_SHARE = 0.05;

/** Largest hourly capacity factor below which the unit is in doubt: any turbine has passed it once. */
const MIN_LARGEST_FACTOR = 0.05;

/** Mean capacity factor below which the unit is in doubt. */
const MIN_MEAN_FACTOR = 0.005;

/** What capacity factors are of: hours, or longer periods such as months and years. */
export type FactorKind = "hours" | "periods";

/**
 * Capacity factors of what runs as it should: of the strongest hours rated power, of months and years a third. Periods
 * tell a factor within a factor of about two.
 */
const USUAL_FACTOR: Readonly<Record<FactorKind, number>> = { hours: 1, periods: 0.33 };

/**
 * Suspects production of a wrong unit, rated power or number of units, by its capacity factor: above what a turbine can
 * give in more than {@linkcode WRONG_UNIT_SHARE} of the values, or next to nothing all the time.
 *
 * @param factors Production divided by what rated power gives in the same time; missing is NaN
 * @param of What the values are of
 * @returns One finding over all values that names the likely factor, or nothing
 */
export function suspectUnit(factors: Float64Array, of: FactorKind): Finding[] {
  const sorted = factors.filter((factor) => !Number.isNaN(factor)).sort();
  if (sorted.length === 0) return [];
  const limit = of === "hours" ? POWER_RANGE[1] : 1;
  const above = sorted.reduce((count, factor) => factor > limit ? count + 1 : count, 0);
  const mean = sorted.reduce((sum, factor) => sum + factor, 0) / sorted.length;
  const largest = sorted[sorted.length - 1];
  const tooMuch = above > WRONG_UNIT_SHARE * sorted.length;
  const tooLittle = mean < MIN_MEAN_FACTOR || (of === "hours" && largest < MIN_LARGEST_FACTOR);
  if (!tooMuch && !tooLittle) return [];
  // A single wrong value must not name the factor.
  const seen = of === "hours" ? quantile(sorted, 0.99) : quantile(sorted, 0.5);
  const message =
    `mean capacity factor of ${formatFactor(mean)}, largest ${formatFactor(largest)}: ` +
    `${explainRatio(seen / USUAL_FACTOR[of])}. ${remedies.wrong_unit}`;
  return [{ kind: "wrong_unit", from: 0, to: factors.length, message }];
}

/** Units of a park up to which a ratio counts units; beyond it, it is a power of a thousand. */
const MAX_UNITS = 250;

/** Says what a ratio to the usual production stands for. */
function explainRatio(ratio: number): string {
  if (!(ratio > 0)) return "next to nothing all the time";
  const size = ratio > 1 ? ratio : 1 / ratio;
  const thousands = size < MAX_UNITS ? 0 : 1 + Math.floor(Math.log10(size / MAX_UNITS) / 3);
  const factor = thousands > 0 ? 1000 ** thousands : Math.max(2, Math.round(size));
  if (ratio > 1) {
    return thousands > 0
      ? `likely ${factor} times too much, such as kWh read as MWh`
      : `likely the total of about ${factor} units`;
  }
  const share = thousands > 0
    ? `likely 1/${factor} of it, such as MWh read as kWh`
    : `likely divided by about ${factor}`;
  return `${share}, if it did not stand still all the time`;
}

const formatFactor = (factor: number) => Number(factor.toPrecision(3)).toString();
