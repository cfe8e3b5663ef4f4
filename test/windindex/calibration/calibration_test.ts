import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import { calibrate } from "../../../src/windindex/calibration/calibration.ts";
import {
  computeTrainingEnergies,
  DEFAULT_SMOOTHING,
} from "../../../src/windindex/calibration/training_energies.ts";
import { computePowerAtStamps } from "../../../src/windindex/power_model.ts";
import type {
  PeriodProduction,
  Production,
} from "../../../src/windindex/calibration/production.ts";
import { buildTrainingSet } from "../../../src/windindex/calibration/training.ts";
import type { Turbine } from "../../../src/windindex/turbine/turbine.ts";
import { hourlyFrom, periodFrom, truePower } from "../_production.ts";
import { driftingSpeeds, hours, hubWith, TURBINE, uniforms } from "../_synthetic.ts";

const K = 0.93;
const ZONE = TURBINE.timeZone;

/** Climate of two years and a bit on both sides, with the true power of a turbine in it. */
function world(turbine: Turbine = TURBINE, stamp: "instant" | "start" = "instant", k = K) {
  const axis = hours("2016-12-30T00:00Z", "2019-01-03T00:00Z");
  const hub = hubWith(axis, driftingSpeeds(axis.length, 9), stamp);
  return { hub, power: truePower(hub, turbine, k) };
}

const months = (year: number) =>
  Array.from({ length: 12 }, (_, i) => `${year}-${String(i + 1).padStart(2, "0")}`);

/** Production of the named periods. */
function periods({ hub, power }: ReturnType<typeof world>, labels: string[]): PeriodProduction {
  return {
    kind: "periods",
    periods: labels.map((label) => periodFrom(label, hub, power, ZONE)),
  };
}

function fit(
  { hub }: ReturnType<typeof world>,
  productions: readonly Production[],
  turbine: Turbine = TURBINE,
) {
  const inputs = productions.map((production) => ({ production }));
  return calibrate(
    computeTrainingEnergies(buildTrainingSet(hub, inputs, turbine.timeZone), hub, turbine),
  );
}

