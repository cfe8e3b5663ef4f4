import { ArgumentError } from "../../api/errors.ts";
import {
  type CandidateScore,
  crossValidate,
  isScored,
  MIN_PERIOD_HOURS,
  selectClearlyBetter,
  selectSimplest,
} from "./cross_validation.ts";
import { findOutagePeriods } from "./outage_periods.ts";
import type { TrainingPeriod } from "./training.ts";
import {
  computeTrainingEnergies,
  isMonth,
  MIN_PERIODS,
  SMOOTHINGS,
  type TrainingEnergies,
  TWO_YEARS,
} from "./training_energies.ts";
import type { PowerModel } from "../power_model.ts";
import {
  computePeriodEnergy,
  energyAt,
  K_RANGE,
  SCALING_KINDS,
  type ScalingKind,
  sumPeriods,
} from "../scaling/energy_ladder.ts";
import { fitRobust, fitScaling } from "../scaling/fit_scaling.ts";
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

/** Relative accuracy of the energy: rounding of a sum of many hours. */
const EXACT = 1e-12;

/** Most steps of the secant method; it needs three if no hour passes cut-out. */
const MAX_STEPS = 8;

/** Range of the exact level, relative to the level of the ladders. */
const LEVEL_RANGE = [0.95, 1.05] as const;

/**
 * Adjusts a scaling fitted on ladders to the energy of all hours: by the secant method, and by bisection if the energy
 * jumps, as it does when one hour of few passes cut-out.
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

/** Produced and modelled energy of one period. */
export interface CalibrationPeriod extends
  Pick<
    TrainingPeriod,
    "label" | "hourly" | "produced" | "hours" | "validHours" | "used" | "reason"
  > {
  /** Modelled energy over the same hours, kWh; `null` for a period that does not count. */
  readonly modelled: number | null;
  /** The same, predicted by a calibration without the period, also for an outage; `null` if it was not predicted. */
  readonly unseen: number | null;
  /** Weight: 1, or less for an outlying period; 0 if it does not count. */
  readonly weight: number;
}

/** A calibration and the periods and scores it is based on. */
export interface Calibration extends PowerModel {
  /** The single factor on the wind speed at which modelled equals produced energy. */
  readonly k: number;
  /** The scalings compared at the usual smoothing, the simplest first, then other smoothings of the selected one. */
  readonly candidates: readonly Omit<CandidateScore, "squares" | "unseen">[];
  /** The periods of the training window. */
  readonly periods: readonly CalibrationPeriod[];
  /** Valid hours used. */
  readonly hours: number;
  /** Root mean square of `modelled - produced` over the mean energy of the complete periods; `null` with one. */
  readonly residual: number | null;
}

/** Whether a period counts for the residual: used, with at least a week of hours compared. */
export function isWhole(period: Pick<CalibrationPeriod, "used" | "validHours">): boolean {
  return period.used && period.validHours >= MIN_PERIOD_HOURS;
}

/**
 * Smallest share of its hours that the energy of a period must cover to be judged: the wind of the missing part is
 * unknown.
 */
const MIN_JUDGED = 0.8;

/**
 * Finds months and years that were outages compared with the others, as reasons; "" for the others. Hourly production
 * has none: its hours show outages, and in a month that falls short anyway the reanalysis is wrong.
 */
function findOutageReasons({ periods, modelled, produced }: TrainingEnergies): string[] {
  const energies = modelled.get("factor")!;
  const { energy, hours } = produced.get("factor")!;
  const plain = fitScaling(
    energies,
    produced.get("factor")!,
    new Uint8Array(periods.length).fill(1),
  );
  const expected = Float64Array.from(periods, (_, i) => computePeriodEnergy(energies, i, plain));
  const counted = [...periods.keys()].filter((i) =>
    !periods[i].hourly && hours[i] >= MIN_PERIOD_HOURS &&
    periods[i].validHours >= MIN_JUDGED * periods[i].hours
  );
  const pick = (values: Float64Array) => Float64Array.from(counted, (i) => values[i]);
  const shortfalls = findOutagePeriods(pick(energy), pick(expected), pick(hours));
  const reasons = periods.map(() => "");
  counted.forEach((period, i) => {
    if (Number.isNaN(shortfalls[i])) return;
    reasons[period] =
      `outage: produced ${
        (100 * shortfalls[i]).toFixed(0)
      } % of the energy expected from its wind ` +
      "and the other periods";
  });
  return reasons;
}

