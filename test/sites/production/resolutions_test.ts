/**
 * Production in steps below an hour gives the index of its hours; daily production gives the index of its months.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readSiteFile } from "../../../src/sites/declaration/site.ts";
import { defineSite } from "../../../src/sites/declaration/define_site.ts";
import { saveSite } from "../../../src/sites/declaration/save_site.ts";
import { readProduction } from "../../../src/frames/presets/read_production.ts";
import { readSiteProduction } from "../../../src/sites/production/site_production.ts";
import type { ImportResult } from "../../../src/sites/fleet/store_site.ts";
import type { SiteFile } from "../../../src/sites/declaration/site_file.ts";
import { factorOf, importFile, type TestSite, withSite } from "../_site.ts";

type Entry = SiteFile["turbines"][number]["production"][number];

/** Reads the hours of the site's production: timestamp and mean power, kW; NaN if missing. */
async function readHours(site: TestSite): Promise<[stamp: Temporal.Instant, power: number][]> {
  const [, ...rows] = (await Deno.readTextFile(site.path("production.csv"))).trimEnd().split("\n");
  return rows.map((row) => {
    const [stamp, power] = row.split(",");
    return [Temporal.Instant.from(stamp), power === "" ? NaN : Number(power)];
  });
}

/** Writes and declares production of the site in another form. */
async function declare(
  site: TestSite,
  rows: readonly (readonly [time: string, value: number])[],
  fields: Partial<Entry>,
): Promise<void> {
  const lines = rows.map(([time, value]) => `${time},${Number.isNaN(value) ? "" : value}`);
  await Deno.writeTextFile(site.path("other.csv"), ["time,value", ...lines, ""].join("\n"));
  site.declared.turbines[0].production = [
    { file: "other.csv", column: "value", time: "time", ...fields } as Entry,
  ];
}

/** Imports the site under another name. */
async function importAs(site: TestSite, data: string, name: string): Promise<ImportResult> {
  site.declared.site = name;
  site.declared.turbines[0].id = name.toUpperCase();
  site.declared.dataset.service_id = name;
  return await importFile(await site.siteFile(), data);
}

const calibrationOf = (result: ImportResult) => result.turbines[0].calibration!;

const indexOf = (result: ImportResult) => {
  const { calibration, meanAnnualEnergy, normalMonths } = calibrationOf(result);
  return { scaling: calibration.scaling, meanAnnualEnergy, normalMonths };
};

describe("production in steps below an hour", () => {
  for (const minutes of [5, 15, 30]) {
    it(`of ${minutes} minutes gives the index of its hours, powers and energies`, async () => {
      await withSite(async (site, data) => {
        const hours = await readHours(site);
        const known = indexOf(await importAs(site, data, "hours"));
        for (const unit of ["kW", "kWh"] as const) {
          const parts = 60 / minutes;
          const rows = hours.flatMap(([stamp, power]) =>
            Array.from({ length: parts }, (_, i) =>
              [
                stamp.add({ minutes: minutes * i }).toString(),
                // Different in each part, like measured power.
                power * (1 + 0.1 * (i - (parts - 1) / 2)) / (unit === "kW" ? 1 : parts),
              ] as const)
          );
          await declare(site, rows, { resolution: `${minutes}min` as "5min", unit });
          const index = indexOf(await importAs(site, data, `${unit.toLowerCase()}${minutes}`));
          assertAlmostEquals(index.meanAnnualEnergy, known.meanAnnualEnergy, 1);
        }
      });
    });
  }
});

