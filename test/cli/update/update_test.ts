/**
 * `update` with growing files of climate and production, without any service.
 *
 * @module
 */
import { cpSync } from "node:fs";
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { TooManyRequestsError } from "../../../src/api/errors.ts";
import { importSite } from "../../../src/sites/import_site.ts";
import { readSiteFile } from "../../../src/sites/declaration/site.ts";
import { openStorage } from "../../../src/storage/storage.ts";
import { makeOlder } from "../../sites/_engine.ts";
import { makeSite, rowsBetween, type TestSite, wholeExample } from "../../sites/_site.ts";
import { callCommand } from "../_command.ts";
import { runUpdate } from "./_update.ts";
import { sitesOf } from "../../../src/sites/keep/sites.ts";

const NOTHING = "No news since the last update";

describe("update", () => {
  let site: TestSite;
  let data: string;

  const importFirst = async () =>
    await importSite(await readSiteFile(await site.siteFile()), { data });
  const run = (...words: readonly string[]) => runUpdate(["--data", data, ...words]);

  /** Makes a file of the site end at other hours. */
  async function write(name: string, from: string, to: string): Promise<void> {
    await Deno.writeTextFile(site.path(name), rowsBetween((await wholeExample())[name], from, to));
  }

  /** Makes the climate end with a month. */
  const endClimate = (month: string) => write("climate.csv", "2022-12-31T00", `${month}-01T01`);

  /** Replaces the wind of some days in May by a stronger one. */
  const raiseWind = (of: TestSite) =>
    of.editLines(
      "climate.csv",
      (lines) =>
        lines.map((line) =>
          line.replace(
            /^(2024-05-1.*?),([\d.]+),/,
            (_, stamp, speed) => `${stamp},${Number(speed) + 1},`,
          )
        ),
    );

  /** Site and data directory after the import; each test starts with a copy of them in their places. */
  let original: string;
  let declared: string;
  const copies = () => [[`${original}/site`, site.folder], [`${original}/data`, data]] as const;

  beforeAll(async () => {
    [data, original] = [await Deno.makeTempDir(), await Deno.makeTempDir()];
    site = await makeSite();
    await endClimate("2024-06");
    await importFirst();
    declared = JSON.stringify(site.declared);
    for (const [copy, folder] of copies()) await Deno.rename(folder, copy);
  });
  beforeEach(() => {
    site.declared = JSON.parse(declared);
    for (const [copy, folder] of copies()) cpSync(copy, folder, { recursive: true });
  });
  afterEach(async () => {
    for (const [, folder] of copies()) await Deno.remove(folder, { recursive: true });
  });
  afterAll(() => Deno.remove(original, { recursive: true }));

  it("finds no news if no file has changed, and says so with its exit code", async () => {
    assertEquals(await run(), { code: 3, out: NOTHING, error: "" });
  });

  it("names a new month of a longer climate file, once", async () => {
    await endClimate("2024-07");
    const { code, out } = await run();
    assertEquals(code, 0);
    assertMatch(
      out,
      /^New since the last update \(100 % is a normal month of the same name\):\n {2}E1: new 2024-06 with \d+\.\d %$/,
    );
    assertEquals(await run(), { code: 3, out: NOTHING, error: "" });
  });

  it("names a month whose climate was replaced with its index before and after", async () => {
    await raiseWind(site);
    const { code, out } = await run();
    assertEquals(code, 0);
    assertMatch(
      out,
      /\n {2}E1: revised 2024-05 from \d+\.\d+ % to \d+\.\d+ % \(other climate data\)$/,
    );
  });

  it("names a new engine version once as the reason of new figures, also in the file", async () => {
    const folder = site.path("reports");
    await run("--report", folder);
    await makeOlder(data);
    const { code, out } = await run("--report", folder);
    assertEquals(code, 0);
    assertMatch(
      out,
      /\n {2}E1: revised \d+ months of 2023-\d\d to 2024-05 by at most [\d.]+ percentage points \(calibrated again\); Engine \d+ instead of 3 changes the mean annual energy from /,
    );
    assertEquals(out.match(/instead of 3/g)?.length, 1);
    const { turbines: [turbine] } = JSON.parse(await Deno.readTextFile(`${folder}/news.json`));
    assertMatch(turbine.engine_change, /^Engine \d+ instead of 3 changes /);
    assertStringIncludes(out, turbine.engine_change);
    assertEquals((await run("--report", folder)).out, NOTHING);
    await endClimate("2024-07");
    assert(!(await run("--report", folder)).out.includes("instead of 3"));
  });

  it("reports new production, even if no month changes", async () => {
    await write("production.csv", "2022-12-31T23", "2024-03-31T22");
    const { code, out } = await run();
    assertEquals(code, 0);
    assertStringIncludes(out, "\n  E1: production 2023-01-01 to 2024-03-31, ");
    assertEquals((await run()).code, 3);
  });

  it("SI9: names a month of new production that waits for climate, until it arrives; needs a person once", async () => {
    await endClimate("2024-03");
    await write("production.csv", "2022-12-31T23", "2024-03-31T22"); // end of March in Denmark
    const folder = site.path("reports");
    const { code, out } = await run("--report", folder);
    const waits = "Months with production but without an index:\n  " +
      "E1: the climate data end on 2024-03-01 and do not cover all of 2024-03. " +
      "Add later climate data to its files, then update again";
    assertEquals(code, 78);
    assertStringIncludes(out, waits);
    const again = await run("--report", folder);
    assertEquals([again.code, again.out], [3, `${NOTHING}\n${waits}`]);

    await endClimate("2024-06"); // as the message says
    const { code: then, out: now } = await run("--report", folder);
    assertEquals(then, 0);
    assertMatch(now, /^New since[^\n]*\n {2}E1: new 2024-03 with/);
    assert(!now.includes("waits"), now);
  });

  it("SI9: names all waiting months", async () => {
    await endClimate("2024-02");
    await write("production.csv", "2022-12-31T23", "2024-05-31T22");
    assertStringIncludes(
      (await run()).out,
      "  E1: the climate data end on 2024-02-01 and do not cover all of 2024-02, 2024-03, 2024-04 and 1 more. ",
    );
  });

  it("reads production files added to a folder", async () => {
    const [entry] = site.declared.turbines[0].production;
    await Deno.mkdir(site.path("months"));
    await Deno.rename(site.path("production.csv"), site.path("months/2023.csv"));
    Object.assign(entry, { file: "months" });
    await importFirst();
    await run();
    await write("production.csv", "2023-12-31T23", "2024-02-29T23");
    await Deno.rename(site.path("production.csv"), site.path("months/2024.csv"));
    assertStringIncludes((await run()).out, "E1: production 2023-01-01 to 2024-02-29, ");
  });

  it("a finding in new production needs a person, once", async () => {
    await write("production.csv", "2022-12-31T23", "2024-05-31T22");
    await site.editLines("production.csv", (lines) => { // a clock three hours late in 2024
      const first = lines.findIndex((line) => line.startsWith("2024-01-02"));
      const powers = lines.map((line) => line.split(",")[1]);
      return lines.map((line, i) => {
        const [stamp, , ...rest] = line.split(",");
        return i < first ? line : [stamp, powers[i - 3], ...rest].join();
      });
    });
    const { code, out, error } = await run();
    assertEquals([code, error], [78, ""]);
    assertMatch(
      out,
      /\nPlease check:\n {2}E1: production comes 3 h later from 2024-01-02 on/,
    );
    assertEquals((await run()).code, 3);
  });

  it("a turbine that is no longer in its site file needs a person, once, because its months are deleted", async () => {
    const [turbine] = site.declared.turbines as unknown as [Record<string, unknown>];
    Object.assign(site.declared, { turbines: [turbine, { ...turbine, id: "E2" }] });
    await importFirst();
    await run();
    Object.assign(site.declared, { turbines: [turbine] });
    await site.siteFile();
    const { code, out } = await run();
    assertEquals(code, 78);
    assertStringIncludes(
      out,
      "Deleted with all their months, because no site file lists them: E2. If this was a mistake, add them back",
    );
    assertEquals(await run(), { code: 3, out: NOTHING, error: "" });
  });

  it("refuses an empty folder for the report, which would mean the root of the disk", async () => {
    const { code, error } = await run("--report", "");
    assertEquals(code, 2);
    assertStringIncludes(error, "Cannot use --report: the folder name is empty");
  });

  it("a missing file needs a person, and changes nothing", async () => {
    await Deno.remove(site.path("climate.csv"));
    const { code, out, error } = await run();
    assertEquals([code, out], [78, ""]);
    assertStringIncludes(
      error,
      `Cannot read climate.csv: the file ${site.path("climate.csv")} is missing`,
    );
  });

  it("a site that was imported before its path was stored needs a person", async () => {
    const { store } = await openStorage(data);
    await sitesOf(store).setSiteFile("example", undefined);
    await store.close();
    const { code, error } = await run();
    assertEquals(code, 78);
    assertStringIncludes(error, "Import the site file once: deno task import SITE.json --data ");
    await importFirst(); // unchanged
    assertEquals((await run()).code, 3);
  });

  it("needs a data directory with a site", async () => {
    await Deno.remove(data, { recursive: true });
    const missing = await run();
    assertEquals(missing.code, 78);
    assertStringIncludes(missing.error, "vindkit.sqlite is missing there");
    const wrong = await runUpdate(["--data", site.path("climate.csv")]);
    assertEquals(wrong.code, 78);
    assertStringIncludes(wrong.error, "climate.csv: Not a directory (os error 20)");
    await (await openStorage(data, { create: true })).close();
    const { code, error } = await run();
    assertEquals([code, error.split(". ")[0]], [78, `Cannot update ${data}: it has no site`]);
  });

  it("reports a running update, with the exit code for a retry; the lock ends with that update", async () => {
    const other = await openStorage(data);
    const lock = await other.store.lockUpdates();
    const { code, error } = await run();
    assertEquals([code, error], [
      75,
      `Cannot update ${data}: another update is running. Wait until it ends, then run the same command again`,
    ]);
    await lock![Symbol.asyncDispose]();
    await other.close();
    assertEquals((await run()).code, 3);
  });

  /** Runs a test with a second site in the data directory, after the first update of both. */
  async function withAnother(body: (other: TestSite) => Promise<void>): Promise<void> {
    const other = await makeSite();
    try {
      other.declared.site = "another";
      other.declared.turbines[0].id = "A1";
      Object.assign(other.declared.dataset, { service_id: "other" });
      await importSite(await readSiteFile(await other.siteFile()), { data });
      await run();
      await body(other);
    } finally {
      await Deno.remove(other.folder, { recursive: true });
    }
  }

  it("imports and reports the sites of a data directory once, even if one of them fails", async () => {
    await withAnother(async (other) => {
      const aside = other.path("aside");
      await Deno.rename(other.path("climate.csv"), aside);
      await endClimate("2024-07");
      const folder = other.path("reports");
      const failed = await run("--report", folder);
      assertEquals(failed.code, 78);
      assertMatch(failed.out, /E1: new 2024-06/);
      assertStringIncludes(failed.out, `${folder}/report_2024-12/index.html: 2 of 2 turbines`);
      assertStringIncludes(failed.error, "Cannot read climate.csv");
      const again = await run("--report", folder);
      assertEquals([again.code, again.out, again.error], [78, "", failed.error]);

      await Deno.rename(aside, other.path("climate.csv"));
      await raiseWind(other);
      const { code, out } = await run();
      assertEquals(code, 0);
      assertMatch(out, /^New [^\n]*\n {2}A1: revised 2024-05 [^\n]*$/);
      assertEquals((await run()).code, 3);
    });
  });

  it("SI8: continues if a turbine fails: the others are updated, the report is written, a person is needed", async () => {
    const [first] = site.declared.turbines;
    const [entry] = first.production;
    const production = [{ ...entry, file: "other.csv" }];
    const text = await Deno.readTextFile(site.path("production.csv"));
    const less = text.replaceAll(/,([\d.]+)$/gm, (_, power) => `,${(0.98 * power).toFixed(3)}`);
    await Deno.writeTextFile(site.path("other.csv"), less);
    site.declared.turbines.push({ ...first, id: "E2", name: "E2", production });
    await importFirst();
    await run();
    await Deno.writeTextFile(site.path("other.csv"), "nonsense\n");
    await endClimate("2024-07");
    const folder = site.path("reports");
    const { code, out, error } = await run("--report", folder);
    assertEquals(code, 78);
    assertMatch(out, /\n {2}E1: new 2024-06 /);
    assert(!out.includes("\n  E2: "), out);
    assertMatch(
      error,
      /^Cannot import all of example: 1 turbine failed\n {2}E2: Cannot read other\.csv/,
    );
    assertMatch(error, /It keeps the indices of edition 1, stored on \d{4}-\d{2}-\d{2} \(UTC\)$/);
    const page = (id: string) => Deno.readTextFile(`${folder}/report_2024-06/turbines/${id}.md`);
    assertStringIncludes(await page("E1"), "- Prediction compared: ");
    const again = await run("--report", folder);
    assertEquals([again.code, again.out, again.error], [78, "", error]);
    await Deno.writeTextFile(site.path("other.csv"), less);
    const repaired = await run("--report", folder);
    assertEquals([repaired.code, repaired.error], [0, ""]);
    assertMatch(repaired.out, /\n {2}E2: new 2024-06 /);
  });

  it("reports its news again after a temporary failure, because that output is not read", async () => {
    await withAnother(async (other) => {
      Object.assign(other.declared, { climate: { source: "open-meteo", from: "2023" } });
      await other.siteFile();
      await endClimate("2024-07");
      const busy = () => Promise.reject(new TooManyRequestsError("Cannot get ERA5: 429"));
      const failed = await runUpdate(["--data", data], busy);
      assertEquals(failed.code, 75);
      assertMatch(failed.out, /E1: new 2024-06/);
      assertEquals((await runUpdate(["--data", data], busy)).out, failed.out);
    });
  });

  it("a site whose file now names another site needs a person", async () => {
    site.declared.site = "renamed";
    site.declared.turbines[0].id = "R1";
    const path = await site.siteFile();
    const { code, out, error } = await run();
    assertEquals([code, out], [78, ""]);
    assertStringIncludes(
      error,
      `Cannot update the site "example": its site file ${path} now declares the site "renamed"`,
    );
  });

  it("says that stored figures have another history after a backup of the database was restored", async () => {
    const database = `${data}/vindkit.sqlite`;
    const backup = site.path("backup");
    await Deno.copyFile(database, backup);
    for (const month of ["2024-07", "2024-08", "2024-09"]) {
      await endClimate(month);
      assertEquals((await run()).code, 0);
    }
    for (const name of [database, `${database}-wal`, `${database}-shm`]) {
      await Deno.remove(name).catch(() => {});
    }
    await Deno.rename(backup, database);
    await endClimate("2024-11");
    const { code, out } = await run();
    assertEquals(code, 78);
    assertMatch(out, /E1: new \d+ months of 2023-\d\d to 2024-10/);
    assertStringIncludes(out, "\n  E1: the stored data are older than the last report");
    assertEquals((await run()).code, 3);
  });

  it("writes the report of the last month unless it exists with the same figures", async () => {
    const folder = site.path("reports");
    const page = `${folder}/report_2024-05/index.html`;
    const first = await run("--report", folder);
    assertEquals([first.code, first.out.split(": ")[0]], [3, `${NOTHING}\n${page}`]);
    assertEquals(await run("--report", folder), { code: 3, out: NOTHING, error: "" });
    await Deno.remove(page);
    assertStringIncludes((await run("--report", folder)).out, page);
    await raiseWind(site);
    assertMatch((await run()).out, /revised 2024-05/);
    const { code, out } = await run("--report", folder); // no news, except for the page
    assertEquals([code, out.split(": ")[0]], [3, `${NOTHING}\n${page}`]);
    await endClimate("2024-07");
    assertStringIncludes(
      (await run("--report", folder)).out,
      `${folder}/report_2024-06/index.html: 1 of 1 turbine,`,
    );
  });

  it("writes the news next to the report, with cause and size, and keeps them until the next news", async () => {
    const folder = site.path("reports");
    const read = async () => JSON.parse(await Deno.readTextFile(`${folder}/news.json`));
    await run("--report", folder);
    await assertRejects(read, Deno.errors.NotFound); // no news yet
    await raiseWind(site);
    await write("production.csv", "2022-12-31T23", "2024-03-31T22");
    await endClimate("2024-07");
    await raiseWind(site);
    const { out } = await run("--report", folder);
    const { found_at, turbines: [turbine], ...whole } = await read();
    assert(Math.abs(Temporal.Now.instant().since(found_at).total("minutes")) < 5);
    const { months, production, largest_change } = turbine;
    const [may, june] = months;
    assertEquals([may.month, may.cause, june.month, june.cause, june.before], [
      ...["2024-05", "replaced_climate", "2024-06", "new_month", null],
    ]);
    assertEquals(largest_change, may.after - may.before);
    assertStringIncludes(out, `${may.before.toFixed(1)} % to ${may.after.toFixed(1)} %`);
    assertEquals(turbine.causes, ["replaced_climate", "new_month", "new_production"]);
    assertEquals([production.from, production.to], ["2023-01-01", "2024-03-31"]);
    assertEquals(whole, { form: 1, months: 2, largest_change, deleted_turbines: [], notes: [] });
    const before = await Deno.readTextFile(`${folder}/news.json`);
    assertEquals((await run("--report", folder)).code, 3);
    assertEquals(await Deno.readTextFile(`${folder}/news.json`), before); // unchanged without news
  });

  it("U8: says in the report that there is production but it cannot be read", async () => {
    await Deno.writeTextFile(site.path("production.csv"), "nonsense\n");
    const folder = site.path("reports");
    assertEquals((await run("--report", folder)).code, 78);
    const page = await Deno.readTextFile(`${folder}/report_2024-05/turbines/E1.md`);
    assertStringIncludes(page, "Cannot compare the production: Cannot");
  });

  it("W6: report compares the imported production, too, and says if it cannot be read", async () => {
    const folder = site.path("report");
    const words = ["report", "--data", data, "--to", folder] as const;
    assertEquals((await callCommand(...words)).code, 0);
    const read = () => Deno.readTextFile(`${folder}/turbines/E1.md`);
    assertStringIncludes(await read(), "- Prediction compared: ");
    await Deno.remove(site.path("production.csv"));
    assertStringIncludes(
      (await callCommand(...words)).out,
      "The report has no production of E1",
    );
    assertStringIncludes(await read(), "Cannot compare the production: Cannot");
  });

  it("writes no report if no turbine has an index yet, without failing", async () => {
    Object.assign(site.declared.turbines[0], { production: [] });
    await Deno.remove(data, { recursive: true });
    await importFirst();
    const { code, out } = await run("--report", site.path("reports"));
    assertEquals([code, out], [3, `${NOTHING}\nNo report yet: no turbine has an index`]);
  });

  it("reports again the news of an update that failed after its import", async () => {
    const blocked = site.path("production.csv"); // a file, not a folder
    await endClimate("2024-07");
    const failed = await run("--report", blocked);
    assertEquals(failed.code, 78);
    assertStringIncludes(
      failed.error,
      `Cannot write ${blocked}/report_2024-06/index.html: Not a directory`,
    );
    const { code, out } = await run();
    assertEquals([code, out], [0, failed.out]);
  });

  const unreadable: readonly (readonly [string, string])[] = [
    ["update.lock", "lock"],
    ["update.json", "read"],
  ];
  for (const [name, act] of unreadable) {
    it(`names the failed action if ${name} cannot be used, without advice to remove it`, async () => {
      await Deno.mkdir(`${data}/${name}`);
      const { code, error } = await run();
      assertEquals(code, 78);
      assertStringIncludes(error, `Cannot ${act} ${data}/${name}: Is a directory`);
      assertEquals(error.includes("Remove it"), false);
    });
  }

  it("advises to remove a file that no update has written", async () => {
    await Deno.writeTextFile(`${data}/update.json`, "{}");
    assertStringIncludes(
      (await run()).error,
      "its content is damaged, or not from an update. Remove this file",
    );
  });
});