/** @throws {ArgumentError} If no factor within the range gives the produced energy */
function assertWithinRange(training: TrainingEnergies, counted: Uint8Array): void {
  const sum = sumPeriods(training.modelled.get("factor")!.ladders, 1, counted);
  const { energy } = training.produced.get("factor")!;
  const produced = energy.reduce((total, value, i) => total + counted[i] * value, 0);
  const [low, high] = K_RANGE;
  if (energyAt(sum, 0, low) < produced && Math.max(...sum) > produced) return;
  const side = energyAt(sum, 0, low) >= produced
    ? `the model gives more even at ${low} times the wind speed`
    : `the model gives less even at ${high} times the wind speed`;
  const months = training.periods.filter((_, i) => counted[i] === 1).map(({ label }) => label);
  throw new ArgumentError(
    `Cannot calibrate ${training.turbine.id}: ${(produced / 1000).toFixed(0)} MWh per turbine in ${
      formatSpan(months)
    } does not fit the power curve, because ${side}. Check the unit of the production (kWh, MWh), the number of turbines ("units") and the power curve`,
  );
}

function formatSpan(labels: readonly string[]): string {
  return labels.length === 1 ? labels[0] : `${labels[0]} to ${labels[labels.length - 1]}`;
}

/** A scaling and a smoothing of the power curve, with the scores of all candidates. */
interface Selection {
  /** Energies at the selected smoothing. */
  readonly training: TrainingEnergies;
  readonly kind: ScalingKind;
  readonly scores: readonly CandidateScore[];
  /** Score of the selected candidate; `undefined` with too few periods. */
  readonly chosen: CandidateScore | undefined;
}

/** Months below which the best smoothing for them may not suit other years. */
const FOUR_YEARS = 46;

/** Standard errors by which another smoothing must be better in such a record: by chance one of twenty is. */
const STRONG = 1.645;

/**
 * Selects the scaling at the given smoothing, then another smoothing if unseen periods clearly favour it: from two
 * years of months on, unseen whole years, because months of one year cannot show what suits another.
 */
function select(
  training: TrainingEnergies,
  counted: Uint8Array,
  smoothings: readonly number[],
): Selection {
  const scored = [...counted.keys()].filter((period) => isScored(training, counted, period));
  if (scored.length < 2) return { training, kind: "factor", scores: [], chosen: undefined };
  const hasEnoughPeriods = scored.length >= MIN_PERIODS;
  const kinds = SCALING_KINDS.filter((kind) => training.modelled.has(kind))
    .slice(0, hasEnoughPeriods ? undefined : 1);
  const scores = kinds.map((kind) => crossValidate(training, kind, counted));
  const usual = selectSimplest(scores);
  const { kind } = usual;
  if (!hasEnoughPeriods) return { training, kind, scores, chosen: usual };
  const { set, hub, turbine } = training;
  const others = smoothings.filter((smoothing) => smoothing !== training.curve.smoothing)
    .map((smoothing) => computeTrainingEnergies(set, hub, turbine, [kind], smoothing));
  const months = scored.filter((period) => isMonth(training.periods[period])).length;
  const folding = months < TWO_YEARS ? "neighbours" : "years";
  const held = folding === "years" ? crossValidate(training, kind, counted, folding) : usual;
  const smoothed = others.map((other) => crossValidate(other, kind, counted, folding));
  const better = selectClearlyBetter(held, smoothed, months < FOUR_YEARS ? STRONG : 1);
  const selected = better === held ? training : others[smoothed.indexOf(better)];
  return {
    training: selected,
    kind,
    scores: [...scores, ...(held === usual ? [] : [held]), ...smoothed],
    chosen: folding === "years" && selected !== training
      ? crossValidate(selected, kind, counted)
      : better === held
      ? usual
      : better,
  };
}

