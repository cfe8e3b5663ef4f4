import { HOUR } from "../../../time/hourly.ts";
import type { ChangeSeries } from "../../../stats/change_point.ts";
import { median } from "../../../stats/spread.ts";
import { IDLE_POWER, type Neighbour } from "../../../screening/values/neighbours.ts";
import type { HourlyPair } from "../losses/outage_hours.ts";

/** Logarithms of ratios of produced to expected energy, with the start of each week, month or year, milliseconds since 1970 UTC. */
export interface RatioSeries extends ChangeSeries {
  readonly starts: readonly number[];
}

/** Produced and expected power of the compared hours. */
type ComparedHours = Pick<HourlyPair, "axis" | "produced" | "expected">;

/** Hours of a week. */
export const WEEK = 168;

/** Smallest share of a week's hours that gives a ratio. */
const MIN_SHARE = 0.5;

/** Steps of expected power by which the scatter of the hours is counted. */
const STEPS = 40;

/** Hours of average scatter that are added to each step, so a few hours cannot dominate. */
const AVERAGE_HOURS = 20;

/** Smallest expected power of a standstill, as a share of the rated power: below it, a calm is as likely. */
const STANDSTILL_EXPECTED = 0.1;

/**
 * Marks the hours that show how well a turbine runs: hours with production and prediction, outside of outages, and
 * neither without power while power is expected nor next to such an hour, in which the turbine stopped or started.
 *
 * @param stopped Share of each hour in which the turbine was not available
 * @param ratedPower Rated power, kW
 * @returns 1 for each such hour
 */
export function markRunningHours(
  { produced, expected }: Pick<HourlyPair, "produced" | "expected">,
  stopped: Float64Array,
  ratedPower: number,
): Uint8Array {
  const isStopped = (i: number) =>
    stopped[i] > 0 ||
    produced[i] <= IDLE_POWER * ratedPower && expected[i] >= STANDSTILL_EXPECTED * ratedPower;
  return Uint8Array.from(
    produced,
    (power, i) =>
      Number.isNaN(power + expected[i]) || isStopped(i) || isStopped(i - 1) || isStopped(i + 1)
        ? 0
        : 1,
  );
}

/**
 * Scales the power of neighbours to the turbine's own level.
 *
 * @param produced Power of the turbine, kW
 * @param counted 1 for its hours that count
 * @param neighbours Turbines nearby, on the same hours
 * @returns Power of each, kW, NaN if it does not run, and the median of those that run
 */
export function scaleNeighbours(
  produced: Float64Array,
  counted: Uint8Array,
  neighbours: readonly Neighbour[],
): { readonly scaled: readonly Float64Array[]; readonly common: Float64Array } {
  const scaled = neighbours.map(({ power, ratedPower }) => {
    const runs = (power: number) => power > IDLE_POWER * ratedPower;
    let [ours, theirs] = [0, 0];
    for (let i = 0; i < power.length; i++) {
      if (counted[i] === 1 && runs(power[i])) {
        [ours, theirs] = [ours + produced[i], theirs + power[i]];
      }
    }
    return power.map((value) => runs(value) ? value * ours / theirs : NaN);
  });
  const runningAt = (i: number) => scaled.map((power) => power[i]).filter((power) => power >= 0);
  return { scaled, common: produced.map((_, i) => median(runningAt(i))) };
}

/**
 * Weights hours by inverse variance: one over the mean square of produced less expected power among the hours of
 * similar expected power. Near rated power an error of the wind changes little, on the slope of the power curve much.
 */
function weighHours({ produced, expected }: ComparedHours, counted: Uint8Array): Float64Array {
  const hours = [...counted.keys()].filter((i) => counted[i] === 1);
  const sum = (values: Float64Array) => hours.reduce((total, i) => total + values[i], 0);
  const ratio = sum(produced) / sum(expected);
  const top = hours.reduce((most, i) => Math.max(most, expected[i]), 0);
  const stepOf = (i: number) =>
    Math.min(STEPS - 1, Math.max(0, Math.floor(STEPS * expected[i] / top)));
  const [squares, counts] = [new Float64Array(STEPS), new Float64Array(STEPS)];
  for (const i of hours) {
    squares[stepOf(i)] += (produced[i] - ratio * expected[i]) ** 2;
    counts[stepOf(i)]++;
  }
  const average = squares.reduce((total, square) => total + square, 0) / hours.length;
  // A prediction without any error has no scatter, so all hours weigh the same.
  const weights = squares.map((square, step) =>
    average > 0 ? (counts[step] + AVERAGE_HOURS) / (square + AVERAGE_HOURS * average) : 1
  );
  return expected.map((_, i) => counted[i] === 1 ? weights[stepOf(i)] : 0);
}

/**
 * Computes the ratio of produced to expected power by week, or by day: the slope of a weighted fit through zero to the
 * hours that count. Weeks with less than half of their hours get no ratio.
 *
 * @param counted 1 for hours with production and prediction that count
 * @param neighbourPower Common power of the neighbours, kW, NaN if none has a value. @default no neighbours
 * @param length Hours of a week, or of a day
 * @param origin Hour at which one of the weeks or days begins. @default the first that counts
 * @returns Logarithms of the ratios, with hours weighted by inverse variance, and of the ratios of energies, which give
 * the size of a change. Their regressors: the logarithm of the expected power, its square, and the logarithm of the
 * neighbours' ratio to the same
 */
export function computeWeeklyRatios(
  pair: ComparedHours,
  counted: Uint8Array,
  neighbourPower?: Float64Array,
  length = WEEK,
  origin?: number,
): RatioSeries {
  const known = neighbourPower
    ? counted.map((flag, i) => flag === 1 && !Number.isNaN(neighbourPower[i]) ? 1 : 0)
    : counted;
  const { produced, expected, axis } = pair;
  const weights = weighHours(pair, known);
  const rows: Record<
    "start" | "ratio" | "weight" | "load" | "other" | "energy" | "expected",
    number
  >[] = [];
  const begin = origin === undefined ? Math.max(0, known.indexOf(1)) : origin % length;
  for (let from = begin; from + length <= known.length; from += length) {
    let [producedSum, neighbourSum, expectedSum, count] = [0, 0, 0, 0];
    let [energy, predicted] = [0, 0];
    for (let i = from; i < from + length; i++) {
      if (known[i] === 0) continue;
      const weight = weights[i] * expected[i];
      producedSum += weight * produced[i];
      neighbourSum += weight * (neighbourPower?.[i] ?? 0);
      expectedSum += weight * expected[i];
      energy += produced[i];
      predicted += expected[i];
      count++;
    }
    if (
      count < MIN_SHARE * length || !(producedSum > 0 && expectedSum > 0 && energy > 0) ||
      neighbourPower && !(neighbourSum > 0)
    ) {
      continue;
    }
    rows.push({
      start: axis.start + from * HOUR,
      ratio: Math.log(producedSum / expectedSum),
      weight: expectedSum,
      load: Math.log(expectedSum / count),
      other: Math.log(neighbourSum / expectedSum),
      energy: Math.log(energy / predicted),
      expected: predicted,
    });
  }
  const of = (value: (row: typeof rows[number]) => number) => Float64Array.from(rows, value);
  return {
    starts: rows.map(({ start }) => start),
    values: of(({ ratio }) => ratio),
    weights: of(({ weight }) => weight),
    measured: { values: of(({ energy }) => energy), weights: of(({ expected }) => expected) },
    columns: [
      of(({ load }) => load),
      of(({ load }) => load ** 2),
      ...(neighbourPower ? [of(({ other }) => other)] : []),
    ],
  };
}
