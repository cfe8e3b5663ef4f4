import type { ErrorCode, VindkitError } from "../../../mod.ts";
import {
  type ClimateDefinition,
  isClimateVariable,
  listClimateUnits,
  readClimate,
  type ReanalysisSource,
  type RecognizedColumn,
  selectPoints,
  SourceFiles,
} from "../../sites/mod.ts";
import { type Check, type Dialogue, proven, unsure, usual } from "./dialogue.ts";
import { climateFields as f, type Field, placeFields, type Position } from "./fields.ts";
import { hasOffset } from "./guess_production.ts";
import { findPoint } from "./guess_point.ts";
import { type InputFile, type InputFiles, nameFormat, shortPath } from "./input_files.ts";
import { describeClimate } from "./previews.ts";

/** A climate variable, its column and unit. */
interface ClimateVariable {
  readonly variable: string;
  readonly column: string;
  /** Its unit. @default that of the engine */
  readonly unit?: string;
}

/** Names of columns by variable; a group is the height. Those of ERA5, MERRA-2, Open-Meteo and other services. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/^(?:wind_?speed|wspeed|ws)[._]?(\d+)m?(?![\d])/i, "wind_speed_"],
  [/^(\d+)_m_h?ws_mean/i, "wind_speed_"],
  [/^(?:wind_?(?:from_?)?direction|wdir|wd)[._]?(\d+)m?(?![\d])/i, "wind_direction_"],
  [/^(\d+)_m_h?wd_mean/i, "wind_direction_"],
  [/^(?:wind_)?u_?(\d+)m?(?![\d])/i, "wind_u_"],
  [/^(?:wind_)?v_?(\d+)m?(?![\d])/i, "wind_v_"],
  [/^(?:t_?2m|t2|2_m_temp|temp(?:erature)?(?:_2m)?)(?![a-z])/i, "temperature"],
  [/^(?:d2m|2_m_dew_point|dew_?point)/i, "dew_point"],
  [/^(?:sp|ps|surface_pressure|pressure|0_m_pres)(?![a-z])/i, "pressure"],
  [/^(?:rh|2_m_rh|relative_?humidity)/i, "relative_humidity"],
  [/^(?:era5t|preliminary)$/i, "preliminary"],
];

/** Units that the rest of a name shows, after that of the variable. */
const UNITS: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  wind: [[/^(?:m\/s|ms|m s-1|m s\*\*-1)$/i, "m/s"], [/^(?:km\/?h|kmh|kph)$/i, "km/h"], [
    /^(?:knots?|kn)$/i,
    "knots",
  ]],
  direction: [[/^(?:°|degrees?|deg)$/i, "deg"]],
  temperature: [[/^(?:K|kelvin)$/i, "K"], [/^(?:°?C|deg-?c|celsius)$/i, "degC"]],
  pressure: [[/^(?:hpa|mbar)$/i, "hPa"], [/^pa$/i, "Pa"]],
  relative_humidity: [[/^(?:%|percent)$/i, "%"]],
};

/** Words of names that are no unit: heights, and what a value is of its hour. */
const NO_UNIT = /^_?\d+_?m(?![a-z])|mean|avg|average|inst(?:ant)?/gi;

function guessUnit(variable: string, rest: string, first: readonly string[]): string | undefined {
  const unit = rest.replaceAll(NO_UNIT, "").replaceAll(/^[\s_.([\]-]+|[\s_.)\]]+$/g, "");
  const kind = /^wind_(direction)|^(wind)/.exec(variable)?.slice(1).find(Boolean) ??
    variable.replace("dew_point", "temperature");
  if (unit !== "") return UNITS[kind]?.find(([pattern]) => pattern.test(unit))?.[1];
  const value = Math.max(...first.map((cell) => Number(cell.replace(",", "."))));
  if (kind === "direction") return "deg";
  if (kind === "wind") return "m/s";
  if (kind === "temperature") return value > 150 ? "K" : "degC";
  if (kind === "pressure") return value > 30_000 ? "Pa" : value > 300 ? "hPa" : undefined;
  return kind === "relative_humidity" ? value <= 1 ? "1" : "%" : undefined;
}

/**
 * Guesses which columns are climate variables, and in which units.
 *
 * @returns The variables; without a unit where the name has one that is not known, or the values fit none
 */
