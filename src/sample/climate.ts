import { type ClimatePoint, computePressureAtHeight } from "../windindex/climate/climate.ts";
import { SeededRandom } from "../stats/seeded_random.ts";
import { roundValue, sampleAxis, type SampleSite } from "./sites.ts";

/** An hourly AR(1) process with mean 0 and standard deviation 1. */
export class Autoregression {
  readonly #random: SeededRandom;
  readonly #memory: number;
  readonly #innovation: number;
  #value: number;

  /**
   * Starts the process somewhere in its range.
   *
   * @param random Source of the innovations, used by this process only
   * @param timeScale Hours after which the autocorrelation has fallen to 1/e
   */
  constructor(random: SeededRandom, timeScale: number) {
    this.#random = random;
    this.#memory = Math.exp(-1 / timeScale);
    this.#innovation = Math.sqrt(1 - this.#memory * this.#memory);
    this.#value = random.normal();
  }

  /** Returns the value of the next hour. */
  next(): number {
    this.#value = this.#memory * this.#value + this.#innovation * this.#random.normal();
    return this.#value;
  }
}

/** Hours of a mean year. */
const YEAR = 8766;
/** Mean pressure at sea level, Pa. */
const SEA_LEVEL_PRESSURE = 101_325;
/** Share of the wind's variance from fronts and storms; the rest comes from spells of about a week. */
const SYNOPTIC_SHARE = 0.85;
/** Narrows the speeds by a power: normal components give about Weibull k = 2, but seasons widen the distribution. */
const SPEED_EXPONENT = 0.87;
const SHEAR_RANGE = [-0.05, 0.45] as const;

/** Weather in the middle of a region, hour by hour. */
interface RegionalWeather {
  /** Eastward wind 100 m above ground, m/s. */
  readonly u: Float64Array;
  /** Northward wind 100 m above ground, m/s. */
  readonly v: Float64Array;
  /** Ratio of the wind speeds at 10 m and 100 m above ground. */
  readonly lowShare: Float64Array;
  /** Temperature at sea level, degC. */
  readonly temperature: Float64Array;
  /** Pressure at sea level, Pa. */
  readonly pressure: Float64Array;
  /** Relative humidity, %. */
  readonly humidity: Float64Array;
}

/** Computes the seasonal cosine of each hour: 1 on a day of the year, -1 half a year later. */
function computeSeason(day: number): Float64Array {
  const season = new Float64Array(sampleAxis.length);
  const peak = (day - 1) * 24;
  for (let i = 0; i < season.length; i++) season[i] = Math.cos(2 * Math.PI * (i - peak) / YEAR);
  return season;
}

/** Computes the daily cosine of the 24 UTC hours: 1 at an hour of solar time. */
function computeDay(hour: number, longitude: number): Float64Array {
  return Float64Array.from(
    { length: 24 },
    (_, i) => Math.cos(2 * Math.PI * (i + longitude / 15 - hour) / 24),
  );
}

/** Simulates a slow factor around 1 that makes good and bad wind years, linear between random values half a year apart. */
function simulateSlowFactor(random: SeededRandom, deviation: number): Float64Array {
  const half = YEAR / 2;
  const values = Float64Array.from(
    { length: Math.ceil(sampleAxis.length / half) + 1 },
    () => 1 + deviation * random.normal(),
  );
  const factor = new Float64Array(sampleAxis.length);
  for (let i = 0; i < factor.length; i++) {
    const at = Math.floor(i / half);
    factor[i] = values[at] + (values[at + 1] - values[at]) * (i / half - at);
  }
  return factor;
}

/** Creates the random source of a process: each has its own seed, so adding a process does not change the others. */
function createRandom({ id, weather }: SampleSite, name: string): SeededRandom {
  return new SeededRandom(`${id} ${weather.draw} ${name}`);
}

