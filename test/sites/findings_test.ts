/**
 * Findings in production that do not stop an import: each has a line with months, hours and remedy in the import's text
 * and in the report, and its hours are not fitted.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { beforeAll, describe, it } from "@std/testing/bdd";
import { formatImport } from "../../src/sites/fleet/format_import.ts";
import { readPublished } from "../service/_published.ts";
import { factorOf, importFile, type TestSite, withSite } from "./_site.ts";

interface FindingsResult {
  readonly findings: readonly string[];
  readonly k: number;
}

/** Imports a changed site, and returns its findings, which must be the same in its text and in the report. */
async function importFindings(
  change: (site: TestSite) => void | Promise<void>,
): Promise<FindingsResult> {
  let imported: FindingsResult;
  await withSite(async (site, data) => {
    await change(site);
    const result = await importFile(await site.siteFile(), data);
    const { findings } = result.turbines[0];
    const { reports } = await readPublished(data);
    assertEquals(reports.get("2024-05")!.calibration.findings, findings);
    const lines = formatImport(result).split("\n");
    for (const finding of findings) {
      const doubt = result.turbines[0].doubts.some(({ text }) => text === finding);
      const start = doubt ? "  E1: " : "  found: ";
      assert(lines.includes(start + finding), finding);
    }
    imported = { findings, k: factorOf(result) };
  });
  return imported!;
}

function setRows(site: TestSite, rows: RegExp, power: (i: number) => number | string) {
  let i = 0;
  return site.editLines(
    "production.csv",
    (lines) => lines.map((line) => rows.test(line) ? line.replace(/,.*/, `,${power(i++)}`) : line),
  );
}

/** Shifts the timestamps of production by hours. */
function shift(site: TestSite, hours: number) {
  return site.editColumn(
    "production.csv",
    "time",
    (stamp) => Temporal.Instant.from(stamp).add({ hours }).toString(),
  );
}

