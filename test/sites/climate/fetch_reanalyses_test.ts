/** Sites with climate from a source, against the fake server of test/era5. */
import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError, NetworkError, NotCachedError } from "../../../src/api/errors.ts";
import { provenance } from "../../../src/frames/origin/provenance.ts";
import { readSiteFile } from "../../../src/sites/declaration/site.ts";
import { saveSite } from "../../../src/sites/declaration/save_site.ts";
import { importSite, readSite } from "../../../src/sites/import_site.ts";
import { countRoute, withNow } from "../../era5/_cds_call.ts";
import { buildPath } from "../../service/_answers.ts";
import { withAsk } from "../../service/_published.ts";
import { defineSourced, fetchFrom, withSource } from "../_sourced_site.ts";
import { toDefinition } from "../declaration/_definition.ts";

/** Returns a closed address of this machine. */
function closedAddress(): Deno.NetAddr {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr;
}

describe("a frame of era5()", () => {
  it("is a climate source without further fields: it has point, units and flags", async () => {
    await withSource(async (site, server, data) => {
      const era5 = fetchFrom(server);
      const frame = await era5({
        source: "cds",
        latitude: 55.4,
        longitude: 7.9,
        from: "2023",
        to: "2024",
      });
      const { text } = await importSite(
        defineSourced(site, { climate: [{ frame, stamp: "instant" }] }),
        { data },
      );
      assertStringIncludes(text, "E1 (Vesterklit Rev 1 (SYNTHETIC)): ");
    });
  });

  it("of several points is rejected with a remedy", async () => {
    await withSource(async (site, server) => {
      const era5 = fetchFrom(server);
      const place = { latitude: 55.4, longitude: 7.9, from: "2023-01", to: "2023-01" };
      const frame = await era5({ source: "cds", points: 4, ...place });
      const define = () => defineSourced(site, { climate: [{ frame, stamp: "instant" }] });
      assertStringIncludes(assertThrows(define, ArgumentError).message, "has 4 grid points");
    });
  });
});

