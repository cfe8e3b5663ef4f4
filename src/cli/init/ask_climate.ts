import {
  type ClimateDefinition,
  readClimate,
  type ReanalysisSource,
  selectPoints,
  SourceFiles,
} from "../../sites/mod.ts";
import type { ErrorCode, VindkitError } from "../../../mod.ts";
import { visibleText } from "../../api/error_text.ts";
import { formatGrid } from "../../show/text/plain_text.ts";
import { askSource } from "./ask_source.ts";
import {
  climateQuestions,
  formatVariable,
  readVariable,
  SOURCES,
  STAMPS,
} from "./climate_questions.ts";
import { describeColumns } from "./describe_columns.ts";
import { type ClimatePoint, describeClimate } from "./describe_climate.ts";
import type { Dialogue } from "./dialogue.ts";
import { type ClimateVariable, guessPoint, guessVariables } from "./guess_climate.ts";
import { hasOffset } from "./guess_production.ts";
import { type InputFile, type InputFiles, nameFormat, shortPath } from "./input_files.ts";
import { placeQuestions } from "./place_questions.ts";

/** Climate as read, or as it will be fetched. */
export interface ClimateInput {
  readonly source: ClimateDefinition | ReanalysisSource;
  /** Whether wind is at one height only. */
  readonly oneHeight: boolean;
}

/** What the columns of a table mean. */
type TableDefinition = Omit<ClimateDefinition, "files" | "stamp">;

/** Questions whose answers may be wrong where what was read is not right. */
const all = Object.values(climateQuestions).map(({ name }) => name);

/** Questions that may have been answered wrongly, by the code with which climate is refused. */
const causes: Partial<Record<ErrorCode, readonly { readonly name: string }[]>> = {
  time_zone: [climateQuestions.zone],
  time_format: [climateQuestions.time, climateQuestions.stamp],
  resolution: [climateQuestions.time, climateQuestions.stamp],
  place: [
    placeQuestions.latitude,
    placeQuestions.longitude,
    climateQuestions.latitude,
    climateQuestions.longitude,
  ],
  columns: [climateQuestions.variables],
  number: [climateQuestions.variables],
  unit: [climateQuestions.variables],
  variable: [climateQuestions.variables],
};

/** Asks for the variables of a table; those that it seems to have where the answer is missing. */
async function askVariables(
  dialogue: Dialogue,
  { columns }: InputFile,
): Promise<readonly ClimateVariable[]> {
  const names = columns.map(({ name }) => name);
  const guess = guessVariables(columns);
  const clear = guess.filter(({ variable, unit }) =>
    unit !== undefined || variable === "preliminary"
  );
  const open = guess.filter((one) => !clear.includes(one)).map(({ column }) => `"${column}"`);
  const wind = clear.some(({ variable }) => variable.startsWith("wind_"));
  if (guess.length > 0 && !dialogue.answers.has(climateQuestions.variables.name)) {
    const rows = guess.map((one) => [
      one.variable,
      visibleText(one.column),
      clear.includes(one) ? one.unit ?? "1" : "?",
    ]);
    dialogue.say();
    for (const line of formatGrid([["variable", "column", "unit"], ...rows]).split("\n")) {
      dialogue.say(`  ${line}`);
    }
  }
  const check = (answer: string) => {
    const found = readVariable(answer, names);
    return typeof found === "string" ? found : undefined;
  };
  const answers = await dialogue.ask({ ...climateQuestions.variables, check }, {
    ...(wind ? { answers: clear.map(formatVariable) } : {}),
    shown: open.length > 0 ? `those above with a unit, without ${open.join(", ")}` : "those above",
    unsure: open.length > 0,
  });
  return answers?.map((answer) => readVariable(answer, names))
    .filter((one) => typeof one !== "string") ?? guess;
}

/** Asks what the columns of a table mean; a declaration that lacks what was not answered. */
async function askTable(
  dialogue: Dialogue,
  file: InputFile,
): Promise<TableDefinition> {
  const { columns } = file;
  const q = climateQuestions;
  if (!dialogue.answers.has(q.time.name)) {
    dialogue.say();
    for (const line of describeColumns(columns)) dialogue.say(`  ${line}`);
  }
  const times = columns.filter(({ cells }) => cells === "times");
  const [time] = await dialogue.ask(q.time, {
    answers: times.slice(0, 1).map(({ name }) => name),
    reason: "it has times",
    choices: columns.map(({ name }) => name),
  }) ?? [];
  const column = columns.find(({ name }) => name === time) ?? times[0];
  const variables = await askVariables(dialogue, file);
  const [zone] = column && !hasOffset(column)
    ? await dialogue.ask(q.zone, {
      answers: ["UTC"],
      ...(/utc|gmt/i.test(column.name)
        ? { reason: "in the name of the column" }
        : { reason: "as reanalyses are", unsure: true }),
    }) ?? []
    : ["UTC"];
  const point = guessPoint(file.path);
  const place = (axis: "latitude" | "longitude", guess: string | undefined) => {
    const own = dialogue.answers.get(placeQuestions[axis].name);
    return dialogue.ask(q[axis], {
      answers: guess === undefined ? own ?? [] : [guess],
      reason: guess === undefined ? "that of the turbine" : "in the name of the file",
      unsure: guess === undefined,
    });
  };
  const latitude = await place("latitude", point?.[0]);
  const longitude = await place("longitude", point?.[1]);
  return {
    latitude: Number(latitude?.[0]),
    longitude: Number(longitude?.[0]),
    time: { column: time ?? "", ...(zone ? { zone } : {}) },
    variables: Object.fromEntries(variables.map(({ variable, ...rest }) => [variable, rest])),
  };
}

