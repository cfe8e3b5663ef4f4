import type { DataFrame } from "nodejs-polars";
import { era5 } from "../../../mod.ts";
import {
  ConfigurationError,
  NetworkError,
  OrderFailedError,
  OrderUncertainError,
  RefusedConnectionError,
  ServiceError,
  TimeoutError,
  TooManyRequestsError,
} from "../../api/errors.ts";
import { SYNTHETIC } from "../../api/world.ts";
import { DamagedFileError, nameFailure } from "../../disk/files.ts";
import { sha256 } from "../../disk/hashes.ts";
import { writeAtomically } from "../../disk/side_file.ts";
import { homePath } from "../../disk/home.ts";
import { type FetchEra5, sitesOf } from "../../sites/mod.ts";
import { formatStorage, isPassing, openStorage, type StorageAddress } from "../../storage/mod.ts";
import { callerPath } from "../command/arguments.ts";
import {
  type Arguments,
  type Command,
  type ExitCode,
  exitCodes,
  MisuseError,
  PROGRAM,
} from "../command/command.ts";
import { formatCall, readStorage, storageOptions } from "../command/storage.ts";
import { readTurbines } from "../answers/stored_production.ts";
import { findWaiting, formatWaiting, importSites } from "./import_sites.ts";
import { buildNewsFile, findNews, formatNews } from "./news.ts";
import {
  describeTurbines,
  readReported,
  type ReportPlace,
  updateReport,
  writeReported,
} from "./update_report.ts";

/** Another update of the same data is running. */
class UpdateRunningError extends Error {}

/** No update has succeeded for days, although the failure should have been temporary. */
class LastingFailureError extends Error {}

/**
 * Hours after which a failure is lasting: source and disk had enough time to recover, and exit code 75 alone alerts no
 * person.
 */
const LASTING_AFTER = 72;

/** Errors that may disappear without action, so a retry can succeed. */
const PASSING = [
  NetworkError,
  OrderUncertainError,
  ServiceError,
  TimeoutError,
  TooManyRequestsError,
  UpdateRunningError,
];

/**
 * Errors that do not disappear, also as a cause. For the service a damaged file is temporary, because a backup can replace
 * it.
 */
const LASTING = [DamagedFileError, RefusedConnectionError, LastingFailureError];

function isLasting(error: unknown): boolean {
  return error instanceof Error &&
    (LASTING.some((kind) => error instanceof kind) || isLasting(error.cause));
}

function isTemporary(error: unknown): boolean {
  if (isLasting(error)) return false;
  // A job that the source lost, or had no room for, is sent again; a job that failed there would fail again.
  if (error instanceof OrderFailedError) return "queueFull" in error;
  return PASSING.some((kind) => error instanceof kind) || isPassing(error);
}

/** The exit code for the errors that ended an update: retry only if it may help for all of them. */
export function exitCodeOf(error: unknown): ExitCode {
  const errors = error instanceof AggregateError ? error.errors : [error];
  return errors.every(isTemporary) ? exitCodes.tryAgain : exitCodes.needsPerson;
}

/**
 * Turns a failure into one that needs a person if it should have been temporary but has lasted for three days.
 *
 * @param since Start of the first failed update since the last success, ISO 8601 UTC, if any
 * @returns The same error, or a lasting one with its start
 */
function judgeFailure(error: unknown, since: string | null | undefined): unknown {
  if (!since || exitCodeOf(error) !== exitCodes.tryAgain) return error;
  const failing = Temporal.Instant.from(since).until(Temporal.Now.instant());
  if (failing.total("hours") < LASTING_AFTER) return error;
  return new LastingFailureError(
    `No update has succeeded since the failure on ${since.slice(0, 16)} UTC: ${
      (error as Error).message
    }`,
    { cause: error },
  );
}

/** Length of the hash that names a folder. */
const CHARACTERS = 16;

/**
 * Finds the folder for the state of updates: the data directory itself, or for a shared storage a folder of this machine
 * below VINDKIT_HOME, which it creates.
 *
 * @throws {Error} If the folder cannot be created
 */
async function findStateFolder(data: StorageAddress): Promise<string> {
  if (typeof data === "string") return data;
  const name = sha256(new TextEncoder().encode(formatStorage(data))).slice(0, CHARACTERS);
  const folder = homePath("updates", name);
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 })
    .catch((cause) => Promise.reject(nameFailure(`create ${folder}`, cause)));
  return folder;
}

/** Fetches climate from its source regardless of the configuration; otherwise there would never be news. */
type AskEra5 = (options: Parameters<FetchEra5>[0] & { cache: "use" }) => Promise<DataFrame>;

function joinErrors(errors: readonly unknown[]): unknown {
  if (errors.length === 1) return errors[0];
  return new AggregateError(errors, errors.map((one) => (one as Error).message).join("\n"));
}

