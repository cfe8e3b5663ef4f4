import { assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { hashDeclaration } from "../../../src/sites/calibration/select_points.ts";
import type { Reanalysis, SiteData } from "../../../src/sites/site_data.ts";
import type { ClimatePoint } from "../../../src/windindex/climate/climate.ts";
import type { Turbine } from "../../../src/windindex/turbine/turbine.ts";
import { turbine } from "../_turbine.ts";

const hour = Float64Array.of(5);
const point: ClimatePoint = {
  latitude: 55,
  longitude: 8,
  elevation: 10,
  axis: { start: 0, length: 1 },
  stamp: "instant",
  levels: [{ height: 10, u: hour, v: hour }, { height: 100, u: hour, v: hour }],
  temperature: hour,
  pressure: hour,
};

const dataset: Reanalysis["dataset"] = {
  serviceId: "era5",
  group: "",
  type: "",
  shortDescription: "",
  longDescription: "",
  url: "",
  attribution: [],
};

/** Builds a site with one reanalysis, and optional others. */
function site(
  climate: ClimatePoint = point,
  more: Partial<Reanalysis> = {},
  others: readonly Reanalysis[] = [],
): SiteData {
  const reanalyses = [{ dataset, climate: [climate], ...more }, ...others];
  return { site: "s", fingerprint: "", world: "own", reanalyses, turbines: [] };
}

const hash = hashDeclaration(site(), turbine);

describe("hashDeclaration()", () => {
  it("ignores name, identifier and rotor of the turbine", () => {
    const other = { ...turbine, name: "Renamed", id: "U", rotorDiameter: 100 };
    assertEquals(hashDeclaration(site(), other), hash);
  });

  for (
    const change of [
      { hubHeight: 81 },
      { latitude: 55.001 },
      { longitude: 8.001 },
      { elevation: 1 },
      { ratedPower: 1001 },
      { units: 2 },
      { timeZone: "Europe/Berlin" },
      { powerControl: "pcStall" },
      { powerCurve: [{ wind_speed: 3, power: 0 }, { wind_speed: 12.1, power: 1000 }] },
    ] satisfies Partial<Turbine>[]
  ) {
    it(`changes with its ${Object.keys(change)[0]}`, () => {
      assertNotEquals(hashDeclaration(site(), { ...turbine, ...change }), hash);
    });
  }

  const climates: Readonly<Record<string, Partial<ClimatePoint>>> = {
    "the point is elsewhere": { latitude: 55.01 },
    "its ground has another elevation": { elevation: 11 },
    "its stamps mean something else": { stamp: "start" },
    "a height of its wind is gone": { levels: point.levels.slice(0, 1) },
    "it has no temperature any more": { temperature: undefined },
    "it has humidity now": { relativeHumidity: hour },
  };
  for (const [label, change] of Object.entries(climates)) {
    it(`changes if ${label}`, () => {
      assertNotEquals(hashDeclaration(site({ ...point, ...change }), turbine), hash);
    });
  }

  it("changes with the dataset and with the wind shear", () => {
    const other = { ...dataset, serviceId: "merra2" };
    assertNotEquals(hashDeclaration(site(point, { dataset: other }), turbine), hash);
    assertNotEquals(hashDeclaration(site(point, { shear: { exponent: 0.2 } }), turbine), hash);
  });

  it("changes with an additional reanalysis, and with their order", () => {
    const other = { dataset: { ...dataset, serviceId: "merra2" }, climate: [point] };
    const withOther = hashDeclaration(site(point, {}, [other]), turbine);
    assertNotEquals(withOther, hash);
    const swapped = site(point, other, [{ dataset, climate: [point] }]);
    assertNotEquals(hashDeclaration(swapped, turbine), withOther);
  });

  it("does not change with values, more hours or the description of the same dataset", () => {
    const axis = { start: 0, length: 2 };
    const values = Float64Array.of(6, 7);
    const levels = point.levels.map(({ height }) => ({ height, u: values, v: values }));
    assertEquals(hashDeclaration(site({ ...point, axis, levels }), turbine), hash);
    const described = { ...dataset, shortDescription: "ERA5" };
    assertEquals(hashDeclaration(site(point, { dataset: described }), turbine), hash);
  });
});
