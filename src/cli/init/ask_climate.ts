import type { ErrorCode, VindkitError } from "../../../mod.ts";
import {
  type ClimateDefinition,
  computeDistance,
  listClimateUnits,
  readClimate,
  type ReanalysisSource,
  selectPoints,
  SourceFiles,
} from "../../sites/mod.ts";
import { type Check, type Dialogue, proven, unsure, usual } from "./dialogue.ts";
import { climateFields as f, type Field, placeFields, type Position } from "./fields.ts";
import { findPoint, guessVariables } from "./guess_climate.ts";
import { hasOffset } from "./guess_production.ts";
import { type InputFile, type InputFiles, nameFormat, shortPath } from "./input_files.ts";
import { describeClimate } from "./previews.ts";

/** Climate as read, or as it will be fetched. */
export interface ClimateInput {
  readonly source: ClimateDefinition | ReanalysisSource;
  /** Whether wind is known at only one height. */
  readonly oneHeight: boolean;
}

/** Meaning of the columns of a table. */
type TableDefinition = Omit<ClimateDefinition, "files" | "stamp">;

/** Years of a good reference period. */
const YEARS = 20;

/** Services that supply ERA5 if there are no files, with their requirements. */
const sources: Readonly<Record<ReanalysisSource["source"], string>> = {
  "cds": "The Climate Data Store needs a free key: docs/sources.md says how to get one",
  "open-meteo": "Open-Meteo without a key is for non-commercial use only, up to 10,000 calls a day",
};

const isSource = (answer: string): answer is ReanalysisSource["source"] =>
  Object.hasOwn(sources, answer);

/** Fields that may be wrong, by the error code that refused the climate. */
const causes: Partial<Record<ErrorCode, readonly Field[]>> = {
  time_zone: [f.time_zone],
  time_format: [f.time, f.stamp],
  resolution: [f.time, f.stamp],
  place: [placeFields.position, f.position],
  columns: [f.variables],
  number: [f.variables],
  unit: [f.variables],
  variable: [f.variables],
};

/** Asks which ERA5 to fetch; the import fetches it later. */
async function askSource(
  dialogue: Dialogue,
  source: ReanalysisSource["source"],
): Promise<ReanalysisSource | undefined> {
  const first = `${new Date().getUTCFullYear() - YEARS}`;
  const from = await dialogue.ask(f.from, usual(first, `${YEARS} years`));
  const points = await dialogue.ask(f.points, usual(1, "the quickest"));
  if (from === undefined || points === undefined) return undefined;
  return { source, points: points === 4 ? 4 : 1, from: String(from) };
}

/** Asks for the variables of a table, with the variables and units that names and values show. */
async function askVariables(dialogue: Dialogue, { columns }: InputFile) {
  const guess = guessVariables(columns);
  const clear = guess.filter(({ unit }) => unit !== undefined);
  const open = guess.filter((one) => !clear.includes(one)).map(({ column }) => `"${column}"`);
  const check: Check = (value) => {
    const bare = Object.entries(value as Variables).find(([variable, { unit }]) =>
      unit === undefined && variable !== "preliminary"
    );
    return bare &&
      `The unit of ${bare[0]} is missing. End with ${listClimateUnits(bare[0]).join(" or ")}`;
  };
  const variables = Object.fromEntries(
    clear.map(({ variable, ...definition }) => [variable, definition]),
  );
  const proposal = !clear.some(({ variable }) => variable.startsWith("wind_"))
    ? {}
    : open.length > 0
    ? unsure(variables, `the unit of ${open.join(", ")} is unknown`)
    : proven(variables, "by their names and values");
  return await dialogue.ask(f.variables, proposal, check) as Variables | undefined ?? variables;
}

type Variables = NonNullable<ClimateDefinition["variables"]>;

/** Distance below which a point counts as its file's point, km: half the step of the finest grid, ERA5-Land. */
const SAME_POINT = 6;

/** Asks for the meaning of a table's columns; fields without an answer are missing. */
async function askTable(dialogue: Dialogue, file: InputFile): Promise<TableDefinition> {
  const { columns } = file;
  const times = columns.filter(({ cells }) => cells === "times");
  const time = await dialogue.ask(f.time, {
    ...(times.length === 1 ? proven : unsure)(times[0]?.name, "its cells are timestamps"),
    choices: columns.map(({ name, first }) => ({ value: name, hint: first.join(", ") })),
  });
  const variables = await askVariables(dialogue, file);
  const column = columns.find(({ name }) => name === time) ?? times[0];
  const isLocal = column && !hasOffset(column.first[0] ?? "") || dialogue.wants(f.time_zone);
  const zone = isLocal
    ? await dialogue.ask(
      f.time_zone,
      column && /utc|gmt/i.test(column.name)
        ? proven("UTC", "from the column name")
        : unsure("UTC", "the usual zone of a reanalysis"),
    )
    : "UTC";
  const match = await findPoint(file);
  const position = await dialogue.ask(
    f.position,
    match
      ? proven(match.point, match.reason)
      : unsure(dialogue.value(placeFields.position), "point of the turbine"),
    (value) => {
      if (!match || computeDistance(match.point, value as Position) < SAME_POINT) return undefined;
      const { latitude, longitude } = match.point;
      return `${
        shortPath(file.path)
      } has the point ${latitude}, ${longitude} (${match.reason}). Give that point`;
    },
  );
  return {
    ...position as Position | undefined,
    time: { column: String(time ?? ""), ...(zone ? { zone: String(zone) } : {}) },
    variables,
  };
}

