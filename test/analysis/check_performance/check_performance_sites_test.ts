/**
 * `checkPerformance()` on the real sites. The data are not part of the project: without them the tests are ignored, and
 * their names say so.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { NormalStretches } from "../../../src/analysis/check_performance/losses/lost_energy.ts";
import { checkPerformance } from "../../../src/analysis/check_performance/check_performance.ts";
import { readProduction } from "../../../src/frames/presets/read_production.ts";
import { checkProduction } from "../../../src/sites/production/training_inputs.ts";
import { computeHubConditions } from "../../../src/windindex/turbine/hub_conditions.ts";
import type { HourlyProduction } from "../../../src/windindex/calibration/production.ts";
import { computeSiteClimate } from "../../../src/windindex/climate/site_climate.ts";
import { hoursFrame, type ServedTurbine, servedTurbine } from "../../validate/_served_site.ts";
import { dataPresent, siteData } from "../../validate/_site_data.ts";
import { byStep, computeGap, HOUR, list, numbers } from "./_performance_frames.ts";

const FOLDER = new URL("../../../../shared/data/horns_rev/", import.meta.url);

const check = dataPresent() ? it : it.ignore;
const named = (name: string) =>
  dataPresent() ? name : `${name} (skipped: ../shared/data is not here)`;

/**
 * Horns Rev 1, calibrated on its annual values as `test/validate/horns_rev.ts` does: calibration finds outages and
 * leaves them out.
 */
async function hornsRev(): Promise<ServedTurbine> {
  const data = await siteData("horns_rev");
  const { reanalyses: [{ climate, shear }], turbines: [{ turbine, production }] } = data;
  const hub = computeHubConditions(computeSiteClimate(climate, turbine), turbine, shear);
  return servedTurbine(turbine, hub, checkProduction(production, turbine).inputs);
}

/** Turbines of Kelmarsh with their hourly production, each calibrated by itself, without the hours of its stops. */
async function kelmarsh() {
  const data = await siteData("kelmarsh");
  const { reanalyses: [{ climate, shear }] } = data;
  return data.turbines.map(({ turbine, production }) => {
    const hub = computeHubConditions(computeSiteClimate(climate, turbine), turbine, shear);
    const hours = production[0] as HourlyProduction;
    const neighbours = data.turbines.filter((other) => other.turbine !== turbine).map((other) => ({
      ratedPower: other.turbine.ratedPower,
      production: other.production[0] as HourlyProduction,
    }));
    const { inputs } = checkProduction(production, turbine, [], neighbours);
    return {
      served: servedTurbine(turbine, hub, inputs),
      production: hoursFrame(hours.axis.start, { power: hours.power }, "UTC"),
    };
  });
}

describe("checkPerformance() at Horns Rev", () => {
  check(
    named("finds the outages of 2003 and 2004, and their losses, from annual production"),
    async () => {
      const { model, details } = await hornsRev();
      const production = await readProduction(
        new URL("annual_production_2003_2006.csv", FOLDER),
        { column: "energy_mwh", time: "year", resolution: "year", unit: "MWh" },
      );
      const result = checkPerformance(production, { predicted: model, details, units: 80 });
      assertEquals(list(result.frames.outages, "outage"), ["Outage, 2003", "Outage, 2004"]);
      const [lost, low, high] = ["lost", "lost_low", "lost_high"]
        .map((name) => numbers(result.frames.outages, name));
      // The model gives 544 and 620 GWh; 460 and 367 GWh were produced. Two normal years are little evidence: 12.5 % to
      // either side.
      assertAlmostEquals(lost[0], 84_000, 1500);
      assertAlmostEquals(lost[1], 253_000, 1500);
      lost.forEach((energy, i) => {
        assert(low[i] > 0 && low[i] < energy && energy < high[i]);
        assert(high[i] - low[i] > 100_000, "two normal years give a wide interval");
      });
      assertEquals(list(result.frames.steps, "step"), [
        "Normal production",
        "Wind and air density", // the record has no temperature
        "Availability",
        "Unexplained",
        "Produced",
      ]);
      assertAlmostEquals(computeGap(result.frames.steps), 0, 1e-6);
      assertEquals(result.band, null);
      assertEquals(list(result.frames.comparison, "state"), ["low", "low", null, null]);
      const summary = result.summary.join(" ");
      const shares = /2003 \(([\d.]+) %\) and 2004 \(([\d.]+) %\) are far below the other years\./
        .exec(
          summary,
        );
      assert(shares, summary);
      [85, 59].forEach((share, i) => assertAlmostEquals(Number(shares[1 + i]), share, 2));
    },
  );
});

