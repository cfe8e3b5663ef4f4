import type { ProducedEnergies } from "../scaling/fit_scaling.ts";
import type { HubConditions } from "../turbine/hub_conditions.ts";
import {
  computeScalingEnergies,
  countGroups,
  SCALING_KINDS,
  type ScalingEnergies,
  type ScalingKind,
} from "../scaling/scaling_energies.ts";
import type { TrainingPeriod, TrainingSet } from "./training.ts";
import type { Turbine } from "../turbine/turbine.ts";
import { assignWindGroups } from "../scaling/wind_groups.ts";

/** Periods from which scalings other than one factor are tried. */
export const MIN_PERIODS = 6;

/** Share of a period in one group from which all of its energy counts there. */
const WHOLE_GROUP = 0.99;

/** Produced and modelled energies of a training set: all that fits, cross-validation and bootstrap look at. */
export interface TrainingEnergies {
  /** Produced and modelled values, hour by hour. */
  readonly set: TrainingSet;
  /** Climate at the hub. */
  readonly hub: HubConditions;
  readonly turbine: Turbine;
  /** The periods with something to compare, in order of time. */
  readonly periods: readonly TrainingPeriod[];
  /** Modelled energies of these periods, for each kind of scaling that they can tell. */
  readonly modelled: ReadonlyMap<ScalingKind, ScalingEnergies>;
  /** Produced energies of these periods, beside each. */
  readonly produced: ReadonlyMap<ScalingKind, ProducedEnergies>;
}

/** Whether a period is a month, or a part of one. */
export function isMonth({ hours }: { readonly hours: number }): boolean {
  return hours < 1000;
}

/** Kinds of scaling that the periods can tell apart: sectors and hours of the day need hourly production, seasons months. */
function selectKinds(periods: readonly TrainingPeriod[]): ScalingKind[] {
  const hourly = periods.filter((period) => period.hourly).length;
  const months = periods.filter(isMonth).length;
  const least: Readonly<Record<ScalingKind, number>> = {
    factor: Infinity,
    linear: periods.length,
    season: months,
    hour: hourly,
    sector: hourly,
  };
  return SCALING_KINDS.filter((kind) => least[kind] >= MIN_PERIODS);
}

/** Produced energy of each period's groups: by hours, or by the whole period where it lies in one group. */
function sumEnergiesByGroup(
  kind: ScalingKind,
  set: TrainingSet,
  periods: readonly TrainingPeriod[],
  groupOf: Uint8Array,
): Float64Array {
  const groups = countGroups(kind);
  const result = new Float64Array(periods.length * groups);
  periods.forEach(({ from, to, produced, hourly }, position) => {
    const hours = new Float64Array(groups);
    for (let i = from; i < to; i++) {
      if (set.weight[i] === 0) continue;
      hours[groupOf[i]] += set.weight[i];
      result[position * groups + groupOf[i]] += set.produced[i];
    }
    if (hourly) return;
    const most = hours.indexOf(Math.max(...hours));
    const whole = hours[most] >= WHOLE_GROUP * hours.reduce((sum, value) => sum + value, 0);
    result.fill(whole ? 0 : NaN, position * groups, (position + 1) * groups);
    if (whole) result[position * groups + most] = produced;
  });
  return result;
}

/**
 * Energies of a training set.
 *
 * @param set Production and climate side by side
 * @param hub Climate at the hub
 * @param kinds Kinds of scaling to be tried where the periods can tell them
 */
export function computeTrainingEnergies(
  set: TrainingSet,
  hub: HubConditions,
  turbine: Turbine,
  kinds: readonly ScalingKind[] = SCALING_KINDS,
): TrainingEnergies {
  const periods = set.periods.filter((period) => period.used)
    .sort((a, b) => set.stamp[a.from] - set.stamp[b.from]);
  const periodOf = new Int32Array(set.weight.length);
  periods.forEach(({ from, to }, position) => periodOf.fill(position, from, to));
  const tried = selectKinds(periods).filter((kind) => kind === "factor" || kinds.includes(kind));
  const groupOf = new Map<ScalingKind, Uint8Array>();
  for (const kind of tried) {
    if (kind === "factor" || kind === "linear") continue;
    const groups = assignWindGroups(kind, hub, turbine);
    groupOf.set(kind, Uint8Array.from(set.stamp, (stamp) => groups[stamp]));
  }
  const modelled = computeScalingEnergies(
    tried,
    set,
    periodOf,
    periods.length,
    (kind) => groupOf.get(kind)!,
    turbine,
  );
  const energy = Float64Array.from(periods, (period) => period.produced);
  const hours = Float64Array.from(
    periods,
    (period) => period.hourly ? period.validHours : period.hours,
  );
  const produced = new Map(tried.map((kind) => {
    const groups = groupOf.get(kind);
    const byGroup = groups ? sumEnergiesByGroup(kind, set, periods, groups) : energy;
    return [kind, { energy, hours, byGroup }];
  }));
  return { set, hub, turbine, periods, modelled, produced };
}
