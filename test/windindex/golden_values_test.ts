import { assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  computeAirDensity,
  computeHumidity,
  computePressureAtHeight,
  computeStandardAtmosphere,
} from "../../src/windindex/climate/climate.ts";
import {
  applyPowerLaw,
  computeHubConditions,
  computeLogLawFactor,
  computeShearExponent,
} from "../../src/windindex/turbine/hub_conditions.ts";
import { computeSiteClimate } from "../../src/windindex/climate/site_climate.ts";
import { computeSiteWeights } from "../../src/windindex/climate/site_weights.ts";
import { point } from "./_synthetic.ts";

// Golden values, first part: climate to hub. You can compute every number with a pocket calculator from the comment
// above it; none comes from the code under test. Power, energy and k are in golden_energy_test.ts, the indices in
// golden_indices_test.ts. Worked by hand elsewhere: an hour between timestamps (1/8, 6/8, 1/8) in training_test.ts, a
// linear field of wind in site_climate_test.ts, the table of ISO 2533 in air_density_test.ts.

describe("golden values of wind shear", () => {
  it("power law: 5 m/s at 10 m is 6.729501 m/s at 80 m with the exponent 1/7", () => {
    // 80 / 10 = 8; 8^(1/7) = e^(2.0794415 / 7) = e^0.2970631 = 1.3459002; 5 x 1.3459002
    assertAlmostEquals(applyPowerLaw(5, 10, 80, 1 / 7), 6.729501, 1e-6);
  });

  it("exponent: 6 m/s at 50 m and 7.2 m/s at 100 m make 0.263034", () => {
    // ln(7.2 / 6) = ln 1.2 = 0.1823216; ln(100 / 50) = ln 2 = 0.6931472; 0.1823216 / 0.6931472
    assertAlmostEquals(computeShearExponent(6, 7.2, Math.log(2)), 0.2630344, 1e-7);
  });

  /** Wind at 80 m from one hour at 50 and 100 m. */
  const at80 = (low: number, high: number): number =>
    computeHubConditions({
      axis: { start: 0, length: 1 },
      stamp: "instant",
      levels: [
        { height: 50, speed: Float64Array.of(low), direction: Float64Array.of(0) },
        { height: 100, speed: Float64Array.of(high), direction: Float64Array.of(0) },
      ],
      elevation: 0,
      distance: 0,
      notes: [],
    }, { elevation: 0, hubHeight: 80 }).windSpeed[0];

  it("hub between two heights: 6.789563 m/s at 80 m", () => {
    // 7.2 x (80 / 100)^0.2630344 = 7.2 x e^(0.2630344 x -0.2231436) = 7.2 x e^-0.0586944 = 7.2 x 0.9429949
    assertAlmostEquals(at80(6, 7.2), 6.789563, 1e-6);
  });

  it("clipped: 2 and 5 m/s would make 1.32, 8 and 6 m/s -0.415; 0.6 and -0.2 are the bounds", () => {
    // ln 2.5 / ln 2 = 0.9162907 / 0.6931472 = 1.3219; 5 x 0.8^0.6 = 5 x e^-0.1338861 = 5 x 0.8746897
    assertEquals(computeShearExponent(2, 5, Math.log(2)), 0.6);
    assertAlmostEquals(at80(2, 5), 4.373448, 1e-6);
    // ln 0.75 / ln 2 = -0.2876821 / 0.6931472 = -0.4150; 6 x 0.8^-0.2 = 6 x e^0.0446287 = 6 x 1.0456396
    assertEquals(computeShearExponent(8, 6, Math.log(2)), -0.2);
    assertAlmostEquals(at80(8, 6), 6.273837, 1e-6);
  });

  it("calm: 0.4 m/s below gives 3 m/s above the exponent 1/7", () => {
    // 3 x 0.8^(1/7) = 3 x e^(-0.2231436 / 7) = 3 x e^-0.0318777 = 3 x 0.9686251
    assertEquals(computeShearExponent(0.4, 3, Math.log(2)), 1 / 7);
    assertAlmostEquals(at80(0.4, 3), 2.905875, 1e-6);
  });

  it("log law: 5 m/s at 10 m is 6.962360 m/s at 80 m over a roughness of 0.05 m", () => {
    // ln(80 / 0.05) / ln(10 / 0.05) = ln 1600 / ln 200 = 7.3777589 / 5.2983174 = 1.3924721
    assertAlmostEquals(computeLogLawFactor(10, 80, 0.05), 1.3924721, 1e-7);
    assertAlmostEquals(5 * computeLogLawFactor(10, 80, 0.05), 6.962360, 1e-6);
  });
});

