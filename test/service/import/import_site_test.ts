import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { readSiteFile } from "../../../src/service/import/declaration/read_site_file.ts";
import { SqliteDatabase } from "../../../src/service/store/sqlite/sqlite_database.ts";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError, ConfigurationError } from "../../../src/api/errors.ts";
import { openDataDirectory } from "../../../src/service/data_directory.ts";
import { importSite } from "../../../src/service/import/import_site.ts";
import { readSiteProduction } from "../../../src/service/import/site_production.ts";
import { openService } from "../../../src/service/running/service.ts";
import { rowsBetween, type TestSite, withSite } from "./_site.ts";

/** Cuts the hourly production into files that end at midnight UTC, which is within a local month. */
async function cutProduction(site: TestSite): Promise<void> {
  const whole = await Deno.readTextFile(site.path("production.csv"));
  const cuts = ["2022-12-31T23", "2023-05-01T00", "2023-09-01T00", "2023-12-31T22"];
  const [turbine] = site.declared.turbines;
  const [entry] = turbine.production;
  turbine.production = [];
  for (let i = 0; i + 1 < cuts.length; i++) {
    const file = `part${i}.csv`;
    await Deno.writeTextFile(site.path(file), rowsBetween(whole, cuts[i], cuts[i + 1]));
    turbine.production.push({ ...entry, file });
  }
}

