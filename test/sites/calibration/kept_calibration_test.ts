/**
 * Validity of a calibration: later production changes no published figure. A change of its inputs recalibrates
 * automatically and keeps the reference period; only `--recalibrate` chooses the period again.
 *
 * @module
 */
import { cpSync } from "node:fs";
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import { formatImport } from "../../../src/sites/fleet/format_import.ts";
import type { ImportResult } from "../../../src/sites/fleet/store_site.ts";
import { importFile, makeSite, rowsBetween, type TestSite, wholeExample } from "../_site.ts";
import {
  all,
  mapRevisions,
  monthsBetween,
  type PublishedFigures,
  readPublished,
  reportPath,
  withAsk,
} from "../../service/_published.ts";

let site: TestSite;
let data: string;

/** Gives each test of a group a site and a data directory. */
function eachHasASite(): void {
  beforeEach(async () => {
    data = await Deno.makeTempDir();
    site = await makeSite();
  });
  afterEach(async () => {
    await Deno.remove(site.folder, { recursive: true });
    await Deno.remove(data, { recursive: true });
  });
}

async function run(options?: { recalibrate?: boolean }): Promise<ImportResult> {
  return await importFile(await site.siteFile(), data, options);
}

/**
 * Runs imports once for all tests of a group, which get copies of the stored data.
 *
 * @param act The imports, into the data directory of a test
 * @returns Function that sets up a test's data directory in that state, and returns the published figures
 */
function once(act: () => Promise<unknown>): () => Promise<PublishedFigures> {
  let original: string;
  let published: PublishedFigures | undefined;
  beforeAll(async () => void (original = await Deno.makeTempDir()));
  afterAll(() => Deno.remove(original, { recursive: true }));
  return async () => {
    if (published) cpSync(original, data, { recursive: true });
    else {
      await act();
      published = await readPublished(data);
      cpSync(data, original, { recursive: true });
    }
    return published;
  };
}

/** Writes the production up to a timestamp. */
async function produceUntil(end: string, start = "2022-12-31T23"): Promise<void> {
  const text = rowsBetween((await wholeExample())["production.csv"], start, end);
  await Deno.writeTextFile(site.path("production.csv"), text);
}

/** Changes the power of one hour. */
async function setPower(stamp: string, power: number): Promise<void> {
  await site.edit("production.csv", (text) => {
    const changed = text.replace(new RegExp(`^(${stamp}[^,]*),.*$`, "m"), `$1,${power}`);
    if (changed === text) throw new Error(`nothing changed at ${stamp}`);
    return changed;
  });
}

/** Asserts that all published figures of a turbine are unchanged. */
function assertUntouched(before: PublishedFigures, after: PublishedFigures): void {
  assertEquals(after.table, before.table);
  assertEquals(after.records, before.records);
  assertEquals(after.reports, before.reports);
  assertEquals(after.turbine.calibration, before.turbine.calibration);
  assertEquals(after.details, before.details);
}

