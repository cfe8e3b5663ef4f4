import { computeRankCorrelation } from "../../stats/rank_correlation.ts";
import { median, quantile } from "../../stats/spread.ts";

/** Expected power, as a share of rated power, from which a turbine has surely wind enough to run. */
const WINDY = 0.2;

/** Power of an hour in another unit, a thousandth, as a share of rated power. */
const THOUSANDTH = 0.0012;

/** Fewest hours in another unit, and their least rank correlation with the expected power: noise of a stopped turbine has none. */
const [MIN_HOURS, MIN_CORRELATION] = [48, 0.6];

/**
 * Finds hours, here and there, that are a thousandth of what the wind leads to expect and follow it, as nights that were
 * recorded in MW.
 *
 * @param power Hourly mean power, kW; missing is NaN
 * @param expected Expected power of the same hours, kW; missing is NaN
 * @param ratedPower Rated power, kW
 * @returns Their positions; empty where they are too few, or do not follow the wind
 */
export function findThousandths(
  power: Float64Array,
  expected: Float64Array,
  ratedPower: number,
): number[] {
  const found = [...power.keys()].filter((i) =>
    power[i] > 0 && power[i] <= THOUSANDTH * ratedPower && expected[i] >= WINDY * ratedPower
  );
  if (found.length < MIN_HOURS) return [];
  const [own, wind] = [power, expected].map((values) => Float64Array.from(found, (i) => values[i]));
  return computeRankCorrelation(own, wind) >= MIN_CORRELATION ? found : [];
}

/** Shares of an hour that energies of parts of it have: of 5, 10 and 15 minutes. */
const PARTS = [1 / 12, 1 / 6, 1 / 4];

/** How far the level of full load may be from such a share. */
const TOLERANCE = 0.06;

/** Fewest hours of full load by the wind, and the share of full load from which it is one. */
const [MIN_FULL, FULL] = [100, 0.99];

/**
 * Finds that a record reaches only a part of rated power, however strong the wind: energies of parts of an hour are read as
 * powers. A turbine that is limited to a quarter of its power for the whole record looks the same, and is as rare.
 *
 * @param power Hourly mean power, kW; missing is NaN
 * @param expected Expected power of the same hours, kW; missing is NaN
 * @param ratedPower Rated power, kW
 * @returns The part, as 1/4; `undefined` where it reaches another level
 */
export function findPartOfPower(
  power: Float64Array,
  expected: Float64Array,
  ratedPower: number,
): number | undefined {
  const full = power.filter((value, i) => !Number.isNaN(value) && expected[i] >= FULL * ratedPower);
  if (full.length < MIN_FULL) return undefined;
  const [usual, largest] = [
    median(full),
    quantile(power.filter((value) => value > 0).sort(), 0.999),
  ]
    .map((value) => value / ratedPower);
  return PARTS.find((part) =>
    [usual, largest].every((level) => Math.abs(level / part - 1) <= TOLERANCE)
  );
}
