import {
  type DataFrame,
  pl,
  type PresetFormat,
  type PresetName,
  type ProductionFormat,
  readProduction,
} from "../../../mod.ts";
import { visibleText } from "../../api/visible_text.ts";
import { describeProduction } from "./describe_production.ts";
import type { Dialogue } from "./dialogue.ts";
import type { InputFile, InputFiles } from "./input_files.ts";
import { askLayout, layoutQuestions } from "./production_layout.ts";
import type { Question } from "./question.ts";

/** Production as read. */
export interface ProductionInput {
  /** Its files with the turbines of each; none where a file has one without a name. */
  readonly files: readonly { readonly path: string; readonly turbines: readonly string[] }[];
  /** How they are read. */
  readonly how: ProductionFormat | PresetFormat;
  /** Turbines to import; none where it is one without a name. */
  readonly turbines: readonly string[];
}

/** Most files, and turbines. */
const MANY = 1000;

/** Answer that no preset is to read a file. */
const NO_PRESET = "none";

/** Turbines of a file up to which all are proposed. */
const MAX_PROPOSED = 30;

/** Questions about production. */
export const productionQuestions = {
  production: {
    name: "production",
    value: "FILE",
    about: "Production: a file, a folder, or a pattern like data/*.csv",
    most: MANY,
  },
  preset: {
    name: "preset",
    value: "PRESET",
    about: `Preset that reads the production, or ${NO_PRESET}`,
  },
  turbines: {
    name: "turbine",
    value: "ID",
    about: "Turbines to import",
    most: MANY,
  },
} as const satisfies Record<string, Question>;

const USABLE = ["production"] as const;

/** Files of the layout of the first that has production; says which these are. */
function chooseFiles(dialogue: Dialogue, files: readonly InputFile[]): InputFile[] {
  const usable = files.filter(({ kind }) => kind === "production");
  const layoutOf = ({ preset, columns }: InputFile) =>
    preset ?? columns.map(({ name }) => name).join("\t");
  const chosen = usable.filter((file) => layoutOf(file) === layoutOf(usable[0]));
  const [{ format, preset, reasons }] = chosen;
  const what = chosen.length === 1 ? "It is" : `${chosen.length} files are`;
  dialogue.say(
    `  ${what} ${format}${preset ? ` of the preset ${preset}` : ""}. ${visibleText(reasons[0])}`,
  );
  for (const { path, kind, preset: other } of files.filter((file) => !chosen.includes(file))) {
    const why = kind === "production" ? "another layout" : `${other ? `${other} ` : ""}${kind}`;
    dialogue.say(`  Left out: ${visibleText(path)} (${why})`);
  }
  return chosen;
}

/** Asks how files are read; `undefined` where answers are missing. */
async function askFormat(
  dialogue: Dialogue,
  file: InputFile,
): Promise<ProductionFormat | PresetFormat | undefined> {
  const { preset } = file;
  if (preset !== undefined) {
    const [answer] = await dialogue.ask(productionQuestions.preset, {
      answers: [preset],
      reason: "its columns are there",
      choices: [preset, NO_PRESET],
    }) ?? [];
    if (answer === undefined) return undefined;
    if (answer !== NO_PRESET) return { preset: answer as PresetName };
  }
  return await askLayout(dialogue, file);
}

/** Turbines of a frame of production; none where it is one without a name. */
function listTurbines(frame: DataFrame): string[] {
  return frame.columns[0] === "turbine_id"
    ? frame.getColumn("turbine_id").unique(true).toArray() as string[]
    : [];
}

/** Reads the files one by one, to know the turbines of each. */
async function readFiles(
  files: readonly InputFile[],
  how: ProductionFormat | PresetFormat,
): Promise<{ files: ProductionInput["files"]; frame: DataFrame }> {
  const read: { path: string; turbines: string[] }[] = [];
  const frames: DataFrame[] = [];
  for (const { path } of files) {
    const frame = await readProduction(path, how);
    frames.push(frame);
    read.push({ path, turbines: listTurbines(frame) });
  }
  const [first] = frames;
  const keys = first.columns.slice(0, first.columns[0] === "turbine_id" ? 2 : 1);
  const frame = frames.length === 1 ? first : pl.concat(frames, { how: "diagonal" }).sort(keys);
  return { files: read, frame };
}

/** Questions that are asked again where what was read is not right. */
const again = [
  productionQuestions.production,
  productionQuestions.preset,
  ...Object.values(layoutQuestions),
].map(({ name }) => name);

/**
 * Asks for production until it is read as whoever answers wants it.
 *
 * @param dialogue Asks
 * @param inputs Finds the files
 * @returns The production; `undefined` where answers are missing
 */
export async function askProduction(
  dialogue: Dialogue,
  inputs: InputFiles,
): Promise<ProductionInput | undefined> {
  const { production, turbines } = productionQuestions;
  for (;;) {
    const answers = await dialogue.ask({
      ...production,
      check: inputs.check(USABLE, "production"),
    });
    if (!answers) return undefined;
    const files = chooseFiles(dialogue, await inputs.find(answers));
    const how = await askFormat(dialogue, files[0]);
    if (!how) return undefined;
    let read: Awaited<ReturnType<typeof readFiles>>;
    try {
      read = await readFiles(files, how);
    } catch (error) {
      if (!dialogue.interactive) throw error;
      dialogue.say(`\n  ${(error as Error).message}\n`);
      dialogue.forget(again);
      continue;
    }
    const known = listTurbines(read.frame);
    dialogue.say("\nRead as:");
    for (const line of describeProduction(read.frame)) dialogue.say(`  ${line}`);
    if (!await dialogue.confirm("Is this right")) {
      dialogue.forget(again);
      continue;
    }
    if (known.length === 0) return { files: read.files, how, turbines: [] };
    const chosen = await dialogue.ask(turbines, {
      choices: known,
      ...(known.length <= MAX_PROPOSED ? { answers: known, reason: "all" } : {}),
    });
    return chosen && { files: read.files, how, turbines: chosen };
  }
}
