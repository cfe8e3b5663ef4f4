/** Writes the monthly report of a fleet as HTML, Markdown and JSON: `deno task report --month 2025-12`. */
import {
  ArgumentError,
  compareActual,
  type Connection,
  exampleFile,
  modelData,
  monthlyIndices,
  type TurbineDetails,
  turbineDetails,
  VindkitError,
} from "@vindkit/vindkit";
import {
  fleetReport,
  saveReport,
  type TurbineReport,
  type TurbineWithoutData,
} from "@vindkit/vindkit/report";
import { readSiteProduction, type SiteProduction } from "@vindkit/vindkit/service";
import type { DataFrame } from "nodejs-polars";
import { callerPath, command } from "./_command.ts";
import { CONNECTION_HELP, connectionOf, connectionOptions } from "./_connection.ts";
import { monthOf } from "./_months.ts";
import { turbineIdsOf } from "./_turbines.ts";

const HELP =
  `Writes the monthly report of your turbines: a page for the fleet and one for each turbine, without
network, as HTML (prints on A4), Markdown and JSON. Open index.html in the folder.

deno task report [--month 2025-12] [--turbines T1,T2] [--production SITE.json] [--to DIR]

  --month MONTH       month of the report (default: the last one that any turbine has)
  --turbines IDS      identifiers, separated by commas (default: all of the licence)
  --production FILE   site file that names production files, as for deno task import
  --fleet NAME        name of the fleet, below the title
  --to DIR            folder of the report (default: out/report_MONTH)
${CONNECTION_HELP}`;

const options = {
  ...connectionOptions,
  month: { type: "string" },
  turbines: { type: "string" },
  production: { type: "string" },
  fleet: { type: "string" },
  to: { type: "string" },
} as const;

/** Months of history that a report shows. */
const HISTORY_MONTHS = 24;

/** Turbines that are asked for before their turn comes. */
const AHEAD = 16;

type Details = TurbineDetails | TurbineWithoutData;

/** Results in the order of the items, some of them asked for ahead. */
async function* ahead<T, R>(items: readonly T[], ask: (item: T) => Promise<R>): AsyncGenerator<R> {
  const under: Promise<R>[] = [];
  for (const item of items) {
    const asked = ask(item);
    asked.catch(() => {}); // told when its turn comes
    under.push(asked);
    if (under.length >= AHEAD) yield await under.shift()!;
  }
  while (under.length > 0) yield await under.shift()!;
}

/** Details of a turbine, or why there are none: one that fails leaves the others their report. */
async function detailsOf(id: string, connection: Connection): Promise<Details> {
  try {
    return await turbineDetails(id, { connection });
  } catch (error) {
    if (!(error instanceof VindkitError)) throw error;
    return { turbineId: id, reason: error.message };
  }
}

/** A report without a turbine would say nothing, and might take the place of one that does. */
function assertSomeDetails(all: readonly Details[]): void {
  const [first] = all;
  if (first && all.every((details) => "reason" in details)) {
    throw new Error(
      `Cannot report: no turbine has details. ${(first as TurbineWithoutData).reason}`,
    );
  }
}

/** The last month that any turbine has. */
function lastMonth(all: readonly Details[]): string {
  const months = all.flatMap((details) =>
    "reason" in details || !details.last_wind_index
      ? []
      : [Temporal.PlainYearMonth.from(details.last_wind_index as { year: number; month: number })]
  );
  if (months.length === 0) throw new Error("Cannot report: no turbine has an index yet");
  return months.sort(Temporal.PlainYearMonth.compare)[months.length - 1].toString();
}

async function reportOn(
  details: Details,
  production: SiteProduction | undefined,
  month: string,
  connection: Connection,
): Promise<TurbineReport | TurbineWithoutData> {
  if ("reason" in details) return details as TurbineWithoutData;
  const id = details.turbine_id;
  if (!details.data_ready) {
    return { turbineId: id, details, reason: "the service says that its data are not ready" };
  }
  const last = Temporal.PlainYearMonth.from(month);
  const from = last.subtract({ months: HISTORY_MONTHS - 1 });
  try {
    const indices = await monthlyIndices(id, { from, to: last, connection });
    if (!production) return { details, indices };
    const predicted = production.frame.columns.includes("power")
      ? await modelData(id, { from, to: last, connection })
      : indices;
    return { details, indices, ...compared(id, production, predicted) };
  } catch (error) {
    if (!(error instanceof VindkitError)) throw error;
    return { turbineId: id, details, reason: error.message };
  }
}

/** Production against prediction; none where they have no month in common, which costs a turbine no page. */
function compared(
  id: string,
  { frame }: SiteProduction,
  predicted: DataFrame,
): Pick<TurbineReport, "comparison" | "noComparison"> {
  try {
    return { comparison: compareActual(frame, predicted) };
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    console.log(`${id} is reported without its production: ${error.message}`);
    return { noComparison: error.message };
  }
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
  const asked = text("month");
  if (asked !== undefined) monthOf(asked, "--month");
  await using connection = await connectionOf(given);
  const production = new Map(
    (await productionOf(text("production"), flag("sample"))).map((one) => [one.turbineId, one]),
  );
  const ids = await turbineIdsOf(text("turbines"), connection);
  const all = await Array.fromAsync(ahead(ids, (id) => detailsOf(id, connection)));
  assertSomeDetails(all);
  const month = asked ?? lastMonth(all);
  const reports = ahead(all, (details) => {
    const id = "reason" in details ? "" : details.turbine_id;
    return reportOn(details, production.get(id), month, connection);
  });
  const unknown = [...production.keys()].filter((id) => !ids.includes(id));
  if (text("production") && unknown.length > 0) {
    console.log(`Production of ${unknown.join(", ")} is left out: no such turbine is reported on`);
  }
  const left: TurbineWithoutData[] = [];
  async function* told() {
    for await (const report of reports) {
      if ("reason" in report) {
        left.push(report);
        console.log(`${report.turbineId} gets no page: ${report.reason}`);
      }
      yield report;
    }
  }
  const folder = callerPath(text("to") ?? `out/report_${month}`);
  const fleet = text("fleet");
  const report = fleetReport(told(), {
    month,
    ...(fleet ? { fleet } : {}),
    world: connection.target,
  });
  const saved = await saveReport(report, folder);
  const size = (saved.bytes / 1e6).toFixed(1);
  console.log(
    `${folder}/index.html: ${
      ids.length - left.length
    } of ${ids.length} turbines, ${saved.files} files, ${size} MB`,
  );
});
