import { type DataFrame, pl, provenance } from "../../../mod.ts";
import type { PresetFormat, PresetName } from "../../sites/mod.ts";
import { visibleText } from "../../api/error_text.ts";
import { askLayout } from "./ask_layout.ts";
import { describeProduction } from "./describe_production.ts";
import type { Dialogue } from "./dialogue.ts";
import { guessMeaning } from "./guess_production.ts";
import { type InputFile, type InputFiles, nameFormat, shortPath, toPath } from "./input_files.ts";
import { layoutQuestions, STAMPS } from "./layout_questions.ts";
import { findCauses, type HowRead, ProductionTrial } from "./production_trial.ts";
import type { Question } from "./question.ts";

/** Production as read. */
export interface ProductionInput {
  /** Its files, as an entry of a site file names them. */
  readonly file: string | readonly string[];
  readonly how: HowRead;
  /** Turbines to import; none where it is one without a name. */
  readonly turbines: readonly string[];
  /** Files that were named and are not read, each with the reason. */
  readonly leftOut: readonly string[];
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

/** What to do with a table that is not recognized. */
const ADVICE = "If it is production, begin again with " +
  "--header-rows, --time-column and --production-column: then it is read as they say";

/** Questions that only a table needs which no preset knows: their options say what a file is. */
const declaring = [layoutQuestions.header, layoutQuestions.time, layoutQuestions.column];

/** Questions that are asked of a table where the files or whoever answers want it. */
const others = [
  layoutQuestions.header,
  layoutQuestions.footer,
  layoutQuestions.nullValues,
  layoutQuestions.decimal,
];

/** Whether a file can be production: by itself, or as options declare it. */
const isUsable = (dialogue: Dialogue) => ({ kind, columns }: InputFile) =>
  kind === "production" ||
  columns.length > 0 && declaring.some(({ name }) => dialogue.given(name).length > 0);

/** Questions about how files are read: their answers are of these files. */
const questions: readonly Question[] = [
  productionQuestions.preset,
  ...Object.values(layoutQuestions),
  productionQuestions.turbines,
];
const aboutFiles = questions.map(({ name }) => name);

/** Questions whose answers may be wrong where what was read is not right. */
const all = [productionQuestions.production.name, ...aboutFiles];

/** Files with the layout of the first that has production, which comes first; says which these are. */
function chooseFiles(
  dialogue: Dialogue,
  files: readonly InputFile[],
): { readonly chosen: InputFile[]; readonly leftOut: string[] } {
  const first = files.find(isUsable(dialogue))!;
  const layoutOf = ({ preset, kind, columns }: InputFile) =>
    preset ? `${preset} ${kind}` : columns.map(({ name }) => name).join("\t");
  // A file may begin with rows without a value, and not look like production: its columns do.
  const chosen = [
    first,
    ...files.filter((file) => file !== first && layoutOf(file) === layoutOf(first)),
  ];
  const { kind, preset, reasons } = first;
  const what = chosen.length === 1 ? "It is" : `${chosen.length} files are`;
  dialogue.say(
    `  ${what} ${nameFormat(chosen[0])}${preset ? ` of the preset ${preset}` : ""}. ` +
      (kind === "production" ? visibleText(reasons[0]) : "It is read as the options declare it"),
  );
  const others = files.filter((file) => !chosen.includes(file));
  const leftOut = others.map(({ path, kind, preset: other }) => {
    const why = kind === "production" ? "another layout" : `${other ? `${other} ` : ""}${kind}`;
    return `${visibleText(shortPath(path))} (${why})`;
  });
  for (const one of leftOut) dialogue.say(`  Left out: ${one}`);
  return { chosen, leftOut };
}

/** Asks how files are read; where answers are missing, as proposed, or `undefined` where nothing is. */
async function askFormat(
  dialogue: Dialogue,
  file: InputFile,
  trial: ProductionTrial,
  blamed: ReadonlySet<string>,
): Promise<HowRead | undefined> {
  if (file.preset === undefined) {
    const { preset } = productionQuestions;
    if (dialogue.given(preset.name)[0] === NO_PRESET) await dialogue.ask(preset);
    return await askLayout(dialogue, file, trial, blamed);
  }
  const [answer] = await dialogue.ask(productionQuestions.preset, {
    answers: [file.preset],
    reason: "its columns are there",
    choices: [file.preset, NO_PRESET],
  }) ?? [];
  if (answer === NO_PRESET) return await askLayout(dialogue, file, trial, blamed);
  const preset: PresetFormat = { preset: file.preset as PresetName };
  const { zone, stamp } = layoutQuestions;
  if (blamed.has(zone.name)) {
    const times = file.columns.filter(({ cells }) => cells === "times").slice(0, 1);
    const check = async (timeZone: string) =>
      zone.check(timeZone) ?? await trial.findFault({ ...preset, time_zone: timeZone }, zone);
    await dialogue.ask({ ...zone, check }, times.length > 0 ? guessMeaning(times, []).zone : {});
  }
  if (blamed.has(stamp.name)) {
    const assumed = { answers: ["start"], reason: "assumed", unsure: true, choices: STAMPS };
    await dialogue.ask(stamp, assumed);
  }
  const [timeZone] = dialogue.answers.get(zone.name) ?? (blamed.has(zone.name) ? ["UTC"] : []);
  const end = STAMPS.find((one) => one === dialogue.answers.get(stamp.name)?.[0]);
  return {
    ...preset,
    ...(timeZone ? { time_zone: timeZone } : {}),
    ...(end ? { stamp: end } : {}),
  };
}

/** Turbines of a frame of production; none where it is one without a name. */
function listTurbines(frame: DataFrame): string[] {
  return frame.columns[0] === "turbine_id"
    ? frame.getColumn("turbine_id").unique(true).toArray() as string[]
    : [];
}

/** Which end of a period a stamp names is assumed where the files and the preset do not say it. */
function assumesStamp(frame: DataFrame): boolean {
  return provenance(frame).some(({ notes = [] }) =>
    notes.some((note) => note.includes('give stamp: "end"'))
  );
}

/** Asks which of several turbines are imported; `undefined` where the answer is missing. */
async function askTurbines(
  dialogue: Dialogue,
  known: readonly string[],
): Promise<readonly string[] | undefined> {
  const { turbines } = productionQuestions;
  const sideBySide = (dialogue.answers.get(layoutQuestions.column.name) ?? []).length > 1;
  const choice = known.length > 1 && !sideBySide || dialogue.given(turbines.name).length > 0;
  if (known.length === 0 || !choice) return known;
  const few = known.length <= MAX_PROPOSED;
  if (!few) dialogue.say(`  It has ${known.length} turbines: ${known.slice(0, 9).join(", ")}, …`);
  return await dialogue.ask(turbines, {
    choices: known,
    ...(few ? { answers: known, reason: "all" } : {}),
  });
}

/**
 * Asks for production until it is read as whoever answers wants it.
 *
 * @returns The production; `undefined` where answers are missing
 */
export async function askProduction(
  dialogue: Dialogue,
  inputs: InputFiles,
): Promise<ProductionInput | undefined> {
  const { production } = productionQuestions;
  let blamed = new Set<string>();
  let files: InputFile[] = [];
  let leftOut: string[] = [];
  let file: ProductionInput["file"] = [];
  let trial: ProductionTrial | undefined;
  const missing = dialogue.missing;
  for (;;) {
    const answers = dialogue.answers.get(production.name);
    const named = await dialogue.ask({
      ...production,
      check: inputs.check(isUsable(dialogue), "production", ADVICE),
    });
    if (!named) return undefined;
    const found = await inputs.find(named);
    if (!trial || named !== answers) {
      const before = files;
      ({ chosen: files, leftOut } = chooseFiles(dialogue, found));
      if (before.length > 0 && before[0].path !== files[0].path) dialogue.forget(aboutFiles, false);
      // A folder or a pattern that is read as a whole also has the files of later months.
      const whole = files.length === found.length && named.length === 1;
      file = whole ? toPath(named[0]) : files.map(({ path }) => path);
      trial = new ProductionTrial(file);
      blamed = new Set();
    }
    const how = await askFormat(dialogue, files[0], trial, blamed);
    if (!how) return undefined;
    const frame = await trial.read(how);
    if (frame instanceof Error) {
      if (typeof file === "string" && frame.code === "file_names") {
        file = files.map(({ path }) => path); // recognized by their columns: the names are not those of the preset
        trial = new ProductionTrial(file);
        continue;
      }
      const causes = findCauses(frame);
      const answered = questions.filter(({ name }) =>
        causes.includes(name) && dialogue.answers.has(name)
      );
      // What was not asked yet needs no excuse.
      const open = answered.length === 0 && causes.some((name) => !blamed.has(name));
      if (dialogue.interactive) {
        if (!open) dialogue.say(`\n  ${frame.message}\n`);
      } else if (dialogue.missing > missing) return undefined;
      else if (!open) {
        dialogue.miss(answered[0] ?? production, frame.message);
        return undefined;
      }
      if (!open) dialogue.forget(answered.length > 0 ? causes : all);
      blamed = new Set([...blamed, ...causes]);
      continue;
    }
    const { stamp } = layoutQuestions;
    if ("preset" in how && assumesStamp(frame) && !blamed.has(stamp.name)) {
      blamed = new Set([...blamed, stamp.name]);
      continue;
    }
    const turbines = await askTurbines(dialogue, listTurbines(frame));
    if (!turbines || dialogue.missing > missing) return undefined;
    dialogue.say("\nRead as:");
    const shown = turbines.length > 0
      ? frame.filter(pl.col("turbine_id").isIn([...turbines]))
      : frame;
    for (const line of describeProduction(shown)) dialogue.say(`  ${line}`);
    const wrong = await dialogue.review(
      "Is this right",
      all,
      "preset" in how ? [] : others,
    );
    if (wrong.length === 0) return { file, how, turbines, leftOut };
    blamed = new Set([...blamed, ...wrong]);
    if (wrong.includes(layoutQuestions.header.name)) {
      dialogue.forget(declaring.slice(1).map(({ name }) => name), false); // other rows, other names
    }
  }
}
