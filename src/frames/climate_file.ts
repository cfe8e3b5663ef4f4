import pl, { type DataFrame } from "nodejs-polars";
import { climateColumn, climateColumnByName, climateTime } from "../api/columns/climate_columns.ts";
import { type Column, wireName } from "../api/columns/column.ts";
import { openCsv } from "./csv/csv_reader.ts";
import { renameInHeader } from "./csv/csv_names.ts";
import type { TableAdvice } from "./csv/csv_layout.ts";
import { readBeginning, readParts } from "./files/read_file.ts";
import { isZip, unzipMember } from "./files/archive.ts";

/** The place of the data in a climate file. */
interface ClimatePlace {
  /** Latitude, deg. */
  readonly latitude: number;
  /** Longitude, deg. */
  readonly longitude: number;
  /** Elevation of the ground, m; `null` if it is not known. */
  readonly elevation: number | null;
}

/** Content of a climate file. */
export interface ClimateFile {
  /** `time` in UTC, then the variables with their names in frames; unknown ones keep their names. */
  readonly frame: DataFrame;
  /** Declarations of the known columns. */
  readonly columns: readonly Column[];
  /** The place, if the preamble has it. */
  readonly place?: ClimatePlace | undefined;
}

/**
 * Writes climate data as our service delivers it: a preamble with the place, then tab-separated columns by their wire
 * names, stamps in UTC.
 *
 * @param frame `time` and variables with their names in frames
 */
export function writeClimateFile(frame: DataFrame, place: ClimatePlace): Uint8Array {
  const utc = frame.withColumn(pl.col(climateTime.name).cast(pl.Datetime("us", "UTC")));
  const renamed = utc.rename(Object.fromEntries(frame.columns.map((name) => {
    const column = climateColumnByName(name);
    return [name, column ? wireName(column) : name];
  })));
  const table = renamed.writeCSV({
    separator: "\t",
    datetimeFormat: "%Y-%m-%dT%H:%M:%SZ",
  } as never) as unknown as Uint8Array;
  const preamble = new TextEncoder().encode(
    `Latitude: ${place.latitude}\nLongitude: ${place.longitude}\n` +
      `Orography: ${place.elevation ?? ""}\n`,
  );
  const bytes = new Uint8Array(preamble.length + table.length);
  bytes.set(preamble);
  bytes.set(table, preamble.length);
  return bytes;
}

function readPlace(preamble: readonly string[]): ClimatePlace | undefined {
  const number = (name: string): number | null => {
    const match = new RegExp(`${name}:\\s*(-?[0-9.]+)`, "i").exec(preamble.join("\n"));
    return match ? Number(match[1]) : null;
  };
  const latitude = number("Latitude");
  const longitude = number("Longitude");
  return latitude === null || longitude === null
    ? undefined
    : { latitude, longitude, elevation: number("Orography") };
}

/** Names and zone of a climate file that differ from ours. */
export interface ClimateFileForm {
  /** Names in the header by the names in frames. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Zone of stamps without offset. @default {"UTC"} */
  readonly timeZone?: string;
  /** Advice for messages about a file that does not fit. */
  readonly advice?: TableAdvice;
}

/**
 * Reads climate data: zipped or not, with or without preamble, separated by comma, semicolon or tab. Reads the file in
 * blocks, so it needs little more memory than the frame.
 *
 * @param source The file, or its path
 * @param form Names and zone, if they are not ours
 * @throws {DataFormatError} If it is not a climate file
 */
export async function readClimateFile(
  source: Uint8Array | string,
  file: string,
  { columns: names = {}, timeZone = "UTC", advice }: ClimateFileForm = {},
): Promise<ClimateFile> {
  const renamed = Object.keys(names).map((name) => climateColumnByName(name))
    .filter((column) => column !== undefined);
  const [time, ...declared] = renameInHeader([climateTime, ...renamed], names);
  const declaredNames = new Set(declared.map(({ name }) => name));
  const findColumns = (header: readonly string[]): Column[] => {
    const known = header.map((name) => climateColumn(name)).filter((column) =>
      column !== undefined
    );
    return [time, ...declared, ...known.filter(({ name }) => !declaredNames.has(name))];
  };
  const reader = openCsv(findColumns, { file, timeZone, required: [time], advice });
  let last: Uint8Array | undefined;
  if (isZip(typeof source === "string" ? await readBeginning(source) : source)) {
    await unzipMember(source, file, ".csv", (part) => reader.write(part));
  } else if (typeof source === "string") await readParts(source, (part) => reader.write(part));
  else last = source;
  const { frame, columns, preamble } = reader.end(last);
  const place = readPlace(preamble);
  return { frame, columns, place };
}
