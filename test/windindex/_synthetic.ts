import { HOUR, type HourAxis } from "../../src/time/hourly.ts";
import type { ClimatePoint, Stamp } from "../../src/windindex/climate/climate.ts";
import type { HubConditions } from "../../src/windindex/turbine/hub_conditions.ts";
import type { MonthlyEnergy } from "../../src/windindex/index/monthly_energy.ts";
import type { CurvePoint } from "../../src/windindex/turbine/power_curve.ts";
import type { Turbine } from "../../src/windindex/turbine/turbine.ts";

/** A seeded generator of uniform deviates, 0 included, 1 excluded (mulberry32). */
export function uniforms(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Milliseconds since 1970 of an instant such as "2018-01-01T00:00Z". */
export function at(instant: string): number {
  return Temporal.Instant.from(instant).epochMilliseconds;
}

/** The hours from one instant to another, the second excluded. */
export function hours(from: string, to: string): HourAxis {
  return { start: at(from), length: (at(to) - at(from)) / HOUR };
}

/** Hourly wind speeds of 0 to about 20 m/s that drift like real wind, m/s. */
export function driftingSpeeds(length: number, seed: number): Float64Array {
  const random = uniforms(seed);
  const result = new Float64Array(length);
  let drift = 0;
  for (let i = 0; i < length; i++) {
    drift = 0.97 * drift + random() - 0.5;
    result[i] = Math.abs(6.5 + 2.8 * drift + 2 * (random() - 0.5));
  }
  return result;
}

/** Conditions at a hub with the given speeds, and a density ratio that varies slowly around 1. */
export function hubWith(
  axis: HourAxis,
  windSpeed: Float64Array,
  stamp: Stamp = "instant",
): HubConditions {
  const airDensity = windSpeed.map((_, i) => 1.225 * (1 + 0.06 * Math.sin(i / 900)));
  return {
    axis,
    stamp,
    windSpeed,
    windDirection: new Float64Array(axis.length),
    temperature: new Float64Array(axis.length),
    airDensity,
    logDensityRatio: airDensity.map((density) => Math.log(density / 1.225)),
    distance: 0,
    notes: [],
  };
}

/** A climate point with wind at one height, and the other given values. */
export function point(
  latitude: number,
  longitude: number,
  u: readonly number[],
  v: readonly number[],
  more: Partial<ClimatePoint> = {},
): ClimatePoint {
  return {
    latitude,
    longitude,
    elevation: 0,
    axis: { start: at("2018-01-01T00:00Z"), length: u.length },
    stamp: "instant",
    levels: [{ height: 100, u: Float64Array.from(u), v: Float64Array.from(v) }],
    ...more,
  };
}

/** A made-up power curve with uneven steps that never falls before its end, up to 2,000 kW. */
export const CURVE: readonly CurvePoint[] = [
  [3, 0],
  [3.5, 25],
  [4.25, 90],
  [6, 330],
  [7, 560],
  [8.5, 1020],
  [9, 1190],
  [11.5, 1850],
  [13, 1990],
  [14, 2000],
  [25, 2000],
].map(([wind_speed, power]) => ({ wind_speed, power }));

/** A curve that never falls, from 0 to 2,000 kW, with uneven steps. */
export function risingCurve(random: () => number): CurvePoint[] {
  const points: CurvePoint[] = [];
  let [speed, value] = [2 + 2 * random(), 0];
  while (value < 2000) {
    points.push({ wind_speed: speed, power: value });
    speed += 0.2 + 1.5 * random();
    value = Math.min(2000, value + 400 * random());
  }
  points.push({ wind_speed: speed, power: 2000 });
  return [...points, { wind_speed: 20 + 10 * random(), power: 2000 }];
}

/** A made-up turbine in Jutland with {@linkcode CURVE}. */
export const TURBINE: Turbine = {
  id: "T1",
  name: "Test 1",
  latitude: 55.5,
  longitude: 7.9,
  elevation: 0,
  hubHeight: 80,
  rotorDiameter: 80,
  ratedPower: 2000,
  units: 1,
  timeZone: "Europe/Copenhagen",
  powerControl: "pcPitch",
  powerCurve: CURVE,
};

/** Complete months with the given energies in MWh, from a January on; `null` is incomplete. */
export function listMonths(
  firstYear: number,
  energies: readonly (number | null)[],
): MonthlyEnergy[] {
  return energies.map((energy, i) => ({
    year: firstYear + Math.floor(i / 12),
    month: i % 12 + 1,
    hours: 730,
    validHours: energy === null ? 300 : 730,
    completeness: energy === null ? 300 / 730 : 1,
    energy: energy === null ? null : energy * 1000,
    preliminary: false,
  }));
}
