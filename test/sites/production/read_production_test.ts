/**
 * Production in other units, timestamps and resolutions than the example's: the same energy gives the same k.
 *
 * @module
 */
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { beforeAll, describe, it } from "@std/testing/bdd";
import { readSiteFile } from "../../../src/sites/declaration/site.ts";
import { ArgumentError } from "../../../src/api/errors.ts";
import { readSiteProduction } from "../../../src/sites/production/site_production.ts";
import type { ImportResult } from "../../../src/sites/fleet/store_site.ts";
import { factorOf, importFile, type TestSite, withSite } from "../_site.ts";

async function importChanged(
  change: (site: TestSite) => void | Promise<void>,
): Promise<ImportResult> {
  let result: ImportResult;
  await withSite(async (site, data) => {
    await change(site);
    result = await importFile(await site.siteFile(), data);
  });
  return result!;
}

function turbineOf({ declared }: TestSite) {
  return declared.turbines[0];
}

async function stamps(
  site: TestSite,
  change: (stamp: Temporal.Instant) => { toString(): string },
): Promise<void> {
  await site.editColumn(
    "production.csv",
    "time",
    (stamp) => change(Temporal.Instant.from(stamp)).toString(),
  );
}

function scale(site: TestSite, factor: number): Promise<void> {
  return site.editColumn(
    "production.csv",
    "power",
    (value) => value && String(Number(value) * factor),
  );
}

/** Computes the energy of the local months of 2023, MWh, from the hours of the file. */
async function monthlyEnergies(site: TestSite): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  const [, ...rows] = (await Deno.readTextFile(site.path("production.csv"))).trimEnd().split("\n");
  for (const row of rows) {
    const [stamp, power] = row.split(",");
    const month = Temporal.Instant.from(stamp).toZonedDateTimeISO("Europe/Copenhagen")
      .toPlainDate().toPlainYearMonth().toString();
    sums.set(month, (sums.get(month) ?? 0) + Number(power) / 1000);
  }
  return sums;
}

/** Counts the hours of each local month that have a value. */
async function validHours(site: TestSite): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const [, ...rows] = (await Deno.readTextFile(site.path("production.csv"))).trimEnd().split("\n");
  for (const row of rows) {
    const [stamp, power] = row.split(",");
    const month = Temporal.Instant.from(stamp).toZonedDateTimeISO("Europe/Copenhagen")
      .toPlainDate().toPlainYearMonth().toString();
    counts.set(month, (counts.get(month) ?? 0) + (power === "" ? 0 : 1));
  }
  return counts;
}

