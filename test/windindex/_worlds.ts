import { endOfAxis, HOUR, type HourAxis } from "../../src/time/hourly.ts";
import type { Stamp } from "../../src/windindex/climate/climate.ts";
import type { HubConditions } from "../../src/windindex/turbine/hub_conditions.ts";
import { listMonthSpans } from "../../src/windindex/index/monthly_energy.ts";
import { computeModelledPower } from "../../src/windindex/power_model.ts";
import type {
  HourlyProduction,
  PeriodProduction,
} from "../../src/windindex/calibration/production.ts";
import {
  computeTrainingEnergies,
  DEFAULT_SMOOTHING,
  type TrainingEnergies,
} from "../../src/windindex/calibration/training_energies.ts";
import type { ScalingKind } from "../../src/windindex/scaling/energy_ladder.ts";
import { buildTrainingSet, type TrainingInput } from "../../src/windindex/calibration/training.ts";
import type { Turbine } from "../../src/windindex/turbine/turbine.ts";
import type { WindScaling } from "../../src/windindex/scaling/wind_scaling.ts";
import { periodFrom } from "./_production.ts";
import { driftingSpeeds, hours, hubWith, TURBINE, uniforms } from "./_synthetic.ts";

/** A climate of whole years and a turbine's true power in it. */
export interface World {
  /** The turbine. */
  readonly turbine: Turbine;
  /** The climate at its hub. */
  readonly hub: HubConditions;
  /** True mean power of the turbine in each hour, kW. */
  readonly power: Float64Array;
}

/** Properties of a world. */
export interface WorldOptions {
  /** First and last year; 2017 and 2018 unless given. */
  readonly years?: readonly [number, number];
  /** Seed of wind, directions and noise. */
  readonly seed?: number;
  /** Meaning of the climate's timestamps; "instant" unless given. */
  readonly stamp?: Stamp;
  /** Smoothing of the power curve, m/s; the usual one unless given. */
  readonly smoothing?: number;
  /** The turbine; `TURBINE` unless given. */
  readonly turbine?: Turbine;
  /** Relative standard deviation of a calendar month that the wind does not explain. */
  readonly monthNoise?: number;
}

/** A seeded generator of standard normal deviates, by the method of Box and Muller. */
export function normals(seed: number): () => number {
  const random = uniforms(seed);
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Directions that turn slowly through the whole rose, deg. */
export function driftingDirections(length: number, seed: number): Float64Array {
  const random = uniforms(seed);
  let direction = 360 * random();
  return new Float64Array(length).map(() => {
    direction = (direction + 30 * (random() - 0.5) + 360) % 360;
    return direction;
  });
}

/** A world in which the turbine's wind is the climate's, scaled. */
export function buildWorld(truth: WindScaling, options: WorldOptions = {}): World {
  const { years: [first, last] = [2017, 2018], seed = 1, stamp, turbine = TURBINE } = options;
  const axis = hours(`${first - 1}-12-30T00:00Z`, `${last + 1}-01-03T00:00Z`);
  const speeds = driftingSpeeds(axis.length, seed);
  const windDirection = driftingDirections(axis.length, seed + 1_000_000);
  const hub = { ...hubWith(axis, speeds, stamp), windDirection };
  const { monthNoise = 0, smoothing = DEFAULT_SMOOTHING } = options;
  const power = computeModelledPower(turbine, { scaling: truth, smoothing }, hub).slice();
  if (monthNoise > 0) addMonthNoise(power, axis, turbine.timeZone, monthNoise, seed + 2_000_000);
  return { turbine, hub, power };
}

/** Gives each calendar month its own factor, which the wind does not explain. */
function addMonthNoise(
  power: Float64Array,
  axis: HourAxis,
  timeZone: string,
  deviation: number,
  seed: number,
): void {
  const normal = normals(seed);
  for (const { from, to } of listMonthSpans(axis, timeZone)) {
    const factor = Math.exp(deviation * normal());
    for (let i = Math.max(0, from); i < Math.min(to, power.length); i++) power[i] *= factor;
  }
}

/** Names of the months of a year. */
export function monthsOfYear(year: number): string[] {
  return Array.from({ length: 12 }, (_, i) => `${year}-${String(i + 1).padStart(2, "0")}`);
}

/** Production of the named periods. */
export function buildPeriods(
  { hub, power, turbine }: World,
  labels: readonly string[],
): PeriodProduction {
  const { timeZone } = turbine;
  return {
    kind: "periods",
    periods: labels.map((label) => periodFrom(label, hub, power, timeZone)),
  };
}

/** Hourly production of whole years of the turbine's clock. */
export function buildHourly(
  { hub, power, turbine }: World,
  first: number,
  last = first,
): HourlyProduction {
  const start = (year: number) =>
    Temporal.PlainDate.from({ year, month: 1, day: 1 }).toZonedDateTime(turbine.timeZone)
      .epochMilliseconds;
  const from = (start(first) - hub.axis.start) / HOUR;
  const to = (start(last + 1) - hub.axis.start) / HOUR;
  if (start(last + 1) > endOfAxis(hub.axis)) throw new RangeError(`${last} is not in the record`);
  return {
    kind: "hourly",
    axis: { start: start(first), length: to - from },
    power: power.slice(from, to),
  };
}

/** Energies of a training set in a world. */
export function buildTraining(
  { hub, turbine }: World,
  productions: readonly TrainingInput["production"][],
  kinds?: readonly ScalingKind[],
): TrainingEnergies {
  const inputs = productions.map((production) => ({ production }));
  return computeTrainingEnergies(
    buildTrainingSet(hub, inputs, turbine.timeZone),
    hub,
    turbine,
    kinds,
  );
}
