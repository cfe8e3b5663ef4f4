import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { readSiteFile } from "../../src/sites/declaration/site.ts";
import { editDocuments } from "../storage/store/_edit.ts";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError, ConfigurationError } from "../../src/api/errors.ts";
import { openStorage } from "../../src/storage/storage.ts";
import type { FetchEra5 } from "../../src/sites/climate/fetch_reanalyses.ts";
import { importSite, type ImportSiteOptions } from "../../src/sites/import_site.ts";
import { readSiteProduction } from "../../src/sites/production/site_production.ts";
import { openService } from "../../src/service/running/service.ts";
import { makeSite, rowsBetween, TestSite, withSite } from "./_site.ts";
import { defineSourced, fetchFrom, withSource } from "./_sourced_site.ts";
import { sitesOf } from "../../src/sites/keep/sites.ts";
import { listSiteFiles } from "../../src/sites/keep/named_files.ts";

/** Cuts the hourly production into files that end at midnight UTC, within a local month. */
async function cutProduction(site: TestSite): Promise<void> {
  const complete = await Deno.readTextFile(site.path("production.csv"));
  const cuts = ["2022-12-31T23", "2023-05-01T00", "2023-09-01T00", "2023-12-31T22"];
  const [turbine] = site.declared.turbines;
  const [entry] = turbine.production;
  turbine.production = [];
  for (let i = 0; i + 1 < cuts.length; i++) {
    const file = `part${i}.csv`;
    await Deno.writeTextFile(site.path(file), rowsBetween(complete, cuts[i], cuts[i + 1]));
    turbine.production.push({ ...entry, file });
  }
}

