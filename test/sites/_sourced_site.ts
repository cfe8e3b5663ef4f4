/**
 * The small site with climate from a source: a fake Climate Data Store that serves the SYNTHETIC climate of the example
 * files at all grid points.
 *
 * @module
 */
import { type Era5Options, getEra5 } from "../../src/era5/era5.ts";
import { defineSite } from "../../src/sites/declaration/define_site.ts";
import type { Site } from "../../src/sites/declaration/site.ts";
import type { SiteDefinition } from "../../src/sites/declaration/site_definition.ts";
import type { FetchEra5 } from "../../src/sites/climate/fetch_reanalyses.ts";
import { AT_ONCE, environmentOf } from "../era5/_cds_call.ts";
import { CDS_KEY, type CdsServer, withCds } from "../era5/_cds_server.ts";
import type { ValueOf } from "../era5/_era5_data.ts";
import { toDefinition } from "./declaration/_definition.ts";
import { type TestSite, withSite } from "./_site.ts";

/** Reads the climate of the example files by instant, in the variables and units of ERA5. */
export async function readExample(site: TestSite): Promise<ValueOf> {
  const [header, ...rows] = (await Deno.readTextFile(site.path("climate.csv"))).trim().split("\n");
  const names = header.split(",");
  const hours = new Map(rows.map((row) => {
    const [stamp, ...cells] = row.split(",");
    return [Date.parse(stamp), cells.map(Number)] as const;
  }));
  const [first] = hours.values();
  return (name, latitude, longitude, at) => {
    const values = hours.get(at) ?? first;
    const of = (column: string) => values[names.indexOf(column) - 1];
    if (name === "t2m") return Math.fround(of("temperature") + 273.15);
    if (name === "sp") return Math.fround(of("pressure"));
    const height = name.slice(1);
    const radians = of(`wind_direction_${height}`) * Math.PI / 180;
    const near = 1 - Math.abs(latitude - 55.5) / 10 - Math.abs(longitude - 8) / 10;
    const speed = near * of(`wind_speed_${height}`);
    return Math.fround(-speed * (name.startsWith("u") ? Math.sin(radians) : Math.cos(radians)));
  };
}

/** Returns an `era5()` that uses a fake server, without pauses between status checks. */
export function fetchFrom(
  { url, connection }: Pick<CdsServer, "url" | "connection">,
  more: Partial<Era5Options> = {},
): FetchEra5 {
  const environment = environmentOf({ CDSAPI_URL: url, CDSAPI_KEY: CDS_KEY });
  return async (options) =>
    await getEra5({ ...options, connection, ...more }, environment, AT_ONCE);
}

/** Defines the small site with climate from a source. */
export function defineSourced(site: TestSite, changes: Partial<SiteDefinition> = {}): Site {
  const { dataset: _, ...definition } = toDefinition(site.declared, site.folder);
  const climate = { source: "cds", from: "2023", to: "2024" } as const;
  return defineSite({ ...definition, climate, ...changes });
}

/** Runs a test with the small site, a fake server for its climate, and an empty data directory. */
export async function withSource(
  body: (site: TestSite, server: CdsServer, data: string) => Promise<void>,
): Promise<void> {
  await withSite(async (site, data) => {
    await withCds(async (server) => {
      server.limit = Infinity;
      server.valueOf = await readExample(site);
      await body(site, server, data);
    });
  });
}