export function guessVariables(columns: readonly RecognizedColumn[]): ClimateVariable[] {
  const found = new Map<string, ClimateVariable>();
  for (const column of columns.filter(({ cells }) => cells === "numbers")) {
    for (const [pattern, name] of NAMES) {
      const match = pattern.exec(column.name);
      const variable = match && name + (match[1] ?? "");
      if (!variable || found.has(variable)) continue;
      const rest = column.name.slice(match[0].length);
      // Open-Meteo leaves the unit out of some exports, where it is km/h by default.
      const open = /speed.*m$/i.test(match[0]) && rest === "";
      const unit = open ? undefined : guessUnit(variable, rest, column.first);
      found.set(variable, { variable, column: column.name, ...(unit ? { unit } : {}) });
    }
  }
  return [...found.values()];
}

/** Climate as read, or as it will be fetched. */
export interface ClimateInput {
  readonly source: ClimateDefinition | ReanalysisSource;
  /** Whether wind is at one height only. */
  readonly oneHeight: boolean;
}

/** What the columns of a table mean. */
type TableDefinition = Omit<ClimateDefinition, "files" | "stamp">;

/** Years of a good reference period. */
const YEARS = 20;

/** Services that supply ERA5 if it is not in files, and what each of them needs. */
const sources: Readonly<Record<ReanalysisSource["source"], string>> = {
  "cds": "The Climate Data Store needs a free key: docs/sources.md says how to get one",
  "open-meteo": "Open-Meteo without a key is for non-commercial use, up to 10,000 calls a day",
};

const isSource = (answer: string): answer is ReanalysisSource["source"] =>
  Object.hasOwn(sources, answer);

/** Fields that may be wrong, by the code with which climate is refused. */
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

/** Asks which ERA5 is fetched; that is done when the site is imported. */
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

/** Asks for the variables of a table: those that names and values show, with their units. */
async function askVariables(dialogue: Dialogue, { columns }: InputFile) {
  const names = columns.map(({ name }) => name);
  const guess = guessVariables(columns);
  const clear = guess.filter(({ variable, unit }) => unit ?? variable === "preliminary");
  const open = guess.filter((one) => !clear.includes(one)).map(({ column }) => `"${column}"`);
  const check: Check = (value) => {
    for (const [variable, { column, unit }] of Object.entries(value as Variables)) {
      if (!isClimateVariable(variable)) return `"${variable}" is not a climate variable`;
      if (!names.includes(column)) {
        return `"${column}" is no column. The columns are ${names.join(", ")}`;
      }
      if (unit === undefined && variable !== "preliminary") {
        return `The unit of ${variable} is missing: end with ${
          listClimateUnits(variable).join(" or ")
        }`;
      }
    }
  };
  const variables = Object.fromEntries(
    clear.map(({ variable, column, unit }) => [variable, { column, ...(unit ? { unit } : {}) }]),
  );
  const wind = clear.some(({ variable }) => variable.startsWith("wind_"));
  const proposal = !wind
    ? {}
    : open.length > 0
    ? unsure(variables, `the unit of ${open.join(", ")} is not read`)
    : proven(variables, "by their names and values");
  return await dialogue.ask(f.variables, proposal, check) as Variables | undefined ?? variables;
}

type Variables = NonNullable<ClimateDefinition["variables"]>;

/** Degrees by which a point may differ from what its file says: half the step of the finest grid, that of ERA5-Land. */
const SAME_POINT = 0.05;

/** Asks for the point of climate files: one that they show is not another one. */
async function askPoint(
  dialogue: Dialogue,
  files: readonly InputFile[],
): Promise<Position | undefined> {
  const shown = await Promise.all(files.map(findPoint));
  const check: Check = (value) => {
    const { latitude, longitude } = value as Position;
    const i = shown.findIndex((one) =>
      one?.isStated && !(Math.abs(one.point.latitude - latitude) <= SAME_POINT &&
        Math.abs(one.point.longitude - longitude) <= SAME_POINT)
    );
    if (i === -1) return undefined;
    const { point, reason } = shown[i]!;
    return `${shortPath(files[i].path)} is of ${point.latitude}, ${point.longitude} (${reason}). ` +
      "Give that point, and name files of one point at a time";
  };
  const [first] = shown.filter((one) => one !== undefined);
  const proposal = first
    ? proven(first.point, first.reason)
    : unsure(dialogue.value(placeFields.position), "that of the turbine");
  return await dialogue.ask(f.position, proposal, check) as Position | undefined;
}