describe("production of days", () => {
  /** Sums hours by the first letters of their local time, kWh; days without a value are left out. */
  const sumBy = (hours: Awaited<ReturnType<typeof readHours>>, zone: string, letters: number) => {
    const groups = Map.groupBy(
      hours,
      ([stamp]) => stamp.toZonedDateTimeISO(zone).toString().slice(0, letters),
    );
    return [...groups].map(([time, group]) =>
      [time, group.reduce((sum, [, power]) => sum + (Number.isNaN(power) ? 0 : power), 0)] as const
    );
  };

  it("gives the index of its months", async () => {
    await withSite(async (site, data) => {
      const { time_zone: zone } = site.declared.turbines[0] as { time_zone: string };
      const hours = (await readHours(site)).map(([stamp, power]) =>
        // Without stops, which daily but not monthly production shows.
        [stamp, Number.isNaN(power) ? 100 : Math.max(power, 30)] as [Temporal.Instant, number]
      );
      await declare(site, sumBy(hours, zone, 7), { resolution: "month", unit: "kWh" });
      const months = await importAs(site, data, "months");
      const days = sumBy(hours, zone, 10);
      for (const stamp of ["start", "end"] as const) {
        const rows = days.map(([day, kWh]) =>
          [
            Temporal.PlainDate.from(day).add({ days: stamp === "end" ? 1 : 0 }).toString(),
            kWh,
          ] as const
        );
        await declare(site, rows, { resolution: "day", unit: "kWh", time_zone: zone, stamp });
        const result = await importAs(site, data, `days_${stamp}`);
        assertAlmostEquals(factorOf(result), factorOf(months), 1e-9);
        assertAlmostEquals(
          indexOf(result).meanAnnualEnergy,
          indexOf(months).meanAnnualEnergy,
          1e-6,
        );
        assertEquals(
          calibrationOf(result).calibration.periods.map(({ label, used }) => [label, used]),
          calibrationOf(months).calibration.periods.map(({ label, used }) => [label, used]),
        );
      }
    });
  });

  it("leaves out excluded days, impossible days and stops, and fits a month by its other days", async () => {
    await withSite(async (site, data) => {
      const { time_zone: zone } = site.declared.turbines[0] as { time_zone: string };
      const days = sumBy(await readHours(site), zone, 10);
      const fields = { resolution: "day", unit: "kWh", time_zone: zone } as const;
      await declare(site, days, fields);
      const complete = calibrationOf(await importAs(site, data, "whole"));
      const changed = days.map(([day, kWh]) =>
        [day, day === "2023-03-05" ? -99_999 : day === "2023-03-06" ? 1e6 : kWh] as const
      );
      await declare(site, changed.filter(([day]) => day !== "2023-03-08"), fields);
      site.declared.turbines[0].exclude = [
        { from: "2023-03-10", to: "2023-03-11", reason: "repair" },
      ] as never;
      const result = await importAs(site, data, "changed");
      const march = (one: typeof complete) =>
        one.calibration.periods.find(({ label }) => label === "2023-03")!;
      const out = ["2023-03-05", "2023-03-06", "2023-03-08", "2023-03-10", "2023-03-11"];
      const left = days.filter(([day]) => day.startsWith("2023-03") && !out.includes(day));
      const energy = left.reduce((sum, [, kWh]) => sum + kWh, 0);
      assertAlmostEquals(march(calibrationOf(result)).produced, energy, 1e-6);
      assertEquals(march(complete).validHours - march(calibrationOf(result)).validHours, 5 * 24);
      assert(
        result.turbines[0].doubts.some(({ text }) =>
          text.startsWith("out of range, 48 h: 2023-03")
        ),
      );
    });
  });

  it("keeps its calibration when days are added, because the last month waits until it is complete", async () => {
    await withSite(async (site, data) => {
      const { time_zone: zone } = site.declared.turbines[0] as { time_zone: string };
      const days = sumBy(await readHours(site), zone, 10);
      const fields = { resolution: "day", unit: "kWh", time_zone: zone } as const;
      const importUntil = async (end: string) => {
        await declare(site, days.filter(([day]) => day < end), fields);
        return await importAs(site, data, "growing");
      };
      const first = calibrationOf(await importUntil("2023-11-11"));
      assertEquals(first.calibration.periods.at(-1)!.label, "2023-10");
      assertEquals(
        first.findings.filter((text) => text.includes("2023-11")),
        ["2023-11 has days up to 2023-11-10; it will be fitted once it is complete."],
      );
      const second = calibrationOf(await importUntil("2023-11-21"));
      assertEquals(second.revision, first.revision);
      const third = calibrationOf(await importUntil("2024-01-01"));
      assertEquals(third.revision, first.revision);
      assertEquals(third.meanAnnualEnergy, first.meanAnnualEnergy);
    });
  });

  it("in a wrong unit is rejected, with the likely factor", async () => {
    await withSite(async (site, data) => {
      const { time_zone: zone } = site.declared.turbines[0] as { time_zone: string };
      const days = sumBy(await readHours(site), zone, 10);
      await declare(site, days, { resolution: "day", unit: "MWh", time_zone: zone });
      await assertRejects(
        () => importAs(site, data, "wrong"),
        Error,
        "probably 1000 times too much, such as kWh read as MWh",
      );
    });
  });

  it("from a frame is saved as days, and read by analyses as months", async () => {
    await withSite(async (site) => {
      const { time_zone: zone } = site.declared.turbines[0] as { time_zone: string };
      const days = sumBy(await readHours(site), zone, 10);
      const fields = { resolution: "day", unit: "kWh", time_zone: zone } as const;
      await declare(site, days, fields);
      const file = site.path("other.csv");
      const frame = await readProduction(file, { column: "value", time: "time", ...fields });
      const text = JSON.stringify(site.declared)
        .replaceAll(/"(\w+\.csv)"/g, (_, name) => JSON.stringify(site.path(name)));
      const definition = JSON.parse(text);
      definition.turbines[0].production = frame;
      const defined = defineSite(definition);
      await saveSite(defined, site.path("saved.json"));
      const saved = await readSiteFile(site.path("saved.json"));
      const [{ frame: months }] = await readSiteProduction(saved);
      assertEquals(months.columns, ["month", "energy", "valid_hours"]);
      assertEquals(months.height, 12);
    });
  });
});