function countHeights({ variables = {} }: TableDefinition): number {
  return new Set(
    Object.keys(variables).flatMap((name) => /^wind_[a-z]+_(.+)$/.exec(name)?.[1] ?? []),
  ).size;
}

/**
 * Asks for climate until it is read as whoever answers wants it.
 *
 * @returns The climate; `undefined` where answers are missing
 */
export async function askClimate(
  dialogue: Dialogue,
  inputs: InputFiles,
): Promise<ClimateInput | undefined> {
  const q = climateQuestions;
  // A table with names of its own looks like production.
  const isUsable = ({ kind }: InputFile) => kind === "climate" || kind === "production";
  const sourceOf = (answer: string) => SOURCES.find((one) => one === answer);
  const checkFile = inputs.check(isUsable, "climate");
  let asked: string | undefined;
  for (;;) {
    const before = dialogue.answers.get(q.climate.name);
    const answers = await dialogue.ask({
      ...q.climate,
      check: (answer) => sourceOf(answer) ? undefined : checkFile(answer),
    });
    if (!answers) return undefined;
    const [provider] = answers.map(sourceOf).filter((one) => one !== undefined);
    if (provider && answers.length > 1) {
      const problem = `${provider} fetches ERA5, which takes no files. Give one of them`;
      if (!dialogue.interactive) {
        dialogue.miss(q.climate, problem);
        return undefined;
      }
      dialogue.say(`  ${problem}`);
      dialogue.forget([q.climate.name], false);
      continue;
    }
    if (provider) {
      const source = await askSource(dialogue, provider);
      if (!source) return undefined;
      if ((await dialogue.review("Is this right", all)).length > 0) continue;
      return { source, oneHeight: false };
    }
    const files = (await inputs.find(answers)).filter(isUsable);
    const [first] = files;
    if (answers !== before) {
      const what = files.length === 1 ? "It is" : `${files.length} files are`;
      dialogue.say(`  ${what} ${nameFormat(first)}. ${first.reasons[0]}`);
      if (asked !== undefined && asked !== first.path) dialogue.forget(all.slice(1), false);
      asked = first.path;
    }
    const missing = dialogue.missing;
    const table: TableDefinition = first.format === "netcdf" ? {} : await askTable(dialogue, first);
    const half = first.columns.find(({ cells }) => cells === "times")?.first[0]?.includes(":30");
    const [stamp] = await dialogue.ask(q.stamp, {
      answers: [half ? "middle" : "instant"],
      reason: half ? "its times are half hours, as MERRA-2" : "as ERA5; MERRA-2 has means",
      choices: STAMPS,
    }) ?? [];
    const isEra5 = first.format === "netcdf" ||
      [first.path, ...first.columns.map(({ name }) => name)].some((name) => /era5/i.test(name));
    await dialogue.ask(
      q.dataset,
      isEra5 ? { answers: ["era5"], reason: "as the files look" } : { answers: ["climate"] },
    );
    const askShear = () =>
      dialogue.ask(q.shear, {
        answers: ["0.143"],
        reason: "open land; 0.1 at sea, 0.2 and more in forest",
      });
    if (countHeights(table) === 1) await askShear();
    const kind = STAMPS.find((one) => one === stamp);
    if (dialogue.missing > missing || !kind) return undefined;
    const source = { files: files.map(({ path }) => path), stamp: kind, ...table };
    const [latitude, longitude] = [placeQuestions.latitude, placeQuestions.longitude]
      .map(({ name }) => Number(dialogue.answers.get(name)?.[0]));
    let points: ClimatePoint[];
    try {
      points = await readClimate(source, new SourceFiles({ folder: "/", frames: new Map() }));
      if (!Number.isNaN(latitude + longitude)) {
        selectPoints({ climate: points }, { latitude, longitude }); // throws where they are too far away
      }
    } catch (error) {
      let { message, code } = error as VindkitError;
      for (const { path } of files) message = message.replaceAll(path, shortPath(path));
      const wrong = causes[code] ?? [];
      if (!dialogue.interactive) {
        dialogue.miss(q.climate, message);
        return undefined;
      }
      dialogue.say(`\n  ${message}\n`);
      dialogue.forget(wrong.length > 0 ? wrong.map(({ name }) => name) : all);
      for (const axis of ["latitude", "longitude"] as const) {
        if (wrong.includes(placeQuestions[axis])) await dialogue.ask(placeQuestions[axis]);
      }
      continue;
    }
    dialogue.say("\nRead as:");
    for (const line of describeClimate(points)) dialogue.say(`  ${line}`);
    if ((await dialogue.review("Is this right", all)).length > 0) continue;
    const oneHeight = points[0].levels.length === 1;
    if (oneHeight) await askShear();
    return { source, oneHeight };
  }
}
