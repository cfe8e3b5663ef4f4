import {
  computeAirDensity,
  computePressureAtHeight,
  computeStandardAtmosphere,
  DEFAULT_HUMIDITY,
} from "../climate/climate.ts";
import { computeLogDensityRatio } from "./density_correction.ts";
import type { SiteClimate, SiteLevel } from "../climate/site_climate.ts";

/** Wind speed below which the ratio of two speeds is not used for shear, m/s. */
const CALM = 0.5;

/** Exponent of the power law if two heights do not give it: 1/7, of neutral flow over open land. */
export const NEUTRAL_EXPONENT = 1 / 7;

/** Bounds of the hourly exponent: outside, two reanalysis heights do not represent the wind at a rotor. */
export const EXPONENT_RANGE = [-0.2, 0.6] as const;

/**
 * Computes the exponent of the power law from the speeds at two heights, limited to {@linkcode EXPONENT_RANGE};
 * {@linkcode NEUTRAL_EXPONENT} in calms.
 *
 * @param low Wind speed at the lower height, m/s
 * @param high Wind speed at the upper height, m/s
 * @param logHeightRatio Natural logarithm of upper over lower height
 */
export function computeShearExponent(low: number, high: number, logHeightRatio: number): number {
  if (low < CALM || high < CALM) return NEUTRAL_EXPONENT;
  const exponent = Math.log(high / low) / logHeightRatio;
  return Math.min(EXPONENT_RANGE[1], Math.max(EXPONENT_RANGE[0], exponent));
}

/**
 * Computes the wind speed at hub height by the power law, m/s.
 *
 * @param speed Wind speed at the reference height, m/s
 * @param referenceHeight Height of that speed above ground, m
 * @param hubHeight Hub height above ground, m
 * @param exponent Wind shear exponent
 */
export function applyPowerLaw(
  speed: number,
  referenceHeight: number,
  hubHeight: number,
  exponent: number,
): number {
  return speed * (hubHeight / referenceHeight) ** exponent;
}

/**
 * Computes the factor between two heights by the logarithmic law of neutral flow.
 *
 * @param referenceHeight Height of the known speed above ground, m
 * @param hubHeight Hub height above ground, m
 * @param roughness Roughness length, m
 */
export function computeLogLawFactor(
  referenceHeight: number,
  hubHeight: number,
  roughness: number,
): number {
  return Math.log(hubHeight / roughness) / Math.log(referenceHeight / roughness);
}

/** Wind shear for a climate with one height only. */
export type SingleHeightShear = { readonly exponent: number } | { readonly roughness: number };

/** Climate at a turbine's hub, before calibration; missing is NaN. */
export interface HubConditions
  extends Pick<SiteClimate, "axis" | "stamp" | "preliminary" | "distance"> {
  /** Wind speed at hub height, m/s. */
  readonly windSpeed: Float64Array;
  /** Direction the wind comes from at the next climate height above the hub, deg; missing only if the wind is missing. */
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

/** Exponent for a climate with one height if the site declares neither exponent nor roughness. */
const DEFAULT_SHEAR: SingleHeightShear = { exponent: 1 / 7 };

/** Finds the two heights around the hub, or the nearest two; the same height twice if there is only one. */
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
    note:
      `Wind extrapolated to hub height with the hourly power-law exponent between ${low.height} and ${high.height} m.`,
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
        `in the climate data, so all hours use the air density of the standard ` +
        `atmosphere at the hub, ${density.toFixed(3)} kg/m3.`,
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
  if (!relativeHumidity) notes.push("Relative humidity is unknown; 50 % is assumed.");
  if (site.elevation === null) {
    notes.push(
      "Elevation of the climate points is unknown; the elevation of the turbine is assumed.",
    );
  }
  return { temperature, density, note: notes.join(" ") };
}

/**
 * Computes the climate at a turbine's hub.
 *
 * @param turbine Elevation of the ground and hub height above it, m
 * @param shear Wind shear for a climate with one height only
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
    preliminary: site.preliminary,
    windSpeed: wind.speed,
    get windDirection() {
      return wind.level.direction;
    },
    temperature: air.temperature,
    airDensity: air.density,
    logDensityRatio: logRatio,
    distance: site.distance,
    notes: [...site.notes, wind.note, air.note],
  };
}