async function run(
  data: StorageAddress,
  folder: string,
  report: ReportPlace | undefined,
  ask: AskEra5,
  signal: AbortSignal,
): Promise<ExitCode> {
  await using storage = await openStorage(data);
  const { store } = storage;
  await using lock = await store.lockUpdates();
  if (!lock) {
    throw new UpdateRunningError(
      `Cannot update ${
        formatStorage(data)
      }: another update is running. Wait until it ends, then run the same command again`,
    );
  }
  const sites = sitesOf(store);
  const siteFiles = await sites.siteFiles();
  if (siteFiles.size === 0) {
    throw new ConfigurationError(
      `Cannot update ${formatStorage(data)}: it has no site. Import one: ${
        formatCall("import SITE.json", data)
      }`,
    );
  }
  const now = Temporal.Now.instant().toString();
  const previous = await readReported(folder) ?? {
    failingSince: null,
    turbines: describeTurbines(await readTurbines(sites)),
    notes: new Map(),
    reports: new Map(),
  };
  const last = { ...previous, failingSince: previous.failingSince ?? now };
  await writeReported(folder, last); // first, so a killed update counts as failed, and the next one compares with this
  const fetch: FetchEra5 = (options) => ask({ ...options, cache: "use" });
  const imported = await importSites(siteFiles, { data, era5: fetch, signal });
  const failures = [...imported.failures.values(), ...imported.partial.values()];
  const turbines = await readTurbines(sites);
  const { news, reported } = await findNews(sites, turbines, last, imported);
  if (await store.world() === "sample") {
    console.log(`${SYNTHETIC}: the figures of this data directory are invented`);
  }
  const lines = formatNews(news);
  if (lines.length > 0) console.log(lines.join("\n"));
  else if (failures.length === 0) console.log("No news since the last update");
  const waiting = await findWaiting(sites, turbines, imported);
  if (waiting.length > 0) console.log(formatWaiting(waiting).join("\n"));

  const failure = failures.length > 0
    ? judgeFailure(joinErrors(failures), last.failingSince)
    : undefined;
  // The output of a run that will be repeated is not read; the next update reports everything again.
  if (failure && exitCodeOf(failure) === exitCodes.tryAgain) throw failure;
  let { reports } = last;
  if (report) {
    reports = await updateReport(report, turbines, imported, reports, { sites, signal })
      .catch((error) => Promise.reject(joinErrors([...failures, error])));
    if (lines.length > 0) {
      const content = buildNewsFile(news, now, await store.world());
      const bytes = new TextEncoder().encode(`${JSON.stringify(content, null, 1)}\n`);
      await Deno.mkdir(report.to, { recursive: true }); // without an index there is no report to create it
      await writeAtomically(`${report.to}/news.json`, bytes, { mode: 0o666 });
    }
  }
  const failingSince = failure ? last.failingSince : null;
  await writeReported(folder, { failingSince, ...reported, reports });
  if (failure) throw failure;
  const findings = [...news.turbines.values()].flatMap((turbine) => turbine.findings);
  // Only once, like findings: otherwise each update of a late month would alert a person again.
  const late = waiting.filter(({ id, needsFiles }) =>
    needsFiles && news.turbines.get(id)?.production
  );
  if (news.gone.length + news.notes.length + findings.length + late.length > 0) {
    return exitCodes.needsPerson;
  }
  return lines.length > 0 ? exitCodes.done : exitCodes.nothingNew;
}

async function readAndRun({ text, signal }: Arguments, ask: AskEra5): Promise<ExitCode> {
  const data = readStorage(text);
  const to = text("report");
  if (to === "") {
    throw new MisuseError(
      "Cannot use --report: the folder name is empty. Give a name, or omit the option",
    );
  }
  const report = to !== undefined && typeof data === "string"
    ? { to: callerPath(to), data }
    : undefined;
  if (to !== undefined && !report) {
    throw new MisuseError(
      `Cannot write a report from a shared database: --report needs a data directory. Omit --report, and run ${PROGRAM} ` +
        "report with VINDKIT_URL and VINDKIT_KEY of a service on that database",
    );
  }
  const folder = await findStateFolder(data);
  try {
    return await run(data, folder, report, ask, signal);
  } catch (error) {
    if (exitCodeOf(error) !== exitCodes.tryAgain) throw error;
    throw judgeFailure(error, (await readReported(folder))?.failingSince);
  }
}

/** Builds the command that fetches, reads and imports new data, and reports which months changed. */
export const buildUpdate = (era5: AskEra5): Command => ({
  forms: ["[OPTIONS]"],
  options: {
    ...storageOptions,
    report: {
      value: "DIR",
      about:
        `if figures have changed since the last report, writes the report of the last month into DIR/report_MONTH, as ${PROGRAM} ` +
        "report does; writes the news into DIR/news.json",
    },
  },
  example: "--data ~/wind --report ~/wind/reports",
  notes: [
    "The update imports each site again from its site file. If the site file names a climate " +
    "source, it fetches missing and preliminary climate data. It reads all production files and folders again. The service shows new figures only once the import of a site is complete.",
    `Exit codes: ${exitCodes.done} news, ${exitCodes.nothingNew} no news, ${exitCodes.tryAgain} ` +
    `failed, try again later, ${exitCodes.needsPerson} a person must act (docs/operating.md).`,
  ],
  resume: "No site is left half imported. Run the same command to continue.",
  exitCodeOf,
  run: (args) => readAndRun(args, era5),
});

/** Updates with ERA5 from its services. */
export const update: Command = buildUpdate(era5);
