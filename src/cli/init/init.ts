import { dirname, resolve } from "node:path";
import {
  connect,
  type DataFrame,
  era5,
  monthlyIndices,
  pl,
  plotMonthlyIndices,
  table,
} from "../../../mod.ts";
import {
  describePartial,
  hasClimateSource,
  importSite,
  readSiteFile,
  saveSite,
  type Site,
  sitesOf,
} from "../../sites/mod.ts";
import { VindkitError } from "../../api/errors.ts";
import { defaultDataDirectory, openStorage, shellWord } from "../../storage/mod.ts";
import { exists } from "../../disk/files.ts";
import { callerPath } from "../command/arguments.ts";
import {
  type Arguments,
  type Command,
  type ExitCode,
  exitCodes,
  MisuseError,
  PROGRAM,
} from "../command/command.ts";
import { askClimate } from "./ask_climate.ts";
import { askProduction, type ProductionInput } from "./ask_production.ts";
import { askPlace, askTurbine, buildSite, toSiteName } from "./ask_turbine.ts";
import { Dialogue, usual } from "./dialogue.ts";
import {
  allFields,
  climateFields,
  type Field,
  folderField,
  placeFields,
  productionFields,
  turbineFields,
} from "./fields.ts";
import { InputFiles, shortPath, toPath } from "./input_files.ts";
import { openTerminal, StoppedError } from "./terminal.ts";
import { dataOption } from "../command/storage.ts";
import { listGiven } from "../../show/text/lists.ts";

/** Names of the files that `init` writes. */
const [SITE_FILE, CHART, DETAILS] = ["site.json", "first_index.svg", "import.txt"];

/** Number of months and turbines in the chart, and most months and rows in the text. */
const [CHART_MONTHS, CHART_TURBINES, TEXT_MONTHS, TEXT_ROWS] = [24, 6, 12, 36];

/** Names the file of a folder that would be overwritten, or says that the folder cannot be read. */
async function checkFolder(answer: unknown): Promise<string | undefined> {
  for (const path of [SITE_FILE, CHART, DETAILS].map((name) => `${toPath(`${answer}`)}/${name}`)) {
    const entry = await exists(path).catch((error: Error) => error);
    if (entry instanceof Error) return `${shortPath(path)} cannot be written: ${entry.message}`;
    if (entry) {
      return `${shortPath(path)} exists, and init does not overwrite files. Give another folder`;
    }
  }
}

/** Proposes a new folder, never inside the program's folder. */
async function askFolder(dialogue: Dialogue): Promise<void> {
  const site = toSiteName(`${dialogue.value(placeFields.name) ?? "site"}`);
  const [files] = [dialogue.value(productionFields.file) ?? "."].flat();
  const here = toPath(".");
  const program = resolve(import.meta.dirname ?? "", "../../..");
  const parent = here === program ? dirname(toPath(`${files}`)) : here;
  await dialogue.ask(
    folderField,
    usual(shortPath(`${parent}/${site}`), "a new folder"),
    checkFolder,
  );
}

/** Warns if a data directory has a site that an import would replace. */
async function findSite(data: string, site: string): Promise<string | undefined> {
  if (!await exists(`${data}/vindkit.sqlite`)) return undefined;
  await using storage = await openStorage(data);
  if (await sitesOf(storage.store).fingerprint(site) === undefined) return undefined;
  return `The data directory ${data} already has a site "${site}", and init does not overwrite it. ` +
    "Give another name, or another --data DIR";
}

/** Result of all answers. */
interface Answers {
  readonly production: ProductionInput;
  readonly site: Site;
}

/** Asks all questions, without writing anything. */
export async function askAll(dialogue: Dialogue, data: string): Promise<Answers> {
  const inputs = new InputFiles();
  const [production, climate, curve] = await dialogue.untilRight(
    async () => {
      await askPlace(dialogue, (site) => findSite(data, site));
      await dialogue.ask(turbineFields.rated_power); // before production, which is compared with it
      const zone = dialogue.value(placeFields.time_zone) as string | undefined;
      const production = await askProduction(dialogue, inputs, zone);
      const climate = await askClimate(dialogue, inputs);
      const count = production?.turbines.length ?? 0;
      if (count > 1) {
        dialogue.note(
          `All ${count} turbines get this place and these values. If some differ, change them in site.json.`,
        );
      }
      const curve = await askTurbine(dialogue, inputs);
      await askFolder(dialogue);
      return [production, climate, curve] as const;
    },
    () =>
      `Write ${
        dialogue.value(folderField)
      }/${SITE_FILE}, ${DETAILS} and ${CHART}, and import into ${shortPath(data)}?`,
  );
  if (!production || !climate) throw new Error("the production or climate file is missing");
  return { production, site: buildSite(dialogue, production, climate, curve) };
}

/** The last rows of each turbine with an index. */
function selectLast(known: DataFrame, months: number): DataFrame {
  const all = known.getColumn("month").unique().sort().toArray() as unknown[];
  return known.filter(pl.col("month").gtEq(pl.lit(all.slice(-months)[0])));
}

/** Draws the last months of the index; returns them as a table, for many turbines only the last month. */
async function showIndex(
  data: string,
  turbines: readonly string[],
  chart: string,
): Promise<string> {
  await using connection = connect({ data });
  const all = await monthlyIndices([...turbines], { connection });
  const withIndex = all.filter(pl.col("month_index").isNotNull());
  const drawn = withIndex.filter(pl.col("turbine_id").isIn(turbines.slice(0, CHART_TURBINES)));
  await plotMonthlyIndices(selectLast(drawn, CHART_MONTHS)).save(chart);
  const months = Math.max(1, Math.min(TEXT_MONTHS, Math.floor(TEXT_ROWS / turbines.length)));
  const columns = ["turbine_id", "month", "month_index", "last12_month_index", "status"];
  return table(selectLast(withIndex, months).select(...columns)).text();
}