describe("calibrate() finds the factor behind the production", () => {
  const year = hours("2017-12-31T23:00Z", "2018-12-31T23:00Z");

  for (const powerControl of ["pcPitch", "pcStall"] as const) {
    for (const stamp of ["instant", "start"] as const) {
      it(`from hourly production (${powerControl}, ${stamp})`, () => {
        const turbine: Turbine = { ...TURBINE, powerControl };
        const site = world(turbine, stamp);
        const { k, residual, hours: used } = fit(
          site,
          [hourlyFrom(site.hub, site.power, year)],
          turbine,
        );
        assertAlmostEquals(k, K, 1e-9);
        assertAlmostEquals(residual!, 0, 1e-9);
        assertEquals(used, 8760);
      });
    }
  }

  it("from monthly production, over 23- and 25-hour days", () => {
    const site = world();
    const { k, residual, periods: compared } = fit(site, [periods(site, months(2018))]);
    assertAlmostEquals(k, K, 1e-9);
    assertAlmostEquals(residual!, 0, 1e-9);
    assertEquals(compared.map((period) => period.hours).slice(2, 10), [
      ...[743, 720, 744, 720, 744, 744, 720, 745],
    ]);
  });

  it("from annual production", () => {
    const site = world();
    const { k, residual } = fit(site, [periods(site, ["2018"])]);
    assertAlmostEquals(k, K, 1e-9);
    assertEquals(residual, null); // one period does not show how well the others fit
  });

  it("from a year, some months and some hours", () => {
    const site = world();
    const { k, periods: compared } = fit(site, [
      periods(site, ["2017"]),
      periods(site, months(2018).slice(0, 6)),
      hourlyFrom(site.hub, site.power, hours("2018-06-30T22:00Z", "2018-09-30T22:00Z")),
    ]);
    assertAlmostEquals(k, K, 1e-9);
    assertEquals(compared.map(({ label }) => label), ["2017", ...months(2018).slice(0, 9)]);
  });

  it("whatever the factor, from 0.6 to 1.3", () => {
    for (const factor of [0.6, 0.8, 1, 1.15, 1.3]) {
      const site = world(TURBINE, "instant", factor);
      assertAlmostEquals(fit(site, [periods(site, months(2018))]).k, factor, 1e-9);
    }
  });

  for (const stamp of ["instant", "start"] as const) {
    it(`F36 from the hours of a clock half an hour off (${stamp})`, () => {
      const turbine: Turbine = { ...TURBINE, timeZone: "Asia/Kolkata" };
      const { hub } = world(turbine, stamp);
      const speed = hub.windSpeed.map((value) => K * value);
      const at = computePowerAtStamps(turbine, speed, hub.logDensityRatio, DEFAULT_SMOOTHING);
      // Year 2018 in Kolkata begins 18:30Z. Hourly means over the two half hours that an hour spans: of a polygon
      // through the instants, or of two steps.
      const axis = hours("2017-12-31T18:30Z", "2018-12-31T18:30Z");
      const first = (axis.start - 30 * 60_000 - hub.axis.start) / 3_600_000;
      const power = Float64Array.from({ length: axis.length }, (_, i) => {
        const [a, b, c] = at.subarray(first + i, first + i + 3);
        const middle = [(a + b) / 2, (b + c) / 2];
        return stamp === "instant" ? ((middle[0] + b) / 2 + (b + middle[1]) / 2) / 2 : (a + b) / 2;
      });
      const { k, hours: used, periods: compared } = fit(
        { hub, power },
        [{ kind: "hourly", axis, power }],
        turbine,
      );
      assertAlmostEquals(k, K, 1e-9);
      assertEquals([used, compared.length], [8760, 12]);
    });
  }

  it("S5: from energies of a share of the hours, as from energies of all", () => {
    const site = world();
    const complete = periods(site, months(2018));
    const shares = [0.7, 1, 0.5, 0.25, 0.95, 1];
    const parts = complete.periods.map((period, i) => {
      const share = shares[i % shares.length];
      return { ...period, energy: share * period.energy, share };
    });
    const calibration = fit(site, [{ kind: "periods", periods: parts }]);
    assertAlmostEquals(calibration.k, K, 1e-9);
    assertEquals(calibration.periods.map(({ reason }) => reason), months(2018).map(() => ""));
    assertEquals(calibration.periods[0].validHours, 521); // of 744, rounded
    // The same energies without their shares look like outages and a weak turbine.
    const silent = parts.map(({ share: _, ...period }) => period);
    const misread = fit(site, [{ kind: "periods", periods: silent }]);
    assert(misread.periods.some(({ reason }) => reason.startsWith("outage")));
  });

  it("S5: does not score a period with less than a week of valid hours", () => {
    const site = world();
    const parts = periods(site, months(2018)).periods.map((period, i) =>
      i === 3 ? { ...period, energy: 0.2 * period.energy, share: 0.2 } : period
    );
    const { periods: compared } = fit(site, [{ kind: "periods", periods: parts }]);
    assertEquals([compared[3].used, compared[3].unseen], [true, null]);
    assert(compared[4].unseen !== null);
  });

  it("for one unit of a park whose production was divided by its units", () => {
    const park: Turbine = { ...TURBINE, units: 80 };
    const site = world(park);
    const total = periods(site, ["2017", "2018"]).periods
      .map((period) => ({ ...period, energy: 80 * period.energy }));
    const divided = total.map((period) => ({ ...period, energy: period.energy / park.units }));
    assertAlmostEquals(fit(site, [{ kind: "periods", periods: divided }], park).k, K, 1e-9);
    const fitTotal = () => fit(site, [{ kind: "periods", periods: total }], park);
    assertThrows(fitTotal, ArgumentError, "the number of turbines");
  });
});

