import type { SmoothedPower } from "../turbine/smoothed_power.ts";
import { groupNames, type WindGrouping, type WindScaling } from "./wind_scaling.ts";

/** Range of factors on the wind speed to search. */
export const K_RANGE = [0.5, 1.5] as const;

/**
 * Rungs of a ladder: between them the energy of a year is accurate to about 1e-4 and of a month to about 1e-3, less in
 * storms around cut-out, even with twice as many rungs.
 */
export const RUNGS = 21;

const WIDTH = (K_RANGE[1] - K_RANGE[0]) / (RUNGS - 1);

/** Factor at a rung. */
export function factorAt(rung: number): number {
  return K_RANGE[0] + rung * WIDTH;
}

/**
 * Energies of cells (a period, a group of hours, both) at a ladder of factors: `energies[cell * RUNGS + rung]`, kWh.
 * Computed in one pass over the hours, they replace the hours in every search for a factor: a fold of the
 * cross-validation or a draw of the bootstrap is a sum of cells.
 */
export type Ladders = Float64Array;

/** Timestamps whose energy is added to ladders. */
export interface LadderStamps {
  /** Wind speed before calibration, m/s; missing is NaN. */
  readonly speed: Float64Array;
  /** Natural logarithm of air density over 1.225 kg/m3. */
  readonly logDensityRatio: Float64Array;
  /** Hours represented by the power at the timestamp. */
  readonly weight: Float64Array;
}

/**
 * Sums energies of cells at every rung, for several partitions of the same timestamps in one pass.
 *
 * @param partitions Cell of each timestamp and number of cells, for each partition
 */
export function computeEnergyLadders(
  stamps: LadderStamps,
  curve: SmoothedPower,
  partitions: readonly { readonly cellOf: Int32Array; readonly cells: number }[],
): Ladders[] {
  const { speed, logDensityRatio, weight } = stamps;
  const ladders = partitions.map(({ cells }) => new Float64Array(cells * RUNGS));
  const factors = Float64Array.from({ length: RUNGS }, (_, rung) => factorAt(rung));
  const rungs = new Float64Array(RUNGS);
  for (let i = 0; i < speed.length; i++) {
    const hours = weight[i];
    if (hours === 0) continue;
    curve.readPowers(speed[i], logDensityRatio[i], factors, rungs);
    for (let rung = 0; rung < RUNGS; rung++) rungs[rung] *= hours;
    for (let j = 0; j < ladders.length; j++) {
      const ladder = ladders[j];
      const at = partitions[j].cellOf[i] * RUNGS;
      for (let rung = 0; rung < RUNGS; rung++) ladder[at + rung] += rungs[rung];
    }
  }
  return ladders;
}

/**
 * Energy of a cell at a factor, kWh: the cubic through the four rungs around it.
 *
 * @param k Factor; limited to {@linkcode K_RANGE}
 */
export function energyAt(ladders: Ladders, cell: number, k: number): number {
  const x = Math.min(RUNGS - 1, Math.max(0, (k - K_RANGE[0]) / WIDTH));
  const first = Math.min(RUNGS - 4, Math.max(0, Math.floor(x) - 1));
  const t = x - first - 1; // -1, 0, 1, 2 at the four rungs
  const at = cell * RUNGS + first;
  return -ladders[at] * t * (t - 1) * (t - 2) / 6 +
    ladders[at + 1] * (t + 1) * (t - 1) * (t - 2) / 2 -
    ladders[at + 2] * (t + 1) * t * (t - 2) / 2 +
    ladders[at + 3] * (t + 1) * t * (t - 1) / 6;
}

/**
 * Finds the smallest factor at which an energy is reached, by bisection between two rungs; an end of {@linkcode
 * K_RANGE} if it is not reached. Energy falls again when storms pass cut-out, so the first rung that reaches the target
 * is the upper bound.
 *
 * @param energy Energy at a factor, kWh
 * @param target Energy to reach, kWh
 */
export function findFactor(energy: (k: number) => number, target: number): number {
  let rung = 0;
  while (rung < RUNGS && energy(factorAt(rung)) < target) rung++;
  if (rung === 0) return K_RANGE[0];
  if (rung === RUNGS) return K_RANGE[1];
  let [low, high] = [factorAt(rung - 1), factorAt(rung)];
  while (high - low > 1e-9) {
    const middle = (low + high) / 2;
    if (energy(middle) < target) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Computes weighted sums of the cells of periods, group by group: `weights[period]` times the cell `period * groups + group`.
 *
 * @param ladders Energies of `weights.length * groups` cells
 * @param weights How often each period counts
 */
export function sumPeriods(
  ladders: Ladders,
  groups: number,
  weights: ArrayLike<number>,
): Ladders {
  const width = groups * RUNGS;
  const sum = new Float64Array(width);
  for (let period = 0; period < weights.length; period++) {
    const weight = weights[period];
    if (weight === 0) continue;
    const at = period * width;
    for (let i = 0; i < width; i++) sum[i] += weight * ladders[at + i];
  }
  return sum;
}

/** Kinds of scaling, from the one with fewest parameters to the one with most. */
export const SCALING_KINDS = ["factor", "season", "hour", "sector"] as const;

/** One of {@linkcode SCALING_KINDS}. */
export type ScalingKind = typeof SCALING_KINDS[number];

/** Counts the groups of a kind: 1 if it has one factor for all hours. */
export function countGroups(kind: ScalingKind): number {
  return kind === "factor" ? 1 : groupNames[kind].length;
}

/** Modelled energies of periods for every scaling of one kind. */
export interface ScalingEnergies {
  readonly kind: ScalingKind;
  /** Number of periods. */
  readonly periods: number;
  /** Groups of hours in each period. */
  readonly groups: number;
  /** Energies of the cells `period * groups + group`. */
  readonly ladders: Ladders;
}

/**
 * Computes energies of periods for scalings of several kinds.
 *
 * @param periodOf Period of each timestamp
 * @param groupOf Group of each timestamp by kind
 */
export function computeScalingEnergies(
  kinds: readonly ScalingKind[],
  stamps: LadderStamps,
  periodOf: Int32Array,
  periods: number,
  groupOf: (kind: WindGrouping) => Uint8Array,
  curve: SmoothedPower,
): Map<ScalingKind, ScalingEnergies> {
  const partitions = kinds.map((kind) => {
    const groups = countGroups(kind);
    if (kind === "factor") return { cellOf: periodOf, cells: periods };
    const groupOfStamp = groupOf(kind);
    return {
      cellOf: periodOf.map((period, i) => period * groups + groupOfStamp[i]),
      cells: periods * groups,
    };
  });
  const ladders = computeEnergyLadders(stamps, curve, partitions);
  return new Map(
    kinds.map((kind, i) => [
      kind,
      { kind, periods, groups: countGroups(kind), ladders: ladders[i] },
    ]),
  );
}

/** Computes the modelled energy of a period, kWh. */
export function computePeriodEnergy(
  { ladders, groups }: ScalingEnergies,
  period: number,
  scaling: WindScaling,
): number {
  if (scaling.kind === "factor") return energyAt(ladders, period, scaling.k);
  let energy = 0;
  for (let group = 0; group < groups; group++) {
    energy += energyAt(ladders, period * groups + group, scaling.factors[group]);
  }
  return energy;
}
