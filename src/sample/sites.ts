import type { HourAxis } from "../time/hourly.ts";
import type { Turbine } from "../windindex/turbine/turbine.ts";
import data from "./sites.json" with { type: "json" };

/** An incident of some hours. */
export interface SampleIncident {
  /** `outage`: no grid, power is exactly zero. `stuck`: the logger repeats the first value. */
  readonly kind: "outage" | "stuck";
  /** First hour, an instant such as `"2023-02-06T08Z"`. */
  readonly start: string;
  /** Duration, h. */
  readonly hours: number;
}

/** Why a turbine produces another energy than its declared power curve in the climate's wind: unknown to the calibration. */
export interface SampleTruth {
  /** Wind at the turbine over wind of the climate. */
  readonly siteFactor: number;
  /** Relative gain of wind in the favoured direction, and loss in the opposite one. */
  readonly sectorBias: number;
  /** Favoured direction the wind comes from, deg. */
  readonly favouredDirection: number;
  /** How much more wind than declared the turbine needs for its power, m/s. */
  readonly curveShift: number;
  /** Mean time from the end of a stop to the next, h; shorter just after a stop. */
  readonly hoursBetweenStops: number;
  /** Incidents, in order of time. */
  readonly incidents: readonly SampleIncident[];
}

/** Months and resolution of the production of a turbine. */
export interface SampleRecord {
  readonly resolution: "hour" | "month" | "year";
  /** First month, such as `"2021-01"`. */
  readonly first: string;
  readonly last: string;
}

/** A turbine, or park, of the synthetic world. */
export interface SampleTurbine extends Turbine {
  /** Its production; `null` where there is none yet, so that the turbine is not data_ready. */
  readonly production: SampleRecord | null;
  readonly truth: SampleTruth;
}

/** Climate of a region, as the parameters of its random weather. */
export interface SampleWeather {
  /** Part of the seed: selects one of the possible weathers. */
  readonly draw: number;
  /** Mean wind speed of all hours 100 m above ground, m/s. */
  readonly meanSpeed: number;
  /** Seasonal swing of wind as a share of its mean. */
  readonly seasonality: number;
  /** Day of the year with the strongest wind. */
  readonly windiestDay: number;
  /** Mean wind in standard deviations of its variation: eastward, northward. */
  readonly prevailing: readonly [number, number];
  /** Seasonal wind, reversed half a year after the windiest day, in the same unit: eastward, northward. */
  readonly monsoon: readonly [number, number];
  /** Standard deviation of the slow factor that makes good and bad wind years. */
  readonly variability: number;
  /** Relative change of wind over one degree: to the east, to the north. */
  readonly gradient: readonly [number, number];
  /** Mean wind shear exponent between 10 and 100 m. */
  readonly shear: number;
  /** Swing of the wind shear exponent between day and night. */
  readonly dailyShear: number;
  /** Mean temperature at sea level, degC. */
  readonly temperature: number;
  /** Swing of temperature in the year, its swing in the day, and standard deviation of the rest, degC. */
  readonly temperatureSwing: readonly [number, number, number];
  /** Day of the year with the highest temperature. */
  readonly warmestDay: number;
  /** Standard deviation of pressure, Pa. */
  readonly pressureVariation: number;
  /** Mean relative humidity, %. */
  readonly humidity: number;
}

/** A region with the grid points of its climate and its turbines. */
export interface SampleSite {
  readonly id: string;
  readonly name: string;
  readonly country: string;
  /** Grid points: latitude and longitude in deg, elevation of the model's ground in m. */
  readonly points: readonly {
    readonly latitude: number;
    readonly longitude: number;
    readonly elevation: number;
  }[];
  readonly turbines: readonly SampleTurbine[];
  readonly weather: SampleWeather;
}

/** Version of the synthetic world: it changes whenever a figure or one of its files changes, and names the folder of its cache. */
export const SAMPLE_VERSION = "2";

/** Hours of the climate: 2005 to 2025, and the first instant of 2026, without which the last hour would have no end. */
export const sampleAxis: HourAxis = {
  start: Temporal.Instant.from("2005-01-01T00Z").epochMilliseconds,
  length: Temporal.Instant.from("2005-01-01T00Z")
    .until("2026-01-01T00Z", { largestUnit: "hour" }).hours + 1,
};

/** An invented turbine: rotor diameter, m, rated power, kW, and power curve. */
type SampleModel = Pick<Turbine, "rotorDiameter" | "ratedPower" | "powerControl" | "powerCurve">;

/** The invented turbines by name; powers of their curves are of wind speeds 1 m/s apart, from the cut-in speed on, kW. */
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
 * Rounds a value to the few digits of a measurement: files of the sample compress better, and differences of the last
 * bit between platforms vanish.
 *
 * @param perUnit Steps of one unit: 100 for two decimals
 */
export function roundValue(value: number, perUnit: number): number {
  return Math.round(value * perUnit) / perUnit + 0; // -0 becomes 0
}
