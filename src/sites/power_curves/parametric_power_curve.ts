import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { ArgumentError } from "../../api/errors.ts";
import { REFERENCE_DENSITY } from "../../windindex/climate/climate.ts";
import type { CurvePoint } from "../../windindex/turbine/power_curve.ts";

/** Known properties of a turbine without a power curve. */
export interface ParametricPowerCurveOptions {
  /** Rated power, kW. */
  readonly ratedPower: number;
  /** Rotor diameter, m. */
  readonly rotorDiameter: number;
  /** Cut-in wind speed, m/s. @default {3} */
  readonly cutIn?: number;
  /** Cut-out wind speed, at most 100 m/s. @default {25} */
  readonly cutOut?: number;
  /** Slowest rotor speed, revolutions per minute. @default 188.8 x diameter ^ -0.7081 */
  readonly minRotorSpeed?: number;
  /** Fastest rotor speed, revolutions per minute. @default 793.7 x diameter ^ -0.8504 */
  readonly maxRotorSpeed?: number;
  /** Turbulence intensity, standard deviation of the wind speed over its mean. @default {0.1} */
  readonly turbulenceIntensity?: number;
}

const OPTIONS = declareOptions<ParametricPowerCurveOptions>()(
  "ratedPower! rotorDiameter! minRotorSpeed maxRotorSpeed",
  { cutIn: 3, cutOut: 25, turbulenceIntensity: 0.1 },
);

/** Share of the rotor power left after losses in gearbox, generator and converter. */
const EFFICIENCY = 0.99 * 0.986 * 0.97 * 0.97;

/** Step between the points of the curve, m/s. */
const STEP = 0.5;

/** Standard deviations over which the wind of a point is spread, and steps per deviation. */
const [REACH, PARTS] = [5, 20];

/** Share of the rated power that a curve must reach. */
const RATED_REACHED = 0.99;

/** Largest wind speed of a power curve, m/s. */
const MAX_CUT_OUT = 100;

/** Rated power per rotor area of all turbines ever built, W/m2; small ones have 80 (Gaia-Wind 133). */
const SPECIFIC_POWER = [50, 1000] as const;

/**
 * Computes the power coefficient of an unpitched rotor from its tip speed ratio.
 *
 * Source: J. Dai et al., Renewable Energy 92, 2016, as quoted by Saint-Drenan et al., table 1.
 */
function computePowerCoefficient(tipSpeedRatio: number): number {
  const inverse = 1 / tipSpeedRatio - 0.035;
  return Math.max(0, 0.22 * (120 * inverse - 5) * Math.exp(-12.5 * inverse));
}

/** Tip speed ratio of the largest power coefficient, 0.46: root of the derivative of the formula above. */
const BEST_TIP_SPEED_RATIO = 1 / (1 / 12.5 + 5 / 120 + 0.035);

/**
 * Tip speed ratio below which power falls while wind rises: root of the derivative of coefficient over cubed ratio,
 * 1500 / ratio^2 - 595 / ratio + 27.6 = 0. A pitched rotor does not stall like this.
 */
const STALL_TIP_SPEED_RATIO = 3000 / (595 + Math.sqrt(595 ** 2 - 4 * 1500 * 27.6));

/** Rounds to significant digits, which also stay readable in a site file. */
const round = (value: number) => Number(value.toFixed(3));

/** @throws {ArgumentError} If a number is impossible, or rated power and rotor do not belong to one turbine */
function checkNumbers(options: Required<ParametricPowerCurveOptions>): void {
  const refuse = (problem: string, hint?: string) => {
    throw new ArgumentError(`Cannot make a power curve: ${problem}`, { hint });
  };
  for (const [name, value] of Object.entries(options)) {
    if (
      !(Number.isFinite(value) && value >= 0) || (value === 0 && name !== "turbulenceIntensity")
    ) {
      refuse(`${name} is ${value}. Give a number above 0`);
    }
  }
  const { ratedPower, rotorDiameter, cutIn, cutOut, minRotorSpeed, maxRotorSpeed } = options;
  if (cutIn >= cutOut) refuse(`cutIn (${cutIn} m/s) is not below cutOut (${cutOut} m/s)`);
  if (cutOut > MAX_CUT_OUT) refuse(`cutOut is ${cutOut} m/s. Give ${MAX_CUT_OUT} at most`);
  if (minRotorSpeed > maxRotorSpeed) {
    refuse(`minRotorSpeed (${minRotorSpeed}) is above maxRotorSpeed (${maxRotorSpeed})`);
  }
  if (options.turbulenceIntensity > 0.5) {
    refuse(`turbulenceIntensity is ${options.turbulenceIntensity}. Give a share such as 0.1`);
  }
  const specific = 1000 * ratedPower / (Math.PI * rotorDiameter ** 2 / 4);
  const [low, high] = SPECIFIC_POWER;
  if (specific < low || specific > high) {
    refuse(
      `${ratedPower} kW and a rotor of ${rotorDiameter} m give ${
        specific.toFixed(0)
      } W/m2, but turbines have ${low} ` +
        `to ${high}`,
      "Give ratedPower in kW and rotorDiameter in m",
    );
  }
}

