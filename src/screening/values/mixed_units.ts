import { computeRankCorrelation } from "../../stats/regression.ts";
import { mean, median, quantile, variance } from "../../stats/spread.ts";
import { HOUR, type HourAxis } from "../../time/hourly.ts";
import { clockAt } from "../../time/zones.ts";
import { findRuns } from "../finding.ts";
import { findCheapestPath, LARGEST_COST } from "./unit_levels.ts";

/** A stretch of a record whose values are in another unit than the rest. */
export interface UnitStretch {
  /** First position. */
  readonly from: number;
  /** Position after the last one. */
  readonly to: number;
  /** How many times too large the values are: 1000 for kWh read as MWh, 0.001 for MW read as kW, 6 for kW read as kWh of ten minutes. */
  readonly factor: number;
  /** Whether only a unit can explain it. */
  readonly certain: boolean;
}

/** Whether a factor is certainly between units, a thousand and more, and not a number of turbines. */
export const isUnitFactor = (factor: number): boolean => Math.abs(Math.log10(factor)) > 2;

/**
 * Factors between units, as powers of ten: thousands, and energies of 5, 10 and 15 minutes that are read as powers. The
 * search for stretches uses ten minutes for all of these, and finds the nearest afterwards.
 */
const [THOUSAND, TEN_MINUTES] = [3, Math.log10(6)];
const LEVELS = [0, TEN_MINUTES, THOUSAND - TEN_MINUTES, THOUSAND, 2 * THOUSAND]
  .flatMap((level) => level === 0 ? [0] : [level, -level]);
const FACTORS = [4, 6, 12, 1000 / 12, 1000 / 6, 1000 / 4, 1000, 1e6];

/** Biases of a model against the site, as powers of ten: the search tries each. */
const BIASES = [-0.4, -0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3, 0.4];

/** Limits for another unit; tolerances are powers of ten. */
interface Limits {
  /** Hours of a block. */
  readonly block: number;
  /** Fewest blocks with values in a stretch: with a factor of a hundred or more, and with a smaller one. */
  readonly blocks: readonly [large: number, small: number];
  /** How far the measured factor may be from a factor of units: for a large one and for a smaller one. */
  readonly tolerance: readonly [large: number, small: number];
  /** How far a stretch may differ from the rest in its shape ({@linkcode measureShape}), which a power limit changes. */
  readonly shape: { readonly large: readonly number[]; readonly small: readonly number[] };
}

/**
 * With wind, a day shows the level, and three days make a stretch: as long as a standstill. Without wind, the strongest
 * hours of a week show the level, and three weeks make a stretch.
 *
 * Chosen on the worlds 1000 to 1049 of `deno task soak`, two records each, with stops and without: no false stretch is
 * found in them, even if one or four months have no power, noise, or half of the power, except for one of 1,000 judged
 * without wind. Two months a thousand times too small are found in all with wind, in 98 of 100 without; at a sixth in
 * 79 and 60. A power limit at a sixth or a quarter is mistaken for a unit in 1 of 400 with wind, in 4 without.
 */
const WITH_WIND: Limits = {
  block: 24,
  blocks: [3, 14],
  tolerance: [0.25, 0.06],
  shape: { large: [], small: [0.1] },
};
const WITHOUT_WIND: Limits = {
  block: 168,
  blocks: [3, 6],
  tolerance: [0.3, 0.08],
  shape: { large: [0.35, 0.6], small: [0.2, 0.3] },
};

/** Smallest mean expected power of a day, as a share of rated power: with less, the ratio means nothing. */
const MIN_EXPECTED = 0.05;

/** Fewest valid hours of a block, as a share. */
const MIN_VALID = 0.25;

/** Quantile of the strongest hours of a week, and their usual power, as a share of rated power. */
const [STRONG_HOURS, STRONG_POWER] = [0.98, 0.8];

/** Quantile of the middling hours of a week. */
const MIDDLING_HOURS = 0.6;

/** Smallest rank correlation of power that follows the wind, hour by hour. */
const FOLLOWS = 0.5;

/** The hours to judge. */
interface Judged {
  readonly power: Float64Array;
  /** Expected power, kW, or `undefined` if the wind is unknown. */
  readonly expected: Float64Array | undefined;
  readonly ratedPower: number;
  readonly limits: Limits;
}

