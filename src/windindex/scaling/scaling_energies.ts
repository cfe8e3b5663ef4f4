import {
  computeEnergyLadders,
  energyAt,
  type Ladders,
  type LadderStamps,
} from "./energy_ladder.ts";
import type { SmoothedPower } from "../turbine/smoothed_power.ts";
import { groupNames, type WindGrouping, type WindScaling } from "./wind_scaling.ts";

/** Kinds of scaling, from the one with fewest parameters to the one with most. */
export const SCALING_KINDS = ["factor", "season", "hour", "sector"] as const;

/** One of {@linkcode SCALING_KINDS}. */
export type ScalingKind = typeof SCALING_KINDS[number];

/** Counts the groups of a kind: 1 where it has one factor for all hours. */
export function countGroups(kind: ScalingKind): number {
  return kind === "factor" ? 1 : groupNames[kind].length;
}

/** Modelled energies of periods for every scaling of one kind. */
export interface ScalingEnergies {
  readonly kind: ScalingKind;
  /** Number of periods. */
  readonly periods: number;
  /** Groups of hours in each. */
  readonly groups: number;
  /** Energies of the cells `period * groups + group`. */
  readonly ladders: Ladders;
}

/**
 * Computes energies of periods for scalings of several kinds.
 *
 * @param periodOf Period of each stamp
 * @param groupOf Group of each stamp by kind
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
    const own = groupOf(kind);
    return {
      cellOf: periodOf.map((period, i) => period * groups + own[i]),
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
