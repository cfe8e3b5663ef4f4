import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { HourlyProduction } from "../../../src/windindex/calibration/production.ts";
import {
  clockWorlds,
  daysOff,
  importClock,
  offsetAt,
  writeByClock,
} from "../../soak/_clock_faults.ts";
import { dataPresent, siteData } from "../../validate/_site_data.ts";

describe("an import", () => {
  it("S7: reports a clock that is wrong from some day on, and local time read as UTC, without being asked", () => {
    for (const { site, production, timeZone, instant } of clockWorlds(1)) {
      const judge = (hoursAt: (instant: number) => number) =>
        importClock(site, 0, writeByClock(production, hoursAt));
      assertEquals(judge(() => 0), []);
      const [step, ...others] = judge((time) => time < instant ? 0 : 1);
      assertEquals(others, []);
      assert(step.startsWith("production comes 1 h later from "), step);
      assert(daysOff(step, instant) <= 31, step);
      assert(
        step.endsWith(
          "read the rows before and after it separately, each in their time zone.",
        ),
        step,
      );
      // Copenhagen: an hour late in winter, two hours in summer.
      const summer = judge((time) => offsetAt(time, timeZone));
      assertEquals(summer.length, 1);
      assert(
        /^production comes [01]\.\d\d h later in summer than in winter. It lags the model by [12]\.\d\d h/
          .test(summer[0]),
        summer[0],
      );
    }
  });

  const check = dataPresent() ? it : it.ignore;
  const skipped = dataPresent() ? "" : " (skipped: ../shared/data is not here)";

  check(
    `S7: reports Kelmarsh an hour late from July on, and nothing as it is${skipped}`,
    async () => {
      const site = await siteData("kelmarsh");
      const [hours] = site.turbines[0].production
        .filter((production): production is HourlyProduction => production.kind === "hourly");
      assertEquals(importClock(site, 0, hours), []);
      const instant = Date.parse("2018-07-01T00:00Z");
      const [step, ...others] = importClock(
        site,
        0,
        writeByClock(hours, (time) => time < instant ? 0 : 1),
      );
      assertEquals(others, []);
      assert(daysOff(step, instant) <= 31, step);
    },
  );
});
