import { ArgumentError } from "../../api/errors.ts";

/** How a turbine limits its power: by stall or by pitching its blades. */
export type PowerControl = "pcStall" | "pcPitch";

/** One point of a power curve; names as in JSON. */
export interface CurvePoint {
  /** Wind speed at hub height, m/s. */
  readonly wind_speed: number;
  /** Power at 1.225 kg/m3, kW. */
  readonly power: number;
}

/** Factors to kW of the units that a power curve may use. */
export const POWER_UNITS = { kW: 1, W: 0.001, MW: 1000 } as const;

/** A unit that a power curve may use. */
export type PowerUnit = keyof typeof POWER_UNITS;

/** Largest power of a plausible curve, as a share of the rated power: noise modes have less, no turbine much more. */
const PLAUSIBLE_MAXIMUM = [0.5, 1.2] as const;

/**
 * Wind speed below which every turbine reaches half of its largest power, m/s: turbines need 5 to 11, which are 18 or
 * more in km/h.
 */
const MAX_HALF_POWER_SPEED = 16;

/**
 * Finds the unit in which powers fit a turbine, by the largest of them, with its factor to kW.
 *
 * @returns `undefined` if they fit in no unit
 */
export function findPowerUnit(
  powers: readonly number[],
  ratedPower: number,
):
  | { readonly unit: PowerUnit | "shares of the rated power" | "%"; readonly factor: number }
  | undefined {
  const [low, high] = PLAUSIBLE_MAXIMUM.map((share) => share * ratedPower);
  const maximum = Math.max(...powers);
  const factors = {
    ...POWER_UNITS,
    "shares of the rated power": ratedPower,
    "%": ratedPower / 100,
  };
  const fitting = (Object.keys(factors) as (keyof typeof factors)[])
    .filter((unit) => maximum * factors[unit] >= low && maximum * factors[unit] <= high);
  // A 1 for 1900 kW may be MW of a noise mode, but is more likely a share.
  const off = (unit: keyof typeof factors) =>
    Math.abs(Math.log(maximum * factors[unit] / ratedPower));
  const unit = fitting[0] === "kW" ? "kW" : fitting.sort((a, b) => off(a) - off(b))[0];
  return unit && { unit, factor: factors[unit] };
}

/** Wind speed below which every turbine stops, m/s: they stop at 20 to 35, which are 39 or more in knots. */
const MAX_CUT_OUT = 38;

/**
 * Finds out whether half of the largest power, or the last power, is at an impossible wind speed in m/s; `null` if not.
 */
export function findSpeedProblem(points: readonly CurvePoint[]): string | null {
  const half = Math.max(...points.map(({ power }) => power)) / 2;
  const at = points.findIndex(({ power }) => power >= half && power > 0);
  const [low, high] = [points[Math.max(0, at - 1)], points[Math.max(0, at)]];
  const share = high.power > low.power ? (half - low.power) / (high.power - low.power) : 0;
  const speed = low.wind_speed + share * (high.wind_speed - low.wind_speed);
  const last = points.findLast(({ power }) => power > 0)?.wind_speed ?? 0;
  const look = "the wind speeds look like km/h, mph or knots. Convert them to m/s";
  if (speed > MAX_HALF_POWER_SPEED) {
    return `it has half of its largest power only at ${Number(speed.toFixed(1))} m/s, so ${look}`;
  }
  return last > MAX_CUT_OUT ? `it has power at ${last} m/s, so ${look}` : null;
}

/**
 * Finds the problem with the points of a power curve, and the position of the point counted from 1; `null` if there is
 * none.
 */
