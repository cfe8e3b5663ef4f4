/** Writes one offline HTML page on a fleet: `deno task report --month 2025-12`. */
import { parseArgs } from "node:util";
import {
  actualAgainstPredicted,
  connect,
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

const HELP = `Writes one offline HTML page with the indices and charts of your turbines.

deno task report [--month 2025-12] [--turbines T1,T2] [--production SITE.json] [--out FILE]

  --month MONTH       month of the report (default: the last one with figures)
  --turbines IDS      identifiers, separated by commas (default: all of the licence)
  --production FILE   site file that names production files, as for deno task import
  --out FILE          where to (default: out/report.html)
  --data DIR          your data directory, instead of VINDKIT_URL and VINDKIT_KEY
  --sample            the SYNTHETIC sample; never used without this word`;

const { values } = parseArgs({
  args: Deno.args,
  options: {
    month: { type: "string" },
    turbines: { type: "string" },
    production: { type: "string" },
    out: { type: "string", default: "out/report.html" },
    data: { type: "string" },
    sample: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

const HISTORY_MONTHS = 24;

async function reportOn(
  id: string,
  production: SiteProduction | undefined,
  connection: Connection,
): Promise<TurbineReport> {
  const details = await turbineDetails(id, { connection });
  const to = values.month ??
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

async function run(): Promise<void> {
  const connection = connect(
    values.sample ? { sample: true } : values.data ? { data: values.data } : {},
  );
  if (connection.target === "sample" && !values.sample) {
    throw new Error(
      "Cannot report: neither VINDKIT_URL nor a data directory is set. Set one, or say --sample for a page of invented figures",
    );
  }
  const site = values.production ?? (values.sample ? await exampleFile("site.json") : undefined);
  const production = site ? await readSiteProduction(site) : [];
  if (values.sample && !values.production) {
    // The example site declares T1 of the sample under a name of its own.
    production.push({ turbineId: "T1", frame: production[0].frame });
  }
  const all = await turbines({ connection });
  const ids = values.turbines?.split(",") ??
    all.getColumn("turbine_id").toArray().map(String);
  const reports: TurbineReport[] = [];
  for (const id of ids) {
    const details = await turbineDetails(id, { connection });
    if (!details.data_ready) {
      console.log(`${id} is left out: it is not data_ready`);
      continue;
    }
    const own = production.find(({ turbineId }) => turbineId === id);
    reports.push(await reportOn(id, own, connection));
  }
  if (reports.length === 0) throw new Error("Cannot report: no turbine is data_ready");
  const origin = provenance(reports[0].indices)!;
  const page = await reportPage(reports, {
    title: "Wind index report",
    world: origin.world,
    attribution: origin.attribution,
    ...(values.month ? { month: values.month } : {}),
  });
  const folder = values.out.includes("/") ? values.out.slice(0, values.out.lastIndexOf("/")) : ".";
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(values.out, page);
  console.log(`${values.out}: ${reports.length} turbines, ${(page.length / 1000).toFixed(0)} kB`);
  await connection.close();
}

if (values.help) {
  console.log(HELP);
  Deno.exit(0);
}
try {
  await run();
} catch (error) {
  console.error((error as Error).message);
  Deno.exit(1);
}