/** Pages for downloading ERA5 at a place as CSV. */
const [OPEN_METEO_PAGE, CDS_PAGE] = [
  "https://open-meteo.com/en/docs/historical-weather-api",
  "https://cds.climate.copernicus.eu/datasets/reanalysis-era5-single-levels-timeseries",
];

/** Explains how to continue if climate cannot be fetched on this machine. */
function describeOffline(dialogue: Dialogue, folder: string, data: string): string {
  const call = dialogue.formatCall(
    [
      "--climate era5.csv",
      "--climate-time-zone UTC",
      `--to ${shellWord(`${shortPath(folder)}-csv`)}`,
      `--data ${shellWord(shortPath(data))}`,
    ],
    [...Object.values<Field>(climateFields), folderField],
  );
  return "\nIf you cannot fetch it here, download ERA5 as CSV on another computer: hourly in UTC, wind at " +
    "10 and 100 m, temperature at 2 m, surface pressure.\n" +
    `  ${OPEN_METEO_PAGE}\n  ${CDS_PAGE}\nThen give that file instead of the source:\n${call}\n`;
}

/** Writes the site file, imports it and shows the first index. */
async function importAll(
  dialogue: Dialogue,
  { production: { turbines, leftOut }, site }: Answers,
  folder: string,
  data: string,
  signal: AbortSignal,
): Promise<ExitCode> {
  const [path, chart, details] = [SITE_FILE, CHART, DETAILS].map((name) => `${folder}/${name}`);
  await saveSite(site, path);
  console.log(`\nWritten: ${shortPath(path)}`);
  const toData = `--data ${shellWord(shortPath(data))}`;
  const repeat = `${PROGRAM} import ${shellWord(shortPath(path))} ${toData}`;
  const account = await readSiteFile(path) // `update` needs its path
    .then((saved) => importSite(saved, { data, era5, signal }))
    .catch((error) => {
      console.log(
        `\nThe site file is complete. Import it now, or after each change, with:\n  ${repeat}\n`,
      );
      if (hasClimateSource(site) && error instanceof VindkitError) {
        console.log(describeOffline(dialogue, folder, data));
      }
      throw error;
    });
  await Deno.writeTextFile(details, `${account.text}\n`, { createNew: true });
  console.log(account.summary);
  if (leftOut.length > 0) {
    console.log(
      ["Skipped files; please check them:", ...leftOut].join("\n  "),
    );
  }
  console.log(`\nHow each turbine was calibrated: ${shortPath(details)}`);
  const failed = new Set(account.failures.map(({ id }) => id));
  const imported = turbines.length > 0 ? turbines.filter((id) => !failed.has(id)) : [site.site];
  console.log(`\n${await showIndex(data, imported, chart)}`);
  console.log(`\nChart of the last ${CHART_MONTHS} months: ${shortPath(chart)}`);
  console.log(`After you change site.json: ${repeat}\nServe the data: ${PROGRAM} serve ${toData}`);
  if (failed.size === 0) return exitCodes.done;
  console.error(describePartial(account));
  return exitCodes.needsPerson;
}

/** Asks, writes the site file, imports it and shows the first index. */
async function run({ text, texts, flag, signal }: Arguments): Promise<ExitCode> {
  const dataOption = text("data");
  const data = resolve(dataOption ? callerPath(dataOption) : defaultDataDirectory());
  const empty = allFields.find(({ name }) => texts(name).includes(""));
  if (empty) throw new MisuseError(`Cannot use --${empty.name}: it is empty. Give ${empty.value}`);
  const terminal = openTerminal();
  const dialogue = new Dialogue({
    given: texts,
    yes: flag("yes"),
    terminal,
    print: console.log,
  });
  if (dialogue.interactive) {
    dialogue.say(
      "From your files to a first wind index. init asks for values that your files do not contain, then shows all values for you to confirm.\n" +
        "Stop with Ctrl-C. init writes no file before your last answer.",
    );
  }
  let all: Answers;
  try {
    all = await askAll(dialogue, data);
    signal.throwIfAborted();
  } catch (error) {
    if (dialogue.interactive) {
      const options = listGiven(
        ...texts("data").map((folder) => `--data ${shellWord(folder)}`),
        flag("yes") && "--yes",
      );
      console.log(`\nTo continue with your answers:\n${dialogue.formatCall(options)}\n`);
    }
    throw error;
  }
  const folder = toPath(`${dialogue.value(folderField)}`);
  return await importAll(dialogue, all, folder, data, signal);
}

/** Leads from files to a first index, with questions or options. */
export const init: Command = {
  forms: ["[OPTIONS]"],
  options: {
    ...Object.fromEntries(
      allFields.map(({ name, value, about, several }) => [
        name,
        several ? { about: `${about} (may be repeated)`, value, multiple: true } : { about, value },
      ]),
    ),
    data: dataOption,
    yes: {
      about: "accepts the usual answers without asking; you must give values that only you know",
    },
  },
  example: "--name Hill --production production.csv --climate climate.csv",
  notes: [
    "init asks for values that your options and files do not contain, shows the values it read, writes site.json, " +
    "imports it and shows the first index. Without a terminal, init lists the missing values instead of asking.",
    "Each option is a field of the site file (docs/site-file.md); give none to leave a field out. init overwrites " +
    "no files. Your files stay where they are, and the site file names their paths.",
  ],
  resume: "No step is left half done. The lines above say how to continue.",
  exitCodeOf: (error) => error instanceof StoppedError ? exitCodes.SIGINT : exitCodes.failed,
  run,
};