describe("importSite()", () => {
  it("R10: reports its result, and issues no key on its own", async () => {
    await withSite(async (site, data) => {
      const first = await importSite(await readSiteFile(await site.siteFile()), {
        data: `${data}/new`,
      });
      assertEquals([first.site, first.unchanged], ["example", false]);
      assertStringIncludes(first.text, "E1");
      assert(!("key" in first) && !/[0-9a-f]{64}/.test(first.text));
      if (Deno.build.os !== "windows") {
        const { mode } = await Deno.stat(`${data}/new/vindkit.sqlite`);
        assertEquals(mode! & 0o777, 0o600); // it contains e-mail addresses and key hashes
      }
      const repeated = await importSite(await readSiteFile(await site.siteFile()), {
        data: `${data}/new`,
      });
      assertEquals(repeated.unchanged, true);
    });
  });

  it("marks a data directory by the origin of its figures, even if nothing else changed", async () => {
    await withSite(async (site, data) => {
      await importSite(await readSiteFile(await site.siteFile()), { data });
      await editDocuments(data, "world", (parts) => parts[0] = parts[0].replace(/^own$/, "sample"));
      assertEquals(
        (await importSite(await readSiteFile(await site.siteFile()), { data })).unchanged,
        false,
      );
      const { store } = await openStorage(data);
      assertEquals(await store.world(), "own");
      await store.close();
    });
  });

  it("stores nothing if figures cannot be computed", async () => {
    await withSite(async (site, data) => {
      site.declared.turbines[0].production[0].unit = "MWh"; // kW declared as MWh: a thousand times too large
      const file = await site.siteFile();
      await assertRejects(
        async () => importSite(await readSiteFile(file), { data: `${data}/new` }),
        ArgumentError,
        "E1",
      );
      const error = await assertRejects(() => openService(`${data}/new`), ConfigurationError);
      assertStringIncludes(error.message, "it has no imported site");
      site.declared.turbines[0].production[0].unit = "kW";
      const account = await importSite(await readSiteFile(await site.siteFile()), {
        data: `${data}/new`,
      });
      assertEquals(account.unchanged, false);
    });
  });

  it("M10: creates no data directory if its signal aborts while reading", async () => {
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

  it("keeps data stored by others meanwhile if its figures cannot be computed", async () => {
    await withSite(async (site, data) => {
      const good = await site.siteFile();
      const declared = await Deno.readTextFile(good);
      const bad = site.path("bad.json");
      await Deno.writeTextFile(
        bad,
        declared.replace('"kW"', '"MWh"').replace('"example"', '"other"'),
      );
      // Both find no directory and create it; the failing import must not remove the other's data.
      const failing = importSite(await readSiteFile(bad), { data: `${data}/new` });
      const [failed, done] = await Promise.allSettled([
        failing,
        importSite(await readSiteFile(good), { data: `${data}/new` }),
      ]);
      assertEquals([failed.status, done.status], ["rejected", "fulfilled"]);
      await (await openService(`${data}/new`)).close();
    });
  });

  it("takes turns with another import of the same site: each calibration and edition comes from one import", async () => {
    await withSite(async (site, data) => {
      await importSite(await readSiteFile(await site.siteFile()), { data });
      const scale = async (factor: number) => {
        const folder = await Deno.makeTempDir({ dir: site.folder });
        for (const { name, isFile } of Deno.readDirSync(site.folder)) {
          if (isFile) await Deno.copyFile(site.path(name), `${folder}/${name}`);
        }
        const other = new TestSite(folder, site.declared);
        await other.editColumn(
          "production.csv",
          "power",
          (value) => value && `${Number(value) * factor}`,
        );
        return await readSiteFile(await other.siteFile());
      };
      const sites = [await scale(0.9), await scale(0.8)];
      await Promise.all(sites.map((one) => importSite(one, { data })));
      const { store } = await openStorage(data);
      const { edition, calibration } = (await sitesOf(store).turbine("E1"))!;
      assertEquals([edition, await sitesOf(store).edition("example")], [3, 3]);
      assertEquals(calibration, await sitesOf(store).calibration("E1", 3));
      const factors = [];
      for (const revision of [1, 2, 3]) {
        factors.push((await sitesOf(store).calibration("E1", revision))!.calibration.k);
      }
      assertEquals(new Set(factors).size, 3);
      for (const month of [1, 2, 3]) {
        const of = (await sitesOf(store).month("E1", 2024, 1, month))!;
        assertEquals([of.calibration, of.edition], [month, month]);
      }
      await store.close();
    });
  });

  it("reads its files again if another import stored the site meanwhile", async () => {
    await withSource(async (site, server, data) => {
      server.plans.push({ states: ["successful"] }, { states: ["successful"] });
      const other = await readSiteFile(await site.siteFile());
      const fetch = fetchFrom(server);
      let calls = 0;
      const era5: FetchEra5 = async (options) => {
        if (++calls === 1) await importSite(other, { data });
        return await fetch(options);
      };
      await importSite(defineSourced(site), { data, era5 });
      assertEquals(calls, 2);
      const { store } = await openStorage(data);
      assertEquals(await sitesOf(store).edition("example"), 2);
      assertEquals((await sitesOf(store).datasets()).map(({ serviceId }) => serviceId).sort(), [
        "era5",
        "example-climate",
      ]);
      await store.close();
    });
  });

  it("rejects an era5 that is not a function, before it reads anything", async () => {
    await withSite(async (site, data) => {
      const read = await readSiteFile(await site.siteFile());
      await Deno.remove(site.path("climate.csv"));
      const options: object = { data: `${data}/new`, era5: "cds" };
      await assertRejects(
        () => importSite(read, options as ImportSiteOptions),
        ArgumentError,
        'era5 is "cds", not a function',
      );
    });
  });

  it("keeps the series of two sites at one grid point apart", async () => {
    await withSite(async (site, data) => {
      const first = await readSiteFile(await site.siteFile());
      const other = await makeSite({ climate: ["2022-12-31T00", "2024-07-01T01"] });
      other.declared.site = "other";
      other.declared.turbines[0].id = "B1";
      const read = async () => {
        const { store } = await openStorage(data);
        const points = (await sitesOf(store).points("example-climate")).map(({ hours }) => hours);
        const files = (await listSiteFiles(store.documents, "example")).length;
        await store.close();
        return { points, files };
      };
      await importSite(first, { data });
      const before = await read();
      await importSite(await readSiteFile(await other.siteFile()), { data });
      assertEquals(await read(), before); // the longer series is served
      other.declared.climate[0].latitude = 55.75;
      await importSite(await readSiteFile(await other.siteFile()), { data });
      const { points: [longer, shorter], files } = await read();
      assertEquals({ points: [longer], files }, before);
      assert(shorter < longer);
      await Deno.remove(other.folder, { recursive: true });
    });
  });

  it("reports how many published months changed", async () => {
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
        "published months with a new revision: 24; with a new energy: 24 of 2023-01 to 2024-12",
      );
    });
  });

  it("joins several hourly files into one series, without cutting a month in two", async () => {
    await withSite(async (site, data) => {
      await importSite(await readSiteFile(await site.siteFile()), { data: `${data}/one` });
      await cutProduction(site);
      await importSite(await readSiteFile(await site.siteFile()), { data: `${data}/many` });
      const labels = async (directory: string) => {
        const { store } = await openStorage(directory);
        const { calibration } = (await sitesOf(store).turbine("E1"))!;
        await store.close();
        return calibration!.calibration.periods.map(({ label }) => label);
      };
      assertEquals(await labels(`${data}/many`), await labels(`${data}/one`));
    });
  });

  it("uses the wind of the heights around the hub if there are more than two", async () => {
    await withSite(async (site, data) => {
      const k = async (directory: string) => {
        await importSite(await readSiteFile(await site.siteFile()), { data: directory });
        const { store } = await openStorage(directory);
        const stored = await sitesOf(store).turbine("E1");
        await store.close();
        return stored!.calibration!.calibration.k;
      };
      const before = await k(`${data}/two`);
      // A third height far above the hub, with 1.3 times the wind of 10 m: using it would change k.
      const { variables } = site.declared.climate[0];
      variables!.wind_speed_200 = { column: "wind_speed_10", unit: "m/s" };
      variables!.wind_direction_200 = { column: "wind_direction_10", unit: "deg" };
      await site.editLines("climate.csv", (lines) => {
        const names = lines[0].split(",");
        const columns = ["wind_speed_10", "wind_direction_10"].map((name) => names.indexOf(name));
        return lines.map((line, row) => {
          const fields = line.split(",");
          const more = row === 0
            ? ["ws200", "wd200"]
            : columns.map((column, i) => i === 0 ? 1.3 * Number(fields[column]) : fields[column]);
          return [...fields, ...more].join(",");
        });
      });
      variables!.wind_speed_200.column = "ws200";
      variables!.wind_direction_200.column = "wd200";
      assertEquals(await k(`${data}/three`), before);
    });
  });

  it("rejects a single climate point on the other side of the globe, as from a lost sign", async () => {
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
  it("rejects a directory without an import, with a remedy", async () => {
    const data = await Deno.makeTempDir();
    await (await openStorage(data, { create: true })).close();
    await assertRejects(() => openService(data), ConfigurationError, "deno task import SITE.json");
    await Deno.remove(data, { recursive: true });
  });
});

describe("readSiteProduction()", () => {
  it("returns one frame per turbine, with all its files in order of time", async () => {
    await withSite(async (site) => {
      const [complete] = await readSiteProduction(await readSiteFile(await site.siteFile()));
      await cutProduction(site);
      const parts = await readSiteProduction(await readSiteFile(await site.siteFile()));
      assertEquals(parts.map(({ turbineId }) => turbineId), ["E1"]);
      // The last cut leaves out the last hour of the year.
      assertEquals(parts[0].frame.height, complete.frame.height - 1);
      assertEquals(parts[0].frame.getColumn("power").sum() > 0, true);
    });
  });
});