/** Measures the level of a block: power over expected power, as a power of ten; NaN if it means nothing. */
function measureBlock({ power, expected, ratedPower, limits }: Judged, from: number): number {
  const to = Math.min(from + limits.block, power.length);
  if (!expected) {
    const known = power.slice(from, to).filter((value) => !Number.isNaN(value)).sort();
    const strong = quantile(known, STRONG_HOURS) / (STRONG_POWER * ratedPower);
    return known.length >= MIN_VALID * limits.block && strong > 0 ? Math.log10(strong) : NaN;
  }
  let [valid, produced, predicted] = [0, 0, 0];
  for (let i = from; i < to; i++) {
    if (Number.isNaN(power[i] + expected[i])) continue;
    valid++;
    produced += power[i];
    predicted += expected[i];
  }
  return valid >= MIN_VALID * limits.block && predicted >= MIN_EXPECTED * ratedPower * valid &&
      produced > 0
    ? Math.log10(produced / predicted)
    : NaN;
}

/** Picks blocks that have a level. */
const pick = (levels: Float64Array, keep: (block: number) => boolean): number[] =>
  [...levels.keys()].filter((i) => keep(i) && !Number.isNaN(levels[i]));

/** Whether power follows the wind or, without wind, varies as the power of a running turbine does. */
function follows({ power, expected }: Judged, from: number, to: number): boolean {
  const other = expected ?? power.subarray(1); // without wind, each hour resembles its neighbour
  const known = Array.from({ length: to - from }, (_, i) => from + i)
    .filter((i) => !Number.isNaN(power[i] + (other[i] ?? NaN)));
  const values = (series: Float64Array) => Float64Array.from(known, (i) => series[i]);
  return computeRankCorrelation(values(power), values(other)) >= FOLLOWS;
}

/**
 * Measures what a power limit or a calm season changes, but not a unit: how far the level of windy days is from the
 * other days; or without wind, which share of the strong hours is at the top, and how far the middling ones are from
 * it, as a power of ten.
 */
function measureShape(
  { power, expected, ratedPower, limits: { block } }: Judged,
  levels: Float64Array,
  blocks: number[],
): number[] {
  if (!expected) {
    const shapes = blocks.map((i) => {
      const top = STRONG_POWER * ratedPower * 10 ** levels[i];
      const hours = power.slice(i * block, (i + 1) * block)
        .filter((value) => !Number.isNaN(value)).sort();
      const count = (share: number) => hours.filter((value) => value > share * top).length;
      const middling = Math.max(quantile(hours, MIDDLING_HOURS) / top, 0.001);
      return [count(0.9) / count(0.5), Math.log10(middling)];
    });
    return [0, 1].map((which) => median(shapes.map((shape) => shape[which])));
  }
  const windOf = (i: number) =>
    mean(expected.slice(i * block, (i + 1) * block).filter((value) => !Number.isNaN(value)));
  const sorted = blocks.map((i) => ({ level: levels[i], wind: windOf(i) }))
    .sort((one, other) => one.wind - other.wind).map(({ level }) => level);
  const half = Math.floor(sorted.length / 2);
  return [median(sorted.slice(half)) - median(sorted.slice(0, half))];
}

/** Finds the factor of units that explains a stretch of blocks; `undefined` if none does. */
function explainStretch(
  judged: Judged,
  levels: Float64Array,
  { from, to }: { readonly from: number; readonly to: number },
  usualBlocks: number[],
): number | undefined {
  const { limits } = judged;
  const blocks = pick(levels, (i) => i >= from && i < to);
  const level = (positions: number[]) => median(positions.map((i) => levels[i]));
  const measured = level(blocks) - level(usualBlocks);
  const sizes = FACTORS.map((factor) => Math.sign(measured) * Math.log10(factor));
  const nearest = sizes.reduce((a, b) => Math.abs(b - measured) < Math.abs(a - measured) ? b : a);
  const kind = Math.abs(nearest) >= 2 ? 0 : 1;
  if (blocks.length < limits.blocks[kind]) return undefined;
  if (Math.abs(measured - nearest) > limits.tolerance[kind]) return undefined;
  if (!follows(judged, from * limits.block, Math.min(to * limits.block, judged.power.length))) {
    return undefined;
  }
  const [shape, usual] = [blocks, usualBlocks].map((positions) =>
    measureShape(judged, levels, positions)
  );
  const most = kind === 0 ? limits.shape.large : limits.shape.small;
  if (most.some((tolerance, i) => Math.abs(shape[i] - usual[i]) > tolerance)) return undefined;
  return Number((10 ** nearest).toPrecision(6));
}