describe("findings of an import in hourly production", () => {
  let plain: FindingsResult;

  beforeAll(async () => {
    plain = await importFindings(() => {});
  });

  /** Findings other than the example's: an outage in August and a few gaps. */
  const added = ({ findings }: FindingsResult) =>
    findings.filter((finding) => !plain.findings.includes(finding));

  it("are the example's outage and gaps if nothing was changed", () => {
    assertEquals(plain.findings, [
      "standstill, 75 h: 2023-08 (75 h). Ask the operator why the turbine had no production for days. " +
      "The fit excludes them.",
      "gap, 27 h: 2023-03 (12 h), 2023-09 (8 h), 2023-07 (4 h), 2023-08 (2 h), 2023-12 (1 h). " +
      "Request the missing values from the source, because Vindkit never fills gaps.",
    ]);
  });

  it("include power above rated power and negative power: months, hours, remedy", async () => {
    const imported = await importFindings(async (site) => {
      await setRows(site, /^2023-05-1[01]T/, (i) => 2500 + i); // rated power is 2300 kW
      await setRows(site, /^2023-09-05T/, () => -200);
    });
    assertEquals(added(imported), [
      "out of range, 72 h: 2023-05 (48 h), 2023-09 (24 h). No turbine can produce that: check the unit, " +
      "the rated power, the number of units and the marks for missing values. The fit excludes them, and they do not count as valid.",
    ]);
    assertAlmostEquals(imported.k, plain.k, 0.004);
  });

  it("include power that hardly changes, as with a power limit", async () => {
    const imported = await importFindings((site) =>
      setRows(site, /^2023-05-1[01]T/, (i) => 900 + i * 7 % 20)
    );
    assertEquals(added(imported), [
      "flat, 48 h: 2023-05 (48 h). The power hardly changed below rated power: ask the operator about " +
      "a power limit or a frozen logger. The fit excludes them.",
    ]);
    assertAlmostEquals(imported.k, plain.k, 0.004);
  });

  it("include a declared power limit, which is not fitted and causes no other finding", async () => {
    const imported = await importFindings(async (site) => {
      const isLimited = (row: string) => /^2023-0[4-9]-1[0-4]T/.test(row);
      await site.editLines("production.csv", ([header, ...rows]) => [
        `${header},limit`,
        ...rows.map((row, i) => {
          const [time, power] = row.split(",");
          return isLimited(row)
            ? `${time},${Math.min(Number(power), 900 + i % 7)},900`
            : `${row},2300`;
        }),
      ]);
      const [entry] = site.declared.turbines[0].production;
      Object.assign(entry, { limit: "limit", limit_unit: "kW" });
    });
    const [first, ...others] = added(imported);
    assertMatch(
      first,
      /^limited, 551 h: 2023-07 \(120 h\), .* show that the power was limited then\. The fit excludes them\.$/,
    );
    assertEquals(others.filter((line) => line.startsWith("flat")), []);
    assertAlmostEquals(imported.k, plain.k, 0.01);
  });

  it("include a standstill within a daytime limit above 0, but not within a limit of 0", async () => {
    for (const level of [900, 0]) {
      const imported = await importFindings(async (site) => {
        await site.editLines("production.csv", ([header, ...rows]) => [
          `${header},limit`,
          ...rows.map((row) => {
            const [time, power] = row.split(",");
            const isLimited = level === 0 ? /^2023-08/.test(time) : /T1[0-5]:/.test(time);
            if (!isLimited) return `${row},`;
            return `${time},${power === "" ? "" : Math.min(Number(power), level)},${level}`;
          }),
        ]);
        const [entry] = site.declared.turbines[0].production;
        Object.assign(entry, { limit: "limit", limit_unit: "kW" });
      });
      const standstills = imported.findings.filter((line) => line.startsWith("standstill"));
      assertEquals(standstills.length, level === 0 ? 0 : 1, standstills.join());
    }
  });

  it("do not include power above its limit, as with 0 for no limit: it is rejected", async () => {
    await withSite(async (site, data) => {
      await site.editLines("production.csv", ([header, ...rows]) => [
        `${header},limit`,
        ...rows.map((row) => `${row},0`),
      ]);
      Object.assign(site.declared.turbines[0].production[0], { limit: "limit", limit_unit: "kW" });
      const file = await site.siteFile();
      await assertRejects(
        () => importFile(file, data),
        Error,
        "leave the cell empty instead of writing 0",
      );
    });
  });

  it("include a long gap: months and hours, and that nothing was filled in", async () => {
    const imported = await importFindings((site) =>
      setRows(site, /^2023-1[01]-(2[5-9]|3\d)T/, () => "")
    );
    assertMatch(
      added(imported).join(),
      /^gap, 3\d\d h: 2023-10 \(16\d h\), 2023-11 \(14\d h\), 2023-03 \(12 h\), .* because Vindkit never fills gaps\.$/,
    );
    assertAlmostEquals(imported.k, plain.k, 0.01);
  });

  for (
    const [hours, message] of [
      [1, "production comes 1 h later than the model"],
      [-1, "production comes 1 h earlier than the model"],
      [2, "production comes 2 h later than the model"],
    ] as const
  ) {
    it(`include a series shifted by ${hours} h: lag with its interval, months, remedy`, async () => {
      const imported = await importFindings((site) => shift(site, hours));
      const line = added(imported).find((finding) => finding.startsWith("production"))!;
      const parts =
        /^(.*): lag of (-?[\d.]+) h \(90 % interval (-?[\d.]+) to (-?[\d.]+) h\), in (\d+) of (\d+) months, (\S+) to (\S+)\. (.*)$/
          .exec(line);
      assert(parts, line);
      const [, label, lag, low, high, shifted, judged, first, last, remedy] = parts;
      assertEquals(label, message);
      assertAlmostEquals(Number(lag), hours, 0.2);
      assert(Number(low) <= Number(lag) && Number(lag) <= Number(high), line);
      assert(Math.abs(Number(low) - hours) < 0.5 && Math.abs(Number(high) - hours) < 0.5, line);
      assertEquals([shifted, judged, first, last], ["12", "12", "2023-01", "2023-12"]);
      // format_import_test.ts checks the effect of the correction on the error of unseen months.
      assertMatch(
        remedy,
        /^Check the time zone of the timestamps, and whether they mark the start or the end of the hour\.(?: If the hours are shifted by that lag, the error in unseen months is \d\.\d % instead of \d\.\d %\.)?$/,
      );
      // Months lose and gain an hour at their ends, so energies are nearly the same.
      assertAlmostEquals(imported.k, plain.k, 0.002);
    });
  }

  it("include timestamps at the end of the hour declared as the start, but not if declared as the end", async () => {
    const wrong = await importFindings((site) => shift(site, 1));
    assert(added(wrong).some((line) => line.startsWith("production comes 1 h later")));
    const right = await importFindings(async (site) => {
      await shift(site, 1);
      site.declared.turbines[0].production[0].stamp = "end";
    });
    assertEquals(added(right), []);
  });

  it("include local timestamps read as UTC, with the hours", async () => {
    const imported = await importFindings((site) =>
      site.editColumn("production.csv", "time", (stamp) =>
        // Danish standard time all year, declared as UTC.
        Temporal.Instant.from(stamp).add({ hours: 1 }).toString())
    );
    assertMatch(added(imported).join(), /production comes 1 h later .* Check the time zone/);
  });
});

