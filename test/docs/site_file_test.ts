/** The complete site files of docs/site-file.md and docs/site-file-fields.md are imported as they are printed. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { importSite } from "../../src/sites/import_site.ts";
import { siteFileSchema } from "../../src/sites/declaration/site_file.ts";
import { readSiteFile } from "../../src/sites/declaration/site.ts";
import { readSiteProduction } from "../../src/sites/production/site_production.ts";
import { makeSite, type TestSite, wholeExample } from "../sites/_site.ts";
import { fetchFrom, readExample } from "../sites/_sourced_site.ts";
import { withNow } from "../era5/_cds_call.ts";
import { withCds } from "../era5/_cds_server.ts";

const docs = new URL("../../docs/", import.meta.url);

/** The site file of a name, as the pages print it. */
async function printed(name: string): Promise<string> {
  const pages = await Promise.all(
    ["site-file.md", "site-file-fields.md"].map((page) => Deno.readTextFile(new URL(page, docs))),
  );
  return [...pages.join("").matchAll(/```json\n(\{\n {2}"site": [^`]*)```/g)].map(([, text]) =>
    text
  )
    .find((text) => JSON.parse(text).site === name)!;
}

/** Hourly production in UTC as a German export of local time: three turbines below each other, stamps at the end. */
function exportGerman(csv: string): string {
  const power = new Intl.NumberFormat("de-DE", { minimumFractionDigits: 1 });
  const rows = csv.trimEnd().split("\n").slice(1).flatMap((row) => {
    const [stamp, value] = row.split(",");
    const end = Temporal.Instant.from(stamp).add({ hours: 1 }).toZonedDateTimeISO("Europe/Berlin");
    const two = (part: number) => String(part).padStart(2, "0");
    const time = `${two(end.day)}.${two(end.month)}.${end.year} ${two(end.hour)}:00`;
    const text = value === "" ? "" : power.format(Number(value));
    return [1, 2, 3].map((id) => `${time};WEA ${id};${text}`);
  });
  return ["Zeitstempel;Anlage;Leistung [kW]", ...rows, ""].join("\n");
}

describe("docs/site-file.md", () => {
  let site: TestSite;
  beforeEach(async () => void (site = await makeSite()));
  afterEach(async () => await Deno.remove(site.folder, { recursive: true }));

  it("V13: has a complete site file that is imported", async () => {
    await Deno.writeTextFile(site.path("site.json"), await printed("example"));
    const { text } = await importSite(await readSiteFile(site.path("site.json")), {
      data: site.path("data"),
    });
    assertStringIncludes(text, "E1 (Example 1): ");
  });

  it("V13: has one of turbines below each other, declared once, that reads each turbine's own rows", async () => {
    const production = await Deno.readTextFile(site.path("production.csv"));
    await Deno.writeTextFile(site.path("leistung.csv"), exportGerman(production));
    await Deno.writeTextFile(site.path("site.json"), await printed("nordfeld"));
    const declared = await readSiteFile(site.path("site.json"));
    const { text } = await importSite(declared, { data: site.path("data") });
    for (const id of ["WEA1", "WEA2", "WEA3"]) assertStringIncludes(text, `${id} (Nordfeld `);
    const expected = production.trimEnd().split("\n").slice(1).map((row) =>
      Number(row.split(",")[1])
    );
    for (const { frame } of await readSiteProduction(declared)) {
      const power = frame.getColumn("power").toArray() as (number | null)[];
      assertEquals(power.map((value) => value ?? 0), expected);
    }
  });

  it("has one with climate from its source, here a stand-in, that is imported", async () => {
    const { "climate.csv": climate } = await wholeExample();
    await Deno.writeTextFile(site.path("climate.csv"), climate);
    await Deno.writeTextFile(site.path("site.json"), await printed("westmoor"));
    await withCds(async (server) => {
      server.limit = Infinity;
      server.end = Date.UTC(2025, 0, 1);
      server.valueOf = await readExample(site);
      const declared = await readSiteFile(site.path("site.json"));
      const options = { data: site.path("data"), era5: fetchFrom(server) };
      const { text } = await withNow(
        "2025-01-04T12:00Z",
        () => importSite(declared, options),
      );
      assertStringIncludes(text, "climate era5 175,320 h, 100.0 % complete");
    });
  });

  it("has the schema of site files beside it", async () => {
    assertEquals(await Deno.readTextFile(new URL("site-file.schema.json", docs)), siteFileSchema());
  });

  it("has a schema in which a production file with a preset needs no other field", () => {
    const text = siteFileSchema();
    const { items } = JSON.parse(text).properties.production;
    assertEquals(items.required, ["file"]);
    assertEquals(items.anyOf, [
      { required: ["preset"] },
      { required: ["column", "time", "resolution", "unit"] },
    ]);
    assert(!text.includes("readOnly"), "editors do not let users write fields that are readOnly");
  });
});
