import type { HourAxis } from "../time/hourly.ts";
import type { Turbine } from "../windindex/turbine/turbine.ts";
import type { SampleSite, SampleTurbine } from "./site.ts";
import data from "./sites.json" with { type: "json" };

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