describe("findings of an import in monthly production", () => {
  for (
    const [label, energy, kind] of [
      ["a month of standby consumption", -1.2, "standstill"],
      ["negative energy", -400, "out of range"],
    ] as const
  ) {
    it(`include ${label}: named with its remedy, and not fitted`, async () => {
      await withSite(async (site, data) => {
        await produceMonths(site, "2023-07", () => energy);
        const { turbines: [{ findings }] } = await importFile(await site.siteFile(), data);
        assertEquals(findings.length, 1);
        assertMatch(
          findings[0],
          new RegExp(`^${kind}, 1 of 12 periods: 2023-07\\. .*The fit excludes them\\.$`),
        );
      });
    });
  }

  it("include a month of standstill: named with its remedy, and not fitted", async () => {
    await withSite(async (site, data) => {
      await produceMonths(site, "2023-07", () => 5);
      const { turbines: [{ findings, calibration }] } = await importFile(
        await site.siteFile(),
        data,
      );
      const left = calibration!.calibration.periods.filter(({ used }) => !used);
      assertEquals(left.map(({ label, reason }) => [label, reason]), [["2023-07", "masked"]]);
      assertEquals(findings.length, 1);
      const [line] = findings;
      assertMatch(line, /^(?=.*standstill)(?=.*2023-07)/);
      assertMatch(
        line,
        /Ask the operator why the turbine had no production for days\. The fit excludes them\.$/,
      );
    });
  });

  it("include a month far below the others: left out of the fit, and listed with its share", async () => {
    await withSite(async (site, data) => {
      await produceMonths(site, "2023-10", (energy) => 0.4 * energy);
      await importFile(await site.siteFile(), data);
      const { reports } = await readPublished(data);
      const { calibration, notes } = reports.get("2023-10")!;
      assertEquals(calibration.periods, 11);
      assertMatch(
        notes.join("\n"),
        /Left out of the calibration: 2023-10 \(outage: produced [34]\d % of the energy expected from its wind and the other periods\)\./,
      );
    });
  });
});

/** Replaces the hourly production of the site by monthly energies, with one month changed. */
async function produceMonths(
  site: TestSite,
  month: string,
  change: (energy: number) => number,
): Promise<void> {
  const months = sumByMonth(await Deno.readTextFile(site.path("production.csv")));
  months.set(month, change(months.get(month)!));
  const rows = [...months].map(([month, energy]) => `${month},${energy}`);
  await Deno.writeTextFile(site.path("months.csv"), ["month,energy", ...rows, ""].join("\n"));
  site.declared.turbines[0].production = [{
    file: "months.csv",
    column: "energy",
    time: "month",
    resolution: "month",
    unit: "MWh",
  }];
}

/** Computes the energy of the local months of 2023, MWh; missing hours are filled with their neighbours. */
function sumByMonth(csv: string): Map<string, number> {
  const sums = new Map<string, number>();
  let last = 0;
  for (const row of csv.trimEnd().split("\n").slice(1)) {
    const [stamp, power] = row.split(",");
    last = power === "" ? last : Number(power);
    const month = Temporal.Instant.from(stamp).toZonedDateTimeISO("Europe/Copenhagen")
      .toPlainDate().toPlainYearMonth().toString();
    sums.set(month, (sums.get(month) ?? 0) + last / 1000);
  }
  return sums;
}
