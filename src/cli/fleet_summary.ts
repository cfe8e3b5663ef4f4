import {
  type CallOptions,
  failures,
  monthlyIndices,
  NoDataError,
  plotFleetIndices,
  saveFrame,
  selectPeriod,
  summarizeFleet,
  turbineDetails,
} from "../../mod.ts";
import { answerReport } from "../report/mod.ts";
import type { DataFrame } from "nodejs-polars";
import { readMonth, writeFiles } from "./arguments.ts";
import { findShare, ownerOptions } from "./stored_production.ts";
import { readTurbineIds, turbinesOption } from "./turbine_ids.ts";
import type { Command } from "./command.ts";
import { connectionOptions, openConnection } from "./connection.ts";

/** Months before the one of the summary that the chart shows. */
const HISTORY = 35;

/** Indices of all turbines that have some. Any other failure ends the run, so that no turbine is missing silently. */
async function loadIndices(ids: readonly string[], call: CallOptions): Promise<DataFrame> {
  const indices = await monthlyIndices([...ids], { onFailure: "collect", ...call });
  const failed = failures(indices);
  const worse = failed.find(({ error }) => !(error instanceof NoDataError));
  if (worse) throw worse.error;
  if (indices.height === 0) throw failed[0].error;
  return indices;
}

/** Which turbines are not in the summary, and why. */
function listLeftOut(
  ids: readonly string[],
  { month, frames: { turbines }, withoutFigures }: ReturnType<typeof summarizeFleet>,
): string[] {
  const present = turbines.getColumn("turbine_id").toArray();
  return ids.filter((id) => !present.includes(id)).map((id) =>
    `${id} is left out: it has no ${
      withoutFigures.includes(id) ? `figures of ${month}` : "indices"
    }`
  );
}

/** The month of a fleet in three files. What it takes from `../../mod.ts` is what a script of your own needs. */
export const fleetSummary: Command = {
  forms: ["[OPTIONS]"],
  options: {
    month: {
      value: "MONTH",
      about: "month of the summary (default: the last one that any turbine has)",
    },
    turbines: turbinesOption,
    ...ownerOptions,
    to: { value: "DIR", about: "folder of the files (default: out)" },
    ...connectionOptions,
  },
  example: "--sample --month 2025-12",
  notes: [
    "A table as Parquet and CSV, and a page with a chart. A turbine without figures of the month is left out and named. " +
    "In the CSV a text that a spreadsheet would run as a formula has an apostrophe before it.",
  ],
  rest: 0,
  resume: "Files that are written are complete: the same command writes all of them again.",
  async run(given) {
    const requested = readMonth(given.text);
    await using connection = await openConnection(given);
    const call = { connection, signal: given.signal };
    const ids = await readTurbineIds(given.text("turbines"), call);
    const indices = await loadIndices(ids, call);
    const known = ids.filter((id) => !failures(indices).some(({ turbineId }) => turbineId === id));
    const details = await Promise.all(known.map((id) => turbineDetails(id, call)));
    const share = await findShare(given);
    const fleet = summarizeFleet(indices, details, { month: requested, share });
    const { month, frames: { turbines }, summary } = fleet;
    const from = Temporal.PlainYearMonth.from(month).subtract({ months: HISTORY });
    const notes = listLeftOut(ids, fleet);
    const fetched = fleet.provenance.flatMap(({ fetchedAt }) => fetchedAt ?? []).sort().at(-1);
    const [page] = await Array.fromAsync(answerReport(fleet, {
      charts: [plotFleetIndices(selectPeriod(indices, { from, to: month }))],
      notes,
      // A locked summary is the same file each time.
      ...(connection.lock && fetched ? { generatedAt: fetched } : {}),
    }));

    const stem = `fleet_${month}`;
    const [path] = await writeFiles(given, {
      [`${stem}.parquet`]: (path) => saveFrame(turbines, path, { overwrite: true }),
      [`${stem}.csv`]: (path) => saveFrame(turbines, path, { overwrite: true, safe: true }),
      [`${stem}.html`]: page.content,
    });
    console.log(
      [...notes, ...summary.slice(0, share ? 2 : 1), `${path}, .csv and .html`].join("\n"),
    );
  },
};
