import { joinNames } from "../../show/text/numbers.ts";
import { positionAtOrAfter } from "../../time/hourly.ts";
import { computeModelError, type NormalBand } from "./band.ts";
import type { ChangeResult } from "./changes/changes.ts";
import type { CheckResult } from "./check_result.ts";
import { combineIntervals, type Loss, type PeriodResult, scaleLoss } from "./losses/lost_energy.ts";
import { refuse } from "./options.ts";
import type { PerformanceFinding } from "./words.ts";
import { sumOf } from "../../stats/spread.ts";

/** Names of the steps of a deviation, in their fixed order. */
export const NAMES = {
  normal: "Normal production",
  predicted: "Predicted production",
  wind: "Wind",
  density: "Air density",
  availability: "Availability",
  limited: "Curtailment",
  change: "Lasting change",
  unexplained: "Unexplained",
  produced: "Produced",
} as const;

/** Distances of the ends of a 90 % interval from an energy, MWh; NaN if unknown. */
type Reach = readonly [below: number, above: number];

/** Sources of uncertainty of a step, independent of each other; the reach of `level` has the sign of its effect. */
export type Term = "model" | "level" | "outages" | "limits" | "changes";

/** Energy of a step, MWh, and its uncertainty by source. */
export interface Step {
  readonly energy: number;
  readonly reach: Readonly<Partial<Record<Term, Reach>>>;
}

/** Steps by name, in their order: a total, the changes, a total. */
export type Steps = ReadonlyMap<string, Step>;

/** Energies of a period, or of all, MWh, and their uncertainties. */
interface Sums
  extends Pick<PeriodResult, "produced" | "predicted" | "normal" | "density" | "outages"> {
  /** Half of the 90 % interval of the prediction. */
  readonly error: number;
  readonly limits: Loss;
  readonly changes: Loss;
}

/**
 * Steps from the expected to the produced energy, or to its value; the changes add up exactly from the first to the
 * last.
 */
export interface DeviationSteps {
  readonly whole: Steps;
  readonly periods: readonly (Sums & {
    readonly period: PeriodResult;
    readonly steps: Steps;
    readonly value?: PeriodResult | undefined;
  })[];
  /** Steps that could not be separated, and the data that would separate them. */
  readonly notes: readonly PerformanceFinding[];
  /** The same in the currency of the prices, for periods that have a price. @default no prices are given */
  readonly value?: Omit<DeviationSteps, "notes" | "value"> & { readonly currency: string };
}

/** Periods to judge, by their numbers, both included. */
export interface PeriodRange {
  readonly from: number;
  readonly to: number;
  /** The same as the caller wrote it. */
  readonly asked: string;
}

/** A step without an interval. */
export const certain = (energy: number): Step => ({ energy, reach: {} });

/** Step of a loss; without an interval if nothing was lost. */
export function lossStep(term: Term, { lost, lost_low, lost_high }: Loss): Step {
  const isCertain = lost === 0 && !(lost_low < lost_high);
  return {
    energy: 0 - lost,
    reach: isCertain ? {} : { [term]: [lost_high - lost, lost - lost_low] },
  };
}

/** Reach of the same loss in the unexplained step, with the ends swapped. */
function mirrorReach(term: Term, loss: Loss): Step["reach"] {
  const { [term]: reach } = lossStep(term, loss).reach;
  return reach ? { [term]: [reach[1], reach[0]] } : {};
}

/** Computes the ends of the 90 % interval of a step; NaN if the step is certain or its interval is unknown. */
export function computeEnds({ energy, reach }: Step): Readonly<Record<"low" | "high", number>> {
  const reaches = Object.values(reach);
  const add = (side: 0 | 1) =>
    reaches.length > 0 ? Math.hypot(...reaches.map((one) => one[side])) : NaN;
  return { low: energy - add(0), high: energy + add(1) };
}

/** Joins names of steps: "Wind, air density and unexplained". */
export const joinSteps = (...names: readonly string[]): string =>
  joinNames(names.map((name, i) => i === 0 ? name : name.toLowerCase()));

/** Computes the part of a period after a change, weighted by the energy on which the loss depends. */
function weighChange(
  { hours }: CheckResult,
  { from, to }: ChangeResult,
  { start, end, produced }: PeriodResult,
): number {
  if (!hours) return start >= from && start < to ? produced || 0 : 0;
  const { axis } = hours;
  const [first, last] = [Math.max(start, from), Math.min(end, to)]
    .map((at) => Math.max(0, positionAtOrAfter(axis, at)));
  let weight = 0;
  for (let i = first; i < Math.min(axis.length, last); i++) {
    if (hours.stopped[i] === 0 && hours.limited[i] === 0 && hours.produced[i] > 0) {
      weight += hours.produced[i];
    }
  }
  return weight;
}

/** Sums losses whose errors are fully correlated. */
function addUp(all: readonly Loss[]): Loss {
  const add = (end: keyof Loss) => sumOf(all, (one) => one[end]);
  return { lost: add("lost"), lost_low: add("lost_low"), lost_high: add("lost_high") };
}

/** Splits the losses of lasting changes by period. */
function shareChanges(checked: CheckResult): Loss[] {
  const { change, periods } = checked;
  const shares = periods.map((): Loss[] => []);
  for (const lastingChange of change.changes) {
    const weights = periods.map((period) => weighChange(checked, lastingChange, period));
    const sum = sumOf(weights);
    for (const [i, weight] of weights.entries()) {
      if (weight > 0) shares[i].push(scaleLoss(lastingChange, weight / sum));
    }
  }
  return shares.map(addUp);
}

