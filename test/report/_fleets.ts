/**
 * Fleets for tests that read reports back: the sample, and two real sites, whose data are not part of the project.
 *
 * @module
 */
import { connect, type Connection, type DataFrame, readProduction, turbines } from "../../mod.ts";
import { type FleetReport, makeFleetReport } from "../../src/report/mod.ts";
import { readSampleProduction } from "../../src/service/mod.ts";
import { readSiteFile } from "../../src/sites/declaration/site.ts";
import { importSite } from "../../src/sites/import_site.ts";
import { readSiteProduction } from "../../src/sites/production/site_production.ts";

const generatedAt = "2026-01-05T10:00:00Z";

/** Makes a report on all turbines of a connection. */
async function reportOn(
  connection: Connection,
  month: string,
  production: ReadonlyMap<string, DataFrame | string>,
): Promise<FleetReport> {
  const ids = (await turbines({ connection })).getColumn("turbine_id").toArray() as string[];
  return await makeFleetReport(ids, { connection, month, production, generatedAt });
}

/** The sample in March 2024, when one of its turbines was stopped for seven days. */
export async function reportOnSample(): Promise<FleetReport> {
  await using connection = connect({ sample: true });
  return await reportOn(connection, "2024-03", readSampleProduction());
}

/** The turbines of the sample with production, without the park of twenty, so their sum is known. */
export async function reportOnMeasured(): Promise<FleetReport> {
  await using connection = connect({ sample: true });
  const production = readSampleProduction();
  const ids = [...production].filter(([, frame]) => !frame.columns.includes("year"));
  return await makeFleetReport([...ids.map(([id]) => id), "T8"], {
    ...{ connection, month: "2024-03", production, generatedAt },
  });
}

/** A real site, imported into a new data directory. */
async function reportOnSite(
  name: "kelmarsh" | "horns_rev",
  month: string,
  production?: ReadonlyMap<string, DataFrame>,
): Promise<FleetReport> {
  const site = await readSiteFile(new URL(`../sites/${name}.json`, import.meta.url).pathname);
  const data = await Deno.makeTempDir();
  try {
    await importSite(site, { data });
    await using connection = connect({ data });
    const stored = (await readSiteProduction(site)).map(({ turbineId, frame }) =>
      [turbineId, frame] as const
    );
    return await reportOn(connection, month, production ?? new Map(stored));
  } finally {
    await Deno.remove(data, { recursive: true });
  }
}

/** Kelmarsh in October 2018, with production in 69.7 % of the hours. */
export const reportOnKelmarsh = (): Promise<FleetReport> => reportOnSite("kelmarsh", "2018-10");

/** Horns Rev 1 in December 2006, with annual production. */
export const reportOnYears = (): Promise<FleetReport> => reportOnSite("horns_rev", "2006-12");

/** The same with the monthly production of later years, for which there is no climate here. */
export async function reportOnLaterMonths(): Promise<FleetReport> {
  const file = new URL(
    "../../../shared/data/horns_rev/monthly_production_2015_2020.csv",
    import.meta.url,
  );
  const months = { column: "energy_mwh", time: "month", resolution: "month", unit: "MWh" } as const;
  const production = new Map([["HR1", await readProduction(file, months)]]);
  return await reportOnSite("horns_rev", "2006-12", production);
}
