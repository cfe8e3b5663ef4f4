import {
  type ClimateDefinition,
  isClimateVariable,
  listClimateUnits,
  readClimate,
  type ReanalysisSource,
  selectPoints,
  SourceFiles,
} from "../../sites/mod.ts";
import type { ErrorCode, VindkitError } from "../../../mod.ts";
import type { Check, Dialogue, Proposal } from "./dialogue.ts";
import { climateFields as f, type Field, placeFields, type Position } from "./fields.ts";
import { guessPoint, guessVariables } from "./guess_climate.ts";
import { hasOffset } from "./guess_production.ts";
import { type InputFile, type InputFiles, nameFormat, shortPath } from "./input_files.ts";
import { describeClimate } from "./previews.ts";

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

/** Who is asked for ERA5 where it is not in files, and what that needs. */
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
  const from = await dialogue.ask(f.from, {
    value: `${new Date().getUTCFullYear() - YEARS}`,
    reason: `${YEARS} years`,
  });
  const points = await dialogue.ask(f.points, { value: 1, reason: "the quickest" });
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
  const proposal: Proposal = !wind ? {} : open.length > 0
    ? {
      value: variables,
      reason: `the unit of ${open.join(", ")} is not read`,
      trust: "unsure",
    }
    : { value: variables, reason: "by their names and values", trust: "proven" };
  return await dialogue.ask(f.variables, proposal, check) as Variables | undefined ?? variables;
}

type Variables = NonNullable<ClimateDefinition["variables"]>;

/** Asks what the columns of a table mean; what was not answered is missing. */
async function askTable(dialogue: Dialogue, file: InputFile): Promise<TableDefinition> {
  const { columns, path } = file;
  const times = columns.filter(({ cells }) => cells === "times");
  const [{ name: first } = { name: undefined }] = times;
  const time = await dialogue.ask(f.time, {
    ...(first === undefined ? {} : { value: first }),
    reason: "it has times",
    trust: times.length === 1 ? "proven" : "unsure",
    choices: columns.map(({ name, first }) => ({ value: name, hint: first.join(", ") })),
  });
  const variables = await askVariables(dialogue, file);
  const column = columns.find(({ name }) => name === time) ?? times[0];
  const own = column && !hasOffset(column.first[0] ?? "") || dialogue.wants(f.time_zone);
  const named = column && /utc|gmt/i.test(column.name);
  const zone = own
    ? await dialogue.ask(f.time_zone, {
      value: "UTC",
      reason: named ? "in the name of the column" : "as reanalyses are",
      trust: named ? "proven" : "unsure",
    })
    : "UTC";
  const point = guessPoint(path);
  const position = await dialogue.ask(
    f.position,
    point ? { value: point, reason: "in the name of the file", trust: "proven" } : {
      value: dialogue.value(placeFields.position),
      reason: "that of the turbine",
      trust: "unsure",
    },
  ) as Position | undefined;
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
  const table: TableDefinition = first.format === "netcdf" ? {} : await askTable(dialogue, first);
  const half = first.columns.find(({ cells }) => cells === "times")?.first[0]?.includes(":30");
  const stamp = await dialogue.ask(
    f.stamp,
    half
      ? { value: "middle", reason: "its times are half hours, as of MERRA-2" }
      : { value: "instant", reason: "as of ERA5; MERRA-2 has means" },
  );
  const isEra5 = first.format === "netcdf" ||
    [first.path, ...first.columns.map(({ name }) => name)].some((name) => /era5/i.test(name));
  await dialogue.ask(f.dataset, {
    value: isEra5 ? "era5" : "climate",
    reason: isEra5 ? "as the files look" : "a name for it",
    trust: "proven",
  });
  if (countHeights(table) === 1) await askShear(dialogue);
  if (dialogue.missing > missing) return undefined;
  return {
    files: files.map(({ path }) => path),
    stamp: stamp as ClimateDefinition["stamp"],
    ...table,
  };
}

const askShear = (dialogue: Dialogue) =>
  dialogue.ask(f.shear, {
    value: { exponent: 0.143 },
    reason: "open land; 0.1 at sea, 0.2 and more in forest",
  });

/**
 * Asks for climate until it is read as whoever answers wants it.
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
        return `ERA5 from ${source.from}, ${source.points} grid point(s), fetched after the last answer. ` +
          sources[source.source];
      }
      const points = await readClimate(
        { ...source, files: [...source.files ?? []] } as Parameters<typeof readClimate>[0],
        new SourceFiles({ folder: "/", frames: new Map() }),
      );
      const place = dialogue.value(placeFields.position) as Position | undefined;
      if (place) selectPoints({ climate: points }, place); // throws where they are too far away
      oneHeight = points[0].levels.length === 1;
      return describeClimate(points);
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
