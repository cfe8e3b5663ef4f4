import { HOUR, type HourAxis } from "../../src/time/hourly.ts";
import { SeededRandom } from "../../src/stats/seeded_random.ts";
import { Autoregression, simulateClimate } from "../../src/sample/climate.ts";
import {
  sampleAxis,
  sampleModels,
  type SampleSite,
  sampleSites,
  type SampleTurbine,
} from "../../src/sample/sites.ts";
import { simulateTruePower } from "../../src/sample/production.ts";
import type { ClimatePoint } from "../../src/windindex/climate/climate.ts";
import { listMonthSpans, type MonthSpan } from "../../src/windindex/index/monthly_energy.ts";
import type { EnergyPeriod, Production } from "../../src/windindex/calibration/production.ts";

/** Errors of a reanalysis, as shares of the true wind speed. */
export interface ReanalysisError {
  /** Standard deviation of the error that wanders over a month. */
  readonly wandering: number;
  /** Amplitude of the error that returns every year. */
  readonly seasonal: number;
  /** Standard deviation of its level in any twelve months. */
  readonly annual: number;
}

/** A very good reanalysis, with the season of Kelmarsh. */
const USUAL_ERROR: ReanalysisError = { wandering: 0.02, seasonal: 0.02, annual: 0 };

/** Time in which the wandering error changes, h. */
const TIME_SCALE = 720;

/** A world of known truth: the input of the engine, and the turbine's production in all years. */
export interface SimulatedWorld {
  /** The turbine. */
  readonly turbine: SampleTurbine;
  /** Reanalysis for the engine. */
  readonly climate: readonly ClimatePoint[];
  /** Mean power of every hour without outages, kW. */
  readonly truth: Float64Array;
  /** The same without short stops, kW. */
  readonly running: Float64Array;
  /** Measured power, with stops and outages, kW. */
  readonly produced: Float64Array;
  /** Hours of the truth. */
  readonly axis: HourAxis;
  /** Its whole months. */
  readonly spans: readonly MonthSpan[];
  /** Random numbers for further draws. */
  readonly random: SeededRandom;
}

/** Production of a training window. */
export interface TrainingWindow {
  /** Production of the training window. */
  readonly production: Production;
  /** Months of production. */
  readonly trained: ReadonlySet<number>;
}

/** A world with one to three years of production, hourly or by months. */
export interface SyntheticWorld extends SimulatedWorld, TrainingWindow {}

/** Short stops, in every year: mean time between them and mean duration, h. */
const SHORT_STOPS = { between: 400, duration: 4 };

/** Outages, in the training window only: mean time between them and mean duration, h. The truth has none. */
export const OUTAGES = { between: 3000, duration: 60 };

/** Sets power to zero during random stops. */
export function withStops(
  power: Float64Array,
  stops: { readonly seed: string; readonly between: number; readonly duration: number },
): Float64Array {
  const random = new SeededRandom(stops.seed);
  const result = power.slice();
  for (let at = random.exponential(stops.between); at < power.length;) {
    const end = at + random.exponential(stops.duration);
    for (let i = Math.floor(at); i < end && i < power.length; i++) {
      result[i] *= 1 - (Math.min(i + 1, end) - Math.max(i, at));
    }
    at = end + random.exponential(stops.between);
  }
  return result;
}

/** A figure between two bounds. */
function between(random: SeededRandom, low: number, high: number): number {
  return low + (high - low) * random.uniform();
}

/** Simulates a reanalysis: the true wind with a wandering, a seasonal and an annual error. */
function simulateReanalysis(
  climate: readonly ClimatePoint[],
  seed: string,
  { wandering, seasonal, annual }: ReanalysisError,
): ClimatePoint[] {
  const random = new SeededRandom(`${seed} reanalysis`);
  const wander = new Autoregression(random, TIME_SCALE);
  const peak = between(random, 0, 8766);
  const { length } = climate[0].axis;
  const levels = new SeededRandom(`${seed} levels`);
  const begin = levels.uniform(); // the level may move at any time of the year
  const years = Float64Array.from({ length: Math.ceil(length / 8766) + 1 }, () => levels.normal());
  // Any twelve months lie in two of these years, and the mean of both has two thirds of the variance.
  const moves = annual * Math.sqrt(3 / 2);
  const error = Float64Array.from(
    { length },
    (_, i) =>
      1 + wandering * wander.next() + seasonal * Math.cos(2 * Math.PI * (i - peak) / 8766) +
      moves * years[Math.floor(i / 8766 + begin)],
  );
  const wrong = (values: Float64Array) => values.map((value, i) => value * error[i]);
  return climate.map((point) => ({
    ...point,
    levels: point.levels.map(({ height, u, v }) => ({ height, u: wrong(u), v: wrong(v) })),
  }));
}