describe("importSite()", () => {
  it("reports its result, and gives the key of a new data directory once", async () => {
    await withSite(async (site, data) => {
      const first = await importSite(await readSiteFile(await site.siteFile()), {
        data: `${data}/new`,
      });
      assertEquals([first.site, first.unchanged], ["example", false]);
      assertStringIncludes(first.text, "E1");
      assert(first.key && /^[0-9a-f]{64}$/.test(first.key));
      if (Deno.build.os !== "windows") {
        const { mode } = await Deno.stat(`${data}/new/vindkit.sqlite`);
        assertEquals(mode! & 0o777, 0o600); // it has e-mails and hashes of keys
      }
      const again = await importSite(await readSiteFile(await site.siteFile()), {
        data: `${data}/new`,
      });
      assertEquals([again.unchanged, again.key], [true, undefined]);
    });
  });

  it("marks a data directory by where the figures come from, also where nothing else changed", async () => {
    await withSite(async (site, data) => {
      await importSite(await readSiteFile(await site.siteFile()), { data });
      const database = new SqliteDatabase(`${data}/vindkit.sqlite`);
      database.exec("UPDATE about SET value = 'sample' WHERE name = 'world'"); // by an older version
      database.seal("about", "name = 'world'");
      database.close();
      assertEquals(
        (await importSite(await readSiteFile(await site.siteFile()), { data })).unchanged,
        false,
      );
      const { store } = openDataDirectory(data);
      assertEquals(await store.world(), "own");
      await store.close();
    });
  });

  it("stores nothing where figures cannot be had", async () => {
    await withSite(async (site, data) => {
      site.declared.turbines[0].production[0].unit = "MWh"; // of kW: a thousand times too much
      const file = await site.siteFile();
      await assertRejects(
        async () => importSite(await readSiteFile(file), { data: `${data}/new` }),
        ArgumentError,
        "E1",
      );
      const error = await assertRejects(() => openService(`${data}/new`), ConfigurationError);
      assertStringIncludes(error.message, "nothing is imported there");
      site.declared.turbines[0].production[0].unit = "kW";
      assert(
        (await importSite(await readSiteFile(await site.siteFile()), { data: `${data}/new` })).key,
      );
    });
  });

  it("M10: makes no data directory where its signal ends the reading", async () => {
    await withSite(async (site, data) => {
      const file = await site.siteFile();
      const signal = AbortSignal.abort(new Error("Stopped"));
      await assertRejects(
        async () => importSite(await readSiteFile(file), { data: `${data}/new`, signal }),
        Error,
        "Stopped",
      );
      await assertRejects(() => Deno.stat(`${data}/new`), Deno.errors.NotFound);
    });
  });

  it("leaves what others have stored meanwhile where figures cannot be had", async () => {
    await withSite(async (site, data) => {
      const good = await site.siteFile();
      const declared = await Deno.readTextFile(good);
      const bad = site.path("bad.json");
      await Deno.writeTextFile(
        bad,
        declared.replace('"kW"', '"MWh"').replace('"example"', '"other"'),
      );
      // Both find no directory and make it; the one that fails must not take away what the other has stored.
      const failing = importSite(await readSiteFile(bad), { data: `${data}/new` });
      const [failed, done] = await Promise.allSettled([
        failing,
        importSite(await readSiteFile(good), { data: `${data}/new` }),
      ]);
      assertEquals([failed.status, done.status], ["rejected", "fulfilled"]);
      await (await openService(`${data}/new`)).close();
    });
  });

  it("says how many published months changed", async () => {
    await withSite(async (site, data) => {
      await importSite(await readSiteFile(await site.siteFile()), { data });
      await site.editColumn(
        "production.csv",
        "power",
        (value) => value && `${Number(value) * 0.9}`,
      );
      const { text } = await importSite(await readSiteFile(await site.siteFile()), { data });
      assertStringIncludes(
        text,
        "months published before that have a new revision: 24; with another energy: 24 of 2023-01 to 2024-12",
      );
    });
  });

  it("takes several hourly files for one series: no month is cut in two", async () => {
    await withSite(async (site, data) => {
      await importSite(await readSiteFile(await site.siteFile()), { data: `${data}/one` });
      await cutProduction(site);
      await importSite(await readSiteFile(await site.siteFile()), { data: `${data}/many` });
      const labels = async (directory: string) => {
        const { store } = openDataDirectory(directory);
        const { calibration } = (await store.sites.turbine("E1"))!;
        await store.close();
        return calibration!.calibration.periods.map(({ label }) => label);
      };
      assertEquals(await labels(`${data}/many`), await labels(`${data}/one`));
    });
  });

  it("takes the wind of the heights around the hub where there are more than two", async () => {
    await withSite(async (site, data) => {
      const k = async (directory: string) => {
        await importSite(await readSiteFile(await site.siteFile()), { data: directory });
        const { store } = openDataDirectory(directory);
        const stored = await store.sites.turbine("E1");
        await store.close();
        return stored!.calibration!.calibration.k;
      };
      const before = await k(`${data}/two`);
      // A third height far above the hub, with the wind of 10 m: if it were used, k would show it.
      const { variables } = site.declared.climate[0];
      variables!.wind_speed_200 = { column: "wind_speed_10", unit: "m/s" };
      variables!.wind_direction_200 = { column: "wind_direction_10", unit: "deg" };
      await site.editLines("climate.csv", (lines) => {
        const names = lines[0].split(",");
        const columns = ["wind_speed_10", "wind_direction_10"].map((name) => names.indexOf(name));
        return lines.map((line, row) => {
          const fields = line.split(",");
          const more = row === 0 ? ["ws200", "wd200"] : columns.map((column) => fields[column]);
          return [...fields, ...more].join(",");
        });
      });
      variables!.wind_speed_200.column = "ws200";
      variables!.wind_direction_200.column = "wd200";
      assertEquals(await k(`${data}/three`), before);
    });
  });

  it("refuses a single climate point on the other side of the globe: a lost sign", async () => {
    await withSite(async (site, data) => {
      site.declared.climate[0].longitude = -97.92;
      const file = await site.siteFile();
      await assertRejects(
        async () => importSite(await readSiteFile(file), { data: `${data}/new` }),
        ArgumentError,
        "Check the signs of latitude and longitude",
      );
    });
  });
});

describe("openService()", () => {
  it("refuses a directory into which nothing was imported, and says what to do", async () => {
    const data = await Deno.makeTempDir();
    await openDataDirectory(data, { create: true }).store.close();
    await assertRejects(() => openService(data), ConfigurationError, "deno task import SITE.json");
    await Deno.remove(data, { recursive: true });
  });
});

describe("readSiteProduction()", () => {
  it("gives one frame a turbine, of all its files in order of time", async () => {
    await withSite(async (site) => {
      const [whole] = await readSiteProduction(await readSiteFile(await site.siteFile()));
      await cutProduction(site);
      const parts = await readSiteProduction(await readSiteFile(await site.siteFile()));
      assertEquals(parts.map(({ turbineId }) => turbineId), ["E1"]);
      // The last cut leaves the last hour of the year out.
      assertEquals(parts[0].frame.height, whole.frame.height - 1);
      assertEquals(parts[0].frame.getColumn("power").sum() > 0, true);
    });
  });
});
