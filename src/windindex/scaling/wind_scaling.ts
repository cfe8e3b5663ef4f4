import { HOUR, type HourAxis } from "../../time/hourly.ts";
import { listMonthSpans } from "../index/monthly_energy.ts";
import type { HubConditions } from "../turbine/hub_conditions.ts";
import type { Turbine } from "../turbine/turbine.ts";

/** Grouping of hours with different factors on the wind speed. */
export type WindGrouping = "season" | "sector" | "hour";

/** Names of the groups of each grouping, in their order. */
export const groupNames: Readonly<Record<WindGrouping, readonly string[]>> = {
  season: ["Dec-Feb", "Mar-May", "Jun-Aug", "Sep-Nov"],
  sector: Array.from({ length: 12 }, (_, i) => `${i * 30} deg`),
  hour: ["0-6 h", "6-12 h", "12-18 h", "18-24 h"],
};

/** Group of a timestamp without a wind direction. */
const NONE = 255;

const SECTOR = 30; // deg, as is usual in wind roses

/** Assigns directions that the wind comes from to sectors of 30 deg around 0, 30, ... deg. */
function assignSectors(direction: Float64Array): Uint8Array {
  const groups = new Uint8Array(direction.length);
  for (let i = 0; i < groups.length; i++) {
    const value = direction[i];
    groups[i] = value === value ? Math.floor((value + SECTOR / 2) / SECTOR) % 12 : NONE;
  }
  return groups;
}

/**
 * Assigns hours to quarters of the day by mean solar time, because atmospheric stability follows the sun, not the
 * clock.
 */
function assignQuarters(axis: HourAxis, longitude: number): Uint8Array {
  const first = axis.start / HOUR + longitude / 15;
  const groups = new Uint8Array(axis.length);
  for (let i = 0; i < groups.length; i++) {
    const hour = (first + i) % 24;
    groups[i] = Math.floor((hour < 0 ? hour + 24 : hour) / 6);
  }
  return groups;
}

/** Assigns hours to seasons of three months, the first from December on, in the turbine's zone. */
function assignSeasons(axis: HourAxis, timeZone: string): Uint8Array {
  const groups = new Uint8Array(axis.length);
  for (const { month, from, to } of listMonthSpans(axis, timeZone)) {
    groups.fill(Math.floor(month % 12 / 3), Math.max(0, from), Math.min(axis.length, to));
  }
  return groups;
}

/** Assigns each timestamp to a group, as its position in {@linkcode groupNames}. */
export function assignWindGroups(
  by: WindGrouping,
  hub: Pick<HubConditions, "axis" | "windDirection">,
  place: Pick<Turbine, "timeZone" | "longitude">,
): Uint8Array {
  if (by === "sector") return assignSectors(hub.windDirection);
  return by === "hour"
    ? assignQuarters(hub.axis, place.longitude)
    : assignSeasons(hub.axis, place.timeZone);
}

/** Scaling from the wind of the climate to the turbine's, found by calibration. */
export type WindScaling =
  /** One factor for all hours. */
  | { readonly kind: "factor"; readonly k: number }
  /** A factor for each season, sector or part of the day, in the order of `groupNames`. */
  | { readonly kind: WindGrouping; readonly factors: readonly number[] };

/** Computes the calibrated wind speed at each timestamp, m/s; missing is NaN. */
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
    // A timestamp without a direction has no wind either: its factor is undefined, so its speed is NaN.
    for (let i = 0; i < speed.length; i++) speed[i] = factors[groups[i]] * windSpeed[i];
  }
  return speed;
}

/** Multiplies a scaling, so it gives a multiple of the wind speed. */
export function multiplyScaling(level: number, scaling: WindScaling): WindScaling {
  if (scaling.kind === "factor") return { kind: "factor", k: level * scaling.k };
  return { kind: scaling.kind, factors: scaling.factors.map((factor) => level * factor) };
}

/** Lists the parameters of a scaling by name: `k`, or the factor of each group. */
export function parametersOf(scaling: WindScaling): { name: string; value: number }[] {
  if (scaling.kind === "factor") return [{ name: "k", value: scaling.k }];
  return scaling.factors.map((value, i) => ({ name: groupNames[scaling.kind][i], value }));
}