describe("golden values of air density", () => {
  // rho = (1 / T) [p / R - phi 0.0000205 e^(0.0631846 T) (1 / R - 1 / Rw)]
  // 1 / R - 1 / Rw = 1 / 287.05 - 1 / 461.5 = 0.003483714 - 0.002166847 = 0.001316866
  // 101,325 / 287.05 = 352.987284

  it("dry at 15 degC and 101,325 Pa: 1.225 kg/m3", () => {
    // 352.987284 / 288.15
    assertAlmostEquals(computeAirDensity(15, 101_325, 0), 1.225012, 1e-6);
  });

  it("half humid at 0 degC: 1.290737 kg/m3", () => {
    // e^(0.0631846 x 273.15) = e^17.2588735; 0.0000205 x 31,292,014 = 641.486
    // 0.5 x 641.486 x 0.001316866 = 0.422376; (352.987284 - 0.422376) / 273.15
    assertAlmostEquals(computeAirDensity(0, 101_325, 0.5), 1.290737, 1e-6);
  });

  it("half humid at 35 degC: 1.132992 kg/m3", () => {
    // e^(0.0631846 x 308.15) = e^19.4703345; 0.0000205 x 285,666,182 = 5,856.157
    // 0.5 x 5,856.157 x 0.001316866 = 3.855888; (352.987284 - 3.855888) / 308.15
    assertAlmostEquals(computeAirDensity(35, 101_325, 0.5), 1.132992, 1e-6);
  });

  it("1,500 m up by the barometric formula, at 15 degC: 84,816.5 Pa, 1.025426 kg/m3 dry", () => {
    // g dz / (R T) = 9.80665 x 1500 / (287.05 x 288.15) = 14,709.975 / 82,713.4575 = 0.1778426
    // 101,325 x e^-0.1778426 = 101,325 x 0.8370742 = 84,816.54
    assertAlmostEquals(computePressureAtHeight(101_325, 1500, 15), 84_816.54, 0.01);
    // 84,816.5415 / 287.05 = 295.476542; / 288.15
    assertAlmostEquals(computeAirDensity(15, 84_816.5415, 0), 1.025426, 1e-6);
    // 0.0000205 e^(0.0631846 x 288.15) = 1,655.001; 0.5 x 1,655.001 x 0.001316866 = 1.089708;
    // (295.476542 - 1.089708) / 288.15
    assertAlmostEquals(computeAirDensity(15, 84_816.5415, 0.5), 1.021644, 1e-6);
  });

  it("1,500 m up in the standard atmosphere: 5.25 degC, 84,555.8 Pa, 1.058076 kg/m3 dry", () => {
    // T = 288.15 - 0.0065 x 1500 = 278.4 K; 278.4 / 288.15 = 0.9661635
    // g / (R 0.0065) = 9.80665 / 1.865825 = 5.2559324
    // 101,325 x e^(5.2559324 x -0.03442225) = 101,325 x e^-0.1809210 = 101,325 x 0.8345013
    const { temperature, pressure } = computeStandardAtmosphere(1500);
    assertAlmostEquals(temperature, 5.25, 1e-9);
    assertAlmostEquals(pressure, 84_555.84, 0.01);
    // 84,555.841 / 287.05 / 278.4
    assertAlmostEquals(computeAirDensity(temperature, pressure, 0), 1.058076, 1e-6);
  });

  it("at the hub, 208 m above the climate point: 1.210225 kg/m3", () => {
    // Point at 12 m with 8 degC, 100,500 Pa, 80 %; ground at 130 m, hub 90 m above: 220 - 12 = 208 m.
    // 9.80665 x 208 / (287.05 x 281.15) = 2,039.7832 / 80,704.1075 = 0.0252748
    // 100,500 x e^-0.0252748 = 100,500 x 0.9750419 = 97,991.71 Pa; / 287.05 = 341.375059
    // 0.0000205 e^(0.0631846 x 281.15) = 1,063.440; 0.8 x 1,063.440 x 0.001316866 = 1.120327
    // (341.375059 - 1.120327) / 281.15 = 1.210225; ln(1.210225 / 1.225) = ln 0.9879387
    const one = point(55.5, 7.75, [6], [8], {
      elevation: 12,
      temperature: Float64Array.of(8),
      pressure: Float64Array.of(100_500),
      relativeHumidity: Float64Array.of(80),
    });
    const site = computeSiteClimate([one], { latitude: 55.5, longitude: 7.75 });
    const hub = computeHubConditions(site, { elevation: 130, hubHeight: 90 });
    assertAlmostEquals(hub.airDensity[0], 1.210225, 1e-6);
    assertAlmostEquals(hub.logDensityRatio[0], -0.0121346, 1e-6);
  });

  it("without temperature and pressure, 1,500 m up: 1.055962 kg/m3 at 50 % humidity, with a note", () => {
    // 0.0000205 e^(0.0631846 x 278.4) = 893.822; 0.5 x 893.822 x 0.001316866 = 0.588522
    // 84,555.841 / 287.05 = 294.568337; (294.568337 - 0.588522) / 278.4
    const site = computeSiteClimate([point(55.5, 7.75, [6], [8])], {
      latitude: 55.5,
      longitude: 7.75,
    });
    const hub = computeHubConditions(site, { elevation: 1430, hubHeight: 70 });
    assertAlmostEquals(hub.airDensity[0], 1.055962, 1e-6);
    assertStringIncludes(hub.notes.join(" "), "standard atmosphere");
  });

  it("humidity of 20 degC with a dew point of 10 degC: 52.5608 %", () => {
    // e^(17.62 x 10 / 253.12 - 17.62 x 20 / 263.12) = e^(0.6961125 - 1.3393129) = e^-0.6432004
    assertAlmostEquals(computeHumidity(20, 10), 0.525608, 1e-6);
  });
});