/** Finds where the unit changes, near a change of blocks; prefers the start of a month or a day. */
function findBoundary(
  { power, expected, ratedPower, limits }: Judged,
  axis: HourAxis,
  timeZone: string,
  [first, last]: readonly [number, number],
  [before, after]: readonly [number, number],
): number {
  const costOf = (i: number, level: number) => {
    const ratio = power[i] / (expected ? expected[i] : STRONG_POWER * ratedPower / 2);
    if (!(ratio > 0) || expected && expected[i] < MIN_EXPECTED * ratedPower) return 0;
    return Math.min(LARGEST_COST, Math.abs(Math.log10(ratio) - level));
  };
  const from = Math.max(0, first * limits.block);
  const to = Math.min(power.length, last * limits.block);
  // A few hours show little between near levels, where the unit most likely changed with a day.
  const noise = Math.abs(before - after) > 1 ? LARGEST_COST : 5 * LARGEST_COST;
  let [sum, best, at] = [0, Infinity, from];
  for (let i = from; i <= to; i++) {
    const { day, hour } = clockAt(axis.start + i * HOUR, timeZone);
    const bonus = hour > 0 ? 0 : day > 1 ? noise / 2 : noise;
    if (sum - bonus < best) [best, at] = [sum - bonus, i];
    if (i < to) sum += costOf(i, before) - costOf(i, after);
  }
  return at;
}

/**
 * Finds stretches of hours in another unit than the rest of the record. Judges each stretch by the wind of its hours,
 * or without wind by the strongest hours of its weeks. A stretch must follow the wind, or vary as a running turbine
 * does, which a standstill does not. A record that is entirely in a wrong unit has no such stretch.
 *
 * @param series Hourly mean power, kW; missing is NaN
 * @param timeZone Zone of the days at which units are expected to change
 * @param ratedPower Rated power, kW
 * @param expected Expected power of the same hours, kW, which may have a bias; missing is NaN
 * @returns In order of time
 */
export function findMixedHours(
  { axis, power }: { readonly axis: HourAxis; readonly power: Float64Array },
  timeZone: string,
  ratedPower: number,
  expected?: Float64Array,
): UnitStretch[] {
  const [known, withWind] = power.reduce(([values, pairs], value, i) => {
    if (Number.isNaN(value)) return [values, pairs];
    return [values + 1, expected && !Number.isNaN(expected[i]) ? pairs + 1 : pairs];
  }, [0, 0]);
  const hasWind = withWind > known / 2;
  const judged: Judged = hasWind
    ? { power, expected, ratedPower, limits: WITH_WIND }
    : { power, expected: undefined, ratedPower, limits: WITHOUT_WIND };
  const { block } = judged.limits;
  const levels = Float64Array.from(
    { length: Math.ceil(power.length / block) },
    (_, i) => measureBlock(judged, i * block),
  );
  const { states, bias } = (hasWind ? BIASES : [0])
    .map((bias) => ({ bias, ...findCheapestPath(levels.map((level) => level - bias), LEVELS) }))
    .reduce((a, b) => b.cost < a.cost ? b : a);
  const usualBlocks = pick(levels, (i) => states[i] === 0);
  if (usualBlocks.length < judged.limits.blocks[0]) return [];
  const runs = LEVELS.flatMap((level, state) =>
    state === 0 ? [] : findRuns(states.length, (i) => states[i] === state).map((run) => ({
      ...run,
      level,
      factor: explainStretch(judged, levels, run, usualBlocks),
    }))
  ).sort((a, b) => a.from - b.from);
  const nextKnown = (from: number, step: 1 | -1) => {
    let i = from;
    while (i > 0 && i < levels.length - 1 && Number.isNaN(levels[i])) i += step;
    return i;
  };
  const change = (at: number) => {
    if (at === 0) return 0;
    if (at === levels.length) return power.length;
    const window = [nextKnown(at - 1, -1) - 1, nextKnown(at, 1) + 2] as const;
    const around = [LEVELS[states[at - 1]] + bias, LEVELS[states[at]] + bias] as const;
    return findBoundary(judged, axis, timeZone, window, around);
  };
  return runs.filter(({ factor }) => factor !== undefined).map(({ from, to, level, factor }) => ({
    from: change(from),
    to: change(to),
    factor: factor!,
    certain: hasWind || Math.abs(level) > 1,
  }));
}

/** Energy of a month or year to judge. */
export interface JudgedPeriod {
  /** Energy, kWh; missing is NaN. */
  readonly energy: number;
  /** Hours that it covers. */
  readonly hours: number;
  /** Expected energy of these hours, kWh, which may have a bias; missing or unknown is NaN. */
  readonly expected?: number;
}

