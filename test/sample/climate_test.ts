import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { simulateClimate } from "../../src/sample/climate.ts";
import { sampleAxis, sampleSites } from "../../src/sample/sites.ts";
import type { ClimatePoint } from "../../src/windindex/climate/climate.ts";
import { PowerCurve } from "../../src/windindex/turbine/power_curve.ts";
import {
  correlation,
  deviation,
  mean,
  monthOfHours,
  speeds,
  sums,
  weibullShape,
} from "./_statistics.ts";

const months = monthOfHours(sampleAxis);
const hoursOfMonths = sums(new Float64Array(sampleAxis.length).fill(1), months);

/** Computes the mean of each of the 252 months, without the hour of 2026. */
function monthlyMeans(values: Float64Array): number[] {
  return sums(values, months).map((sum, i) => sum / hoursOfMonths[i]).slice(0, 252);
}

/** Computes the mean of each calendar month over all years. */
function calendarMonths(values: Float64Array): number[] {
  const monthly = monthlyMeans(values);
  return Array.from({ length: 12 }, (_, m) => mean(monthly.filter((_, i) => i % 12 === m)));
}

function listArrays(point: ClimatePoint): Float64Array[] {
  return [
    ...point.levels.flatMap((level) => [level.u, level.v]),
    point.temperature!,
    point.pressure!,
    point.relativeHumidity!,
  ];
}

/** Picks a few values of a point, which nearly any change of the generator changes. */
function fingerprint(point: ClimatePoint): number[] {
  return listArrays(point).flatMap((values) => [values[0], values[100_000], values[184_080]]);
}

function assertWithin(values: Float64Array, low: number, high: number): void {
  let least = Infinity;
  let greatest = -Infinity;
  for (const value of values) {
    if (!(value >= least)) least = value;
    if (!(value <= greatest)) greatest = value;
  }
  assert(least >= low && greatest <= high, `${least} to ${greatest}, not in ${low} to ${high}`);
}

describe("simulateClimate()", () => {
  const [coast] = sampleSites;
  const coastal = simulateClimate(coast);

  it("gives the same figures on every machine", () => {
    assertEquals(fingerprint(coastal[0]), [
      ...[0.19, 2.09, -1.46], // u at 10 m
      ...[-8.69, 1.7, -3.37], // v
      ...[0.24, 2.47, -2.08], // u at 100 m
      ...[-11.01, 2.01, -4.81], // v
      ...[-0.82, 12.43, 2.16], // temperature
      ...[100_899, 102_017, 101_219], // pressure
      ...[96.4, 83.5, 83.6], // relative humidity
    ]);
  });

  it("gives the same figures again, also after other sites", () => {
    simulateClimate(sampleSites[5]);
    assertEquals(fingerprint(simulateClimate(coast)[3]), fingerprint(coastal[3]));
  });

  it("differs slightly from point to point, with less wind towards the coast", () => {
    const west = speeds(coastal[0], 1);
    const east = speeds(coastal[2], 1);
    assert(mean(west) > 1.03 * mean(east));
    const related = correlation(west, east);
    assert(related > 0.97 && related < 0.999, `correlation ${related}`);
  });

  it("has the month normals of energy of the North Sea", () => {
    const [turbine] = coast.turbines;
    const curve = new PowerCurve(turbine.powerCurve, turbine.ratedPower);
    const power = speeds(coastal[1], 1).map((speed) => curve.powerAt(0.93 * speed));
    const energy = sums(power, months).slice(0, 252);
    const normals = Array.from(
      { length: 12 },
      (_, m) => 100 * mean(energy.filter((_, i) => i % 12 === m)) / mean(energy),
    );
    assertEquals(normals.indexOf(Math.max(...normals)), 0);
    assertEquals(normals.indexOf(Math.min(...normals)), 6);
    assertAlmostEquals(normals[0], 135, 5);
    assertAlmostEquals(normals[6], 65, 5);
    const years = Array.from(
      { length: 21 },
      (_, year) => mean(energy.slice(12 * year, 12 * year + 12)),
    );
    const variation = deviation(years) / mean(years);
    assert(variation > 0.06 && variation < 0.08, `annual energy varies by ${variation}`);
  });

  for (const site of sampleSites) {
    describe(site.id, () => {
      const points = site === coast ? coastal : simulateClimate(site);
      const [point] = points;
      const low = speeds(point, 0);
      const high = speeds(point, 1);

      it("is complete and physical", () => {
        assertEquals(points.length, site.points.length);
        for (const one of points) {
          assertEquals(one.stamp, "instant");
          assertEquals(one.levels.map((level) => level.height), [10, 100]);
          for (const values of listArrays(one)) {
            assertEquals(values.length, sampleAxis.length);
            assert(!values.includes(NaN));
          }
          assertWithin(speeds(one, 1), 0, 36);
          assertWithin(one.temperature!, -30, 45);
          assertWithin(one.relativeHumidity!, 40, 100);
          const standard = 101_325 * Math.exp(-(one.elevation ?? 0) / 8400);
          assertWithin(one.pressure!, 0.95 * standard, 1.05 * standard);
        }
      });

      it("has the declared mean wind, with a Weibull distribution", () => {
        assertAlmostEquals(
          mean(points.map((one) => mean(speeds(one, 1)))),
          site.weather.meanSpeed,
          0.05,
        );
        const shape = weibullShape(high);
        assert(shape > 1.9 && shape < 2.35, `shape ${shape}`);
        // With k = 2 the median is 0.94 of the mean, and 4 % of the hours exceed twice the mean.
        const centre = mean(high);
        assertAlmostEquals([...high].sort((a, b) => a - b)[high.length >> 1] / centre, 0.95, 0.03);
        const strong = high.filter((speed) => speed > 2 * centre).length / high.length;
        assert(strong > 0.015 && strong < 0.05, `share of strong wind ${strong}`);
      });

      it("has the declared wind shear", () => {
        const exponent = Math.log10(mean(high) / mean(low));
        assertAlmostEquals(exponent, site.weather.shear, 0.02);
      });

      it("has persistent weather", () => {
        const lasting = correlation(high.subarray(1), high.subarray(0, -1));
        assert(lasting > 0.94 && lasting < 0.985, `autocorrelation ${lasting}`);
      });

      it("has its windy and warm seasons as declared", () => {
        const monthOfDay = (day: number) => (day - 1) / (365.25 / 12);
        const apart = (m: number, day: number) => {
          const away = Math.abs(m + 0.5 - monthOfDay(day));
          return Math.min(away, 12 - away);
        };
        const wind = calendarMonths(high);
        assert(apart(wind.indexOf(Math.max(...wind)), site.weather.windiestDay) < 2.6);
        const warmth = calendarMonths(point.temperature!);
        assert(apart(warmth.indexOf(Math.max(...warmth)), site.weather.warmestDay) < 1.6);
      });

      it("has good and bad wind years", () => {
        const monthly = monthlyMeans(high);
        const years = Array.from(
          { length: 21 },
          (_, year) => mean(monthly.slice(12 * year, 12 * year + 12)),
        );
        const variation = deviation(years) / mean(years);
        assert(variation > 0.025 && variation < 0.06, `variation ${variation}`);
      });
    });
  }
});
