import type { HubConditions } from "../turbine/hub_conditions.ts";
import type { Turbine } from "../turbine/turbine.ts";
import { assignWindGroups, groupNames, type WindGrouping } from "./wind_groups.ts";

/** Scaling from the wind of the climate to that of the turbine, which calibration finds. */
export type WindScaling =
  /** One factor for all hours. */
  | { readonly kind: "factor"; readonly k: number }
  /** A factor for each season, sector or part of the day, in the order of `groupNames`. */
  | { readonly kind: WindGrouping; readonly factors: readonly number[] };

/** Computes the calibrated wind speed at each stamp, m/s; missing is NaN. */
export function scaleSpeed(
  scaling: WindScaling,
  hub: Pick<HubConditions, "axis" | "windSpeed" | "windDirection">,
  place: Pick<Turbine, "timeZone" | "longitude">,
): Float64Array {
  const { windSpeed } = hub;
  const speed = new Float64Array(windSpeed.length);
  if (scaling.kind === "factor") {
    const { k } = scaling;
    for (let i = 0; i < speed.length; i++) speed[i] = k * windSpeed[i];
  } else {
    const groups = assignWindGroups(scaling.kind, hub, place);
    const factors = Float64Array.from(scaling.factors);
    // A stamp without a direction has no wind either: its factor is undefined, so its speed is NaN.
    for (let i = 0; i < speed.length; i++) speed[i] = factors[groups[i]] * windSpeed[i];
  }
  return speed;
}

/** Multiplies a scaling, so that it gives a multiple of the wind speed. */
export function multiplyScaling(level: number, scaling: WindScaling): WindScaling {
  if (scaling.kind === "factor") return { kind: "factor", k: level * scaling.k };
  return { kind: scaling.kind, factors: scaling.factors.map((factor) => level * factor) };
}

/** `a v + b` with b in m/s: stored by engines before the third, still served, not fitted any more. */
interface LinearScaling {
  readonly kind: "linear";
  readonly a: number;
  readonly b: number;
}

/** Parameters of a scaling by name: `k`, or the factor of each group; `a` and `b` (m/s) of an old one. */
export function parametersOf(
  scaling: WindScaling | LinearScaling,
): { name: string; value: number }[] {
  if (scaling.kind === "factor") return [{ name: "k", value: scaling.k }];
  if (scaling.kind === "linear") {
    return [{ name: "a", value: scaling.a }, { name: "b", value: scaling.b }];
  }
  return scaling.factors.map((value, i) => ({ name: groupNames[scaling.kind][i], value }));
}
