import type { TrainingPeriod, TrainingSet } from "./training.ts";
import type { ProducedEnergies } from "../scaling/fit_scaling.ts";
import {
  computeScalingEnergies,
  countGroups,
  SCALING_KINDS,
  type ScalingEnergies,
  type ScalingKind,
} from "../scaling/energy_ladder.ts";
import { assignWindGroups } from "../scaling/wind_scaling.ts";
import type { HubConditions } from "../turbine/hub_conditions.ts";
import { SmoothedPower } from "../turbine/smoothed_power.ts";
import type { Turbine } from "../turbine/turbine.ts";

/**
 * Smoothing of the power curve unless unseen periods clearly favour another, m/s: a turbulence of 10 to 12 % at 9 m/s.
 * The months of Kelmarsh, 2018, were seen when it was chosen.
 */
export const DEFAULT_SMOOTHING = 1;

/** Distance of the climate points at which the spread of their wind around the turbine's equals turbulence, km. */
const SPREAD_DISTANCE = 15;

/** Largest smoothing caused by the distance, m/s. */
const MAX_SMOOTHING = 2;

/**
 * Computes the smoothing of the power curve unless unseen periods clearly favour another, m/s. Annual energies cannot
 * choose one, and the further the climate point is, the less its wind is the turbine's: the smoothing combines
 * turbulence and a spread that grows with the distance. The 37 turbines of docs/validation.md, 18 to 40 km from their
 * points, were seen when it was chosen.
 *
 * @param distance Distance of the climate points, km
 */
function chooseUsualSmoothing(
  periods: readonly Pick<TrainingPeriod, "hours">[],
  distance: number,
): number {
  if (periods.length === 0 || periods.some(isMonth)) return DEFAULT_SMOOTHING;
  const spread = DEFAULT_SMOOTHING * Math.hypot(1, distance / SPREAD_DISTANCE);
  return Math.min(MAX_SMOOTHING, Math.round(10 * spread) / 10);
}

/** Smoothings that calibration compares, m/s: larger if the turbine's wind scatters more around the reanalysis. */
export const SMOOTHINGS = [0.5, DEFAULT_SMOOTHING, 1.5, 2];

/** Fewest months of a record for leaving out whole years, for choices that must hold in other years. */
export const TWO_YEARS = 23;

/** Fewest periods for scalings other than one factor. */
export const MIN_PERIODS = 6;

/**
 * Fewest months for factors by season: two of each, because one winter with too much or too little wind in the
 * reanalysis is no season.
 */
const MIN_SEASON_MONTHS = 24;

/** Share of a period in one group from which on all of its energy belongs to that group. */
const WHOLE_GROUP = 0.99;

/** Produced and modelled energies of a training set, for fits, cross-validation and bootstrap. */
export interface TrainingEnergies {
  /** Produced and modelled values, hour by hour. */
  readonly set: TrainingSet;
  /** Climate at the hub. */
  readonly hub: HubConditions;
  readonly turbine: Turbine;
  /** Power of the turbine. */
  readonly curve: SmoothedPower;
  /** The periods with something to compare, in order of time. */
  readonly periods: readonly TrainingPeriod[];
  /** Modelled energies of these periods, for each kind of scaling with enough periods. */
  readonly modelled: ReadonlyMap<ScalingKind, ScalingEnergies>;
  /** Produced energies of these periods, for each kind of scaling. */
  readonly produced: ReadonlyMap<ScalingKind, ProducedEnergies>;
}

/** Whether a period is a month, or a part of one. */
export function isMonth({ hours }: { readonly hours: number }): boolean {
  return hours < 1000;
}

/**
 * Selects the kinds of scaling with enough periods: sectors and hours of the day need hourly production, seasons two
 * years of months.
 */
function selectKinds(periods: readonly TrainingPeriod[]): ScalingKind[] {
  const hourly = periods.filter((period) => period.hourly).length;
  const months = periods.filter(isMonth).length;
  const available: Readonly<Record<ScalingKind, number>> = {
    factor: Infinity,
    season: months >= MIN_SEASON_MONTHS ? months : 0,
    hour: hourly,
    sector: hourly,
  };
  return SCALING_KINDS.filter((kind) => available[kind] >= MIN_PERIODS);
}

/** Sums the produced energy of each group in each period: by hours, or the whole period if it lies in one group. */
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
    const main = hours.indexOf(Math.max(...hours));
    const isWithin = hours[main] >= WHOLE_GROUP * hours.reduce((sum, value) => sum + value, 0);
    result.fill(isWithin ? 0 : NaN, position * groups, (position + 1) * groups);
    if (isWithin) result[position * groups + main] = produced;
  });
  return result;
}

/**
 * Computes the energies of a training set.
 *
 * @param kinds Kinds of scaling to try if there are enough periods for them
 * @param smoothing Standard deviation of the wind speeds over which the power curve is averaged, m/s. @default the usual one
 */
export function computeTrainingEnergies(
  set: TrainingSet,
  hub: HubConditions,
  turbine: Turbine,
  kinds: readonly ScalingKind[] = SCALING_KINDS,
  smoothing?: number,
): TrainingEnergies {
  const periods = set.periods.filter((period) => period.used)
    .sort((a, b) => set.stamp[a.from] - set.stamp[b.from]);
  const periodOf = new Int32Array(set.weight.length);
  periods.forEach(({ from, to }, position) => periodOf.fill(position, from, to));
  const tried = selectKinds(periods).filter((kind) => kind === "factor" || kinds.includes(kind));
  const groupOf = new Map<ScalingKind, Uint8Array>();
  for (const kind of tried) {
    if (kind === "factor") continue;
    const groups = assignWindGroups(kind, hub, turbine);
    const groupsOfSet = new Uint8Array(set.stamp.length);
    for (let i = 0; i < groupsOfSet.length; i++) groupsOfSet[i] = groups[set.stamp[i]];
    groupOf.set(kind, groupsOfSet);
  }
  const curve = new SmoothedPower(
    turbine,
    smoothing ?? chooseUsualSmoothing(periods, hub.distance),
  );
  const modelled = computeScalingEnergies(
    tried,
    set,
    periodOf,
    periods.length,
    (kind) => groupOf.get(kind)!,
    curve,
  );
  const energy = Float64Array.from(periods, (period) => period.produced);
  const hours = Float64Array.from(periods, (period) => period.energyHours);
  const produced = new Map(tried.map((kind) => {
    const groups = groupOf.get(kind);
    const byGroup = groups ? sumEnergiesByGroup(kind, set, periods, groups) : energy;
    return [kind, { energy, hours, byGroup }];
  }));
  return { set, hub, turbine, curve, periods, modelled, produced };
}