/** Asks what the columns of a table mean; fields without an answer are missing. */
async function askTable(
  dialogue: Dialogue,
  files: readonly InputFile[],
): Promise<TableDefinition> {
  const [file] = files;
  const { columns } = file;
  const times = columns.filter(({ cells }) => cells === "times");
  const time = await dialogue.ask(f.time, {
    ...(times.length === 1 ? proven : unsure)(times[0]?.name, "it has times"),
    choices: columns.map(({ name, first }) => ({ value: name, hint: first.join(", ") })),
  });
  const variables = await askVariables(dialogue, file);
  const column = columns.find(({ name }) => name === time) ?? times[0];
  const own = column && !hasOffset(column.first[0] ?? "") || dialogue.wants(f.time_zone);
  const named = column && /utc|gmt/i.test(column.name);
  const zone = own
    ? await dialogue.ask(
      f.time_zone,
      named ? proven("UTC", "in the name of the column") : unsure("UTC", "as reanalyses are"),
    )
    : "UTC";
  const position = await askPoint(dialogue, files);
  return {
    ...position ?? {},
    time: { column: String(time ?? ""), ...(zone ? { zone: String(zone) } : {}) },
    variables,
  };
}

function countHeights({ variables = {} }: TableDefinition): number {
  return new Set(
    Object.keys(variables).flatMap((name) => /^wind_[a-z]+_(.+)$/.exec(name)?.[1] ?? []),
  ).size;
}

/** Asks what climate files have. */
async function askFiles(
  dialogue: Dialogue,
  files: readonly InputFile[],
): Promise<ClimateDefinition | undefined> {
  const [first] = files;
  const missing = dialogue.missing;
  const table: TableDefinition = first.format === "netcdf" ? {} : await askTable(dialogue, files);
  const half = first.columns.find(({ cells }) => cells === "times")?.first[0]?.includes(":30");
  const stamp = await dialogue.ask(
    f.stamp,
    half
      ? usual("middle", "its times are half hours, as of MERRA-2")
      : usual("instant", "as of ERA5; MERRA-2 has means"),
  );
  const isEra5 = first.format === "netcdf" ||
    [first.path, ...first.columns.map(({ name }) => name)].some((name) => /era5/i.test(name));
  await dialogue.ask(
    f.dataset,
    isEra5 ? proven("era5", "as the files look") : proven("climate", "a name for it"),
  );
  if (countHeights(table) === 1) await askShear(dialogue);
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

/**
 * Asks for climate until it is read as the user wants it.
 *
 * @returns The climate; `undefined` where answers are missing
 */
export async function askClimate(
  dialogue: Dialogue,
  inputs: InputFiles,
): Promise<ClimateInput | undefined> {
  // A table with names of its own looks like production.
  const isUsable = ({ kind }: InputFile) => kind === "climate" || kind === "production";
  const isFiles = inputs.check(isUsable, "climate");
  const check: Check = async (value) => {
    const answers = value as readonly string[];
    const [provider] = answers.filter(isSource);
    if (provider === undefined) return await isFiles(value);
    return answers.length === 1
      ? undefined
      : `${provider} fetches ERA5, which takes no files. Give one of them`;
  };
  const fields = Object.values(f);
  let [named, oneHeight]: [unknown, boolean] = [undefined, false];
  const source = await dialogue.untilRight<ClimateDefinition | ReanalysisSource>(fields, {
    async ask() {
      if (dialogue.wants(placeFields.position)) await dialogue.ask(placeFields.position);
      const answers = await dialogue.ask(f.files, {}, check) as readonly string[] | undefined;
      if (!answers) return undefined;
      if (named !== undefined && answers !== named) dialogue.forget(fields.slice(1));
      const [provider] = answers;
      const files = isSource(provider) ? [] : (await inputs.find(answers)).filter(isUsable);
      if (answers !== named && files.length > 0) {
        const what = files.length === 1 ? "It is" : `${files.length} files are`;
        dialogue.say(`${what} ${nameFormat(files[0])}. ${files[0].reasons[0]}`);
      }
      named = answers;
      return isSource(provider)
        ? await askSource(dialogue, provider)
        : await askFiles(dialogue, files);
    },
    async read(source) {
      if ("source" in source) {
        const text =
          `ERA5 from ${source.from}, ${source.points} grid point(s), fetched after the last answer. ` +
          sources[source.source];
        return { text };
      }
      const points = await readClimate(
        { ...source, files: [...source.files ?? []] } as Parameters<typeof readClimate>[0],
        new SourceFiles({ folder: "/", frames: new Map() }),
      );
      const place = dialogue.value(placeFields.position) as Position | undefined;
      if (place) selectPoints({ climate: points }, place); // throws where they are too far away
      oneHeight = points[0].levels.length === 1;
      return { text: describeClimate(points, place) };
    },
    findCauses(error) {
      for (const path of [named].flat()) {
        error.message = error.message.replaceAll(String(path), shortPath(String(path)));
      }
      return causes[(error as VindkitError).code] ?? [];
    },
  });
  if (!source) return undefined;
  if (oneHeight) await askShear(dialogue);
  return { source, oneHeight };
}