/** Loss steps in their order, by name. */
const LOSSES = {
  outages: NAMES.availability,
  limits: NAMES.limited,
  changes: NAMES.change,
} as const;

/** Lists the steps; an unknown one is part of the next one. */
function buildSteps(
  sums: Sums,
  known: { readonly normal: boolean; readonly density: boolean },
  losses: readonly (keyof typeof LOSSES)[],
): Steps {
  const { produced, predicted, error } = sums;
  const model: Step["reach"] = { model: [error, error] };
  const steps = new Map<string, Step>();
  if (known.normal) {
    const weather = predicted - (known.density ? sums.density : 0) - sums.normal;
    const name = known.density ? NAMES.wind : joinSteps(NAMES.wind, NAMES.density);
    steps.set(NAMES.normal, certain(sums.normal)).set(name, { energy: weather, reach: model });
    if (known.density) steps.set(NAMES.density, certain(sums.density));
  } else steps.set(NAMES.predicted, certain(predicted));
  for (const loss of losses) steps.set(LOSSES[loss], lossStep(loss, sums[loss]));
  const unseen = losses.includes("outages") ? [] : [NAMES.availability];
  return steps.set(joinSteps(...unseen, NAMES.unexplained), {
    energy: produced - predicted + sumOf(losses, (loss) => sums[loss].lost),
    reach: losses.reduce((reach, loss) => ({ ...reach, ...mirrorReach(loss, sums[loss]) }), model),
  }).set(NAMES.produced, certain(produced));
}

/**
 * Splits the deviation from a normal production in the fixed order wind, air density, availability, curtailment, a
 * lasting change, unexplained. Steps that cannot be separated are one step, never a zero.
 *
 * @param checked Periods with their losses in outages
 * @param range Periods to judge. @default all
 * @throws {ArgumentError} If none of them can be compared
 */
export function splitDeviation(
  checked: CheckResult,
  band: NormalBand | null,
  range?: PeriodRange,
): DeviationSteps {
  const { by, stopsSeen } = checked;
  const changes = shareChanges(checked);
  const compared = checked.periods.map((period, i) => ({
    ...period,
    period,
    error: computeModelError(band, period.predicted),
    changes: changes[i],
    value: checked.value?.periods[i],
  })).filter(({ produced, predicted }) => Number.isFinite(produced) && predicted > 0);
  const all = range
    ? compared.filter(({ number }) => number >= range.from && number <= range.to)
    : compared;
  if (range && all.length === 0) {
    const [first, last] = [compared[0], compared[compared.length - 1]];
    refuse(
      first
        ? `${range.asked} cannot be compared. The compared ${by}s are between ${first.label} and ${last.label}, and have both production and a prediction. Give one of these ${by}s`
        : `no ${by} has both production and a prediction, so ${range.asked} cannot be compared. Give production and predictions of the same period`,
    );
  }
  const withNormal = all.filter(({ normal }) => Number.isFinite(normal));
  const known = withNormal.length > 0;
  const used = known ? withNormal : all;
  const notes: PerformanceFinding[] = stopsSeen ? [] : [{ code: "stops_unseen", by }];
  if (!known) notes.push({ code: "normal_unknown" });
  else if (used.length < all.length) {
    const unused = all.filter((one) => !used.includes(one));
    notes.push({ code: "steps_leave_out", periods: unused.map(({ label }) => label) });
  }
  const hasLost = (losses: readonly Loss[]) => losses.some(({ lost }) => lost !== 0);
  const losses = [
    ...(stopsSeen ? ["outages"] as const : []),
    ...(hasLost(used.map(({ limits }) => limits)) ? ["limits"] as const : []),
    ...(hasLost(changes) ? ["changes"] as const : []),
  ];
  const split = (
    rows: readonly (Sums & { readonly period: PeriodResult })[],
    single: Pick<CheckResult, "outages" | "limits">,
  ) => {
    const build = (sums: Sums) => {
      const density = used.every(({ density }) => Number.isFinite(density));
      return buildSteps(sums, { normal: known, density }, losses);
    };
    const add = (name: "produced" | "predicted" | "normal" | "density") =>
      sumOf(rows, (one) => one[name]);
    // Losses in periods without steps are not part of the steps.
    const addLosses = (name: "outages" | "limits") => {
      const periodLosses = rows.map((one) => one[name]);
      const all = rows.length === checked.periods.length ? single[name] : periodLosses;
      return { ...addUp(periodLosses), ...combineIntervals(all) };
    };
    return {
      whole: build({
        produced: add("produced"),
        predicted: add("predicted"),
        normal: add("normal"),
        density: add("density"),
        error: Math.hypot(...rows.map(({ error }) => error)),
        outages: addLosses("outages"),
        limits: addLosses("limits"),
        changes: addUp(rows.map(({ changes }) => changes)),
      }),
      periods: rows.map((one) => ({ ...one, steps: build(one) })),
    };
  };
  // The error of the wind has the wind's price; the error of a change has the price of the produced energy.
  const valued = used.flatMap(({ value, ...energies }) => {
    if (!value || !Number.isFinite(value.produced + value.predicted)) return [];
    const price = Math.abs(value.predicted / energies.predicted);
    const ofProduced = value.produced / energies.produced || 0;
    return [{
      ...value,
      period: energies.period,
      error: price * energies.error,
      changes: scaleLoss(energies.changes, ofProduced),
    }];
  });
  return {
    ...split(used, checked),
    notes,
    ...(valued.length > 0 && checked.value && {
      value: { currency: checked.value.currency, ...split(valued, checked.value) },
    }),
  };
}
