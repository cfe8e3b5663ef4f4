import {
  computeAirDensity,
  computePressureAtHeight,
  computeStandardAtmosphere,
  DEFAULT_HUMIDITY,
} from "../climate/air_density.ts";
import { computeLogDensityRatio } from "./density_correction.ts";
import type { SiteClimate, SiteLevel } from "../climate/site_climate.ts";
import { applyPowerLaw, computeLogLawFactor, computeShearExponent } from "../climate/wind_shear.ts";

/** Wind shear where the climate has one height only. */
export type SingleHeightShear = { readonly exponent: number } | { readonly roughness: number };

/** Climate at a turbine's hub, before calibration; missing is NaN. */
export interface HubConditions extends Pick<SiteClimate, "axis" | "stamp" | "preliminary"> {
  /** Wind speed at hub height, m/s. */
  readonly windSpeed: Float64Array;
  /** Direction the wind comes from at the height of the climate next above the hub, deg; missing only where the wind is missing. */
  readonly windDirection: Float64Array;
  /** Air temperature, degC. */
  readonly temperature: Float64Array;
  /** Air density at hub height, kg/m3. */
  readonly airDensity: Float64Array;
  /** Natural logarithm of air density over 1.225 kg/m3. */
  readonly logDensityRatio: Float64Array;
  /** Assumptions and missing inputs, in sentences. */
  readonly notes: readonly string[];
}

/** Exponent used where the climate has one height and the site declares neither exponent nor roughness. */
const DEFAULT_SHEAR: SingleHeightShear = { exponent: 1 / 7 };

/** Finds the two heights around the hub, or the nearest two; the same height twice where there is only one. */
function findLevelsAround(
  levels: SiteClimate["levels"],
  hubHeight: number,
): [SiteLevel, SiteLevel] {
  const above = levels.findIndex(({ height }) => height >= hubHeight);
  const upper = Math.max(Math.min(1, levels.length - 1), above === -1 ? levels.length - 1 : above);
  return [levels[Math.max(0, upper - 1)], levels[upper]];
}

function computeHubSpeeds(
  site: SiteClimate,
  hubHeight: number,
  shear: SingleHeightShear,
): { speed: Float64Array; level: SiteLevel; note: string } {
  const [low, high] = findLevelsAround(site.levels, hubHeight);
  const speed = new Float64Array(site.axis.length);
  if (high === low) {
    const factor = "exponent" in shear
      ? applyPowerLaw(1, low.height, hubHeight, shear.exponent)
      : computeLogLawFactor(low.height, hubHeight, shear.roughness);
    for (let i = 0; i < speed.length; i++) speed[i] = low.speed[i] * factor;
    const law = "exponent" in shear
      ? `power law with the exponent ${shear.exponent.toFixed(3)}`
      : `log law with the roughness ${shear.roughness} m`;
    return { speed, level: high, note: `Wind from ${low.height} m to hub height by the ${law}.` };
  }
  const logHeights = Math.log(high.height / low.height);
  const logHub = Math.log(hubHeight / high.height);
  for (let i = 0; i < speed.length; i++) {
    const exponent = computeShearExponent(low.speed[i], high.speed[i], logHeights);
    speed[i] = high.speed[i] * Math.exp(exponent * logHub);
  }
  return {
    speed,
    level: high,
    note: `Wind to hub height by the power law with the hourly exponent of ${low.height} and ` +
      `${high.height} m.`,
  };
}

function computeHubDensities(
  site: SiteClimate,
  elevation: number,
  hubHeight: number,
): { temperature: Float64Array; density: Float64Array; note: string } {
  const { temperature, pressure, relativeHumidity } = site;
  const hub = elevation + hubHeight;
  if (!temperature || !pressure) {
    const standard = computeStandardAtmosphere(hub);
    const density = computeAirDensity(standard.temperature, standard.pressure);
    return {
      temperature: temperature ?? new Float64Array(site.axis.length).fill(NaN),
      density: new Float64Array(site.axis.length).fill(density),
      note:
        `No ${
          temperature ? "air pressure" : pressure ? "temperature" : "temperature and pressure"
        } ` +
        `in the climate data: air density of the standard atmosphere at the hub, ` +
        `${density.toFixed(3)} kg/m3 in all hours.`,
    };
  }
  const rise = hub - (site.elevation ?? elevation);
  const density = new Float64Array(site.axis.length);
  for (let i = 0; i < density.length; i++) {
    const humidity = relativeHumidity ? relativeHumidity[i] / 100 : DEFAULT_HUMIDITY;
    density[i] = computeAirDensity(
      temperature[i],
      computePressureAtHeight(pressure[i], rise, temperature[i]),
      humidity === humidity ? humidity : DEFAULT_HUMIDITY,
    );
  }
  const notes = [
    "Air density hour by hour from temperature and pressure, corrected to hub height.",
  ];
  if (!relativeHumidity) notes.push("Relative humidity is unknown: 50 % is assumed.");
  if (site.elevation === null) {
    notes.push("Elevation of the climate points is unknown: that of the turbine is assumed.");
  }
  return { temperature, density, note: notes.join(" ") };
}

/**
 * Computes the climate at a turbine's hub.
 *
 * @param turbine Elevation of the ground and hub height above it, m
 * @param shear Wind shear where the climate has one height only
 */
export function computeHubConditions(
  site: SiteClimate,
  turbine: { readonly elevation: number; readonly hubHeight: number },
  shear: SingleHeightShear = DEFAULT_SHEAR,
): HubConditions {
  const wind = computeHubSpeeds(site, turbine.hubHeight, shear);
  const air = computeHubDensities(site, turbine.elevation, turbine.hubHeight);
  const logRatio = new Float64Array(air.density.length);
  for (let i = 0; i < logRatio.length; i++) logRatio[i] = computeLogDensityRatio(air.density[i]);
  return {
    axis: site.axis,
    stamp: site.stamp,
    ...(site.preliminary ? { preliminary: site.preliminary } : {}),
    windSpeed: wind.speed,
    get windDirection() {
      return wind.level.direction;
    },
    temperature: air.temperature,
    airDensity: air.density,
    logDensityRatio: logRatio,
    notes: [...site.notes, wind.note, air.note],
  };
}