describe("production that grows", () => {
  eachHasASite();
  const importFirst = once(() => run());

  it("changes no published figure, and the import says that the calibration is kept", async () => {
    const first = await run();
    const before = await readPublished(data);
    await produceUntil("2024-06-30T22");
    const second = await run();
    assertUntouched(before, await readPublished(data));
    assertEquals([first, second].map(({ turbines: [{ outcome }] }) => outcome), [
      "first",
      "unchanged",
    ]);
    assertEquals(second.revised, new Map([["E1", { newEnergy: [], trailing: 0 }]]));
    const account = formatImport(second);
    assertStringIncludes(
      account,
      "\n  calibration 1 is kept, because the production it was fitted to is unchanged. It does not use later production; --recalibrate fits all production\n",
    );
    assertStringIncludes(account, "\n  production 2023-01-01 to 2023-12-31: ");
    assert(!account.includes("new revision"), account);
  });

  it("changes no figure if it ends within a month or begins earlier", async () => {
    await produceUntil("2023-11-17T05");
    await run();
    const before = await readPublished(data);
    await produceUntil("2023-12-31T23");
    await run();
    assertUntouched(before, await readPublished(data));
    await produceUntil("2023-12-31T23", "2022-12-01T00"); // earlier hours, half of them without climate
    await run();
    assertUntouched(before, await readPublished(data));
  });

  it("changes no figure if an earlier stop continues", async () => {
    // Fifty hours at the end are no outage yet; with the following ones they are.
    const stop = (from: string, to: string) =>
      site.editLines(
        "production.csv",
        (lines) =>
          lines.map((line) => line >= from && line < to ? line.replace(/,.*/, ",0") : line),
      );
    await produceUntil("2023-11-20T00");
    await stop("2023-11-17T22", "2023-11-20T00");
    await run();
    const before = await readPublished(data);
    await produceUntil("2023-12-31T23");
    await stop("2023-11-17T22", "2023-11-22T00");
    const { turbines: [{ outcome }] } = await run();
    assertEquals(outcome, "unchanged");
    assertUntouched(before, await readPublished(data));
  });

  it("changes no figure in a separate file", async () => {
    const before = await importFirst();
    const later = rowsBetween(
      (await wholeExample())["production.csv"],
      "2023-12-31T23",
      "2024-03-31T22",
    );
    await Deno.writeTextFile(site.path("later.csv"), later);
    const { production } = site.declared.turbines[0];
    production.push({ ...production[0], file: "later.csv" });
    assertEquals((await run()).turbines[0].outcome, "unchanged");
    assertUntouched(before, await readPublished(data));
  });

  it("is rejected in another unit, although it would not be fitted", async () => {
    const before = await importFirst();
    await produceUntil("2024-03-31T22");
    await site.edit(
      "production.csv",
      (text) =>
        text.replaceAll(/^(2024-[^,]*),(.+)$/gm, (_, stamp, power) => `${stamp},${1000 * power}`),
    );
    await assertRejects(
      () => run(),
      ArgumentError,
      "Cannot import E1: Cannot use the production of E1: 2024-01 to 2024-03 (2182 of 10943 hours) are about 1000 times too large",
    );
    assertUntouched(before, await readPublished(data));
  });

  it("is fitted with recalibrate: a second calibration, and new revisions of the months", async () => {
    const before = await importFirst();
    await produceUntil("2024-06-30T22");
    await run();
    const result = await run({ recalibrate: true });
    assertEquals(result.turbines[0].outcome, "requested");
    const after = await readPublished(data);
    const [old, now] = [before, after].map(({ turbine }) => turbine.calibration!);
    assertEquals([old.revision, now.revision], [1, 2]);
    assertNotEquals(now.calibration.k, old.calibration.k);
    assertEquals([now.trainingStart, now.trainingEnd], ["2023-01-01", "2024-06-30"]);
    assertEquals(after.details.training_end, "2024-06-30");
    for (const [month, revision] of Object.entries(mapRevisions(after))) {
      assertEquals(revision, 2, month);
    }
    for (const [name, report] of before.revisions) {
      assertEquals(after.revisions.get(name), report, name);
    }
    const { calibration, revision } = after.reports.get("2024-05")!;
    assertEquals([revision, calibration.revision, calibration.k], [2, 2, now.calibration.k]);
    const account = formatImport(result);
    assert(!account.includes("is kept"), account);
    assertStringIncludes(
      account,
      "\n  published months with a new revision: 24; with a new energy: 24 of 2023-01 to ",
    );
  });

  it("belongs to the fitted production after a recalibration, whose calibration is then kept", async () => {
    await importFirst();
    await produceUntil("2024-06-30T22");
    await run({ recalibrate: true });
    const before = await readPublished(data);
    await produceUntil("2024-09-30T22");
    assertEquals((await run()).turbines[0].outcome, "unchanged");
    assertUntouched(before, await readPublished(data));
    await setPower("2024-05-10T12", 1234.5); // after the first window, but not after the second
    assertEquals((await run()).turbines[0].outcome, "other production");
    assertEquals((await readPublished(data)).turbine.calibration!.revision, 3);
  });

  it("changes nothing if a later value is corrected before it was fitted", async () => {
    await produceUntil("2024-06-30T22");
    await site.edit("production.csv", (text) => text.slice(0, text.indexOf("2023-12-31T23")));
    await run();
    await produceUntil("2024-06-30T22");
    await run();
    const before = await readPublished(data);
    await setPower("2024-02-10T12", 1234.5);
    assertEquals((await run()).turbines[0].outcome, "unchanged");
    assertUntouched(before, await readPublished(data));
  });

  it("as monthly energies changes no figure; a corrected month recalibrates", async () => {
    // Energies of a smaller turbine, tripled to fit this one.
    const monthly = (await wholeExample())["production_monthly.csv"].trimEnd().split("\n")
      .filter((row) => row >= "2023").map((row) => {
        const [month, energy] = row.split(",");
        return energy === "energy" ? row : `${month},${(3 * Number(energy)).toFixed(3)}`;
      });
    const months = (until: string) =>
      Deno.writeTextFile(
        site.path("production_monthly.csv"),
        monthly.filter((row) => row < until || row.startsWith("month")).join("\n") + "\n",
      );
    site.declared.turbines[0].production = [{
      file: "production_monthly.csv",
      column: "energy",
      time: "month",
      resolution: "month",
      unit: "MWh",
    }];
    await months("2024-04");
    await run();
    const before = await readPublished(data);
    await months("2024-10");
    assertEquals((await run()).turbines[0].outcome, "unchanged");
    assertUntouched(before, await readPublished(data));
    await site.edit("production_monthly.csv", (text) => text.replace("2024-07,4", "2024-07,3"));
    assertEquals((await run()).turbines[0].outcome, "unchanged", "a later month is not part of it");
    await site.edit("production_monthly.csv", (text) => text.replace("2023-07,2", "2023-07,3"));
    assertEquals((await run()).turbines[0].outcome, "other production");
    assertEquals((await readPublished(data)).turbine.calibration!.revision, 2);
  });
});