/** Usual capacity factor of a month or year. */
const USUAL_FACTOR = 0.33;

/** How far energies in one unit differ, as powers of ten: relative to the wind, and without it over the seasons. */
const SPREAD = { wind: 0.25, seasons: 0.5 } as const;

/** Smallest factor between impossibly large months and the others: relative to the wind, and without it. */
const SMALLEST = { wind: 1.8, seasons: 4 } as const;

/** Smallest spread of the energies of several months with production, as a power of ten: noise has less. */
const MIN_SPREAD = 0.04;

/** Whether several small energies follow the wind, or vary from month to month, unlike a standstill. */
function variesWithWind(periods: readonly JudgedPeriod[], hasWind: boolean): boolean {
  if (periods.length < 2) return false;
  const spread = (reference: (period: JudgedPeriod) => number) =>
    Math.sqrt(variance(periods.map((period) => Math.log10(period.energy / reference(period)))));
  const energySpread = spread(({ hours }) => hours);
  return energySpread > MIN_SPREAD &&
    (!hasWind || !(energySpread < spread(({ expected = NaN }) => expected)));
}

/**
 * Finds months or years in another unit than the rest of the record: either their energies are like the rest except for
 * a factor of a thousand, or several are more than the turbine can produce, and the rest is not. One that is too small,
 * or several that do not vary with the wind, may be a standstill, so they are not certain.
 *
 * @param periods The periods, in order of time
 * @param ratedPower Rated power, kW
 * @returns Stretches of consecutive periods, in order of time
 */
export function findMixedPeriods(
  periods: readonly JudgedPeriod[],
  ratedPower: number,
): UnitStretch[] {
  const counts = periods.map(({ energy, hours }) => energy > 0 && hours > 0);
  const hasWind = periods.filter(({ expected = NaN }, i) => counts[i] && expected > 0).length >
    counts.filter(Boolean).length / 2;
  const levels = periods.map(({ energy, hours, expected = NaN }, i) =>
    counts[i] ? Math.log10(energy / (hasWind ? expected : USUAL_FACTOR * hours * ratedPower)) : NaN
  );
  const key = hasWind ? "wind" : "seasons";
  const thousands = levels.map((level) => Math.round(level / THOUSAND));
  const rests = levels.map((level, i) => level - THOUSAND * thousands[i]);
  const middle = median(rests.filter((one) => !Number.isNaN(one)));
  const usual = [...levels.keys()].filter((i) => thousands[i] === 0);
  const isNear = (i: number, times = 1) => Math.abs(rests[i] - middle) <= times * SPREAD[key];
  const logs = new Float64Array(levels.length);
  if (usual.some((i) => isNear(i))) {
    for (const i of levels.keys()) {
      // Next to several near ones, one that is farther off is in their unit, too.
      const several = levels.filter((_, j) =>
        thousands[j] === thousands[i] && isNear(j)
      ).length > 1;
      if (isNear(i, several ? 2 : 1)) logs[i] = THOUSAND * thousands[i];
    }
  }
  // Thousands are done: energies that are still too large have a smaller factor.
  const level = (positions: readonly number[]) => median(positions.map((i) => levels[i]));
  const isTooMuch = (i: number) => periods[i].energy > periods[i].hours * ratedPower;
  const tooMuch = usual.filter(isTooMuch);
  const possible = usual.filter((i) => !isTooMuch(i));
  const size = level(tooMuch) - level(possible);
  if (tooMuch.length > 1 && size > Math.log10(SMALLEST[key])) {
    const isSame = (i: number) => isTooMuch(i) || hasWind && levels[i] - level(possible) > size / 2;
    const others = usual.filter((i) => !isSame(i));
    const same = usual.filter(isSame);
    for (const i of same) logs[i] = level(same) - level(others);
  }
  const factors = [...logs].map((log) => {
    const factor = 10 ** log;
    return Math.abs(log) >= 2 ? Number(factor.toPrecision(6)) : Math.round(factor);
  });
  const small = [...factors.keys()].filter((i) => factors[i] < 1);
  return [...new Set(factors)].filter((factor) => factor !== 1).flatMap((factor) =>
    findRuns(factors.length, (i) => factors[i] === factor).map((run) => ({
      ...run,
      factor,
      certain: factor > 1 || variesWithWind(small.map((i) => periods[i]), hasWind),
    }))
  ).sort((a, b) => a.from - b.from);
}