/**
 * Estimates the power curve of a pitch-controlled turbine from its rated power and rotor diameter.
 *
 * The rotor turns at its best tip speed ratio within its slowest and fastest speeds. Power is the rotor power less
 * losses, capped at rated power, never falling with rising wind, and averaged over ten-minute turbulence. For two
 * turbines of 2 MW, the annual energy is within 5 % of the manufacturer's curve at mean winds of 6 to 10 m/s.
 * Calibration with production removes most of that error.
 *
 * Source: Y.-M. Saint-Drenan et al., Renewable Energy 157, 754 (2020), https://doi.org/10.1016/j.renene.2020.04.123
 *
 * @param options Rated power in kW, rotor diameter in m, and other known properties
 * @returns Points from cut-in to cut-out, 0.5 m/s apart, kW at 1.225 kg/m3 with three decimals
 * @throws {ArgumentError} If a number is impossible, or rated power and rotor do not belong to one turbine
 *
 * @example
 * ```ts
 * import { parametricPowerCurve } from "@vindkit/vindkit/sites";
 * import { assertEquals } from "@std/assert";
 *
 * const curve = parametricPowerCurve({ ratedPower: 2050, rotorDiameter: 92 });
 * assertEquals(curve[0].wind_speed, 3);
 * assertEquals(Math.round(curve.at(-1)!.power), 2050);
 * ```
 */
export function parametricPowerCurve(options: ParametricPowerCurveOptions): CurvePoint[] {
  const chosen = readOptions("parametricPowerCurve()", options, OPTIONS);
  const { rotorDiameter, ratedPower } = chosen;
  const all = {
    ...chosen,
    minRotorSpeed: chosen.minRotorSpeed ?? 188.8 * rotorDiameter ** -0.7081,
    maxRotorSpeed: chosen.maxRotorSpeed ?? 793.7 * rotorDiameter ** -0.8504,
  };
  checkNumbers(all);
  const { cutIn, cutOut, turbulenceIntensity } = all;
  const tipSpeed = (perMinute: number) => perMinute * Math.PI * rotorDiameter / 60;
  const [slowest, fastest] = [tipSpeed(all.minRotorSpeed), tipSpeed(all.maxRotorSpeed)];
  const area = Math.PI * rotorDiameter ** 2 / 4;

  const computeSteadyPower = (wind: number): number => {
    if (wind <= 0) return 0;
    const speed = Math.min(wind, fastest / STALL_TIP_SPEED_RATIO);
    const tip = Math.min(fastest, Math.max(slowest, BEST_TIP_SPEED_RATIO * speed));
    const inWind = 0.5 * REFERENCE_DENSITY * area * speed ** 3 / 1000;
    return Math.min(ratedPower, EFFICIENCY * computePowerCoefficient(tip / speed) * inWind);
  };
  const computePower = (speed: number): number => {
    let [sum, weights] = [0, 0];
    for (let i = -REACH * PARTS; i <= REACH * PARTS; i++) {
      const weight = Math.exp(-0.5 * (i / PARTS) ** 2);
      sum += weight * computeSteadyPower(speed * (1 + turbulenceIntensity * i / PARTS));
      weights += weight;
    }
    return sum / weights;
  };
  const steps = Math.ceil((cutOut - cutIn) / STEP - 1e-6); // 20.1 - 5.1 is slightly more than 15
  const between = Array.from(
    { length: Math.max(0, steps - 1) },
    (_, i) => round(cutIn + (i + 1) * STEP),
  );
  const points = [cutIn, ...between, cutOut].map((wind_speed) => ({
    wind_speed,
    power: round(computePower(wind_speed)),
  }));
  const most = Math.max(...points.map(({ power }) => power));
  if (most < RATED_REACHED * ratedPower) {
    throw new ArgumentError(
      `Cannot make a power curve: at ${
        all.maxRotorSpeed.toFixed(1)
      } revolutions per minute, a rotor of ${rotorDiameter} m reaches at most ${
        most.toFixed(0)
      } kW, but the rated power is ${ratedPower} kW`,
      { hint: "Give a higher maxRotorSpeed, or correct the rated power or the rotor diameter" },
    );
  }
  return points;
}