/** Energy of whole months, kWh. */
function buildPeriods(
  spans: readonly MonthSpan[],
  axis: HourAxis,
  power: Float64Array,
): EnergyPeriod[] {
  return spans.map(({ year, month, from, to }) => ({
    label: `${year}-${String(month).padStart(2, "0")}`,
    start: axis.start + from * HOUR,
    end: axis.start + to * HOUR,
    energy: power.subarray(from, to).reduce((sum, value) => sum + value, 0),
  }));
}

/**
 * Draws a world: weather, site, turbine and its faults.
 *
 * @param number Which world: the same number is the same world
 * @param error Errors of its reanalysis
 */
export function simulateWorld(
  number: number,
  error: ReanalysisError = USUAL_ERROR,
): SimulatedWorld {
  const seed = `world ${number}`;
  const random = new SeededRandom(seed);
  const { weather, points, turbines: [example] } = sampleSites[0];
  const site: SampleSite = {
    ...sampleSites[0],
    id: seed,
    points: points.slice(0, 1),
    weather: {
      ...weather,
      draw: number,
      meanSpeed: between(random, 6, 9.5),
      seasonality: between(random, 0.1, 0.35),
      variability: between(random, 0.02, 0.05),
      shear: between(random, 0.08, 0.25),
    },
    turbines: [],
  };
  const { pitch2000, pitch2300, pitch3000, stall600 } = sampleModels;
  const models = [pitch2000, pitch2300, pitch3000, stall600];
  const turbine: SampleTurbine = {
    ...example,
    ...models[random.below(models.length)],
    id: seed,
    latitude: points[0].latitude,
    longitude: points[0].longitude,
    elevation: between(random, 0, 200),
    hubHeight: between(random, 45, 120),
    units: 1,
    truth: {
      siteFactor: between(random, 0.85, 1.05),
      sectorBias: between(random, -0.1, 0.1),
      favouredDirection: between(random, 0, 360),
      curveShift: between(random, 0, 0.3),
      hoursBetweenStops: Infinity, // stops are drawn below
      incidents: [],
    },
  };
  const climate = simulateClimate(site);
  const axis = { start: sampleAxis.start, length: sampleAxis.length - 1 };
  const running = simulateTruePower(turbine, climate, 0, axis.length);
  const truth = withStops(running, {
    seed: `${seed} stops`,
    ...SHORT_STOPS,
  });
  const produced = withStops(truth, { seed: `${seed} outages`, ...OUTAGES });
  const spans = listMonthSpans(axis, turbine.timeZone)
    .filter(({ from, to }) => from >= 0 && to <= axis.length);
  return {
    turbine,
    climate: simulateReanalysis(climate, seed, error),
    truth,
    running,
    produced,
    axis,
    spans,
    random,
  };
}

/** How the production of a world is measured. */
export interface Measurement {
  readonly resolution: "hour" | "month" | "year";
  /** Months from the first one on; whole years for annual energies. */
  readonly months: number;
  /** Position of the first month. */
  readonly first: number;
}

/**
 * Measures the production of a world.
 *
 * @param world The world
 * @param measurement Resolution and months
 */
export function measureProduction(
  { spans, axis, produced }: SimulatedWorld,
  { resolution, months, first }: Measurement,
): TrainingWindow {
  const window = spans.slice(first, first + months);
  const trained = new Set(window.map(({ year, month }) => 12 * year + month));
  if (resolution === "hour") {
    const { from } = window[0];
    const length = window[months - 1].to - from;
    const power = produced.slice(from, from + length);
    const start = axis.start + from * HOUR;
    return { production: { kind: "hourly", axis: { start, length }, power }, trained };
  }
  const periods = buildPeriods(window, axis, produced);
  if (resolution === "month") return { production: { kind: "periods", periods }, trained };
  const years = periods.filter((_, i) => i % 12 === 0).map((january, i) => ({
    ...january,
    label: january.label.slice(0, 4),
    end: periods[12 * i + 11].end,
    energy: periods.slice(12 * i, 12 * i + 12).reduce((sum, { energy }) => sum + energy, 0),
  }));
  return { production: { kind: "periods", periods: years }, trained };
}

/**
 * Draws a world and one to three years of its production, hourly or by months.
 *
 * @param number Which world: the same number is the same world
 */
export function syntheticWorld(number: number): SyntheticWorld {
  const world = simulateWorld(number);
  const { random, spans } = world;
  const months = 12 + 6 * random.below(5);
  const first = random.below(spans.length - months + 1);
  const resolution = random.uniform() < 0.5 ? "hour" : "month";
  return { ...world, ...measureProduction(world, { resolution, months, first }) };
}

/**
 * Picks the months for a check: 24, 30 or 36, with a different start in each world.
 *
 * @param number Which world
 * @returns Their first hour in the world's axis, the hour after the last, and the axis
 */
export function checkedHours(
  { spans, axis }: SimulatedWorld,
  number: number,
): { from: number; to: number; axis: HourAxis } {
  const months = 24 + 6 * (number % 3);
  const first = (7 * number) % (spans.length - months + 1);
  const [from, to] = [spans[first].from, spans[first + months - 1].to];
  return { from, to, axis: { start: axis.start + from * HOUR, length: to - from } };
}