describe("a calibration", () => {
  eachHasASite();

  const importFirst = once(() => run());

  /** First with climate to mid 2024: the reference period is 2023, and 2024 could join it later. */
  const importGrowing = once(async () => {
    const climate = await Deno.readTextFile(site.path("climate.csv"));
    await site.edit("climate.csv", (text) => text.slice(0, text.indexOf("2024-07-01T00")));
    await run();
    await Deno.writeTextFile(site.path("climate.csv"), climate);
    await run();
  });

  /** A site with a single zero on a day without other findings. */
  const importZero = once(() => run());

  const changes: Readonly<Record<string, () => void | Promise<void>>> = {
    "a corrected value of production in its window": () => setPower("2023-05-10T12", 1234.5),
    "a value of its window that is gone": () =>
      site.edit("production.csv", (text) => text.replace(/^(2023-05-10T12[^,]*),.*$/m, "$1,")),
    "production that begins later than its window": () =>
      produceUntil("2023-12-31T23", "2023-02-01T00"),
    "another hub height": () => void (site.declared.turbines[0].hub_height = 90),
    "another position": () => void (site.declared.turbines[0].latitude += 0.01),
    "another power curve": () =>
      site.edit("power_curve.csv", (text) => text.replace(/^8,.*$/m, "8,900")),
    "another number of units": async () => {
      site.declared.turbines[0].units = 2;
      await site.editColumn("production.csv", "power", (value) => value && `${2 * Number(value)}`);
    },
    "a new exclusion": () => {
      const exclusion = { from: "2023-03-01", to: "2023-03-20", reason: "curtailed" };
      site.declared.turbines[0].exclude = [exclusion];
    },
  };
  for (const [label, change] of Object.entries(changes)) {
    it(`is made again for ${label}, with the earlier reference period`, async () => {
      const before = await importGrowing();
      assertEquals(before.turbine.calibration!.referenceYears, [2023]);
      await change();
      const { turbines: [{ outcome }] } = await run();
      const after = await readPublished(data);
      const { calibration } = after.turbine;
      assertEquals(calibration!.revision, 2);
      const declared = /position|hub height|curve|units/.test(label);
      assertEquals(outcome, declared ? "other declaration" : "other production");
      assertEquals(calibration!.referenceYears, [2023]);
      for (const [name, report] of before.revisions) {
        assertEquals(after.revisions.get(name), report, name);
      }
    });
  }

  it("is made again for a changed or removed exclusion", async () => {
    const [turbine] = site.declared.turbines;
    const exclusion = { from: "2023-03-01", to: "2023-03-20", reason: "curtailed" };
    turbine.exclude = [exclusion];
    await run();
    const excluded = await readPublished(data);
    turbine.exclude = [{ ...exclusion, to: "2023-03-21" }];
    assertEquals((await run()).turbines[0].outcome, "other production");
    turbine.exclude = [exclusion];
    assertEquals((await run()).turbines[0].outcome, "other production");
    const repeated = await readPublished(data);
    assertEquals(repeated.turbine.calibration!.revision, 3);
    // The same data give exactly the same figures.
    assertEquals(
      repeated.turbine.calibration!.calibration,
      excluded.turbine.calibration!.calibration,
    );
  });

  const nothings: Readonly<Record<string, () => void | Promise<void>>> = {
    "another name of the turbine": () => void (site.declared.turbines[0].name = "Renamed"),
    "another rotor diameter": () => void (site.declared.turbines[0].rotor_diameter = 100),
    "an exclusion outside of production": () => {
      const exclusion = { from: "2024-03-01", to: "2024-03-20", reason: "curtailed" };
      site.declared.turbines[0].exclude = [exclusion];
    },
    "another description of the dataset": () =>
      void (site.declared.dataset.long_description = "other"),
    "the same values with other digits": () =>
      site.editColumn("production.csv", "power", (value) => value && `${value}000`),
    "the order of the columns": () =>
      site.editLines(
        "production.csv",
        (lines) => lines.map((line) => line.split(",").reverse().join(",")),
      ),
    "a zero that becomes a negative one": () =>
      site.editColumn(
        "production.csv",
        "power",
        (value) => Number(value) === 0 && value ? "-0.0" : value,
      ),
  };
  const sameInputs = new Set([
    "another description of the dataset",
    "the same values with other digits",
    "the order of the columns",
  ]);
  for (const [label, change] of Object.entries(nothings)) {
    it(`holds for ${label}`, async () => {
      await setPower("2023-06-10T12", 0);
      const before = await importZero();
      await change();
      const { unchanged, turbines, kept } = await run();
      const computed = turbines.map(({ outcome }) => outcome);
      assertEquals([unchanged, computed], [false, sameInputs.has(label) ? [] : ["unchanged"]]);
      assertEquals(turbines.length + kept.length, 1);
      const after = await readPublished(data);
      assertEquals(after.turbine.calibration, before.turbine.calibration);
      assertEquals(after.table, before.table);
    });
  }

  it("with recalibrate chooses the reference period again, even if nothing else changed", async () => {
    const before = await importGrowing();
    await run({ recalibrate: true });
    const { turbine, reports } = await readPublished(data);
    assertEquals(turbine.calibration!.revision, 2);
    assertEquals(turbine.calibration!.referenceYears, [2023, 2024]);
    assertEquals(turbine.calibration!.calibration.k, before.turbine.calibration!.calibration.k);
    const { first_year, last_year } = reports.get("2024-05")!.reference_period;
    assertEquals([first_year, last_year], [2023, 2024]);
  });

  it("M5: with a month of replaced reanalysis changes only that month and the figures that contain it", async () => {
    const before = await importGrowing();
    await site.editLines("climate.csv", (lines) =>
      lines.map((line) => {
        const fields = line.split(",");
        for (const i of /^2023-05-[12]/.test(line) ? [1, 3] : []) {
          fields[i] = (1.1 * Number(fields[i])).toFixed(3);
        }
        return fields.join(",");
      }));
    const result = await run();
    const after = await readPublished(data);
    // The month is in the reference period, which stays with the calibration.
    assertEquals(after.turbine.calibration, before.turbine.calibration);
    const trailing = [
      ...monthsBetween("2023-06", "2023-08"), // the second quarter
      ...monthsBetween("2023-12", "2024-11"), // the year; the first twelve months end in its December
    ];
    assertEquals(
      result.revised,
      new Map([["E1", { newEnergy: ["2023-05"], trailing: trailing.length }]]),
    );
    assertEquals(mapRevisions(after), {
      ...mapRevisions(before),
      ...all(["2023-05", ...trailing], 2),
    });
    assertStringIncludes(
      formatImport(result),
      "; with a new energy: 2023-05; 15 with a new status",
    );
    assertMatch(
      formatImport(result),
      /The climate has changed .* so these years now give \+\d\.\d{3} %/,
    );

    const { revised, turbines: [repeated] } = await run({ recalibrate: true });
    assertEquals(revised.get("E1")!.newEnergy.length, after.months.length);
    assertNotEquals(
      repeated.calibration!.meanAnnualEnergy,
      before.turbine.calibration!.meanAnnualEnergy,
    );
    assertEquals(repeated.calibration!.meanAnnualEnergy, repeated.presentAnnualEnergy);
  });

  it("continues the count of revisions after a turbine lost its production for a while", async () => {
    const before = await importFirst();
    const [turbine] = site.declared.turbines;
    const { production } = turbine;
    turbine.production = [];
    await run();
    turbine.production = production;
    turbine.hub_height = 90; // makes another calibration
    await run();
    const after = await readPublished(data);
    assertEquals(after.turbine.calibration!.revision, 2);
    for (const [name, report] of before.revisions) {
      assertEquals(after.revisions.get(name), report, name);
    }
  });

  it("stays readable in the reports published with it, even while a turbine has no production", async () => {
    const { revisions } = await importFirst();
    site.declared.turbines[0].production = [];
    await run();
    await withAsk(data, async (ask) => {
      const old = await ask(reportPath("E1", "2024-05", 1));
      assertEquals([old.status, await old.json()], [200, revisions.get("2024-05 1")]);
      assertEquals((await ask(reportPath("E1", "2024-05"))).status >= 400, true);
    });
  });

  it("keeps the reference period after a turbine lost its production for a while", async () => {
    const [turbine] = site.declared.turbines;
    const { production } = turbine;
    const before = await importGrowing();
    assertEquals(before.turbine.calibration!.referenceYears, [2023]);
    turbine.production = [];
    await run();
    assertEquals((await readPublished(data)).details.data_ready, false);
    turbine.production = production;
    await run();
    const { turbine: stored, months } = await readPublished(data);
    assertEquals(stored.calibration!.referenceYears, [2023]);
    assertEquals(stored.edition, 4);
    const names = ["month_index", "last12_month_index", "predicted_production"] as const;
    months.forEach((month, i) => {
      for (const name of names) assertEquals(month[name], before.months[i][name], name);
    });
  });

  it("has the present energy of a reference year, even after some of its hours were replaced", async () => {
    // The only full year, so it is the reference period although some hours are preliminary.
    const variables = site.declared.climate[0].variables!;
    variables.preliminary = { column: "expver" };
    const flag = (preliminary: boolean, factor: number) =>
      site.editLines("climate.csv", ([header, ...rows]) => [
        header.endsWith(",expver") ? header : `${header},expver`,
        ...rows.filter((row) => row < "2024-03-01").map((row) => {
          const fields = row.split(",").slice(0, 8);
          const isPreliminary = row >= "2023-11-15" && row < "2023-12-01";
          for (const i of isPreliminary ? [1, 3] : []) {
            fields[i] = (factor * Number(fields[i])).toFixed(3);
          }
          return [...fields, isPreliminary && preliminary ? 1 : 0].join(",");
        }),
      ]);
    await flag(true, 1);
    await run();
    const before = await readPublished(data);
    assertEquals(before.turbine.calibration!.referenceYears, [2023]);
    await flag(false, 1.2);
    assertEquals((await run()).turbines[0].outcome, "unchanged");
    const after = await readPublished(data);
    for (const { reports } of [before, after]) {
      for (const [month, { indices, reference_period }] of reports) {
        // 100 % by the figures of the report.
        const year = 1200 * (indices.predicted_production as number) /
          (indices.monthIndex as number);
        const stated = reference_period.mean_annual_production!;
        assert(
          Math.abs(stated / year - 1) < 1e-9,
          `${month}: it says ${stated} MWh, its indices are of ${year} MWh`,
        );
      }
    }
  });
});
