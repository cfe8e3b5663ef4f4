import { alignToAxis, endOfAxis, HOUR, type HourAxis } from "../../time/hour_axis.ts";
import {
  computeHourlyFlags,
  computeHourlyPower,
  computePowerAtStamps,
  type PowerModel,
} from "../power_model.ts";
import { scaleSpeed } from "../scaling/wind_scaling.ts";
import type { HubConditions } from "../turbine/hub_conditions.ts";
import type { Turbine } from "../turbine/turbine.ts";

/** The calibrated model of a turbine hour by hour; missing is NaN. */
export interface ModelledHours {
  readonly axis: HourAxis;
  /** Calibrated wind speed at the hub, m/s. */
  readonly windSpeed: Float64Array;
  /** Direction the wind comes from, deg. */
  readonly windDirection: Float64Array;
  /** Air temperature, degC. */
  readonly temperature: Float64Array;
  /** Air density at the hub, kg/m3. */
  readonly airDensity: Float64Array;
  /** Mean power of the hour, kW. */
  readonly power: Float64Array;
  /** 1 for hours that may still change. */
  readonly preliminary?: Uint8Array;
}

/**
 * Computes the hourly model from one reanalysis.
 *
 * @param turbine The turbine
 * @param model Its calibration
 * @param hub Climate at its hub
 */
export function computeModelledHours(
  turbine: Turbine,
  { scaling, smoothing }: PowerModel,
  hub: HubConditions,
): ModelledHours {
  const windSpeed = scaleSpeed(scaling, hub, turbine);
  const power = computePowerAtStamps(turbine, windSpeed, hub.logDensityRatio, smoothing);
  return {
    axis: hub.axis,
    windSpeed,
    windDirection: hub.windDirection,
    temperature: hub.temperature,
    airDensity: hub.airDensity,
    power: computeHourlyPower(power, hub.stamp),
    ...(hub.preliminary ? { preliminary: computeHourlyFlags(hub.preliminary, hub.stamp) } : {}),
  };
}

/** A reanalysis in a combined model. */
export interface WeightedHours {
  readonly hours: ModelledHours;
  /** Weight of its power; 0 where it only helps out. */
  readonly weight: number;
}

/** The hours of several reanalyses as one model. */
export interface CombinedHours extends ModelledHours {
  /** Position of the reanalysis that each hour comes from; -1 where all with a weight took part, -2 where it is missing. */
  readonly source: Int8Array;
}

/** Source of an hour in which all reanalyses with a weight took part, and of one that none has. */
export const ALL_SOURCES = -1;
const NO_SOURCE = -2;

function buildUnion(axes: readonly HourAxis[]): HourAxis {
  const start = Math.min(...axes.map((axis) => axis.start));
  const end = Math.max(...axes.map(endOfAxis));
  return { start, length: (end - start) / HOUR };
}

const MEANS = ["windSpeed", "temperature", "airDensity", "power"] as const;

/**
 * Combines the hours of several reanalyses: the weighted mean of power, wind speed, temperature and density, the direction of
 * the one with the largest weight. In an hour that one of them does not have, the others take part alone; in one that none
 * with a weight has, the first other one that has it. So a reanalysis that ends earlier does not shorten the record; after its
 * end hours are preliminary, since they change when it goes on.
 *
 * @param sources The reanalyses, the best first
 */
export function combineHours(sources: readonly WeightedHours[]): CombinedHours {
  const axis = buildUnion(sources.map(({ hours }) => hours.axis));
  const aligned = sources.map(({ hours, weight }) => ({
    weight,
    end: (endOfAxis(hours.axis) - axis.start) / HOUR,
    preliminary: hours.preliminary &&
      alignToAxis(axis, hours.axis, Float64Array.from(hours.preliminary)),
    columns: new Map(
      [...MEANS, "windDirection" as const].map((name) => [
        name,
        alignToAxis(axis, hours.axis, hours[name]),
      ]),
    ),
  }));
  const main = sources.map(({ weight }) => weight).indexOf(
    Math.max(...sources.map(({ weight }) => weight)),
  );
  const weighted = [...sources.keys()].filter((i) => sources[i].weight > 0);
  const power = aligned.map(({ columns }) => columns.get("power")!);
  const source = new Int8Array(axis.length).fill(NO_SOURCE);
  const preliminary = new Uint8Array(axis.length);
  const result = new Map(
    [...MEANS, "windDirection" as const].map((name) => [
      name,
      new Float64Array(axis.length).fill(NaN),
    ]),
  );
  const has = (position: number, i: number) => power[position][i] === power[position][i];
  for (let i = 0; i < axis.length; i++) {
    const present = weighted.filter((position) => has(position, i));
    const used = present.length > 0
      ? present
      : [...sources.keys()].filter((position) => has(position, i)).slice(0, 1);
    if (used.length === 0) continue;
    const complete = present.length === weighted.length;
    const first = used.includes(main) ? main : used[0];
    source[i] = complete ? ALL_SOURCES : first;
    const total = used.reduce((sum, position) => sum + (sources[position].weight || 1), 0);
    for (const name of MEANS) {
      let sum = 0;
      for (const position of used) {
        sum += (sources[position].weight || 1) * aligned[position].columns.get(name)![i];
      }
      result.get(name)![i] = sum / total;
    }
    result.get("windDirection")![i] = aligned[first].columns.get("windDirection")![i];
    const ended = weighted.some((position) => i >= aligned[position].end);
    const flagged = used.some((position) => aligned[position].preliminary?.[i] === 1);
    if (ended || flagged) preliminary[i] = 1;
  }
  return {
    axis,
    windSpeed: result.get("windSpeed")!,
    windDirection: result.get("windDirection")!,
    temperature: result.get("temperature")!,
    airDensity: result.get("airDensity")!,
    power: result.get("power")!,
    preliminary,
    source,
  };
}
