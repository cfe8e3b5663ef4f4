import { dirname, resolve } from "node:path";
import { era5 } from "../../mod.ts";
import { importSite, readSiteFile, saveSite, sitesOf } from "../sites/mod.ts";
import { openStorage } from "../storage/mod.ts";
import { exists } from "../disk/files.ts";
import { type Arguments, type Command, MisuseError } from "./command.ts";
import { askClimate } from "./init/ask_climate.ts";
import { climateQuestions } from "./init/climate_questions.ts";
import { askProduction, type ProductionInput, productionQuestions } from "./init/ask_production.ts";
import { buildSite } from "./init/build_site.ts";
import { Dialogue } from "./init/dialogue.ts";
import { quote } from "./init/format_answers.ts";
import { CHART_MONTHS, showFirstIndex } from "./init/first_index.ts";
import { InputFiles, shortPath, toPath } from "./init/input_files.ts";
import { askPlace, placeQuestions, toSiteName } from "./init/place_questions.ts";
import { layoutQuestions } from "./init/layout_questions.ts";
import { answerOf, type Question } from "./init/question.ts";
import { openTerminal } from "./init/terminal.ts";
import { askTurbine, turbineQuestions } from "./init/turbine_questions.ts";
import { PROGRAM } from "./project.ts";
import { dataOption, readDataDirectory } from "./storage.ts";

const toFolder: Question = {
  name: "to",
  value: "DIR",
  about: "Folder of the site file and the chart, which is made",
  check: checkFolder,
};

const questions: readonly Question[] = [
  ...[placeQuestions, productionQuestions, layoutQuestions, climateQuestions, turbineQuestions]
    .flatMap((some) => Object.values<Question>(some)),
  toFolder,
];

/** What is written, by name. */
const [SITE_FILE, CHART, DETAILS] = ["site.json", "first_index.svg", "import.txt"];

/** Says which file of a folder would be overwritten, or that it cannot be looked into. */
async function checkFolder(answer: string): Promise<string | undefined> {
  for (const path of [SITE_FILE, CHART, DETAILS].map((name) => `${toPath(answer)}/${name}`)) {
    const found = await exists(path).catch((error: Error) => error);
    if (found instanceof Error) return `${shortPath(path)} cannot be written: ${found.message}`;
    if (found) return `${shortPath(path)} exists, and nothing is overwritten. Give another folder`;
  }
}

/** Asks for the folder until it is confirmed: a new one, and never in the program's own folder. */
async function askFolder(dialogue: Dialogue, data: string): Promise<void> {
  const { name, production } = { ...placeQuestions, ...productionQuestions };
  const [site = "site"] = dialogue.answers.get(name.name)?.map(toSiteName) ?? [];
  const [files = "."] = dialogue.answers.get(production.name) ?? [];
  const here = toPath(".");
  const own = resolve(import.meta.dirname ?? "", "../..");
  const beside = here === own ? dirname(toPath(files)) : here;
  const proposal = { answers: [shortPath(`${beside}/${site}`)], reason: "a new folder" };
  for (;;) {
    const answers = await dialogue.ask(toFolder, proposal);
    if (!answers) return;
    const about = `Write ${
      answers[0]
    }/${SITE_FILE}, ${DETAILS} and ${CHART}, and import into ${data}`;
    if ((await dialogue.review(about, [toFolder.name])).length === 0) return;
  }
}

/** Says that a data directory has a site, which an import would replace. */
async function findSite(data: string, site: string): Promise<string | undefined> {
  if (!await exists(`${data}/vindkit.sqlite`)) return undefined;
  await using storage = await openStorage(data);
  if (await sitesOf(storage.store).fingerprint(site) === undefined) return undefined;
  return `The data directory ${data} has a site "${site}", and nothing is overwritten. Give another ` +
    "name, or another --data DIR";
}

/** Asks everything; nothing is written. */
async function askAll(dialogue: Dialogue, data: string) {
  const inputs = new InputFiles();
  const name: Question = {
    ...placeQuestions.name,
    check: async (answer) =>
      placeQuestions.name.check(answer) ?? await findSite(data, toSiteName(answer)),
  };
  dialogue.head("1 of 4: the place");
  await askPlace(dialogue, name);
  dialogue.head("\n2 of 4: production");
  const production = await askProduction(dialogue, inputs);
  dialogue.head("\n3 of 4: climate");
  const climate = await askClimate(dialogue, inputs);
  dialogue.head("\n4 of 4: the turbine");
  const several = production?.turbines.length ?? 0;
  if (several > 1) {
    dialogue.say(
      `  Each of the ${several} turbines gets these values and the place. Change what differs in site.json.`,
    );
  }
  const curve = await askTurbine(dialogue, inputs, production ? Math.max(1, several) : 0);
  await askFolder(dialogue, shortPath(data));
  dialogue.assertComplete();
  if (!production || !climate) throw new Error("a file was not asked for");
  return { production, climate, curve };
}