/**
 * Finds the scaling from the wind of the climate to the turbine's at which modelled equals produced energy over the
 * periods that count.
 *
 * Candidates are one factor k, and factors by season, part of the day or direction sector, shrunk towards k. Each
 * predicts blocks of unseen periods. The simplest within one standard error of the best is selected, and then another
 * smoothing of the power curve if it is better by more than one. Months and years that produced far less than expected
 * from the others are left out, with the reason; other outlying periods count less.
 *
 * @param training Produced and modelled energies, at the usual smoothing
 * @param smoothings Smoothings to compare with it, m/s
 * @param leftOut Labels of periods that are not used: `unseen` predicts them from all others
 * @throws {ArgumentError} If no period counts, or no factor in {@linkcode K_RANGE} gives the produced energy
 */
export function calibrate(
  training: TrainingEnergies,
  smoothings: readonly number[] = SMOOTHINGS,
  leftOut: ReadonlySet<string> = new Set(),
): Calibration {
  const { set, turbine, periods } = training;
  if (periods.length === 0) {
    const reasons = set.periods.map((period) => `${period.label}: ${period.reason}`).slice(0, 5);
    throw new ArgumentError(
      `Cannot calibrate ${turbine.id}: no period of its production can be used (${
        reasons.join("; ")
      }). Correct these periods, or give production of other periods`,
    );
  }
  const reasons = findOutageReasons(training)
    .map((reason, i) => leftOut.has(periods[i].label) ? "left out" : reason);
  const counted = Uint8Array.from(reasons, (reason) => reason === "" ? 1 : 0);
  assertWithinRange(training, counted);
  const selection = select(training, counted, smoothings);
  const { training: selected, kind, chosen } = selection;
  const fit = (kind: ScalingKind) => {
    const { scaling, weights } = fitRobust(
      selected.modelled.get(kind)!,
      selected.produced.get(kind)!,
      counted,
    );
    return { ...adjustLevel(scaling, selected, weights), weights };
  };
  const plain = fit("factor");
  const { scaling, energies, weights } = kind === "factor" ? plain : fit(kind);
  // Outages are predicted by the calibration itself, which has not seen them.
  const unseen = periods.map((_, i) =>
    counted[i] === 1
      ? chosen?.unseen[i] ?? NaN
      : computePeriodEnergy(selected.modelled.get(kind)!, i, scaling)
  );
  const position = new Map(periods.map((period, i) => [period, i]));
  const described = set.periods.map((period) =>
    describePeriod(period, position.get(period), { reasons, energies, weights, unseen })
  );
  const complete = described.filter(isWhole);
  const squares = complete.reduce(
    (sum, period) => sum + (period.modelled! - period.produced) ** 2,
    0,
  );
  const energy = complete.reduce((sum, period) => sum + period.produced, 0);
  return {
    k: plain.scaling.kind === "factor" ? plain.scaling.k : NaN,
    scaling,
    smoothing: selected.curve.smoothing,
    candidates: selection.scores.map(({ squares: _, unseen: __, ...score }) => score),
    periods: described,
    hours: described.reduce((sum, period) => period.used ? sum + period.validHours : sum, 0),
    residual: complete.length > 1 ? Math.sqrt(squares * complete.length) / energy : null,
  };
}

/** Figures of the fitted periods. */
interface FittedPeriods {
  readonly reasons: readonly string[];
  readonly energies: Float64Array;
  readonly weights: Float64Array;
  /** Predictions without the period, kWh; NaN without a prediction. */
  readonly unseen: readonly number[];
}

/** Builds the stored period: with its energies if it counts, else with the reason. */
function describePeriod(
  period: TrainingPeriod,
  position: number | undefined,
  { reasons, energies, weights, unseen }: FittedPeriods,
): CalibrationPeriod {
  const { label, hourly, produced, hours, validHours } = period;
  const reason = position === undefined ? period.reason : reasons[position];
  const used = reason === "";
  return {
    label,
    hourly,
    produced,
    modelled: used ? energies[position!] : null,
    unseen: position === undefined ? null : numberOrNull(unseen[position]),
    hours,
    validHours,
    weight: used ? weights[position!] : 0,
    used,
    reason,
  };
}

function numberOrNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
