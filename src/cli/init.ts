import { resolve } from "node:path";
import { importSite, saveSite } from "../service/mod.ts";
import { openDataDirectory } from "../service/data_directory.ts";
import { type Arguments, type Command, MisuseError } from "./command.ts";
import { dataOption, readDataDirectory } from "./data_directory.ts";
import { askClimate, climateQuestions } from "./init/ask_climate.ts";
import { askProduction, productionQuestions } from "./init/ask_production.ts";
import { buildSite } from "./init/build_site.ts";
import { Dialogue, quote } from "./init/dialogue.ts";
import { showFirstIndex } from "./init/first_index.ts";
import { InputFiles, toPath } from "./init/input_files.ts";
import { askPlace, placeQuestions, toSiteName } from "./init/place_questions.ts";
import { layoutQuestions } from "./init/production_layout.ts";
import { answerOf, type Question } from "./init/question.ts";
import { openTerminal } from "./init/terminal.ts";
import { askTurbine, turbineQuestions } from "./init/turbine_questions.ts";
import { PROGRAM } from "./project.ts";

/** All questions, in the order of the help. */
const questions: readonly Question[] = [
  placeQuestions,
  productionQuestions,
  layoutQuestions,
  climateQuestions,
  turbineQuestions,
].flatMap((some) => Object.values<Question>(some));

const toFolder: Question = {
  name: "to",
  value: "DIR",
  about: "Folder of the site file and the chart",
};

/** What is written, by name. */
const [SITE_FILE, CHART] = ["site.json", "first_index.svg"];

async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}

/** Says which file of a folder would be overwritten. */
async function checkFolder(answer: string): Promise<string | undefined> {
  const folder = toPath(answer);
  for (const name of [SITE_FILE, CHART]) {
    if (await exists(`${folder}/${name}`)) {
      return `${folder}/${name} exists, and nothing is overwritten. Give another folder`;
    }
  }
}

/** Says that a data directory has a site, which an import would replace. */
async function findSite(data: string, site: string): Promise<string | undefined> {
  if (!await exists(`${data}/vindkit.sqlite`)) return undefined;
  const { store } = openDataDirectory(data);
  try {
    if (await store.sites.fingerprint(site) === undefined) return undefined;
    return `The data directory ${data} has a site "${site}", and nothing is overwritten. Give another ` +
      "name, or another --data DIR";
  } finally {
    await store.close();
  }
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
      `  All ${several} get these values, and the place: site.json can be changed afterwards.`,
    );
  }
  const curve = await askTurbine(dialogue, inputs, Math.max(1, several));
  await dialogue.ask({ ...toFolder, check: checkFolder }, { answers: ["."], reason: "this one" });
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
  const empty = [...questions, toFolder].find(({ name }) => given(name).includes(""));
  if (empty) throw new MisuseError(`--${empty.name} is empty: give ${empty.value}`);
  const dialogue = new Dialogue({ given, yes: flag("yes"), terminal: openTerminal(), signal });
  dialogue.head(
    "From your files to a first wind index. Enter takes what is in brackets, Ctrl-C stops.\n" +
      "Nothing is written before the last answer.\n",
  );
  let site: ReturnType<typeof buildSite>;
  let turbines: readonly string[];
  try {
    const inputs = await askAll(dialogue, data);
    site = buildSite(dialogue.answers, inputs);
    turbines = inputs.production.turbines;
    signal.throwIfAborted();
  } catch (error) {
    if (dialogue.interactive && dialogue.answers.size > 0) {
      const options = text("data") === undefined ? "" : ` --data ${quote(data)}`;
      dialogue.say(`\n\nTo go on with your answers:\n  ${dialogue.formatCall()}${options}\n`);
    }
    throw error;
  }
  const folder = toPath(answerOf(dialogue.answers, toFolder.name));
  const [path, chart] = [`${folder}/${SITE_FILE}`, `${folder}/${CHART}`];
  await saveSite(site, path);
  dialogue.say(`\nWritten: ${path}`);
  const repeat = `${PROGRAM} import ${quote(path)} --data ${quote(data)}`;
  let account: Awaited<ReturnType<typeof importSite>>;
  try {
    account = await importSite(site, { data, signal });
  } catch (error) {
    dialogue.say(
      `\nThe site file is complete. To import it, also when it was changed:\n  ${repeat}\n`,
    );
    throw error;
  }
  dialogue.say(account.text);
  const shown = turbines.length > 0 ? turbines : [site.site];
  dialogue.say(`\n${await showFirstIndex(data, shown, chart)}`);
  dialogue.say(`\nChart: ${chart}\nServe it: ${PROGRAM} serve --data ${quote(data)}`);
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
    to: { value: toFolder.value, about: `${toFolder.about} (default: this one)` },
    data: dataOption,
    yes: { about: "takes what the files show and what is proposed, without asking" },
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
