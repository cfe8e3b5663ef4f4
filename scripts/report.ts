/** Writes one offline HTML page on a fleet: `deno task report --month 2025-12`. */
import {
  actualAgainstPredicted,
  type Connection,
  exampleFile,
  modelData,
  monthlyIndices,
  provenance,
  turbineDetails,
  turbines,
} from "@vindkit/vindkit";
import { reportPage, type TurbineReport } from "@vindkit/vindkit/report";
import { readSiteProduction, type SiteProduction } from "@vindkit/vindkit/service";
import { callerPath, command } from "./_command.ts";
import { CONNECTION_HELP, connectionOf, connectionOptions } from "./_connection.ts";

const HELP = `Writes one offline HTML page with the indices and charts of your turbines.

deno task report [--month 2025-12] [--turbines T1,T2] [--production SITE.json] [--out FILE]

  --month MONTH       month of the report (default: the last one with figures)
  --turbines IDS      identifiers, separated by commas (default: all of the licence)
  --production FILE   site file that names production files, as for deno task import
  --out FILE          where to (default: out/report.html)
${CONNECTION_HELP}`;

const options = {
  ...connectionOptions,
  month: { type: "string" },
  turbines: { type: "string" },
  production: { type: "string" },
  out: { type: "string" },
} as const;

const HISTORY_MONTHS = 24;

async function reportOn(
  id: string,
  production: SiteProduction | undefined,
  month: string | undefined,
  connection: Connection,
): Promise<TurbineReport | undefined> {
  const details = await turbineDetails(id, { connection });
  if (!details.data_ready) return undefined;
  const to = month ??
    (details.last_wind_index
      ? Temporal.PlainYearMonth.from(details.last_wind_index).toString()
      : undefined);
  if (to === undefined) throw new Error(`Cannot report on ${id}: it has no index yet`);
  const from = Temporal.PlainYearMonth.from(to).subtract({ months: HISTORY_MONTHS - 1 }).toString();
  const indices = await monthlyIndices(id, { from, to, connection });
  if (!production) return { details, indices };
  const predicted = production.frame.columns.includes("power")
    ? await modelData(id, { connection })
    : await monthlyIndices(id, { connection });
  return { details, indices, comparison: actualAgainstPredicted(production.frame, predicted) };
}

/** Production by turbine: of the site file named, else of the sample's own files. */
async function productionOf(path: string | undefined, sample: boolean): Promise<SiteProduction[]> {
  if (path) return await readSiteProduction(callerPath(path));
  if (!sample) return [];
  const [example] = await readSiteProduction(await exampleFile("site.json"));
  return [{ ...example, turbineId: "T1" }]; // the example site declares T1 under a name of its own
}

await command(HELP, options, 0, async (given) => {
  const { text, flag } = given;
  await using connection = await connectionOf(given);
  const month = text("month");
  const production = await productionOf(text("production"), flag("sample"));
  const ids = text("turbines")?.split(",") ??
    (await turbines({ connection })).getColumn("turbine_id").toArray().map(String);
  const reports: TurbineReport[] = [];
  for (const id of ids) {
    const own = production.find(({ turbineId }) => turbineId === id);
    const report = await reportOn(id, own, month, connection);
    if (report) reports.push(report);
    else console.log(`${id} is left out: it is not data_ready`);
  }
  if (reports.length === 0) throw new Error("Cannot report: no turbine is data_ready");
  const origin = provenance(reports[0].indices)!;
  const page = await reportPage(reports, {
    title: "Wind index report",
    world: origin.world,
    attribution: origin.attribution,
    ...(month ? { month } : {}),
  });
  const out = callerPath(text("out") ?? "out/report.html");
  const folder = out.includes("/") ? out.slice(0, out.lastIndexOf("/")) : ".";
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(out, page);
  console.log(`${out}: ${reports.length} turbines, ${(page.length / 1000).toFixed(0)} kB`);
});