/** Asks, writes the site file, imports it and shows the first index. */
async function run({ text, texts, flag, signal }: Arguments): Promise<void> {
  const data = resolve(readDataDirectory(text("data")));
  const given = (name: string) =>
    questions.some((one) => one.name === name && one.most !== undefined)
      ? texts(name)
      : [text(name)].filter((answer) => answer !== undefined);
  const empty = questions.find(({ name }) => given(name).includes(""));
  if (empty) throw new MisuseError(`--${empty.name} is empty: give ${empty.value}`);
  const dialogue = new Dialogue({
    questions,
    given,
    yes: flag("yes"),
    terminal: openTerminal(),
    signal,
  });
  dialogue.head(
    "From your files to a first wind index. Enter takes what is in brackets, Ctrl-C stops.\n" +
      "Nothing is written before the last answer.\n",
  );
  let site: ReturnType<typeof buildSite>;
  let production: ProductionInput;
  try {
    const inputs = await askAll(dialogue, data);
    site = buildSite(dialogue.answers, inputs);
    ({ production } = inputs);
    signal.throwIfAborted();
  } catch (error) {
    if (dialogue.interactive && dialogue.answers.size > 0) {
      const options = [
        ...(text("data") === undefined ? [] : [`--data ${quote(text("data")!)}`]),
        ...(flag("yes") ? ["--yes"] : []),
      ];
      dialogue.say(`\n\nTo go on with your answers:\n${dialogue.formatCall(options)}\n`);
    }
    throw error;
  }
  const { turbines, leftOut } = production;
  const folder = toPath(answerOf(dialogue.answers, toFolder.name));
  const [path, chart, details] = [SITE_FILE, CHART, DETAILS].map((name) => `${folder}/${name}`);
  await saveSite(site, path);
  dialogue.say(`\nWritten: ${shortPath(path)}`);
  const toData = `--data ${quote(shortPath(data))}`;
  const repeat = `${PROGRAM} import ${quote(shortPath(path))} ${toData}`;
  let account: Awaited<ReturnType<typeof importSite>>;
  try {
    const saved = await readSiteFile(path); // `update` needs its path
    account = await importSite(saved, { data, era5, signal });
  } catch (error) {
    dialogue.say(
      `\nThe site file is complete. To import it, also when it was changed:\n  ${repeat}\n`,
    );
    throw error;
  }
  await Deno.writeTextFile(details, `${account.text}\n`, { createNew: true });
  dialogue.say(account.summary);
  if (leftOut.length > 0) {
    dialogue.say(
      ["Files that were left out, to be looked at by a person:", ...leftOut].join("\n  "),
    );
  }
  dialogue.say(`\nHow each turbine was calibrated: ${shortPath(details)}`);
  const shown = turbines.length > 0 ? turbines : [site.site];
  dialogue.say(`\n${await showFirstIndex(data, shown, chart)}`);
  dialogue.say(`\nChart of the last ${CHART_MONTHS} months: ${shortPath(chart)}`);
  dialogue.say(`After a change of site.json: ${repeat}\nServe it: ${PROGRAM} serve ${toData}`);
}

/** Goes from files to a first index, by questions or by options. */
export const init: Command = {
  forms: ["[OPTIONS]"],
  options: {
    ...Object.fromEntries(
      questions.map(({ name, value, about, most }) => [
        name,
        most === undefined
          ? { about, value }
          : { about: `${about} (may be repeated)`, value, multiple: true },
      ]),
    ),
    data: dataOption,
    yes: {
      about: "takes without asking what the files prove, and defaults; all else must be given",
    },
  },
  example: "--name Hill --production production.csv --climate climate.csv",
  notes: [
    "It asks what no option answers, shows what it reads, writes site.json, imports it and shows the first index. " +
    "Without a terminal it asks nothing, and says what is missing.",
    "Nothing is overwritten, and files remain where they are: the site file has their paths.",
  ],
  rest: 0,
  resume: "Nothing is half done: the lines above say how to go on.",
  run,
};
