import type { TrainingEnergies } from "./training_energies.ts";
import { multiplyScaling, scaleSpeed, type WindScaling } from "../scaling/wind_scaling.ts";

/** Computes modelled energies of periods, kWh, hour by hour at a multiple of the calibrated wind speed. */
function computeExactEnergies(
  { set, curve, periods }: TrainingEnergies,
  weights: Float64Array,
  speed: Float64Array,
  level: number,
): Float64Array {
  const { logDensityRatio, weight, stamp } = set;
  return Float64Array.from(periods, ({ from, to }, period) => {
    if (weights[period] === 0) return NaN;
    let energy = 0;
    for (let i = from; i < to; i++) {
      if (weight[i] === 0) continue;
      energy += weight[i] * curve.powerAt(level * speed[stamp[i]], logDensityRatio[i]);
    }
    return energy;
  });
}

/** Relative accuracy of the energy: that of a sum of many hours. */
const EXACT = 1e-12;

/** Largest number of steps of the secant method; it needs three where no hour passes cut-out. */
const MAX_STEPS = 8;

/** Range of the exact level, relative to that of the ladders. */
const LEVEL_RANGE = [0.95, 1.05] as const;

/**
 * Adjusts a scaling that was fitted on ladders to the energy of all hours: by the secant method, and by bisection
 * where the energy jumps, as it does when one hour of few passes cut-out.
 *
 * @returns The scaling, and the modelled energy of each period, kWh; NaN for those that do not count
 */
export function adjustLevel(
  scaling: WindScaling,
  training: TrainingEnergies,
  weights: Float64Array,
): { scaling: WindScaling; energies: Float64Array } {
  const speed = scaleSpeed(scaling, training.hub, training.turbine);
  const energies = (level: number) => computeExactEnergies(training, weights, speed, level);
  const sum = (values: Float64Array | readonly number[]) =>
    weights.reduce((total, weight, i) => weight === 0 ? total : total + weight * values[i], 0);
  const target = sum(training.periods.map(({ produced }) => produced));
  const missedAt = (level: number) => sum(energies(level)) - target;
  let [before, level] = [0.999, 1];
  let [missedBefore, missed] = [missedAt(before), missedAt(level)];
  for (let step = 0; step < MAX_STEPS && Math.abs(missed) > EXACT * target; step++) {
    const next = level - missed * (level - before) / (missed - missedBefore);
    if (!(next > LEVEL_RANGE[0] && next < LEVEL_RANGE[1])) break;
    [before, missedBefore, level] = [level, missed, next];
    missed = missedAt(level);
  }
  if (Math.abs(missed) > EXACT * target) {
    let [low, high] = LEVEL_RANGE as readonly [number, number];
    while (high - low > EXACT) {
      level = (low + high) / 2;
      if (missedAt(level) < 0) low = level;
      else high = level;
    }
  }
  return { scaling: multiplyScaling(level, scaling), energies: energies(level) };
}