describe("a site with climate from its source", () => {
  it("is imported with the data of era5(), and again without a request", async () => {
    await withSource(async (site, server, data) => {
      const era5 = fetchFrom(server);
      const first = await importSite(defineSourced(site), { data, era5 });
      assertEquals(first.unchanged, false);
      assertStringIncludes(first.text, "E1 (Vesterklit Rev 1 (SYNTHETIC)): ");
      assertStringIncludes(first.text, "era5: The Climate Data Store says: ");
      assertEquals(server.submitted.length, 1);
      assertEquals(server.submitted[0].inputs.location, { latitude: 55.5, longitude: 8 });
      const repeated = await importSite(defineSourced(site), { data, era5 });
      assertEquals([repeated.unchanged, server.submitted.length], [true, 1]);
    });
  });

  it("requests preliminary hours again, and is unchanged as long as their values are", async () => {
    await withSource(async (site, server, data) => {
      const climate = { source: "cds", from: "2023" } as const;
      const era5 = fetchFrom(server);
      const importAt = async (now: string, end: string) => {
        server.end = Date.parse(end);
        const { unchanged } = await withNow(
          now,
          () => importSite(defineSourced(site, { climate }), { data, era5 }),
        );
        return [unchanged, server.submitted.at(-1)!.inputs.date];
      };
      const statusOf = async (month: string) => {
        const path = buildPath("wind_indices", { turbine_id: "E1" });
        const csv = await withAsk(data, async (ask) => await (await ask(path)).text());
        return /final|preliminary/.exec(csv.split("\n").find((row) => row.startsWith(month))!)?.[0];
      };
      assertEquals(
        await importAt("2024-10-10T12:00Z", "2024-10-05T00:00Z"),
        [false, ["2023-01-01/2024-10-10"]],
      );
      assertEquals([await statusOf("2024,5,"), await statusOf("2024,6,")], [
        "final",
        "preliminary",
      ]);
      assertEquals(
        await importAt("2024-10-11T12:00Z", "2024-10-05T00:00Z"),
        [true, ["2024-06-01/2024-10-11"]],
      );
      assertEquals(
        await importAt("2024-11-10T12:00Z", "2024-11-05T00:00Z"),
        [false, ["2024-06-01/2024-11-10"]],
      );
      assertEquals([await statusOf("2024,6,"), await statusOf("2024,7,")], [
        "final",
        "preliminary",
      ]);
    });
  });

  it("may be one of several reanalyses, and is declared once", async () => {
    await withSource(async (site, server, data) => {
      const climate = { source: "cds", from: "2023", to: "2024" } as const;
      const dataset = { service_id: "era5", short_description: "ERA5" };
      const { climate: fileClimate } = toDefinition(site.declared, site.folder);
      const files = { climate: fileClimate, other_reanalyses: [{ dataset, climate }] };
      const { text } = await importSite(defineSourced(site, files), {
        data,
        era5: fetchFrom(server),
      });
      assertStringIncludes(text, "climate climate 17,569 h, 100.0 % complete; era5 17,544 h");
      assertThrows(
        () =>
          defineSourced(site, { climate, other_reanalyses: [{ dataset, climate: fileClimate }] }),
        ArgumentError,
        'other_reanalyses[0].dataset.service_id: "era5" is duplicated',
      );
      assertThrows(
        () => defineSourced(site, { turbines: [] }),
        ArgumentError,
        "turbines: is empty. Give at least one turbine, because climate is fetched for its place",
      );
    });
  });

  it("has the dataset and attribution of its source, also in the headers", async () => {
    await withSource(async (site, server, data) => {
      const era5 = fetchFrom(server);
      await importSite(defineSourced(site), { data, era5 });
      const frame = await era5({
        source: "cds",
        latitude: 55.6,
        longitude: 7.92,
        from: 2023,
        to: 2023,
      });
      const [{ attribution }] = provenance(frame);
      await withAsk(data, async (ask) => {
        const datasets = await (await ask(buildPath("datasets"))).json();
        assertEquals([datasets.length, datasets[0].service_id], [1, "era5"]);
        const index = await ask(buildPath("wind_indices", { turbine_id: "E1" }));
        const header = index.headers.get("vindkit-attribution")!;
        assertEquals(header.split(",").map(decodeURIComponent), attribution);
        await index.body!.cancel();
      });
    });
  });

  it("fetches the four points of a cell once for a farm, and of the next cell only new points", async () => {
    await withSource(async (site, server) => {
      const definition = (moved: number) => {
        const [turbine] = structuredClone(site.declared.turbines);
        site.declared.turbines = [0, 0.02, moved].map((east, i) => ({
          ...structuredClone(turbine),
          id: `E${i + 1}`,
          longitude: 7.92 + east,
        }));
        const climate = { source: "cds", points: 4, from: "2023-01", to: "2023-01" } as const;
        return defineSourced(site, { climate });
      };
      const inCell = await readSite(definition(0.04), { era5: fetchFrom(server) });
      assertEquals(
        inCell.reanalyses[0].climate.map(({ latitude, longitude }) => [latitude, longitude]),
        [[55.5, 7.75], [55.5, 8], [55.75, 7.75], [55.75, 8]],
      );
      assertEquals(server.submitted.map(({ inputs }) => inputs.area), [[55.75, 7.75, 55.5, 8]]);
      const beyond = await readSite(definition(0.2), { era5: fetchFrom(server) });
      assertEquals(beyond.reanalyses[0].climate.length, 6);
      assertEquals(server.submitted[1].inputs.area, [55.75, 8.25, 55.5, 8.25]);
    });
  });

  it("ends with the last hour common to all points, and says so", async () => {
    await withSource(async (site, server) => {
      const climate = { source: "cds", points: 4, from: "2024-01" } as const;
      const read = async (end: string) => {
        server.end = Date.parse(end);
        const era5 = fetchFrom(server);
        return await withNow(
          "2024-03-10T12:00Z",
          () => readSite(defineSourced(site, { climate }), { era5 }),
        );
      };
      await read("2024-03-05T00:00Z");
      site.declared.turbines[0].longitude = 8.1; // in the next cell, which shares two points with the first
      const { reanalyses: [{ climate: points }], sourceNotes } = await read("2024-03-06T00:00Z");
      assertEquals(points.map(({ axis }) => axis.length), [0, 1, 2, 3].map(() => 64 * 24));
      assert(
        sourceNotes?.includes(
          "era5: 24 hours at the end are left out, because not all grid points have them",
        ),
      );
    });
  });

  it("is not fetched if a file of the site is faulty", async () => {
    await withSource(async (site, server, data) => {
      await Deno.remove(site.path("production.csv"));
      await assertRejects(
        () => importSite(defineSourced(site), { data, era5: fetchFrom(server) }),
        ArgumentError,
        "production.csv is missing",
      );
      assertEquals(server.seen, []);
    });
  });

  it("gives each turbine its nearest point, if the farm needs several", async () => {
    await withSource(async (site, server, data) => {
      const [turbine] = site.declared.turbines;
      site.declared.turbines.push({ ...structuredClone(turbine), id: "E2", longitude: 7.8 });
      const era5 = fetchFrom(server);
      const { text } = await importSite(defineSourced(site), { data, era5 });
      assertEquals(
        server.submitted.map(({ inputs }) => inputs.location),
        [{ latitude: 55.5, longitude: 8 }, { latitude: 55.5, longitude: 7.75 }],
      );
      assertStringIncludes(text, "E2 (Vesterklit Rev 1 (SYNTHETIC)): ");
    });
  });

  it("stores nothing if a fetch fails, and passes on the error of era5()", async () => {
    await withSource(async (site, server, data) => {
      server.licenceAccepted = false;
      const error = await assertRejects(() =>
        importSite(defineSourced(site), { data: `${data}/new`, era5: fetchFrom(server) })
      );
      assertStringIncludes((error as Error).message, "licence");
      assertEquals([...Deno.readDirSync(data)], []);
    });
  });

  it("states a remedy without network and cache", async () => {
    await withSource(async (site, server, data) => {
      const { hostname, port } = closedAddress();
      const url = `http://${hostname}:${port}/api`;
      await assertRejects(
        () => importSite(defineSourced(site), { data, era5: fetchFrom({ ...server, url }) }),
        NetworkError,
        "Check the address and the network",
      );
      await assertRejects(
        () => importSite(defineSourced(site), { data, era5: fetchFrom(server, { cache: "only" }) }),
        NotCachedError,
        'Run the same call once with { cache: "use" }',
      );
    });
  });

  it("reports that importSite() needs era5, and sends no request without it", async () => {
    await withSource(async (site, server, data) => {
      await assertRejects(
        () => importSite(defineSourced(site), { data }),
        ArgumentError,
        'Cannot import the site example: its climate comes from "cds", but importSite() has no function ' +
          "to fetch it. Give importSite() the function era5 of @vindkit/vindkit: { data, era5 }",
      );
      assertEquals(server.seen, []);
    });
  });

  it("is saved with its source, without data", async () => {
    await withSource(async (site, server, data) => {
      const path = `${data}/saved/site.json`;
      await saveSite(defineSourced(site), path);
      const { climate } = JSON.parse(await Deno.readTextFile(path));
      assertEquals(climate, { source: "cds", from: "2023", to: "2024" });
      assertEquals([...Deno.readDirSync(`${data}/saved`)].map(({ name }) => name), ["site.json"]);
      const era5 = fetchFrom(server);
      await importSite(defineSourced(site), { data, era5 });
      const { text } = await importSite(await readSiteFile(path), { data, era5 });
      assert(!text.includes("other values"), text);
      assertEquals(countRoute(server, "submit"), 1);
    });
  });
});
