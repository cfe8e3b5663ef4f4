import { computePowerAtDensity } from "./density_correction.ts";
import { PowerCurve } from "./power_curve.ts";
import type { Turbine } from "./turbine.ts";

/** Step of the tabulated wind speeds, m/s. */
const SPEED_STEP = 0.1;

/** Step of the tabulated natural logarithms of the density ratio. */
const DENSITY_STEP = 0.025;

/** Density steps below and above the reference density that are tabulated: 0.27 to 2 kg/m3. */
const DENSITY_STEPS = [-60, 20] as const;

/** Distance from a speed at which the curve is read on either side, m/s. */
const SIDE = 1e-9;

/** Standard deviations at which the spread of speeds is cut off. */
const REACH = 4;

/**
 * Power of a turbine by wind speed and air density, averaged over a normal spread of wind speeds, `E[P(v + s z)]`.
 *
 * A power curve describes ten minutes of steady wind at one turbine. An hour of reanalysis is a mean over time and tens
 * of kilometres: the turbine's wind scatters around it, and near the bends of the curve that changes the mean power.
 * The density correction applies to each speed of the spread, which keeps its properties.
 *
 * Source: windpowerlib's `smooth_power_curve()` (B. Knorr, 2016; I. Staffell and S. Pfenninger, Energy 114, 2016).
 */
export class SmoothedPower {
  /** Standard deviation of the speeds, m/s. */
  readonly smoothing: number;
  readonly #curve: PowerCurve;
  readonly #turbine: Pick<Turbine, "powerControl">;
  readonly #kernel: Float64Array;
  readonly #speeds: number;
  readonly #rows: Float64Array[] = [];

  /**
   * @param smoothing Standard deviation of the speeds, m/s; 0 for the unsmoothed curve
   * @throws {ArgumentError} If the points are not a power curve
   */
  constructor(
    turbine: Pick<Turbine, "powerCurve" | "ratedPower" | "powerControl">,
    smoothing: number,
  ) {
    this.#curve = new PowerCurve(turbine.powerCurve, turbine.ratedPower);
    this.#turbine = turbine;
    this.smoothing = smoothing;
    this.#kernel = buildKernel(smoothing / SPEED_STEP);
    const top = this.#curve.last / SPEED_STEP + this.#kernel.length / 2;
    this.#speeds = Math.ceil(top) + 1; // from here on the power is 0
  }

  /**
   * Power at a wind speed and an air density, kW; NaN for NaN.
   *
   * @param speed Wind speed at hub height, m/s
   * @param logDensityRatio Natural logarithm of air density over 1.225 kg/m3
   */
  powerAt(speed: number, logDensityRatio: number): number {
    if (this.#kernel.length === 1) {
      return computePowerAtDensity(
        this.#curve,
        this.#turbine.powerControl,
        speed,
        logDensityRatio,
      );
    }
    const x = speed / SPEED_STEP;
    if (x !== x || logDensityRatio !== logDensityRatio) return NaN;
    if (x >= this.#speeds) return 0;
    const [i, u] = [x | 0, x - (x | 0)];
    // With stall control, power is proportional to density.
    if (this.#turbine.powerControl === "pcStall") {
      return Math.exp(logDensityRatio) * this.#read(-DENSITY_STEPS[0], i, u);
    }
    const y = placeDensity(logDensityRatio);
    const [row, t] = [y | 0, y - (y | 0)];
    const low = this.#read(row, i, u);
    return low + t * (this.#read(row + 1, i, u) - low);
  }

  /**
   * Computes {@linkcode powerAt} for multiples of a wind speed at one air density, with a single table look-up.
   *
   * @param speed Wind speed at hub height, m/s; no NaN
   * @param logDensityRatio Natural logarithm of air density over 1.225 kg/m3; no NaN
   * @param factors The factors of the speed
   * @param powers Filled with the power at each, kW
   */
  readPowers(
    speed: number,
    logDensityRatio: number,
    factors: Float64Array,
    powers: Float64Array,
  ): void {
    if (this.#kernel.length === 1 || this.#turbine.powerControl === "pcStall") {
      for (let j = 0; j < factors.length; j++) {
        powers[j] = this.powerAt(factors[j] * speed, logDensityRatio);
      }
      return;
    }
    const y = placeDensity(logDensityRatio);
    const [row, t] = [y | 0, y - (y | 0)];
    const below = this.#rows[row] ?? this.#computeRow(row);
    const above = this.#rows[row + 1] ?? this.#computeRow(row + 1);
    for (let j = 0; j < factors.length; j++) {
      const x = factors[j] * speed / SPEED_STEP;
      if (x >= this.#speeds) {
        powers[j] = 0;
        continue;
      }
      const i = x | 0;
      const u = x - i;
      const low = below[i] + u * (below[i + 1] - below[i]);
      powers[j] = low + t * (above[i] + u * (above[i + 1] - above[i]) - low);
    }
  }

  /** Power at a tabulated density, between two tabulated speeds. */
  #read(row: number, i: number, u: number): number {
    const power = this.#rows[row] ?? this.#computeRow(row);
    return power[i] + u * (power[i + 1] - power[i]);
  }

  /** Tabulates the power at the speeds of one density. */
  #computeRow(row: number): Float64Array {
    const reach = (this.#kernel.length - 1) / 2;
    const logDensityRatio = (row + DENSITY_STEPS[0]) * DENSITY_STEP;
    const { powerControl } = this.#turbine;
    const powerAt = (speed: number) =>
      computePowerAtDensity(this.#curve, powerControl, speed, logDensityRatio);
    // The mean of both sides, so a jump, as at cut-out, counts half.
    const sharp = Float64Array.from(
      { length: this.#speeds + reach + 2 },
      (_, i) => (powerAt(i * SPEED_STEP - SIDE) + powerAt(i * SPEED_STEP + SIDE)) / 2,
    );
    const power = new Float64Array(this.#speeds + 1);
    for (let i = 0; i < power.length; i++) {
      for (let j = Math.max(-reach, -i); j <= reach; j++) {
        power[i] += this.#kernel[j + reach] * sharp[i + j];
      }
    }
    this.#rows[row] = power;
    return power;
  }
}

/** Finds the position of a density among the tabulated ones. */
function placeDensity(logDensityRatio: number): number {
  return Math.min(
    DENSITY_STEPS[1] - DENSITY_STEPS[0] - 1,
    Math.max(0, logDensityRatio / DENSITY_STEP - DENSITY_STEPS[0]),
  );
}

/** Builds the weights of a normal spread at whole steps from its middle; they add up to 1. */
function buildKernel(deviation: number): Float64Array {
  const reach = Math.ceil(REACH * deviation);
  const weights = Float64Array.from(
    { length: 2 * reach + 1 },
    (_, i) => deviation === 0 ? 1 : Math.exp(-0.5 * ((i - reach) / deviation) ** 2),
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}
