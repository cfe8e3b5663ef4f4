import { ArgumentError } from "../../api/errors.ts";
import {
  type CandidateScore,
  crossValidate,
  isScored,
  MIN_PERIOD_HOURS,
  selectSimplest,
} from "./cross_validation.ts";
import { energyAt, K_RANGE, sumPeriods } from "../scaling/energy_ladder.ts";
import { adjustLevel } from "./adjust_level.ts";
import { fitScaling } from "../scaling/fit_scaling.ts";
import { findOutagePeriods } from "./outage_periods.ts";
import {
  computePeriodEnergy,
  SCALING_KINDS,
  type ScalingKind,
} from "../scaling/scaling_energies.ts";
import type { TrainingPeriod } from "./training.ts";
import { MIN_PERIODS, type TrainingEnergies } from "./training_energies.ts";
import type { WindScaling } from "../scaling/wind_scaling.ts";

/** Produced and modelled energy of one period. */
export interface CalibrationPeriod {
  /** Name: "2018-05" or "2018". */
  readonly label: string;
  /** Produced energy over the hours compared, kWh. */
  readonly produced: number;
  /** Modelled energy over the same hours, kWh; `null` for a period that does not count. */
  readonly modelled: number | null;
  /** The same, predicted by a calibration without the period; `null` where it was not predicted. */
  readonly unseen: number | null;
  /** Hours of the period. */
  readonly hours: number;
  /** Hours compared. */
  readonly validHours: number;
  /** Whether it counts. */
  readonly used: boolean;
  /** Why it does not count. */
  readonly reason: string;
}

/** Score of a kind of scaling in the cross-validation. */
interface Candidate {
  readonly kind: ScalingKind;
  /** Root mean square error of unseen periods, as a share of the mean energy. */
  readonly error: number;
}

/** A calibration and the periods and scores it is based on. */
export interface Calibration {
  /** The one factor on the wind speed with which modelled energy equals produced energy. */
  readonly k: number;
  /** The scaling that was selected: that factor, or one that predicts unseen periods better. */
  readonly scaling: WindScaling;
  /** The kinds that were compared, the simplest first; only the factor with too few periods. */
  readonly candidates: readonly Candidate[];
  /** The periods of the training window. */
  readonly periods: readonly CalibrationPeriod[];
  /** Valid hours used. */
  readonly hours: number;
  /** Root mean square of `modelled - produced` over the mean energy of the whole periods; `null` with one. */
  readonly residual: number | null;
}

/** Whether a period counts for the residual: used, with at least a week of hours compared. */
export function isWhole(period: Pick<CalibrationPeriod, "used" | "validHours">): boolean {
  return period.used && period.validHours >= MIN_PERIOD_HOURS;
}

/** Finds periods that were outages compared with the others, as reasons; "" for the rest. */
function findOutageReasons({ periods, modelled, produced }: TrainingEnergies): string[] {
  const energies = modelled.get("factor")!;
  const { energy, hours } = produced.get("factor")!;
  const plain = fitScaling(
    energies,
    produced.get("factor")!,
    new Uint8Array(periods.length).fill(1),
  );
  const expected = Float64Array.from(periods, (_, i) => computePeriodEnergy(energies, i, plain));
  const whole = hours.map((value) => value >= MIN_PERIOD_HOURS ? value : 0);
  const counted = [...whole.keys()].filter((i) => whole[i] > 0);
  const pick = (values: Float64Array) => Float64Array.from(counted, (i) => values[i]);
  const found = findOutagePeriods(pick(energy), pick(expected), pick(hours));
  const reasons = periods.map(() => "");
  counted.forEach((period, i) => {
    if (Number.isNaN(found[i])) return;
    reasons[period] =
      `outage: produced ${(100 * found[i]).toFixed(0)} % of what is expected from its wind and ` +
      "the other periods";
  });
  return reasons;
}

/** @throws {ArgumentError} If no factor within the range gives the produced energy */
function assertWithinRange(training: TrainingEnergies, counted: Uint8Array): void {
  const sum = sumPeriods(training.modelled.get("factor")!.ladders[0], 1, counted);
  const { energy } = training.produced.get("factor")!;
  const produced = energy.reduce((total, value, i) => total + counted[i] * value, 0);
  const [low, high] = K_RANGE;
  if (energyAt(sum, 0, low) < produced && Math.max(...sum) > produced) return;
  const side = energyAt(sum, 0, low) >= produced
    ? `${low} times the wind still gives more`
    : `${high} times the wind still gives less`;
  const months = training.periods.filter((_, i) => counted[i] === 1).map(({ label }) => label);
  throw new ArgumentError(
    `Cannot calibrate ${training.turbine.id}: production of ${
      (produced / 1000).toFixed(0)
    } MWh a unit ` +
      `in ${
        formatSpan(months)
      } does not fit the model, ${side}. Check the unit of production, the number of ` +
      "units and the power curve",
  );
}

