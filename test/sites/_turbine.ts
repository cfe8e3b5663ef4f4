import type { Turbine } from "../../src/windindex/turbine/turbine.ts";

/** A declared turbine. */
export const turbine: Turbine = {
  id: "T",
  name: "T",
  latitude: 55,
  longitude: 8,
  elevation: 0,
  hubHeight: 80,
  rotorDiameter: 90,
  ratedPower: 1000,
  units: 1,
  timeZone: "Europe/Copenhagen",
  powerControl: "pcPitch",
  powerCurve: [{ wind_speed: 3, power: 0 }, { wind_speed: 12, power: 1000 }],
};
