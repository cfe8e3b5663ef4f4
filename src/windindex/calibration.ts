import { ArgumentError } from "../api/errors.ts";
import { powerAtDensity } from "./density_correction.ts";
import { PowerCurve } from "./power_curve.ts";
import type { TrainingPeriod, TrainingSet } from "./training.ts";
import type { Turbine } from "./turbine.ts";

/** Range in which the factor on the wind speed is sought. */
export const K_RANGE = [0.5, 1.5] as const;

/** Produced and modelled energy of one period. */
export interface CalibrationPeriod {
  /** Name: "2018-05" or "2018". */
  readonly label: string;
  /** Produced energy over the hours compared, kWh. */
  readonly produced: number;
  /** Modelled energy over the same hours, kWh; NaN for a period that does not count. */
  readonly modelled: number;
  /** Hours of the period. */
  readonly hours: number;
  /** Hours compared. */
  readonly validHours: number;
  /** Whether it counts. */
  readonly used: boolean;
  /** Why it does not count. */
  readonly reason: string;
}

/** A calibrated factor and what it rests on. */
export interface Calibration {
  /** Factor on the wind speed at hub height. */
  readonly k: number;
  /** The periods of the training window. */
  readonly periods: readonly CalibrationPeriod[];
  /** Valid hours used. */
  readonly hours: number;
  /** Root mean square of `modelled - produced` over the mean energy of the whole periods; `null` with one. */
  readonly residual: number | null;
}

/**
 * Modelled energy of stamps of a training set, kWh.
 *
 * @param set Training set
 * @param curve Power curve
 * @param control How the turbine limits its power
 * @param k Factor on the wind speed
 * @param from First stamp
 * @param to Position after the last stamp
 */
export function modelledEnergy(
  set: TrainingSet,
  curve: PowerCurve,
  control: Turbine["powerControl"],
  k: number,
  from = 0,
  to: number = set.weight.length,
): number {
  const { speed, logDensityRatio, weight } = set;
  let energy = 0;
  for (let i = from; i < to; i++) {
    if (weight[i] === 0) continue;
    energy += weight[i] * powerAtDensity(curve, control, k * speed[i], logDensityRatio[i]);
  }
  return energy;
}

/**
 * Finds the factor on the wind speed with which modelled energy equals produced energy over the valid hours of the
 * training set, by bisection.
 *
 * @param set Training set
 * @param turbine The turbine
 * @throws {ArgumentError} If no period counts, or no factor in {@linkcode K_RANGE} gives the produced energy
 */
export function calibrate(set: TrainingSet, turbine: Turbine): Calibration {
  const curve = new PowerCurve(turbine.powerCurve, turbine.ratedPower);
  const used = set.periods.filter((period) => period.used);
  if (used.length === 0) {
    const reasons = set.periods.map((period) => `${period.label}: ${period.reason}`).slice(0, 5);
    throw new ArgumentError(
      `Cannot calibrate ${turbine.id}: no period of production counts (${reasons.join("; ")})`,
    );
  }
  const produced = used.reduce((sum, period) => sum + period.produced, 0);
  const excess = (k: number) => modelledEnergy(set, curve, turbine.powerControl, k) - produced;
  const k = bisect(excess, turbine, produced);
  const periods = set.periods.map((period) => withModelled(period, set, curve, turbine, k));
  const whole = periods.filter(isWhole);
  const squares = whole.reduce(
    (sum, { modelled, produced }) => sum + (modelled - produced) ** 2,
    0,
  );
  const energy = whole.reduce((sum, period) => sum + period.produced, 0);
  return {
    k,
    periods,
    hours: used.reduce((sum, period) => sum + period.validHours, 0),
    residual: whole.length > 1 ? Math.sqrt(squares * whole.length) / energy : null,
  };
}

/** Hours from which a period says something about the fit: the end of a record leaves pieces of months. */
const MIN_PERIOD_HOURS = 7 * 24;

/** Whether a period counts where agreement is told: used, and at least a week of hours compared. */
export function isWhole(period: Pick<CalibrationPeriod, "used" | "validHours">): boolean {
  return period.used && period.validHours >= MIN_PERIOD_HOURS;
}

function withModelled(
  period: TrainingPeriod,
  set: TrainingSet,
  curve: PowerCurve,
  turbine: Turbine,
  k: number,
): CalibrationPeriod {
  const { label, produced, hours, validHours, used, reason, from, to } = period;
  const modelled = used ? modelledEnergy(set, curve, turbine.powerControl, k, from, to) : NaN;
  return { label, produced, modelled, hours, validHours, used, reason };
}

/** Modelled energy rises with k until hours reach cut-out, so the sign must change once within the range. */
function bisect(excess: (k: number) => number, turbine: Turbine, produced: number): number {
  let [low, high] = K_RANGE as readonly [number, number];
  const atLow = excess(low);
  const atHigh = excess(high);
  if (!(atLow < 0 && atHigh > 0)) {
    const side = atLow >= 0
      ? `even ${low} times the wind gives more`
      : `even ${high} times the wind gives less`;
    throw new ArgumentError(
      `Cannot calibrate ${turbine.id}: production of ${
        (produced / 1000).toFixed(0)
      } MWh a unit does not ` +
        `fit the model, ${side}. Check the unit of production, the number of units and the power curve`,
    );
  }
  while (high - low > 1e-12) {
    const middle = (low + high) / 2;
    if (excess(middle) < 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
