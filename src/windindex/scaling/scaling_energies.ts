import {
  computeEnergyLadders,
  energyAt,
  type Ladders,
  type LadderStamps,
} from "./energy_ladder.ts";
import type { Turbine } from "../turbine/turbine.ts";
import { groupNames } from "./wind_groups.ts";
import type { WindScaling } from "./wind_scaling.ts";

/** Kinds of scaling, from the one with fewest parameters to the one with most. */
export const SCALING_KINDS = ["factor", "linear", "season", "hour", "sector"] as const;

/** One of {@linkcode SCALING_KINDS}. */
export type ScalingKind = typeof SCALING_KINDS[number];

/** Counts the groups of a kind: 1 where it has one factor for all hours. */
export function countGroups(kind: ScalingKind): number {
  return kind === "factor" || kind === "linear" ? 1 : groupNames[kind].length;
}

/** Offsets of the wind speed at which a linear scaling has ladders, m/s. Between them energy is a cubic too. */
const OFFSETS = [-1.5, -1, -0.5, 0, 0.5, 1, 1.5];

/** Range in which the offset of a linear scaling is searched, m/s. */
export const OFFSET_RANGE = [OFFSETS[0], OFFSETS[OFFSETS.length - 1]] as const;

const OFFSET_STEP = 0.5;

/** Modelled energies of periods for every scaling of one kind. */
export interface ScalingEnergies {
  readonly kind: ScalingKind;
  /** Number of periods. */
  readonly periods: number;
  /** Groups of hours in each. */
  readonly groups: number;
  /** Ladders of the cells `period * groups + group`; for a linear scaling one at each offset. */
  readonly ladders: readonly Ladders[];
}

/**
 * Computes energies of periods for scalings of several kinds.
 *
 * @param stamps Stamps of the periods
 * @param periodOf Period of each stamp
 * @param periods Number of periods
 * @param groupOf Group of each stamp by kind
 * @param turbine Curve and control of the turbine
 */
export function computeScalingEnergies(
  kinds: readonly ScalingKind[],
  stamps: LadderStamps,
  periodOf: Int32Array,
  periods: number,
  groupOf: (kind: Exclude<ScalingKind, "factor" | "linear">) => Uint8Array,
  turbine: Pick<Turbine, "powerCurve" | "ratedPower" | "powerControl">,
): Map<ScalingKind, ScalingEnergies> {
  const grouped = kinds.filter((kind) => kind !== "linear");
  const partitions = grouped.map((kind) => {
    const groups = countGroups(kind);
    if (kind === "factor") return { cellOf: periodOf, cells: periods };
    const own = groupOf(kind);
    return {
      cellOf: periodOf.map((period, i) => period * groups + own[i]),
      cells: periods * groups,
    };
  });
  const ladders = computeEnergyLadders(stamps, turbine, partitions);
  const result = new Map<ScalingKind, ScalingEnergies>();
  grouped.forEach((kind, i) =>
    result.set(kind, { kind, periods, groups: countGroups(kind), ladders: [ladders[i]] })
  );
  if (kinds.includes("linear")) {
    const partition = [{ cellOf: periodOf, cells: periods }];
    const own = OFFSETS.map((offset) => {
      const known = offset === 0 ? result.get("factor")?.ladders : undefined;
      return (known ?? computeEnergyLadders(stamps, turbine, partition, offset))[0];
    });
    result.set("linear", { kind: "linear", periods, groups: 1, ladders: own });
  }
  return result;
}

/**
 * Energy of a period at a factor and an offset of the wind speed, `k (v + offset)`, kWh.
 *
 * @param ladders Ladders of a linear scaling
 * @param k Factor
 * @param offset Offset, m/s
 */
export function energyAtOffset(
  ladders: readonly Ladders[],
  period: number,
  k: number,
  offset: number,
): number {
  const x = (offset - OFFSETS[0]) / OFFSET_STEP;
  const first = Math.min(OFFSETS.length - 4, Math.max(0, Math.floor(x) - 1));
  const t = x - first - 1;
  return -energyAt(ladders[first], period, k) * t * (t - 1) * (t - 2) / 6 +
    energyAt(ladders[first + 1], period, k) * (t + 1) * (t - 1) * (t - 2) / 2 -
    energyAt(ladders[first + 2], period, k) * (t + 1) * t * (t - 2) / 2 +
    energyAt(ladders[first + 3], period, k) * (t + 1) * t * (t - 1) / 6;
}

/**
 * Computes the modelled energy of a period, kWh.
 *
 * @param energies Energies of the scaling's kind
 */
export function computePeriodEnergy(
  energies: ScalingEnergies,
  period: number,
  scaling: WindScaling,
): number {
  const { ladders, groups } = energies;
  if (scaling.kind === "factor") return energyAt(ladders[0], period, scaling.k);
  if (scaling.kind === "linear") {
    return energyAtOffset(ladders, period, scaling.a, scaling.b / scaling.a);
  }
  let energy = 0;
  for (let group = 0; group < groups; group++) {
    energy += energyAt(ladders[0], period * groups + group, scaling.factors[group]);
  }
  return energy;
}
