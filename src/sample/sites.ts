import type { HourAxis } from "../time/hourly.ts";
import type { Turbine } from "../windindex/turbine/turbine.ts";
import data from "./sites.json" with { type: "json" };

type Data = typeof data.sites[number];

/**
 * A turbine or park of the synthetic world. Its `production` has months `first` to `last`, or is `null` if there is
 * none yet, so the turbine is not data_ready. Its `truth` is why its energy differs from its declared power curve in
 * the climate's wind; the calibration does not know it:
 *
 * - `siteFactor`: ratio of wind at the turbine to wind of the climate
 * - `sectorBias`: relative gain of wind in the `favouredDirection` that it comes from, deg, and loss in the opposite one
 * - `curveShift`: additional wind that it needs for its declared power, m/s
 * - `hoursBetweenStops`: mean time from the end of a stop to the next, h; shorter just after a stop
 * - `incidents` in order of time: an `outage` has no grid, power is exactly zero; a logger that is `stuck` repeats the
 *   first value
 */
export interface SampleTurbine extends Turbine, Pick<Data["turbines"][number], "truth"> {
  readonly production: { readonly resolution: string; first: string; last: string } | null;
}

/**
 * A region with the grid points of its climate (deg, m) and its turbines. Its `weather` has the parameters of random
 * weather:
 *
 * - `draw`: part of the seed, selects one of the possible weathers
 * - `meanSpeed`: of all hours 100 m above ground, m/s; `seasonality`: its swing as a share; `windiestDay` of the year
 * - `prevailing`: mean wind in standard deviations of its variation, eastward and northward; `monsoon`: the same of a
 *   seasonal wind that is reversed half a year after the windiest day
 * - `variability`: standard deviation of the slow factor behind good and bad wind years
 * - `gradient`: relative change of wind over one degree, to the east and to the north
 * - `shear`: mean exponent between 10 and 100 m; `dailyShear`: its swing between day and night
 * - `temperature`: mean at sea level, degC; `temperatureSwing`: in the year, in the day, and standard deviation of the
 *   rest; `warmestDay` of the year
 * - `pressureVariation`: standard deviation, Pa; `humidity`: mean, %
 */
export interface SampleSite extends Omit<Data, "turbines"> {
  readonly turbines: readonly SampleTurbine[];
}

/** Version of the synthetic world, part of its folder's name: it changes whenever a figure or one of its files changes. */
export const SAMPLE_VERSION = "4";

/** Hours of the climate: 2005 to 2025, and the first instant of 2026, the end of the last hour. */
export const sampleAxis: HourAxis = {
  start: Temporal.Instant.from("2005-01-01T00Z").epochMilliseconds,
  length: Temporal.Instant.from("2005-01-01T00Z")
    .until("2026-01-01T00Z", { largestUnit: "hour" }).hours + 1,
};

/** An invented turbine: rotor diameter, m, rated power, kW, and power curve. */
type SampleModel = Pick<Turbine, "rotorDiameter" | "ratedPower" | "powerControl" | "powerCurve">;

/** The invented turbines by name; their power curves have points every 1 m/s from cut-in on, kW. */
export const sampleModels: Readonly<Record<keyof typeof data.models, SampleModel>> = Object
  .fromEntries(
    Object.entries(data.models).map(([name, { cutIn, powers, about: _, ...model }]) => {
      const powerCurve = powers.map((power, i) => ({ wind_speed: cutIn + i, power }));
      return [name, { ...model, powerCurve }];
    }),
  ) as never;

/** The synthetic world: invented places, turbines and weather. Only the coordinates are real. */
export const sampleSites: readonly SampleSite[] = data.sites.map(({ turbines, ...site }) => ({
  ...site,
  turbines: turbines.map(({ model, ...turbine }) => (
    { ...turbine, ...sampleModels[model as keyof typeof sampleModels] } as SampleTurbine
  )),
})) as never;

/**
 * Rounds a value to the few digits of a measurement, so files of the sample compress better and platforms do not differ
 * in the last bit.
 *
 * @param perUnit Steps of one unit: 100 for two decimals
 */
export function roundValue(value: number, perUnit: number): number {
  return Math.round(value * perUnit) / perUnit + 0; // -0 becomes 0
}
