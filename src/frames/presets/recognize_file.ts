import { isParquet, readParquet } from "../files/parquet.ts";
import { readBeginning, readNamedFile } from "../files/read_file.ts";
import { gunzip, isCompoundFile, isZip, unzipEach } from "../files/archive.ts";
import type { Cell } from "../cells/cell_table.ts";
import { readFrameCells } from "../cells/frame_cells.ts";
import { readSheetGrids } from "../cells/sheet_cells.ts";
import { splitRow } from "../csv/csv_field.ts";
import { findTableWidth } from "../csv/csv_layout.ts";
import { toPath } from "../storage/save_frame.ts";
import { WORKBOOK_MEMBER } from "./named_files.ts";
import { type Preset, presets } from "./presets.ts";
import { type RecognizedFile, recognizeRows } from "./recognize_rows.ts";

export type { RecognizedColumn, RecognizedFile } from "./recognize_rows.ts";

/** Bytes of a text to look at. */
const TEXT_BYTES = 2 ** 16;

/** Rows of a table to look at: the first ones may have no value. */
const MAX_ROWS = 1000;

/** Names of tables in an archive, and how many of them to look at. */
const [TABLE, MAX_TABLES] = [/\.(?:csv|tsv|txt|xlsx|parquet)(?:\.gz)?$/i, 4] as const;

/** Whether a preset has files of such a name. */
function isPresetFile(name: string): boolean {
  const fileName = name.split("/").at(-1)!.replace(/\.gz$/i, "");
  return Object.values<Preset>(presets).some((preset) =>
    preset.files.test(fileName) || "events" in preset && preset.events?.files.test(fileName)
  );
}

/** Other formats by their first bytes. */
const SIGNATURES: readonly (readonly [start: string, result: RecognizedFile])[] = [
  [
    "\x89HDF",
    buildClimate("netcdf", "It looks like NetCDF4, the format of the Climate Data Store"),
  ],
  [
    "CDF",
    buildClimate("netcdf", "It looks like classic NetCDF, which cannot be read. Request NetCDF4"),
  ],
  ["GRIB", buildUnknown("It is GRIB, which cannot be read. Request NetCDF4")],
];

function buildClimate(format: RecognizedFile["format"], reason: string): RecognizedFile {
  return { kind: "climate", format, columns: [], reasons: [reason] };
}

function buildUnknown(
  reason: string,
  format: RecognizedFile["format"] = "unknown",
): RecognizedFile {
  return { kind: "unknown", format, columns: [], reasons: [reason] };
}

/**
 * Recognizes a file by its beginning: the preset that reads it, or its kind. It parses no figures.
 *
 * @param file The file, or its path
 * @returns Its kind with the reasons, and its columns; an unrecognized file is "unknown", with the kinds that were
 * searched for
 * @throws {ArgumentError} If there is no such file
 * @throws {DataFormatError} If it is damaged
 *
 * @example A table of hours
 * ```ts
 * import { recognizeFile } from "@vindkit/vindkit/sites";
 * import { assertEquals } from "@std/assert";
 *
 * const bytes = new TextEncoder().encode("time;power\n2023-05-01T00:00Z;412,5\n2023-05-01T01:00Z;\n");
 * const { kind, columns } = await recognizeFile(bytes);
 * assertEquals(kind, "production");
 * assertEquals(columns[1], { name: "power", cells: "numbers", first: ["412,5"] });
 * ```
 */
export async function recognizeFile(file: Uint8Array | string | URL): Promise<RecognizedFile> {
  const path = file instanceof Uint8Array ? "the file" : toPath(file);
  const start = file instanceof Uint8Array ? file : await readStart(path);
  const first = String.fromCharCode(...start.subarray(0, 4));
  const signed = SIGNATURES.find(([begin]) => first.startsWith(begin));
  if (signed) return signed[1];
  if (isCompoundFile(start)) {
    return buildUnknown(
      "It is an old workbook, or it has a password. Save it as .xlsx without a password",
    );
  }
  const readAll = () => file instanceof Uint8Array ? Promise.resolve(file) : readNamedFile(file);
  if (isZip(start)) return await recognizeArchive(await readAll(), path);
  if (start[0] === 0x1f && start[1] === 0x8b) {
    return recognizeText(await gunzip(new Uint8Array(await readAll()), path));
  }
  if (!isParquet(start)) return recognizeText(start);
  const frame = readParquet(await readAll(), path).head(MAX_ROWS);
  const { columns } = readFrameCells(frame, path, frame.columns, {});
  const rows = Array.from(
    { length: frame.height },
    (_, row) => columns.map(({ cells }) => cells[row]),
  );
  return { ...recognizeRows([frame.columns, ...rows], 1), format: "parquet" };
}