function simulateRegionalWind(site: SampleSite): Pick<RegionalWeather, "u" | "v"> {
  const { weather } = site;
  const [frontsU, frontsV] = [
    new Autoregression(createRandom(site, "fronts u"), 40),
    new Autoregression(createRandom(site, "fronts v"), 40),
  ];
  const [spellsU, spellsV] = [
    new Autoregression(createRandom(site, "spells u"), 150),
    new Autoregression(createRandom(site, "spells v"), 150),
  ];
  const fronts = Math.sqrt(SYNOPTIC_SHARE);
  const spells = Math.sqrt(1 - SYNOPTIC_SHARE);
  const season = computeSeason(weather.windiestDay);
  const slow = simulateSlowFactor(createRandom(site, "years"), weather.variability);
  const [prevailingU, prevailingV] = weather.prevailing;
  const [monsoonU, monsoonV] = weather.monsoon;
  const u = new Float64Array(sampleAxis.length);
  const v = new Float64Array(sampleAxis.length);
  let sum = 0;
  for (let i = 0; i < u.length; i++) {
    const strength = (1 + weather.seasonality * season[i]) * slow[i];
    u[i] = strength * (prevailingU + monsoonU * season[i] +
      fronts * frontsU.next() + spells * spellsU.next());
    v[i] = strength * (prevailingV + monsoonV * season[i] +
      fronts * frontsV.next() + spells * spellsV.next());
    const squared = u[i] * u[i] + v[i] * v[i] + Number.EPSILON; // a calm has no logarithm
    const narrower = Math.exp((SPEED_EXPONENT - 1) / 2 * Math.log(squared));
    u[i] *= narrower;
    v[i] *= narrower;
    sum += Math.sqrt(squared) * narrower;
  }
  const scale = weather.meanSpeed * u.length / sum;
  for (let i = 0; i < u.length; i++) {
    u[i] *= scale;
    v[i] *= scale;
  }
  return { u, v };
}

/**
 * Simulates the weather in the middle of a region on {@linkcode sampleAxis}.
 *
 * @param longitude Longitude of the middle, deg, for solar time
 */
function simulateRegionalWeather(site: SampleSite, longitude: number): RegionalWeather {
  const { weather } = site;
  const { u, v } = simulateRegionalWind(site);
  const shearNoise = new Autoregression(createRandom(site, "shear"), 12);
  const temperatureNoise = new Autoregression(createRandom(site, "temperature"), 60);
  const pressureNoise = new Autoregression(createRandom(site, "pressure"), 90);
  const humidityNoise = new Autoregression(createRandom(site, "humidity"), 30);
  const warmSeason = computeSeason(weather.warmestDay);
  const warmDay = computeDay(15, longitude);
  const mixedDay = computeDay(13, longitude);
  const [yearly, daily, irregular] = weather.temperatureSwing;
  const lowShare = new Float64Array(u.length);
  const temperature = new Float64Array(u.length);
  const pressure = new Float64Array(u.length);
  const humidity = new Float64Array(u.length);
  for (let i = 0; i < u.length; i++) {
    const hour = i % 24;
    // Summer sun increases the contrast between day and night; wind mixes the layers.
    const sun = 1 + 0.4 * warmSeason[i];
    const stratified = 1 / (1 + (u[i] * u[i] + v[i] * v[i]) / 100);
    const exponent = weather.shear - 0.02 +
      (0.04 + 0.05 * shearNoise.next() - 2 * weather.dailyShear * sun * mixedDay[hour]) *
        stratified;
    lowShare[i] = Math.exp(
      -Math.LN10 * Math.min(SHEAR_RANGE[1], Math.max(SHEAR_RANGE[0], exponent)),
    );
    const warmth = daily * sun * warmDay[hour] + irregular * temperatureNoise.next();
    temperature[i] = weather.temperature + yearly * warmSeason[i] + warmth;
    pressure[i] = SEA_LEVEL_PRESSURE + weather.pressureVariation * pressureNoise.next();
    humidity[i] = weather.humidity - 2 * warmth + 8 * humidityNoise.next();
  }
  return { u, v, lowShare, temperature, pressure, humidity };
}

/** Lapse rate of temperature, K/m. */
const LAPSE = 0.0065;
/** Local variation of a point's wind components: standard deviation, m/s, and time scale, h. */
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
  const localU = process("u");
  const localV = process("v");
  const { length } = sampleAxis;
  const low = { height: 10, u: new Float64Array(length), v: new Float64Array(length) };
  const high = { height: 100, u: new Float64Array(length), v: new Float64Array(length) };
  for (let i = 0; i < length; i++) {
    const u = factor * region.u[i] + LOCAL_WIND.deviation * localU.next();
    const v = factor * region.v[i] + LOCAL_WIND.deviation * localV.next();
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
    // Mean temperature of the layer between sea level and the point.
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
 * Simulates the climate of a synthetic region at all of its grid points: hourly instants with wind 10 and 100 m above
 * ground, temperature, pressure at the ground and relative humidity. Deterministic.
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
