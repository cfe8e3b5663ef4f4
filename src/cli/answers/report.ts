import { callerPath, readFormed, readMonth } from "../command/arguments.ts";
import { type Arguments, type Command, PROGRAM } from "../command/command.ts";
import {
  connectionOptions,
  openConnection,
  readTurbineIds,
  turbinesOption,
} from "../command/connection.ts";
import { proveSite } from "./prove.ts";
import {
  findPrice,
  findShare,
  ownerOptions,
  priceOption,
  type Productions,
  readProductions,
  readStoredProductions,
  readTurbines,
} from "./stored_production.ts";
import {
  type FleetReport,
  makeFleetReport,
  type MakeFleetReportOptions,
  savePdf,
  saveReport,
  saveWorkbook,
} from "../../report/mod.ts";
import { formatCount, listNames } from "../../show/text/numbers.ts";
import { readSampleProduction } from "../../service/mod.ts";
import { sitesOf } from "../../sites/mod.ts";
import { openStorage } from "../../storage/mod.ts";

/** Makes and writes the monthly report of turbines, and prints its path and the turbines left out. */
export async function writeReport(
  ids: readonly string[],
  findFolder: (month: string) => string,
  options: MakeFleetReportOptions,
): Promise<{ readonly report: FleetReport; readonly folder: string }> {
  const notes: string[] = []; // printed once the progress line is gone
  const report = await makeFleetReport(ids, {
    ...options,
    onTurbine(turbine) {
      if ("reason" in turbine) {
        notes.push(`${turbine.turbineId} has no page: ${turbine.reason}`);
      } else if (turbine.noComparison !== undefined) {
        const { turbine_id } = turbine.details;
        notes.push(`The report has no production of ${turbine_id}: ${turbine.noComparison}`);
      }
    },
  }).finally(() => { // also after a failure, because the notes explain it
    for (const note of notes) console.log(note);
  });
  const { turbines, unusedProduction, unusedAnswers } = report;
  for (
    const [what, unused] of Object.entries({ Production: unusedProduction, Proof: unusedAnswers })
  ) {
    if (unused.length === 0) continue;
    console.log(
      `${what} of ${listNames(unused)} is not used, because the report does not have this turbine`,
    );
  }
  const folder = findFolder(report.month);
  const { signal } = options;
  const { files, bytes } = await saveReport(report, folder, { signal });
  console.log(
    `${folder}/index.html: ${turbines.length} of ${formatCount(ids.length, "turbine")}, ${
      formatCount(files, "file")
    }, ${(bytes / 1e6).toFixed(1)} MB`,
  );
  return { report, folder };
}

/** Production by turbine, from the site file in the options, else from the sites of the data directory or from the sample. */
export async function findProductions({ text, flag }: Arguments): Promise<Productions> {
  const [path, data] = ["production", "data"].map(text);
  if (path !== undefined) return await readProductions(callerPath(path));
  if (data) {
    await using storage = await openStorage(callerPath(data));
    const sites = sitesOf(storage.store);
    return await readStoredProductions(sites, await readTurbines(sites));
  }
  return flag("sample") ? readSampleProduction() : new Map();
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** Writes the monthly report of a fleet, and lists the turbines left out. */
export const report: Command = {
  forms: ["[OPTIONS]"],
  options: {
    month: {
      value: "MONTH",
      about:
        "month of the report (default: the last month with production; without production, the last month with figures)",
    },
    turbines: turbinesOption,
    production: {
      value: "SITE.json",
      about:
        `site file that names production files, as for ${PROGRAM} import (default with --data: the imported site files)`,
    },
    prove: {
      value: "SITE.json",
      about:
        "site file; adds a section to each turbine page that proves its index, as the prove command does",
    },
    price: priceOption,
    ...ownerOptions,
    fleet: { value: "NAME", about: "name of the fleet, shown below the title" },
    "made-at": {
      value: "INSTANT",
      about:
        "creation time shown in the files, such as 2026-01-05T10:00:00Z (default: now; with --lock, when the figures " +
        "were fetched, so the same lock produces the same files)",
    },
    to: { value: "DIR", about: "folder for the report (default: out/report_MONTH)" },
    xlsx: { about: "also writes report.xlsx, a workbook with a sheet for each turbine" },
    pdf: {
      about: "also prints report.pdf on A4, using Chromium, Chrome or Edge on this machine",
    },
    letter: { about: "prints report.pdf on Letter" },
    ...connectionOptions,
  },
  example: "--sample --month 2025-12",
  notes: [
    "Writes a page for the fleet and one for each turbine. The pages need no network and print on A4. Open index.html in the folder.",
  ],
  resume:
    "All files written so far are complete; index.html comes last. Run the same command to write all of them again.",
  async run(args) {
    const { text, flag, signal } = args;
    const month = readMonth(text);
    const generatedAt = readFormed(
      text,
      "made-at",
      INSTANT,
      "an instant such as 2026-01-05T10:00:00Z",
    );
    await using connection = await openConnection(args);
    const ids = await readTurbineIds(text("turbines"), { connection, signal });
    const allProduction = await findProductions(args);
    // list unused production only if the user named the file
    const production = text("production") !== undefined
      ? allProduction
      : new Map([...allProduction].filter(([id]) => ids.includes(id)));
    const [to, site] = ["to", "prove"].map(text);
    const proofs = site ? await proveSite(site, { signal }) : [];
    const { report, folder } = await writeReport(
      ids,
      (month) => callerPath(to ?? `out/report_${month}`),
      {
        month,
        fleet: text("fleet"),
        generatedAt,
        production,
        share: await findShare(args),
        ...await findPrice(args),
        answers: new Map([...proofs].map(([id, proof]) => [id, [proof]])),
        connection,
        signal,
      },
    );
    const paper = flag("letter") ? "Letter" : "A4";
    if (flag("xlsx")) await saveWorkbook(report, `${folder}/report.xlsx`, { signal });
    if (flag("letter") || flag("pdf")) {
      await savePdf(report, `${folder}/report.pdf`, { paper, signal });
    }
  },
};