/** Reads the beginning of a file. */
async function readStart(path: string): Promise<Uint8Array> {
  const info = await Deno.stat(path).catch(() => undefined);
  if (!info?.isFile) return await readNamedFile(path); // refuses it, and says why
  return await readBeginning(path, TEXT_BYTES);
}

function recognizeText(bytes: Uint8Array): RecognizedFile {
  const part = bytes.subarray(0, TEXT_BYTES);
  if (part.length === 0) return buildUnknown("It is empty");
  const wide = [["utf-16le", 0xff, 0xfe], ["utf-16be", 0xfe, 0xff]] as const;
  const [utf16] = wide.find(([, one, two]) => part[0] === one && part[1] === two) ?? [];
  if (!utf16 && part.includes(0)) {
    return buildUnknown("It is not a text, and its format is unknown");
  }
  const utf8 = new TextDecoder(utf16).decode(part);
  // The last character may be cut.
  const latin1 = !utf16 && utf8.slice(0, -3).includes("\ufffd");
  const text = latin1 ? new TextDecoder("windows-1252").decode(part) : utf8;
  const lines = text.split(/\r?\n/).slice(0, MAX_ROWS);
  const tables = [";", "\t", ","].map((delimiter) => {
    const rows = lines.map((line): Cell[] =>
      splitRow(new TextEncoder().encode(line), 0, delimiter) ?? []
    );
    return { delimiter, rows, ...findTableWidth(rows) };
  });
  // Most rows have the delimiter equally often. Commas come last, because they may be decimal marks.
  const isWhole = ({ width, marks }: typeof tables[number]) =>
    width > 1 && marks / (width - 1) > 0.9 * lines.length;
  const { rows, delimiter } = tables.find((one) => one.delimiter !== "," && isWhole(one)) ??
    tables.reduce((best, one) => one.marks > best.marks ? one : best);
  return {
    ...recognizeRows(rows),
    format: "csv",
    delimiter,
    ...(latin1 ? { encoding: "latin1" } : utf16 ? { encoding: "utf-16" } : {}),
  };
}

async function recognizeArchive(
  bytes: Uint8Array,
  file: string,
): Promise<RecognizedFile> {
  let members: readonly string[] = [];
  await unzipEach(bytes, file, (names) => {
    members = names;
    return [];
  }, () => Promise.resolve());
  if (members.some((name) => WORKBOOK_MEMBER.test(name))) {
    const sheets = await readSheetGrids(bytes, file);
    const recognized = sheets.map(({ name, rows }) => ({
      ...recognizeRows(rows.slice(0, MAX_ROWS)),
      name,
    }));
    const first = recognized.find(({ preset }) => preset) ??
      recognized.find(({ kind }) => kind !== "unknown") ?? recognized[0];
    if (!first) return buildUnknown("It has no visible sheet");
    const { name, ...best } = first;
    const others = recognized.filter((one) => one !== first && one.kind === best.kind);
    if (recognized.length > 1) {
      return { ...best, format: "xlsx", sheets: [name, ...others.map((one) => one.name)] };
    }
    return { ...best, format: "xlsx" };
  }
  // Looks at several files, because one may have other data, or begin with rows without a value.
  const tables = members.filter((name) => TABLE.test(name));
  const known = tables.filter((name) => isPresetFile(name));
  const chosen = (known.length > 0 ? known : tables).slice(0, MAX_TABLES);
  const tableKinds: RecognizedFile[] = [];
  await unzipEach(bytes, file, () => chosen, async (name, content) => {
    const unpacked = /\.gz$/i.test(name) ? await gunzip(content, name) : content;
    tableKinds.push(await recognizeFile(unpacked));
  });
  const best = tableKinds.find(({ preset, kind }) => preset && kind === "production") ??
    tableKinds.find(({ kind }) => kind === "production") ?? tableKinds[0];
  if (best) return { ...best, format: "zip" };
  return buildUnknown(
    `It is an archive of ${members.length} files without a table`,
    "zip",
  );
}