describe("production", () => {
  let plain: number;

  beforeAll(async () => {
    const result = await importChanged(() => {});
    plain = factorOf(result);
    const { trainingStart, trainingEnd } = result.turbines[0].calibration!;
    assertEquals([trainingStart, trainingEnd], ["2023-01-01", "2023-12-31"]);
  });

  it("in kWh per hour is the same as in kW", async () => {
    const changed = await importChanged((site) =>
      void (turbineOf(site).production[0].unit = "kWh")
    );
    assertEquals(factorOf(changed), plain);
  });

  it("in MWh per hour gives the same k", async () => {
    const changed = await importChanged(async (site) => {
      turbineOf(site).production[0].unit = "MWh";
      await scale(site, 1 / 1000);
    });
    assertAlmostEquals(factorOf(changed), plain, 1e-9);
  });

  it("with timestamps at the end of the hour gives the same k", async () => {
    const changed = await importChanged(async (site) => {
      turbineOf(site).production[0].stamp = "end";
      await stamps(site, (stamp) => stamp.add({ hours: 1 }));
    });
    assertEquals(factorOf(changed), plain);
  });

  it("with timestamps of another offset gives the same k", async () => {
    const changed = await importChanged((site) =>
      stamps(
        site,
        (stamp) => stamp.toZonedDateTimeISO("America/New_York").toString({ timeZoneName: "never" }),
      )
    );
    assertEquals(factorOf(changed), plain);
  });

  it("F36 with local timestamps, including the repeated hour in October, gives the same k", async () => {
    const changed = await importChanged(async (site) => {
      turbineOf(site).production[0].time_zone = "Europe/Copenhagen";
      await stamps(
        site,
        (stamp) => stamp.toZonedDateTimeISO("Europe/Copenhagen").toPlainDateTime(),
      );
      const text = await Deno.readTextFile(site.path("production.csv"));
      assertEquals(text.match(/^2023-10-29T02:00/gm)?.length, 2);
      assertEquals(text.match(/^2023-03-26T02:00/gm), null);
    });
    assertEquals(factorOf(changed), plain);
  });

  it("of a park is divided by its units, and the notes say so", async () => {
    const changed = await importChanged(async (site) => {
      turbineOf(site).units = 20;
      await scale(site, 20);
    });
    assertAlmostEquals(factorOf(changed), plain, 1e-9);
    const { notes } = changed.turbines[0].calibration!;
    assert(notes.some((note) => note.startsWith("A park of 20 units")), notes.join(" "));
  });

  it("in several files gives the same k", async () => {
    const changed = await importChanged(async (site) => {
      const { production } = turbineOf(site);
      const [header, ...rows] = (await Deno.readTextFile(site.path("production.csv"))).trimEnd()
        .split("\n");
      // Cut at the start of a month, because half a month would be a separate period.
      const cut = rows.findIndex((row) => row.startsWith("2023-06-30T22"));
      for (
        const [name, part] of [["2.csv", rows.slice(cut)], ["1.csv", rows.slice(0, cut)]] as const
      ) {
        await Deno.writeTextFile(site.path(name), [header, ...part, ""].join("\n"));
        production.push({ ...production[0], file: name });
      }
      production.shift();
    });
    assertAlmostEquals(factorOf(changed), plain, 1e-9);
  });

  describe("as energy of periods", () => {
    let hourly: number;

    beforeAll(async () => {
      // Without hourly outages, which monthly energies do not show.
      hourly = factorOf(await importChanged(fillHours));
    });

    /** Replaces standstill by varying power around half of rated power. */
    async function fillHours(site: TestSite): Promise<void> {
      let i = 0;
      await site.editColumn(
        "production.csv",
        "power",
        (value) => Number(value) > 5 ? value : String(900 + (i++ * 37) % 400),
      );
    }

    for (const unit of ["MWh", "kWh"] as const) {
      it(`of months in ${unit} gives nearly the same k as its hours`, async () => {
        const changed = await importChanged(async (site) => {
          await fillHours(site);
          const rows = [...await monthlyEnergies(site)].map(([month, energy]) =>
            `${month};${unit === "kWh" ? energy * 1000 : energy}`
          );
          await Deno.writeTextFile(
            site.path("months.csv"),
            ["month;energy", ...rows, ""].join("\n"),
          );
          turbineOf(site).production = [{
            file: "months.csv",
            column: "energy",
            time: "month",
            resolution: "month",
            unit,
          }];
        });
        assertAlmostEquals(factorOf(changed), hourly, 1e-6);
        assertEquals(changed.turbines[0].calibration!.calibration.periods.length, 12);
      });
    }

    it("of a year gives the model its energy", async () => {
      let produced = NaN;
      const changed = await importChanged(async (site) => {
        await fillHours(site);
        produced = [...(await monthlyEnergies(site)).values()].reduce((sum, x) => sum + x, 0);
        await Deno.writeTextFile(site.path("years.csv"), `year,energy\n2023,${produced}\n`);
        turbineOf(site).production = [{
          file: "years.csv",
          column: "energy",
          time: "year",
          resolution: "year",
          unit: "MWh",
        }];
      });
      const modelled = changed.turbines[0].months.filter(({ year }) => year === 2023)
        .reduce((sum, month) => sum + month.predicted_production!, 0);
      assertAlmostEquals(modelled / produced, 1, 1e-4); // because energies are interpolated between steps of k
      const { trainingStart, trainingEnd } = changed.turbines[0].calibration!;
      assertEquals([trainingStart, trainingEnd], ["2023-01-01", "2023-12-31"]);
    });

    it("S5: of months with missing hours gives nearly the same k as these hours", async () => {
      // Every third hour from May to September (UTC) is missing.
      const thin = (site: TestSite) =>
        site.editLines(
          "production.csv",
          (lines) =>
            lines.map((line, i) =>
              i % 3 === 0 && /^2023-0[5-9]/.test(line) ? line.replace(/,.*/, ",") : line
            ),
        );
      const gapped = await importChanged(async (site) => {
        await fillHours(site);
        await thin(site);
      });
      const declare = (row: (month: string, energy: number, hours: number) => string) =>
        importChanged(async (site) => {
          await fillHours(site);
          await thin(site);
          const valid = await validHours(site);
          const rows = [...await monthlyEnergies(site)].map(([month, energy]) =>
            row(month, energy, valid.get(month)!)
          );
          await Deno.writeTextFile(
            site.path("months.csv"),
            ["month;energy;valid", ...rows, ""].join("\n"),
          );
          turbineOf(site).production = [{
            file: "months.csv",
            column: "energy",
            valid_hours: "valid",
            time: "month",
            resolution: "month",
            unit: "MWh",
          }];
        });
      const declared = await declare((month, energy, hours) => `${month};${energy};${hours}`);
      const silent = await declare((month, energy) => `${month};${energy};`);
      assertAlmostEquals(factorOf(declared), factorOf(gapped), 0.003);
      const { periods, hours } = declared.turbines[0].calibration!.calibration;
      assertEquals(periods.filter(({ used }) => !used), []);
      assertEquals(hours, gapped.turbines[0].calibration!.calibration.hours);
      const notesOf = ({ turbines: [{ calibration }] }: ImportResult) =>
        calibration!.notes.join(" ");
      assertStringIncludes(
        notesOf(declared),
        "6 of 12 energies cover only 66.7 % to 99.9 % of their hours, by valid hours or availability",
      );
      // Without the shares, one of these months looks like an outage.
      assertStringIncludes(
        notesOf(silent),
        'months.csv: 12 of 12 rows without "valid_hours" count for the whole period.',
      );
      assertMatch(notesOf(silent), /\(outage: produced (6\d|7[0-5]) % of the energy expected/);
      assert(factorOf(gapped) - factorOf(silent) > 0.03, "the other four are taken for weak ones");
    });
  });

  it("does not count if excluded, and the notes say so", async () => {
    const exclusion = { from: "2023-01-01", to: "2023-03-31", reason: "curtailed" };
    const changed = await importChanged((site) => void (turbineOf(site).exclude = [exclusion]));
    const { calibration, notes, trainingStart } = changed.turbines[0].calibration!;
    const left = calibration.periods.filter(({ used }) => !used).map(({ label }) => label);
    assertEquals(left, ["2023-01", "2023-02", "2023-03"]);
    assertEquals(trainingStart, "2023-04-01");
    assert(notes.includes("Production of 2023-01-01 to 2023-03-31 excluded: curtailed."));
  });

  it("may be absent: the turbine is stored without calibration", async () => {
    const changed = await importChanged((site) => void (turbineOf(site).production = []));
    const [{ calibration, months }] = changed.turbines;
    assertEquals([calibration, months], [null, []]);
  });

  it("at standstill or stuck is found and masked", async () => {
    const changed = await importChanged((site) =>
      site.editLines(
        "production.csv",
        (lines) =>
          lines.map((line) =>
            line.startsWith("2023-05-1")
              ? line.replace(/,.*/, ",0")
              : /^2023-06-10T(0|1)/.test(line)
              ? line.replace(/,.*/, ",812.5")
              : line
          ),
      )
    );
    const { findings } = changed.turbines[0];
    assert(
      findings.some((finding) =>
        // In addition to the example's outage in August.
        /^standstill, \d{3} h: 2023-05 \(2\d\d h\), 2023-08 \(75 h\)\. .* The fit excludes them\.$/
          .test(
            finding,
          )
      ),
      findings.join("\n"),
    );
    assert(
      findings.includes(
        "stuck, 20 h: 2023-06 (20 h). The logger repeated one value: " +
          "ask for the original records of these hours. The fit excludes them.",
      ),
      findings.join("\n"),
    );
    assertAlmostEquals(factorOf(changed), plain, 0.01);
  });
});

describe("readSiteProduction()", () => {
  it("returns the production of one unit by turbine, as declared", async () => {
    await withSite(async (site) => {
      const [hours, months] = [turbineOf(site), structuredClone(turbineOf(site))];
      Object.assign(months, { id: "E2", units: 2 });
      months.production = [{
        file: "production_monthly.csv",
        column: "energy",
        time: "month",
        resolution: "month",
        unit: "MWh",
      }];
      site.declared.turbines = [hours, months];
      const read = await readSiteProduction(await readSiteFile(await site.siteFile()));
      assertEquals(read.map(({ turbineId, frame }) => [turbineId, frame.columns]), [
        ["E1", ["time", "power"]],
        ["E2", ["month", "energy"]],
      ]);
      assertEquals(read[0].frame.height, 8760);
      const [, first] = (await Deno.readTextFile(site.path("production_monthly.csv"))).split("\n");
      assertAlmostEquals(
        read[1].frame.getColumn("energy").getIndex(0) as number,
        Number(first.split(",")[1]) / 2,
        1e-12,
      );
    });
  });

  it("needs no climate", async () => {
    await withSite(async (site) => {
      await Deno.remove(site.path("climate.csv"));
      assertEquals((await readSiteProduction(await readSiteFile(await site.siteFile()))).length, 1);
    });
  });

  it("returns the days that the site file excludes, and keeps them in the frame", async () => {
    await withSite(async (site) => {
      const outage = { from: "2023-05-02", to: "2023-05-30", reason: "gearbox" };
      Object.assign(turbineOf(site), { exclude: [outage] });
      const [{ frame, exclusions }] = await readSiteProduction(
        await readSiteFile(await site.siteFile()),
      );
      assertEquals([frame.height, exclusions], [8760, [outage]]);
    });
  });

  it("names a missing site file", async () => {
    await assertRejects(
      async () => readSiteProduction(await readSiteFile("/none/site.json")),
      ArgumentError,
      "Cannot read /none/site.json: the file is missing. Check its path",
    );
  });
});
