import type { DataFrame } from "nodejs-polars";
import { connect, era5 } from "../../mod.ts";
import { ConfigurationError } from "../api/errors.ts";
import { SYNTHETIC } from "../api/world.ts";
import { openDataDirectory } from "../service/data_directory.ts";
import {
  type FetchEra5,
  importSite,
  type ImportSiteOptions,
  readSiteFile,
  readSiteProduction,
} from "../service/mod.ts";
import type { Store } from "../service/store/store.ts";
import { formatMonthLabel } from "../time/zones.ts";
import { callerPath } from "./caller_path.ts";
import { type Arguments, type Command, MisuseError } from "./command.ts";
import { dataOption, readDataDirectory } from "./data_directory.ts";
import { exists } from "./exists.ts";
import { type ExitCode, exitCodes } from "./exit_codes.ts";
import { PROGRAM } from "./project.ts";
import { exitCodeOf } from "./update/exit_code_of.ts";
import { formatGone, formatNews } from "./update/format_news.ts";
import { lockUpdates } from "./update/lock_updates.ts";
import { findNews, type TurbineNews } from "./update/turbine_news.ts";
import {
  readReported,
  readStates,
  type TurbineStates,
  writeReported,
} from "./update/turbine_state.ts";
import { writeReport } from "./write_report.ts";

/** The sites of a data directory, by name, and what each imports. */
type SiteFiles = ReadonlyMap<string, string | undefined>;

/** Imports each site again; one that fails keeps no other from being imported. */
async function importAll(
  sites: SiteFiles,
  options: Pick<ImportSiteOptions, "data" | "era5" | "signal"> & { signal: AbortSignal },
): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  for (const [site, path] of sites) {
    try {
      if (path === undefined) {
        throw new ConfigurationError(
          `Cannot update the site "${site}": it was imported by a program or by an older version, so ` +
            `its site file is not known. Import that once: ${PROGRAM} import SITE.json --data ${options.data}`,
        );
      }
      await importSite(await readSiteFile(path), options);
    } catch (error) {
      options.signal.throwIfAborted();
      failures.push(error);
    }
  }
  return failures;
}

/** One error of several, each with its message. */
function joinErrors(errors: readonly unknown[]): unknown {
  if (errors.length === 1) return errors[0];
  return new AggregateError(errors, errors.map((one) => (one as Error).message).join("\n"));
}

/** What is new of each turbine since it was reported. */
async function findAllNews(
  { sites }: Store,
  reported: TurbineStates,
  states: TurbineStates,
): Promise<ReadonlyMap<string, TurbineNews>> {
  const all = new Map<string, TurbineNews>();
  for (const [id, state] of Object.entries(states)) {
    const news = await findNews(sites, id, reported[id], state);
    if (news) all.set(id, news);
  }
  return all;
}

/** Production by turbine of all sites. */
async function readProductions(sites: SiteFiles): Promise<ReadonlyMap<string, DataFrame>> {
  const productions = new Map<string, DataFrame>();
  for (const path of sites.values()) {
    if (path === undefined) continue;
    const site = await readSiteProduction(await readSiteFile(path));
    for (const { turbineId, frame } of site) productions.set(turbineId, frame);
  }
  return productions;
}

/**
 * Writes the report of the last month that any turbine has, as `report` does.
 *
 * @param to Folder in which it gets its own
 * @param isNew Whether its figures may be others than those of the one that is there
 */
async function updateReport(
  to: string,
  isNew: boolean,
  { sites }: Store,
  { data, signal }: { data: string; signal: AbortSignal },
): Promise<void> {
  const ids = await sites.turbineIds();
  const [month] = (await sites.lastMonths(ids)).map(formatMonthLabel).sort().reverse();
  const folder = `${to}/report_${month}`;
  if (!isNew && await exists(`${folder}/index.html`)) return; // which is written last
  await using connection = connect({ data });
  const production = await readProductions(await sites.siteFiles());
  await writeReport(ids, () => folder, { month, production, connection, signal });
}

async function run({ text, signal }: Arguments, era5: FetchEra5): Promise<ExitCode> {
  const data = readDataDirectory(text("data"));
  const to = text("report");
  if (to === "") {
    throw new MisuseError("The folder of --report is empty. Give one, or leave the option out");
  }
  const { store } = openDataDirectory(data);
  try {
    using _lock = await lockUpdates(data);
    const sites = await store.sites.siteFiles();
    if (sites.size === 0) {
      throw new ConfigurationError(
        `Cannot update ${data}: it has no site. Import one: ${PROGRAM} import SITE.json --data ${data}`,
      );
    }
    const reported = await readReported(data) ?? await readStates(store.sites);
    await writeReported(data, reported); // before the first import: a killed update is compared with it
    const failures = await importAll(sites, { data, era5, signal });
    const states = await readStates(store.sites);
    const news = await findAllNews(store, reported, states);
    if (await store.world() === "sample") {
      console.log(`${SYNTHETIC}: figures of this data directory are invented`);
    }
    const gone = Object.keys(reported).filter((id) => !Object.hasOwn(states, id));
    if (news.size > 0) console.log(formatNews(news));
    if (gone.length > 0) console.log(formatGone(gone));
    else if (news.size === 0 && failures.length === 0) {
      console.log("Nothing new since the last update");
    }
    if (failures.length > 0) throw joinErrors(failures); // the next update reports all of this again
    if (to !== undefined) {
      await updateReport(callerPath(to), news.size > 0, store, { data, signal });
    }
    await writeReported(data, states);
    const needsPerson = gone.length > 0 ||
      [...news.values()].some(({ doubts }) => doubts.length > 0);
    if (needsPerson) return exitCodes.needsPerson;
    return news.size > 0 ? exitCodes.done : exitCodes.nothingNew;
  } finally {
    await store.close();
  }
}

/**
 * Builds the command that fetches, reads and imports what is new, and reports which months changed.
 *
 * @param era5 Gets climate that comes from its source
 */
export const buildUpdate = (era5: FetchEra5): Command => ({
  forms: ["[OPTIONS]"],
  options: {
    data: dataOption,
    report: {
      value: "DIR",
      about:
        `writes the report of the last month into DIR/report_MONTH, as ${PROGRAM} report does, where something is new ` +
        "or it is not there yet",
    },
  },
  example: "--data ~/wind --report ~/wind/reports",
  notes: [
    "Each site of the data directory is imported again from its site file: climate that is missing or was preliminary " +
    "is fetched where the site file names its source, files and folders of production are read again. Nothing is half " +
    "done: what is served changes once the import of a site is complete.",
    `Exit codes: ${exitCodes.done} something is new, ${exitCodes.nothingNew} nothing is new, ` +
    `${exitCodes.tryAgain} failed: try again later, ${exitCodes.needsPerson} a person is needed (docs/operating.md).`,
  ],
  rest: 0,
  resume: "Nothing is half done: the same command goes on.",
  exitCodeOf,
  run: (given) => run(given, era5),
});

/** Updates with ERA5 from those who serve it. */
export const update: Command = buildUpdate(era5);