/** Asks for the content of climate files; `undefined` if answers are missing. */
async function askFiles(
  dialogue: Dialogue,
  files: readonly InputFile[],
): Promise<ClimateDefinition | undefined> {
  const [first] = files;
  const missing = dialogue.missing;
  const isNetcdf = first.format === "netcdf";
  const table: TableDefinition = isNetcdf ? {} : await askTable(dialogue, first);
  const isHalf = first.columns.find(({ cells }) => cells === "times")?.first[0]?.includes(":30");
  const stamp = await dialogue.ask(
    f.stamp,
    isHalf
      ? usual("middle", "its timestamps are half past the hour, as in MERRA-2")
      : usual("instant", "as in ERA5; MERRA-2 has hourly means"),
  );
  const isEra5 = isNetcdf ||
    [first.path, ...first.columns.map(({ name }) => name)].some((name) => /era5/i.test(name));
  await dialogue.ask(
    f.dataset,
    isEra5 ? proven("era5", "judged from the files") : proven("climate", "a neutral name"),
  );
  const heights = Object.keys(table.variables ?? {})
    .flatMap((name) => /^wind_[a-z]+_(.+)$/.exec(name)?.[1] ?? []);
  if (new Set(heights).size === 1) await askShear(dialogue);
  if (dialogue.missing > missing) return undefined;
  return {
    files: files.map(({ path }) => path),
    stamp: stamp as ClimateDefinition["stamp"],
    ...table,
  };
}

const askShear = (dialogue: Dialogue) =>
  dialogue.ask(
    f.shear,
    usual({ exponent: 0.143 }, "open land; 0.1 at sea, 0.2 and more in forest"),
  );

/** Reads and shows the climate of files; returns whether wind is at only one height. */
async function readFiles(
  dialogue: Dialogue,
  source: ClimateDefinition,
): Promise<boolean | undefined> {
  const place = dialogue.value(placeFields.position) as Position | undefined;
  try {
    const points = await readClimate(
      source as Parameters<typeof readClimate>[0],
      new SourceFiles({ folder: "/", frames: new Map() }),
    );
    if (place) selectPoints({ climate: points }, place); // throws if points are too far away
    dialogue.note(...describeClimate(points, place));
    return points[0].levels.length === 1;
  } catch (caught) {
    const { message, code } = caught as VindkitError;
    const text = (source.files as string[]).reduce(
      (text, path) => text.replaceAll(path, shortPath(path)),
      message,
    );
    const known = (causes[code] ?? []).filter((field) => dialogue.wants(field));
    return dialogue.refute(known.length > 0 ? known : [f.files], text);
  }
}

/**
 * Asks for the climate files or the service that has climate, and reads files.
 *
 * @returns The climate; `undefined` if answers are missing
 */
export async function askClimate(
  dialogue: Dialogue,
  inputs: InputFiles,
): Promise<ClimateInput | undefined> {
  // A table with unusual column names looks like production.
  const isUsable = ({ kind }: InputFile) => kind === "climate" || kind === "production";
  const isFiles = inputs.check(isUsable, "climate");
  const check: Check = (value) => {
    const answers = value as readonly string[];
    const [provider] = answers.filter(isSource);
    if (provider === undefined) return isFiles(value);
    return answers.length === 1
      ? undefined
      : `With ${provider}, init fetches ERA5 and does not read files. Give either ${provider} or files`;
  };
  const answers = await dialogue.ask(f.files, {}, check) as readonly string[] | undefined;
  if (!answers) return undefined;
  const [provider] = answers;
  if (isSource(provider)) {
    const source = await askSource(dialogue, provider);
    dialogue.note(`Climate: ERA5, which init fetches after your last answer. ${sources[provider]}`);
    return source && { source, oneHeight: false };
  }
  const files = (await inputs.find(answers)).filter(isUsable);
  dialogue.note(
    `Climate: ${files.length === 1 ? "It is" : `${files.length} files are`} ${
      nameFormat(files[0])
    }. ${files[0].reasons[0]}`,
  );
  const source = await askFiles(dialogue, files);
  const oneHeight = source && await readFiles(dialogue, source);
  if (!source || oneHeight === undefined) return undefined;
  if (oneHeight) await askShear(dialogue);
  return { source, oneHeight };
}