function formatSpan(labels: readonly string[]): string {
  return labels.length === 1 ? labels[0] : `${labels[0]} to ${labels[labels.length - 1]}`;
}

/** Scores the kinds that the periods are enough for, the simplest first. */
function scoreKinds(training: TrainingEnergies, counted: Uint8Array): CandidateScore[] {
  const whole = [...counted.keys()].filter((period) => isScored(training, counted, period));
  if (whole.length < 2) return [];
  const kinds = whole.length < MIN_PERIODS ? SCALING_KINDS.slice(0, 1) : SCALING_KINDS;
  return kinds.filter((kind) => training.modelled.has(kind))
    .map((kind) => crossValidate(training, kind, counted));
}

/**
 * Finds the scaling from the wind of the climate to that of the turbine at which modelled energy equals produced energy over the periods that count.
 *
 * Candidates are one factor k, `a v + b`, and factors by season, part of the day or direction sector, shrunk towards k.
 * Each predicts blocks of periods that it was not fitted to; the simplest within one standard error of the best is
 * selected. Periods that produced far less than expected from the others are left out, with the reason.
 *
 * @param training Produced and modelled energies
 * @throws {ArgumentError} If no period counts, or no factor in {@linkcode K_RANGE} gives the produced energy
 */
export function calibrate(training: TrainingEnergies): Calibration {
  const { set, turbine, periods, modelled, produced } = training;
  if (periods.length === 0) {
    const reasons = set.periods.map((period) => `${period.label}: ${period.reason}`).slice(0, 5);
    throw new ArgumentError(
      `Cannot calibrate ${turbine.id}: no period of production counts (${reasons.join("; ")})`,
    );
  }
  const reasons = findOutageReasons(training);
  const counted = Uint8Array.from(reasons, (reason) => reason === "" ? 1 : 0);
  assertWithinRange(training, counted);
  const scores = scoreKinds(training, counted);
  const chosen = scores.length > 0 ? selectSimplest(scores) : undefined;
  const kind = chosen?.kind ?? "factor";
  const target = periods.reduce((sum, period, i) => sum + counted[i] * period.produced, 0);
  const fit = (own: ScalingKind) =>
    adjustLevel(
      fitScaling(modelled.get(own)!, produced.get(own)!, counted),
      training,
      counted,
      target,
    );
  const plain = fit("factor");
  const { scaling, energies } = kind === "factor" ? plain : fit(kind);
  const position = new Map(periods.map((period, i) => [period, i]));
  const described = set.periods.map((period) =>
    describePeriod(period, position.get(period), reasons, energies, chosen)
  );
  const whole = described.filter(isWhole);
  const squares = whole.reduce((sum, period) => sum + (period.modelled! - period.produced) ** 2, 0);
  const energy = whole.reduce((sum, period) => sum + period.produced, 0);
  return {
    k: plain.scaling.kind === "factor" ? plain.scaling.k : NaN,
    scaling,
    candidates: scores.map(({ kind, error }) => ({ kind, error })),
    periods: described,
    hours: described.reduce((sum, period) => period.used ? sum + period.validHours : sum, 0),
    residual: whole.length > 1 ? Math.sqrt(squares * whole.length) / energy : null,
  };
}

/** Builds the stored period: with its energies where it counts, with the reason where it does not. */
function describePeriod(
  period: TrainingPeriod,
  position: number | undefined,
  reasons: readonly string[],
  energies: Float64Array,
  chosen: CandidateScore | undefined,
): CalibrationPeriod {
  const { label, produced, hours, validHours } = period;
  const reason = position === undefined ? period.reason : reasons[position];
  const used = reason === "";
  return {
    label,
    produced,
    modelled: used ? energies[position!] : null,
    unseen: used && chosen ? numberOrNull(chosen.unseen[position!]) : null,
    hours,
    validHours,
    used,
    reason,
  };
}

function numberOrNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