export function findCurveProblem(
  points: readonly CurvePoint[],
  ratedPower: number,
): string | null {
  if (points.length < 2) return `it needs at least 2 points, but has ${points.length}. Add points`;
  for (const [i, { wind_speed, power }] of points.entries()) {
    const at = `point ${i + 1}`;
    if (!Number.isFinite(wind_speed) || !Number.isFinite(power)) {
      return `${at} does not have two finite numbers. Correct this point, or leave it out`;
    }
    if (wind_speed < 0) return `${at} has a negative wind speed of ${wind_speed} m/s. Leave it out`;
    if (power < 0) return `${at} has a negative power of ${power} kW. Write 0 instead`;
    if (!(power <= ratedPower * PLAUSIBLE_MAXIMUM[1])) { // also if the rated power is NaN
      return `${at} has ${power} kW, more than ${
        PLAUSIBLE_MAXIMUM[1]
      } times the rated power of ${ratedPower} kW. Correct the power of this point, or the rated power`;
    }
    if (i > 0 && wind_speed === points[i - 1].wind_speed) {
      return `${at} repeats the wind speed of ${wind_speed} m/s. Remove one of these points`;
    }
    if (i > 0 && wind_speed < points[i - 1].wind_speed) {
      return `${at} (${wind_speed} m/s) comes after ${points[i - 1].wind_speed} m/s, ` +
        "but the wind speeds must increase. Sort the points by wind speed";
    }
  }
  if (!points.some(({ power }) => power > 0)) {
    return "no point has a power above 0. Give the power of each point in kW";
  }
  return null;
}

/** A power curve prepared for many look-ups: linear between its points, zero outside of them, NaN for NaN. */
export class PowerCurve {
  /** Wind speed of the first point, m/s. */
  readonly first: number;
  /** Wind speed of the last point, m/s: above it the turbine is stopped. */
  readonly last: number;
  /** Wind speed of the last point whose power does not fall, m/s: above it a curve may fall in storm, or to a last point of 0 kW. */
  readonly lastRising: number;
  /** Largest power of the curve, kW. */
  readonly maximum: number;
  readonly #speeds: Float64Array;
  readonly #powers: Float64Array;
  readonly #slopes: Float64Array;
  readonly #segments: Int32Array;
  readonly #perSpeed: number;

  /**
   * @param points Points with strictly increasing speeds
   * @param ratedPower Rated power, kW
   * @throws {ArgumentError} If the points are not a power curve
   */
  constructor(points: readonly CurvePoint[], ratedPower: number) {
    const problem = findCurveProblem(points, ratedPower);
    if (problem) throw new ArgumentError(`Cannot use the power curve: ${problem}`);
    this.#speeds = Float64Array.from(points, (point) => point.wind_speed);
    this.#powers = Float64Array.from(points, (point) => point.power);
    this.#slopes = new Float64Array(points.length);
    let narrowest = Infinity;
    for (let i = 0; i + 1 < points.length; i++) {
      const width = this.#speeds[i + 1] - this.#speeds[i];
      narrowest = Math.min(narrowest, width);
      this.#slopes[i] = (this.#powers[i + 1] - this.#powers[i]) / width;
    }
    this.first = this.#speeds[0];
    this.last = this.#speeds[points.length - 1];
    this.lastRising =
      points.findLast(({ power }, i) => i === 0 || power > 0 && power >= points[i - 1].power)!
        .wind_speed;
    this.maximum = Math.max(...this.#powers);
    // A look-up starts in the segment of its bin instead of searching.
    const bins = Math.min(4096, Math.ceil((this.last - this.first) / narrowest) + 1);
    this.#perSpeed = (bins - 1) / (this.last - this.first);
    this.#segments = new Int32Array(bins + 1);
    for (let bin = 0, segment = 0; bin <= bins; bin++) {
      const speed = this.first + bin / this.#perSpeed;
      while (segment + 2 < points.length && this.#speeds[segment + 1] <= speed) segment++;
      this.#segments[bin] = segment;
    }
  }

  /** Power at a wind speed, kW: zero outside of the curve, NaN for NaN. */
  powerAt(speed: number): number {
    if (speed < this.first || speed > this.last) return 0;
    return this.powerWithin(speed);
  }

  /** Power at a wind speed within the ends of the curve, kW: for a speed already checked against cut-in and cut-out. */
  powerWithin(speed: number): number {
    if (speed !== speed) return NaN;
    if (speed <= this.first) return this.#powers[0];
    if (speed >= this.last) return this.#powers[this.#powers.length - 1];
    let segment = this.#segments[((speed - this.first) * this.#perSpeed) | 0];
    while (this.#speeds[segment + 1] < speed) segment++;
    while (this.#speeds[segment] > speed) segment--;
    return this.#powers[segment] + this.#slopes[segment] * (speed - this.#speeds[segment]);
  }
}
