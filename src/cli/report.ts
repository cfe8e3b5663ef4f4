import type { DataFrame } from "nodejs-polars";
import { exampleFile } from "../../mod.ts";
import { readSiteFile, readSiteProduction } from "../sites/mod.ts";
import { openStorage } from "../storage/mod.ts";
import { callerPath } from "./caller_path.ts";
import { type Arguments, type Command, MisuseError } from "./command.ts";
import { connectionOptions, openConnection } from "./connection.ts";
import { PROGRAM } from "./project.ts";
import { readMonth } from "./read_month.ts";
import { readProductions, readStoredProductions, readTurbines } from "./stored_production.ts";
import { readTurbineIds, turbinesOption } from "./turbine_ids.ts";
import { writeReport } from "./write_report.ts";

/** Production by turbine: of the site file named, else of the sites of the data directory or the sample's own files. */
async function findProductions(
  { text, flag }: Arguments,
): Promise<Map<string, DataFrame | string>> {
  const [path, data] = ["production", "data"].map(text);
  if (path !== undefined) return await readProductions([callerPath(path)]);
  if (data) {
    await using storage = await openStorage(callerPath(data));
    const { sites } = storage.store;
    return await readStoredProductions(sites, await readTurbines(sites));
  }
  if (!flag("sample")) return new Map();
  const [{ frame }] = await readSiteProduction(await readSiteFile(await exampleFile("site.json")));
  return new Map([["T1", frame]]); // the example site declares T1 under a name of its own
}

function readInstant(text: string): string {
  try {
    return Temporal.Instant.from(text).toString();
  } catch {
    throw new MisuseError(
      `Cannot read "${text}" in --made-at: give an instant such as 2026-01-05T10:00:00Z`,
    );
  }
}

/** Writes the monthly report of a fleet, and reports what is left out. */
export const report: Command = {
  forms: ["[OPTIONS]"],
  options: {
    month: {
      value: "MONTH",
      about: "month of the report (default: the last one that any turbine has)",
    },
    turbines: turbinesOption,
    production: {
      value: "SITE.json",
      about:
        `site file that names production files, as for ${PROGRAM} import (default with --data: those ` +
        "that were imported)",
    },
    fleet: { value: "NAME", about: "name of the fleet, below the title" },
    "made-at": {
      value: "INSTANT",
      about:
        "time of making that the files state, such as 2026-01-05T10:00:00Z (default: now; with --lock when the figures " +
        "were fetched, so that the same lock makes the same files)",
    },
    to: { value: "DIR", about: "folder of the report (default: out/report_MONTH)" },
    ...connectionOptions,
  },
  example: "--sample --month 2025-12",
  notes: [
    "A page for the fleet and one for each turbine, without network; HTML prints on A4. Open index.html in the folder.",
  ],
  rest: 0,
  resume:
    "Files that are written are complete, index.html comes last: the same command writes all of them again.",
  async run(given) {
    const { text, signal } = given;
    const [month, fleet] = ["month", "fleet"].map(text);
    if (month !== undefined) readMonth(month, "--month");
    const madeAt = text("made-at");
    const generatedAt = madeAt === undefined ? undefined : readInstant(madeAt);
    await using connection = await openConnection(given);
    const ids = await readTurbineIds(text("turbines"), { connection, signal });
    const to = text("to");
    await writeReport(ids, (month) => callerPath(to ?? `out/report_${month}`), {
      month,
      ...(fleet ? { fleet } : {}),
      generatedAt,
      production: await findProductions(given),
      connection,
      signal,
    });
  },
};
