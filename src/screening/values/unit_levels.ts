import { type Finding, listHours } from "../finding.ts";
import { computeRankCorrelation } from "../../stats/regression.ts";
import { median, quantile } from "../../stats/spread.ts";

/** Largest cost of a value, because a value far from every level shows no more than that. */
export const LARGEST_COST = 1.5;

/** Cost of a change between levels: three values on a level far away, or a week and more on a near one, outweigh two. */
const CHANGE_COST = 2;

/**
 * Finds the level of each value of a series, by the path of least cost (Viterbi): the distances of the values from
 * their levels, and a cost for each change. A few outliers have no effect.
 *
 * @param values The series; NaN is ignored
 * @param levels The levels; the series is assumed to start on the first
 * @returns Position of the level of each value, and the cost
 */
export function findCheapestPath(
  values: Float64Array,
  levels: readonly number[],
): { readonly states: Uint8Array; readonly cost: number } {
  const count = levels.length;
  const before = new Uint8Array(values.length * count);
  let costs: number[] = levels.map((_, state) => state === 0 ? 0 : CHANGE_COST);
  const cheapest = () => costs.indexOf(Math.min(...costs));
  for (const [i, value] of values.entries()) {
    const best = cheapest();
    costs = costs.map((cost, state) => {
      const changed = costs[best] + CHANGE_COST;
      before[i * count + state] = cost <= changed ? state : best;
      const distance = Number.isNaN(value) ? 0 : Math.abs(value - levels[state]);
      return Math.min(cost, changed) + Math.min(distance, LARGEST_COST);
    });
  }
  const states = new Uint8Array(values.length);
  let state = cheapest();
  const cost = costs[state];
  for (let i = values.length - 1; i >= 0; i--) {
    states[i] = state;
    state = before[i * count + state];
  }
  return { states, cost };
}

/** Expected power, as a share of rated power, from which a turbine certainly has enough wind to run. */
const WINDY = 0.2;

/** Power of an hour in another unit, a thousandth, as a share of rated power. */
const THOUSANDTH = 0.0012;

/** Fewest hours in another unit, and their least rank correlation with the expected power: the noise of a stopped turbine has none. */
const [MIN_HOURS, MIN_CORRELATION] = [48, 0.6];

/**
 * Finds scattered hours that are a thousandth of the expected power and follow the wind, such as nights recorded in MW.
 *
 * @param power Hourly mean power, kW; missing is NaN
 * @param expected Expected power of the same hours, kW; missing is NaN
 * @param ratedPower Rated power, kW
 * @returns Their positions; empty if they are too few, or do not follow the wind
 */
export function findThousandths(
  power: Float64Array,
  expected: Float64Array,
  ratedPower: number,
): number[] {
  const hours = [...power.keys()].filter((i) =>
    power[i] > 0 && power[i] <= THOUSANDTH * ratedPower && expected[i] >= WINDY * ratedPower
  );
  if (hours.length < MIN_HOURS) return [];
  const [produced, wind] = [power, expected].map((values) =>
    Float64Array.from(hours, (i) => values[i])
  );
  return computeRankCorrelation(produced, wind) >= MIN_CORRELATION ? hours : [];
}

/** Shares of an hour of 5, 10 and 15 minutes: energies of such parts, read as powers, reach only these. */
const PARTS = [1 / 12, 1 / 6, 1 / 4];

/** How far the level of full load may differ from such a share. */
const TOLERANCE = 0.06;

/** Fewest hours of expected full load, and the expected share of rated power that counts as full load. */
const [MIN_FULL, FULL] = [100, 0.99];

/** Power exceeded in one of a thousand hours below which a turbine never reaches its rated power, as a share of it. */
const MIN_REACHED = 0.9;

/** Fewest different powers of a record that is not rounded too much, and fewest hours to judge it. */
const [MIN_DIFFERENT, MIN_VARYING] = [20, 1000];

/**
 * Counts the different powers of a record that is rounded so much that repeated values mean nothing.
 *
 * @param range Power that differs from hour to hour, kW
 * @returns `undefined` if there are enough of them, or too few hours
 */
export function countCoarse(
  power: Float64Array,
  [low, high]: readonly [number, number],
): number | undefined {
  const varying = power.filter((value) => value > low && value < high);
  const { size } = new Set(varying);
  return varying.length >= MIN_VARYING && size < MIN_DIFFERENT ? size : undefined;
}

/** Largest power of a dropped value, and smallest power of the hours next to it, as shares of rated power. */
const [DROPPED, NEIGHBOUR] = [0.02, 0.3];

/** Fewest hours with the same dropped value, and their least share of all. */
const [MIN_DROPS, DROP_SHARE] = [20, 0.002];

/**
 * Finds single hours with the same value near 0 between hours of high power: the value means missing. A turbine that
 * stops for an hour has less power in the hours next to it, and not the same power each time.
 *
 * @param power Hourly mean power, kW; missing is NaN
 * @param ratedPower Rated power, kW
 */
export function findDropped(power: Float64Array, ratedPower: number): Finding[] {
  const isStrong = (value: number) => value >= NEIGHBOUR * ratedPower;
  const dropped = [...power.keys()].filter((i) =>
    power[i] <= DROPPED * ratedPower && isStrong(power[i - 1]) && isStrong(power[i + 1])
  );
  return [...Map.groupBy(dropped, (i) => power[i])]
    .filter(([, all]) => all.length >= Math.max(MIN_DROPS, DROP_SHARE * power.length))
    .flatMap(([value, all]) => {
      const runs = all.map((from) => ({ from, to: from + 1 }));
      return listHours("dropped", runs, () => `of ${value} kW between hours of strong power`);
    });
}

/**
 * Finds whether a record reaches only a part of rated power, however strong the wind, because energies of parts of an
 * hour are read as powers. A turbine that is limited to a quarter of its power for the whole record looks the same, but
 * is rare.
 *
 * @param power Hourly mean power, kW; missing is NaN
 * @param expected Expected power of the same hours, kW; missing is NaN
 * @param ratedPower Rated power, kW
 * @returns The part, such as 1/4; `undefined` if it reaches another level
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

/**
 * Finds whether a record never comes near rated power, however strong the wind, because of a limit, or another unit,
 * rated power or number of units.
 *
 * @param power Hourly mean power, kW; missing is NaN
 * @param expected Expected power of the same hours, kW; missing is NaN
 * @param ratedPower Rated power, kW
 * @returns The largest share of rated power that it reaches; `undefined` if that is near 1, or the wind is too weak
 */
export function findUnreached(
  power: Float64Array,
  expected: Float64Array,
  ratedPower: number,
): number | undefined {
  const full = power.filter((value, i) => value > 0 && expected[i] >= FULL * ratedPower);
  if (full.length < MIN_FULL) return undefined;
  const reached = quantile(power.filter((value) => value > 0).sort(), 0.999) / ratedPower;
  return reached < MIN_REACHED ? reached : undefined;
}
