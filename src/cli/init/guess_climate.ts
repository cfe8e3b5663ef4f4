import {
  convertVariable,
  listClimateUnits,
  readClimateUnit,
  type RecognizedColumn,
} from "../../sites/mod.ts";
import type { InputFile } from "./input_files.ts";
import type { Position } from "./fields.ts";

/** Column names of a point's coordinates, with or without a unit. */
const POINT = [/^lat(?:itude)?(?![a-z])/i, /^(?:lon|lng|long)(?:itude)?(?![a-z])/i] as const;

/** The point of a climate file. */
export interface ShownPoint {
  readonly point: Position;
  /** Place in the file that shows it. */
  readonly reason: string;
}

/** Bytes of the text above a table that may contain its point, as in exports of Open-Meteo. */
const HEAD_BYTES = 4096;

/** The point in some values; `undefined` if they are not coordinates. */
function toPosition(values: readonly (string | undefined)[]): Position | undefined {
  const [latitude, longitude] = values.map((value) => value?.trim() ? Number(value) : NaN);
  if (!(Math.abs(latitude) <= 90 && longitude >= -180 && longitude <= 360)) return undefined;
  return { latitude, longitude: longitude > 180 ? longitude - 360 : longitude };
}

/** The point in two lines of a text, with names above values. */
async function readHead({ path, delimiter = "," }: InputFile): Promise<Position | undefined> {
  using file = await Deno.open(path);
  const bytes = new Uint8Array(HEAD_BYTES);
  const count = await file.read(bytes) ?? 0;
  const rows = new TextDecoder().decode(bytes.subarray(0, count)).split(/\r?\n/)
    .map((line) => line.split(delimiter).map((cell) => cell.replaceAll(/^"|"$/g, "")));
  for (const [i, row] of rows.entries()) {
    const places = POINT.map((name) => row.findIndex((cell) => name.test(cell)));
    if (!places.includes(-1)) return toPosition(places.map((place) => rows[i + 1]?.[place]));
  }
}

/** Finds the point of a climate file and its evidence: columns of latitude and longitude, or lines above the table. */
export async function findPoint(file: InputFile): Promise<ShownPoint | undefined> {
  const columns = POINT.map((name) => file.columns.find((one) => name.test(one.name)));
  if (columns.every((one) => one !== undefined)) {
    const cells = columns.map(({ first }) => new Set(first).size === 1 ? first[0] : undefined);
    const point = toPosition(cells);
    const names = columns.map(({ name }) => `"${name}"`).join(" and ");
    return point && { point, reason: `from its columns ${names}` };
  }
  const isText = file.format === "csv" && !/\.gz$/i.test(file.path);
  const point = isText ? await readHead(file) : undefined;
  return point && { point, reason: "from the lines above its table" };
}

/** A climate variable, its column and unit. */
interface ClimateVariable {
  readonly variable: string;
  readonly column: string;
  /** Its unit. @default the engine's */
  readonly unit?: string;
}

/** Column names by variable; a group is the height. They cover ERA5, MERRA-2, Open-Meteo and other services. */
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

/** Words in names that are not units: heights, and the kind of value within its hour. */
const NO_UNIT = /^_?\d+_?m(?![a-z])|mean|avg|average|inst(?:ant)?/gi;

/** The unit of a column: from the rest of its name, otherwise the first for which the import finds the values plausible. */
function guessUnit(variable: string, suffix: string, first: readonly string[]): string | undefined {
  const unit = suffix.replaceAll(NO_UNIT, "").replaceAll(/^[\s_.([\]-]+|[\s_.)\]]+$/g, "");
  if (unit !== "") return readClimateUnit(variable, unit);
  const values = first.map((cell) => Number(cell.replace(",", ".")));
  return listClimateUnits(variable).find((one) =>
    convertVariable(variable, values, one).implausible === undefined
  );
}

/**
 * Guesses which columns are climate variables, and their units.
 *
 * @returns The variables; without a unit if the name has an unknown one, or the values fit no unit
 */
export function guessVariables(columns: readonly RecognizedColumn[]): ClimateVariable[] {
  const variables = new Map<string, ClimateVariable>();
  for (const column of columns.filter(({ cells }) => cells === "numbers")) {
    for (const [pattern, name] of NAMES) {
      const match = pattern.exec(column.name);
      const variable = match && name + (match[1] ?? "");
      if (!variable || variables.has(variable)) continue;
      const suffix = column.name.slice(match[0].length);
      // Some exports of Open-Meteo omit the unit, which is km/h by default.
      const open = /speed.*m$/i.test(match[0]) && suffix === "";
      const unit = open ? undefined : guessUnit(variable, suffix, column.first);
      variables.set(variable, { variable, column: column.name, ...(unit && { unit }) });
    }
  }
  return [...variables.values()];
}
