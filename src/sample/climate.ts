import { type ClimatePoint, computePressureAtHeight } from "../windindex/climate/climate.ts";
import { type RegionalWeather, simulateRegionalWeather } from "./regional_weather.ts";
import { Autoregression } from "./autoregression.ts";
import { SeededRandom } from "../stats/seeded_random.ts";
import { roundValue } from "./round_value.ts";
import type { SampleSite } from "./site.ts";
import { sampleAxis } from "./sites.ts";

/** Fall of temperature with height, K/m. */
const LAPSE = 0.0065;
/** Standard deviation of the local part of a point's wind components, m/s, and its time scale, h. */
const LOCAL_WIND = { deviation: 0.45, timeScale: 6 };
/** Bounds of relative humidity, %. */
const HUMIDITY_RANGE = [40, 100] as const;

function computeMean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function simulateWind(
  region: RegionalWeather,
  factor: number,
  name: string,
): ClimatePoint["levels"] {
  const process = (component: string) =>
    new Autoregression(new SeededRandom(`${name} ${component}`), LOCAL_WIND.timeScale);
  const ownU = process("u");
  const ownV = process("v");
  const { length } = sampleAxis;
  const low = { height: 10, u: new Float64Array(length), v: new Float64Array(length) };
  const high = { height: 100, u: new Float64Array(length), v: new Float64Array(length) };
  for (let i = 0; i < length; i++) {
    const u = factor * region.u[i] + LOCAL_WIND.deviation * ownU.next();
    const v = factor * region.v[i] + LOCAL_WIND.deviation * ownV.next();
    high.u[i] = roundValue(u, 100);
    high.v[i] = roundValue(v, 100);
    low.u[i] = roundValue(u * region.lowShare[i], 100);
    low.v[i] = roundValue(v * region.lowShare[i], 100);
  }
  return [low, high];
}

function computeAir(
  region: RegionalWeather,
  elevation: number,
): Required<Pick<ClimatePoint, "temperature" | "pressure" | "relativeHumidity">> {
  const { length } = sampleAxis;
  const temperature = new Float64Array(length);
  const pressure = new Float64Array(length);
  const relativeHumidity = new Float64Array(length);
  for (let i = 0; i < length; i++) {
    const atSea = region.temperature[i];
    temperature[i] = roundValue(atSea - LAPSE * elevation, 100);
    // The layer between the sea and the point has the mean of the temperatures at its ends.
    const layer = atSea - LAPSE * elevation / 2;
    pressure[i] = roundValue(computePressureAtHeight(region.pressure[i], elevation, layer), 1);
    relativeHumidity[i] = roundValue(
      Math.min(HUMIDITY_RANGE[1], Math.max(HUMIDITY_RANGE[0], region.humidity[i])),
      10,
    );
  }
  return { temperature, pressure, relativeHumidity };
}

/**
 * Simulates the climate of a region of the synthetic world, at all of its grid points: hourly instants with wind 10 and 100 m above
 * ground, temperature, pressure at the ground and relative humidity. The same figures every time.
 */
export function simulateClimate(site: SampleSite): ClimatePoint[] {
  const latitude = computeMean(site.points.map((point) => point.latitude));
  const longitude = computeMean(site.points.map((point) => point.longitude));
  const region = simulateRegionalWeather(site, longitude);
  const [toEast, toNorth] = site.weather.gradient;
  return site.points.map((point) => {
    const factor = 1 + toEast * (point.longitude - longitude) +
      toNorth * (point.latitude - latitude);
    return {
      ...point,
      axis: sampleAxis,
      stamp: "instant",
      levels: simulateWind(region, factor, `${site.id} ${point.latitude} ${point.longitude}`),
      ...computeAir(region, point.elevation),
    };
  });
}