describe("calibrate() leaves out", () => {
  it("masked hours, whatever their values", () => {
    const site = world();
    const axis = hours("2017-12-31T23:00Z", "2018-12-31T23:00Z");
    const production = hourlyFrom(site.hub, site.power, axis);
    const masked = new Uint8Array(axis.length);
    const random = uniforms(10);
    for (let i = 0; i < axis.length; i++) {
      if (random() > 0.2 && (i < 3000 || i > 4000)) continue; // every fifth hour, and an outage
      masked[i] = 1;
      production.power[i] = 5000 * random();
    }
    const set = buildTrainingSet(site.hub, [{ production, masked }], ZONE);
    assertAlmostEquals(calibrate(computeTrainingEnergies(set, site.hub, TURBINE)).k, K, 1e-9);
    const unmasked = buildTrainingSet(site.hub, [{ production }], ZONE);
    assert(Math.abs(calibrate(computeTrainingEnergies(unmasked, site.hub, TURBINE)).k - K) > 0.01);
  });

  it("hours that climate or production lacks", () => {
    const site = world();
    const axis = hours("2017-12-31T23:00Z", "2018-12-31T23:00Z");
    const production = hourlyFrom(site.hub, site.power, axis);
    const random = uniforms(11);
    for (let i = 0; i < axis.length; i++) if (random() < 0.1) production.power[i] = NaN;
    for (let i = 0; i < site.hub.axis.length; i++) if (random() < 0.1) site.hub.windSpeed[i] = NaN;
    const { k, hours: used } = fit(site, [production]);
    assertAlmostEquals(k, K, 1e-9);
    assert(used > 6000 && used < 8760 * 0.8, String(used)); // 0.9 x 0.9 x 0.9 = 73 %
  });

  it("a month with incomplete climate, with its reason and without a modelled energy", () => {
    const site = world();
    const production = periods(site, months(2018));
    site.hub.windSpeed.fill(NaN, 9000, 9040); // 9 January 2018
    const { k, periods: compared } = fit(site, [production]);
    assertAlmostEquals(k, K, 1e-9);
    assertEquals([compared[0].used, compared[0].reason], [false, "climate incomplete"]);
    assertEquals([compared[0].modelled, compared[0].unseen], [null, null]);
    assertEquals(compared.slice(1).every(({ used }) => used), true);
  });

  it("years with outages that were masked", () => {
    const site = world();
    const production = periods(site, ["2017", "2018"]);
    const halved = production.periods
      .map((period, i) => i === 0 ? { ...period, energy: period.energy / 2 } : period);
    const set = buildTrainingSet(site.hub, [
      { production: { kind: "periods", periods: halved }, masked: Uint8Array.of(1, 0) },
    ], ZONE);
    assertAlmostEquals(calibrate(computeTrainingEnergies(set, site.hub, TURBINE)).k, K, 1e-9);
  });
});

describe("calibrate()", () => {
  it("makes modelled equal to produced energy over all weighted periods, and keeps the fit of each", () => {
    const site = world();
    const production = periods(site, months(2018));
    const noisy = production.periods
      .map((period, i) => ({ ...period, energy: period.energy * (i % 2 === 0 ? 1.05 : 0.97) }));
    const { periods: compared, residual } = fit(site, [{ kind: "periods", periods: noisy }]);
    const sum = (field: "produced" | "modelled") =>
      compared.reduce((total, period) => total + period[field]!, 0);
    const weighted = (field: "produced" | "modelled") =>
      compared.reduce((total, period) => total + period.weight * period[field]!, 0);
    assertAlmostEquals(weighted("modelled") / weighted("produced"), 1, 1e-9);
    assert(compared.filter(({ weight }) => weight === 1).length > 9); // one or two are far from the others
    // Deviations of about -4 % and +4 %, six of each.
    assert(residual! > 0.035 && residual! < 0.045, String(residual));
    const squares = compared.map(({ produced, modelled }) => (modelled! - produced) ** 2);
    const rootMeanSquare = Math.sqrt(squares.reduce((a, b) => a + b) / 12);
    assertAlmostEquals(residual!, rootMeanSquare / (sum("produced") / 12), 1e-12);
  });

  it("keeps a meaningful residual if a period of one hour has no production", () => {
    // A year cut at UTC midnight leaves one hour of a thirteenth local month, here a calm.
    const site = world();
    const axis = hours("2018-01-01T00:00Z", "2019-01-01T00:00Z");
    const production = hourlyFrom(site.hub, site.power, axis);
    production.power[axis.length - 1] = 0;
    const { residual, periods: compared } = fit(site, [production]);
    assertEquals([compared.length, compared[12].hours], [13, 1]);
    assert(residual! < 0.001, `residual is ${residual}`);
  });

  it("refuses production that no factor gives, and says whether it is too high or too low", () => {
    const site = world();
    const { periods: [year] } = periods(site, ["2018"]);
    const scaled = (factor: number) => () =>
      fit(site, [{ kind: "periods", periods: [{ ...year, energy: factor * year.energy }] }]);
    const less = assertThrows(scaled(10), ArgumentError, "MWh per turbine in 2018");
    assert(
      less.message.includes("the model gives less even at 1.5 times the wind speed"),
      less.message,
    );
    assert(less.message.includes("Check the unit of the production (kWh, MWh), the number"));
    assertThrows(
      scaled(0.001),
      ArgumentError,
      "the model gives more even at 0.5 times the wind speed",
    );
  });

  it("refuses a training window in which no period counts, and says why", () => {
    const site = world();
    const production = periods(site, ["2017", "2018"]);
    const none = production.periods.map((period) => ({ ...period, energy: NaN }));
    assertThrows(
      () => fit(site, [{ kind: "periods", periods: none }]),
      ArgumentError,
      "Cannot calibrate T1: no period of its production can be used (2017: no production; 2018: no production). Correct these periods, or give production of other periods",
    );
  });
});