describe("golden values of the wind between climate points", () => {
  it("bilinear, as vectors: 5.905294 m/s from 267.573664 deg", () => {
    // Cell of 1 degree, site 0.25 of the way east and 0.6 of the way north. Shares:
    // SW 0.4 x 0.75 = 0.30, SE 0.4 x 0.25 = 0.10, NW 0.6 x 0.75 = 0.45, NE 0.6 x 0.25 = 0.15
    // u: 0.3 x 6 + 0.1 x 8 + 0.45 x 4 + 0.15 x 10 = 1.8 + 0.8 + 1.8 + 1.5 = 5.9
    // v: 0.3 x -2 + 0.1 x 1 + 0.45 x 3 + 0.15 x -4 = -0.6 + 0.1 + 1.35 - 0.6 = 0.25
    // sqrt(5.9^2 + 0.25^2) = sqrt(34.81 + 0.0625) = 5.905294
    // It blows to the east, a little north: from 270 - atan(0.25 / 5.9) = 270 - 2.426336 deg
    // (The mean of the speeds would be 6.569142 m/s.)
    const site = computeSiteClimate([
      point(50, 10, [6], [-2]),
      point(50, 11, [8], [1]),
      point(51, 10, [4], [3]),
      point(51, 11, [10], [-4]),
    ], { latitude: 50.6, longitude: 10.25 });
    assertAlmostEquals(site.levels[0].speed[0], 5.905294, 1e-6);
    assertAlmostEquals(site.levels[0].direction[0], 267.573664, 1e-6);
  });

  it("inverse distance half a cell outside, as vectors: 5.434447 m/s", () => {
    // Cell of 1 degree across the equator, site half a degree west of its western edge. On the sphere
    // cos d = cos(latitude) cos(longitude): cos 0.5 x cos 0.5 = 0.9999238, d = 0.7071023 deg (78.626 km),
    // cos 0.5 x cos 1.5 = 0.9996193, d = 1.5811208 deg (175.813 km).
    // 1 / d: 1.4142225 twice and 0.6324628 twice, together 4.0933706. Shares 0.3454910 and 0.1545090.
    const places = [[-0.5, 0], [-0.5, 1], [0.5, 0], [0.5, 1]];
    const site = { latitude: 0, longitude: -0.5 };
    const winds = [[4, 3], [8, -2], [4, 3], [8, -2]];
    const points = places.map(([latitude, longitude], i) =>
      point(latitude, longitude, [winds[i][0]], [winds[i][1]])
    );
    const { weights, method, note } = computeSiteWeights(points, site);
    assertEquals(method, "inverse distance");
    [0.345491, 0.154509, 0.345491, 0.154509].forEach((share, i) => {
      assertAlmostEquals(weights[i], share, 1e-6);
    });
    assertStringIncludes(note, "50 % of a cell outside");
    // u: 0.690982 x 4 + 0.309018 x 8 = 5.236072; v: 0.690982 x 3 - 0.309018 x 2 = 1.454910
    // sqrt(27.416453 + 2.116763) = sqrt(29.533216) = 5.434447
    assertAlmostEquals(computeSiteClimate(points, site).levels[0].speed[0], 5.434447, 1e-6);
  });

  it("one point is used unchanged: u = 6, v = 8 is 10 m/s from 216.869898 deg", () => {
    // sqrt(36 + 64); 180 + atan(6 / 8) = 180 + 36.869898
    const { levels } = computeSiteClimate(
      [point(55.5, 7.75, [6], [8])],
      { latitude: 55.6, longitude: 7.9 },
    );
    assertEquals(levels[0].speed[0], 10);
    assertAlmostEquals(levels[0].direction[0], 216.869898, 1e-6);
  });
});