describe("checkPerformance() at Kelmarsh", () => {
  check(
    named("S1: finds a loss of a tenth from 1 July on, with and without neighbours"),
    async () => {
      const turbines = await kelmarsh();
      const [start, date] = ["2018-01-01T00:00Z", "2018-07-01T00:00Z"].map(Date.parse);
      for (const one of turbines) {
        const { model, details } = one.served;
        const neighbours = turbines.filter((other) => other !== one)
          .map(({ production }) => production);
        const lost = hoursFrame(start, {
          power: Float64Array.from(
            numbers(one.production, "power"),
            (power, i) => start + i * HOUR >= date ? 0.9 * power : power,
          ),
        }, "UTC");
        for (const [against, extra] of [["prediction", {}], ["neighbours", { neighbours }]]) {
          const options = { predicted: model, details, ...extra as object };
          assertEquals(checkPerformance(one.production, options).frames.changes.height, 0);
          const [change] = checkPerformance(lost, options).frames.changes.toRecords();
          assertEquals([change.change, change.against], ["loss", against]);
          assert(Math.abs(Number(change.from) - date) <= 60 * 24 * HOUR, `${change.from}`);
        }
      }
    },
  );

  check(named("counts the 254 hours without data as missing, not as an outage"), async () => {
    const gaps: string[] = [];
    for (const { served, production } of await kelmarsh()) {
      const { model, details, indices } = served;
      const result = checkPerformance(production, { predicted: model, details, indices });
      gaps.push(
        /(\d+) of them in a row, beginning at (\S+)/.exec(result.notes.join(" "))!.slice(1).join(
          " from ",
        ),
      );
      const october = result.frames.comparison.filter(pl.col("month").dt.month().eq(pl.lit(10)));
      assertEquals(list(october, "state"), ["incomplete"]);
      assert(numbers(october, "completeness")[0] < 0.7);
      const gap = [Date.parse("2018-10-23T12:00Z"), Date.parse("2018-11-02T12:00Z")];
      const spans = ["from", "to"].map((name) =>
        result.frames.outages.getColumn(name).cast(pl.Datetime("ms")).cast(pl.Int64).toArray().map(
          Number,
        )
      );
      spans[0].forEach((from, i) => assert(spans[1][i] <= gap[0] || from >= gap[1]));
      assertEquals(list(result.frames.steps, "step").slice(1, -1), [
        "Wind",
        "Air density",
        "Availability",
        "Unexplained",
      ]);
      assertAlmostEquals(computeGap(result.frames.steps), 0, 1e-9);
      // The model knows the wind of 2018; of a healthy turbine only little remains unexplained.
      const steps = byStep(result.frames.steps);
      assert(Math.abs(steps["Unexplained"]) < 0.02 * steps["Produced"]);
    }
    assertEquals(gaps, [254, 277, 254, 254].map((hours) => `${hours} from 2018-10-23`));
  });

  check(
    named("finds the stops that neighbours show, from four hours on, and no others"),
    async () => {
      const turbines = await kelmarsh();
      let [detected, truth, false_] = [0, 0, 0];
      for (const one of turbines) {
        const { model, details } = one.served;
        const neighbours = turbines.filter((other) => other !== one)
          .map(({ production }) => production);
        const withoutNeighbours = checkPerformance(one.production, { predicted: model, details });
        const withNeighbours = checkPerformance(one.production, {
          predicted: model,
          details,
          neighbours,
        });
        const lost = ({ frames: { outages } }: typeof withoutNeighbours, source: string) =>
          numbers(outages, "lost")
            .reduce(
              (sum, energy, i) => list(outages, "source")[i] === source ? sum + energy : sum,
              0,
            );
        detected += lost(withoutNeighbours, "detected");
        truth += lost(withNeighbours, "neighbours");
        false_ += lost(withNeighbours, "detected");
      }
      // 245 of 294 MWh lost next to running neighbours.
      assert(detected > 0.8 * truth, `${detected} of ${truth} MWh`);
      assert(false_ < 0.01 * truth, `${false_} MWh`);
    },
  );

  check(
    named("gives unseen stretches of normal hours correct intervals, calm ones too"),
    async () => {
      const turbines = (await kelmarsh()).map(({ served, production }) => {
        const model = served.model.select(
          pl.col("time").cast(pl.Datetime("us", "UTC")),
          pl.col("power").alias("model"),
        );
        const hours = production.join(model, { on: "time", how: "inner" })
          .filter(pl.col("power").isNotNull());
        const [made, expected] = ["power", "model"].map((name) => numbers(hours, name));
        // A stop: a tenth of the rated power expected and no production.
        return made.map((power, i) => [power, expected[i]] as const)
          .filter(([power, model]) => power > 20 || model < 205);
      });
      const sum = (values: Iterable<number>) =>
        [...values].reduce((total, value) => total + value, 0);
      for (const length of [24, 168, 720]) {
        let [held, tried, calmHeld, calm] = [0, 0, 0, 0];
        for (const hours of turbines) {
          const mean = sum(hours.map(([, expected]) => expected)) / hours.length;
          for (let from = 0; from + length <= hours.length; from += Math.max(80, length / 3)) {
            const taken = hours.slice(from, from + length);
            const rest = [...hours.slice(0, from), ...hours.slice(from + length)];
            const ratio = sum(rest.map(([made]) => made)) /
              sum(rest.map(([, expected]) => expected));
            const expected = ratio * sum(taken.map(([, model]) => model));
            if (expected < 0.05 * 2050 * length) continue;
            const { low, high } = new NormalStretches(
              Float64Array.from(rest, ([made]) => made),
              Float64Array.from(rest, ([, model]) => ratio * model),
            ).estimateRange(length, expected / length)!;
            const actual = sum(taken.map(([made]) => made)) / expected;
            const holds = low <= actual && actual <= high ? 1 : 0;
            [held, tried] = [held + holds, tried + 1];
            if (expected < 0.7 * mean * length) [calmHeld, calm] = [calmHeld + holds, calm + 1];
          }
        }
        assert(held >= 0.88 * tried, `${length} h: ${held} of ${tried}`);
        assert(calmHeld >= 0.85 * calm, `${length} h, calm: ${calmHeld} of ${calm}`);
      }
    },
  );
});
