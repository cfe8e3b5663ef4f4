import { endOfAxis, HOUR, type HourAxis } from "../../time/hourly.ts";
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
export interface ModelledHours
  extends Pick<HubConditions, "axis" | "windDirection" | "temperature" | "airDensity"> {
  /** Calibrated wind speed at the hub, m/s. */
  readonly windSpeed: Float64Array;
  /** Mean power of the hour, kW. */
  readonly power: Float64Array;
  /** 1 for hours that may still change. */
  readonly preliminary?: Uint8Array;
}

/** Computes the hourly model from one reanalysis. */
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
    preliminary: hub.preliminary && computeHourlyFlags(hub.preliminary, hub.stamp),
  };
}

/** A reanalysis in a combined model. */
export interface WeightedHours {
  readonly hours: ModelledHours;
  /** Weight of its power; 0 if it only fills gaps. */
  readonly weight: number;
}

/** The hours of several reanalyses as one model. */
export interface CombinedHours extends ModelledHours {
  /** Position of the first reanalysis behind an hour; -1 if all with a weight took part, -2 if the hour is missing. */
  readonly source: Int8Array;
}

/** Source of an hour with all reanalyses that have a weight, and of an hour without any. */
const ALL_SOURCES = -1;
const NO_SOURCE = -2;

const MEANS = ["windSpeed", "temperature", "airDensity", "power"] as const;

function buildUnion(axes: readonly HourAxis[]): HourAxis {
  const start = Math.min(...axes.map((axis) => axis.start));
  const end = Math.max(...axes.map(endOfAxis));
  return { start, length: (end - start) / HOUR };
}

/** Adds values to running means: each mean moves towards its value by a share, or is the first value. */
function addShares(
  means: Float64Array,
  values: Float64Array,
  shares: Float64Array,
  before: number,
): void {
  for (let i = 0; i < values.length; i++) {
    const [share, value, mean] = [shares[i], values[i], means[before + i]];
    if (share === 0 || Number.isNaN(value)) continue;
    means[before + i] = Number.isNaN(mean) ? value : mean + share * (value - mean);
  }
}

/**
 * Combines the hours of several reanalyses: the weighted mean of power, wind speed, temperature and density, and the
 * direction of the reanalysis with the largest weight. If one of them lacks an hour, the others take part alone; if all
 * with a weight lack it, the first other one that has it fills in. So a reanalysis that ends earlier does not shorten
 * the record; hours after its end are preliminary, because they change when it is extended.
 *
 * @param sources The reanalyses, the largest weight first
 */
export function combineHours(sources: readonly WeightedHours[]): CombinedHours {
  const axis = buildUnion(sources.map(({ hours }) => hours.axis));
  const missing = () => new Float64Array(axis.length).fill(NaN);
  const combined = {
    axis,
    windSpeed: missing(),
    windDirection: missing(),
    temperature: missing(),
    airDensity: missing(),
    power: missing(),
    preliminary: new Uint8Array(axis.length),
    source: new Int8Array(axis.length).fill(NO_SOURCE),
  };
  const { source, preliminary } = combined;
  const total = new Float64Array(axis.length); // sum of the weights so far
  let ended = axis.length; // from here on, hours are after the end of a reanalysis with a weight
  sources.forEach(({ hours, weight }, position) => {
    const before = (hours.axis.start - axis.start) / HOUR;
    const { power } = hours;
    const shares = new Float64Array(power.length);
    let end = 0;
    for (let i = 0; i < power.length; i++) {
      if (Number.isNaN(power[i])) continue;
      const at = before + i;
      end = at + 1;
      if (source[at] === NO_SOURCE) {
        source[at] = position;
        combined.windDirection[at] = hours.windDirection[i];
      } else if (weight === 0) continue;
      total[at] += weight;
      shares[i] = weight === 0 ? 1 : weight / total[at];
      if (hours.preliminary?.[i] === 1) preliminary[at] = 1;
    }
    for (const name of MEANS) addShares(combined[name], hours[name], shares, before);
    if (weight > 0) ended = Math.min(ended, end);
  });
  const all = sources.reduce((sum, { weight }) => sum + weight, 0);
  for (let i = 0; i < source.length; i++) {
    if (source[i] === NO_SOURCE) continue;
    if (total[i] > all * (1 - 1e-9)) source[i] = ALL_SOURCES;
    if (i >= ended) preliminary[i] = 1;
  }
  return combined;
}
