import type { Cell } from "../cells/cell_table.ts";
import { joinHeader, spreadMerged } from "../cells/header_names.ts";
import { NULL_TEXTS, plainNumber } from "../csv/csv_numbers.ts";
import { findTableWidth } from "../csv/csv_layout.ts";
import { findMonth, RANGE } from "../../time/time_format.ts";
import { type Preset, presets } from "./presets.ts";

/** A column of a file, recognized by its first rows. */
export interface RecognizedColumn {
  /** Its name in the file. */
  readonly name: string;
  /** Kind of its cells. */
  readonly cells: "times" | "numbers" | "texts" | "empty";
  /** Its first cells that are not empty, three at most, as the file has them. */
  readonly first: readonly string[];
  /** Texts among its numbers, which may mean missing, three at most. @default none */
  readonly marks?: readonly string[];
}

/** A file, recognized by its beginning. */
export interface RecognizedFile {
  /** Kind of its content; a register of turbines with their production is "production". */
  readonly kind: "production" | "events" | "climate" | "power curve" | "unknown";
  /** Format of the file. */
  readonly format: "csv" | "xlsx" | "parquet" | "netcdf" | "zip" | "unknown";
  /** Name of the preset that reads it. @default none */
  readonly preset?: string;
  /** Its columns, in the order of the file; empty if they are unknown. */
  readonly columns: readonly RecognizedColumn[];
  /** Rows of its header, including units or formats below the names. @default {1} */
  readonly headerRows?: number;
  /** Character between the fields of a text. */
  readonly delimiter?: string;
  /** Encoding of a text that is not UTF-8. @default UTF-8 */
  readonly encoding?: "latin1" | "utf-16";
  /** Names of the sheets of a workbook with several: first the sheet of the columns, then others of the same kind. @default the only one */
  readonly sheets?: readonly string[];
  /** Reasons for the kind, in sentences; for an unknown file, the kinds that were searched for. */
  readonly reasons: readonly string[];
}

/** A stamp or a day as files write it: 2023-05-01T13:00, Mo 01.05.2023 13:00 MESZ, 2023/05, 20230501 1300, 01-May-2023, May 2023. */
const TIME =
  /^(?:\p{L}{2,3}\.? )?(?:\d{4}([-/.])\d{1,2}(?:\1\d{1,2}(?:[T ]\d{1,2}[:.]\d{2}\S*(?: ?(?:\(?[A-Z]{1,5}\)?|[+-]\d{2}:?\d{2}))?)?)?|\d{8}[T ]\d{4,6}|\d{12}(?:\d{2})?[A-Z]{1,4}|\d{1,2}([./-])\d{1,2}\2\d{2,4}(?: +\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?: ?\(?[A-Z]{1,5}\)?)?(?: ?(?:[+-]\d{2}:?\d{2}))?)?|\d{1,2}[./-]\d{4}|(?:\d{1,2}(?:[-. ]|\. ))?(?<month>\p{L}{3,})\.?[-. ](?:\d{2}|\d{4})(?: \d.*)?)$/u;

/** Names of a column of times, which may be numbers. */
const TIME_NAME = /time|date|zeit|datum|dato|fecha|hora|heure|horodat|\btid|stamp|epoch|unix/i;

/** Numbers that are times: seconds or milliseconds since 1970, days of Excel, and digits of a date. */
const TIME_NUMBER =
  /^(?:[01]?\d{9}(?:\d{3})?|[2-5]\d{4}(?:[.,]\d+)?|(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-3]\d(?:[0-2]\d[0-5]\d(?:[0-5]\d)?)?)?)$/;

/** Names of a column of years, whose cells are plain numbers. */
const YEAR = /^(?:year|jahr|år|année)$/i;

/** A number with a decimal comma, or with marks between thousands. */
const COMMA_NUMBER = /^[+-]?(?:[\d.' ]+,\d+|\d{1,3}(?:[,' ]\d{3})+(?:\.\d+)?)$/;

/** A unit, or the format of a time. */
const UNIT =
  /^[[(]?(?:[kM]?W(?:h|att)?|m\/s|°?C|deg|°|%|rpm|Hz|V|A|kvar|-|[dmyh:./ ]+(?:am\/pm)?|h)[\])]?$/i;

/** Most rows of a header. */
const MAX_HEADER = 4;

/** Most rows below a table that do not belong to it. */
const MAX_FOOTER = 5;

/** Number of first cells to show. */
const FIRST_CELLS = 3;

/** Names of climate variables, as reanalyses and their services write them. */
const CLIMATE =
  /^(?:[uv]1?00?|u10m?|v10m?|wind_?speed_?\d+m?(?:$| ?\()|wind_?direction_?\d+m?(?:$| ?\()|wSpeed\.\d+|wDir\.\d+|w[sd]\d+m?|t2m|sp|ps|\d+_m_.*(?:h?w[sd]|temp|pres)_)/i;

const nameOf = (cell: Cell) => typeof cell === "string" ? cell.replaceAll(/\s+/g, " ").trim() : "";

/**
 * Recognizes a table by its names and first rows.
 *
 * @param rows First rows of the file, those above the header included
 * @param headerRows Rows of the header. @default the rows without times and numbers
 * @returns All but the format of the file
 */
export function recognizeRows(
  rows: readonly (readonly Cell[])[],
  headerRows?: number,
): Omit<RecognizedFile, "format"> {
  for (const [preset, layout] of Object.entries<Preset>(presets)) {
    const recognized = recognizePreset(rows, layout);
    if (recognized) return { ...recognized, preset };
  }
  const { width } = findTableWidth(rows);
  // A line of words above the table may have as many commas as the table.
  const isComment = (row: readonly Cell[]) => nameOf(row[0] ?? null).startsWith("#");
  const wide = rows.map((row) => row.length === width && !isComment(row));
  const body = findBody(rows, wide);
  const above = countAbove(rows, wide, body);
  // Without a header above times, the first full row is the header.
  const full = rows.findIndex((row, i) => wide[i] && row.every((cell) => nameOf(cell) !== ""));
  const first = Math.max(0, full === -1 ? wide.indexOf(true) : full);
  const count = headerRows ?? (above || countBelow(rows.slice(first)));
  const header = above > 0 ? Math.max(0, body - count) : first;
  const columns = readColumns(rows, header, count);
  return { ...recognizeColumns(columns), ...(count > 1 ? { headerRows: count } : {}) };
}

/** Finds the first row of a table with times: the row of the first time in the column with most times; -1 without any. */
function findBody(rows: readonly (readonly Cell[])[], wide: readonly boolean[]): number {
  const counts = new Map<number, number>();
  for (const [i, row] of rows.entries()) {
    if (!wide[i]) continue;
    for (const [column, cell] of row.entries()) {
      if (kindOf(cell) === "times") counts.set(column, (counts.get(column) ?? 0) + 1);
    }
  }
  const [timeColumn] = [...counts].sort(([a, one], [b, other]) => other - one || a - b);
  return timeColumn === undefined
    ? -1
    : rows.findIndex((row, i) => wide[i] && kindOf(row[timeColumn[0]] ?? null) === "times");
}

/** Counts the rows of a header above the first row of its table: rows of words, up to an empty row or a title. */
function countAbove(
  rows: readonly (readonly Cell[])[],
  wide: readonly boolean[],
  body: number,
): number {
  let count = 0;
  for (let i = body - 1; i >= 0 && count < MAX_HEADER && wide[i]; i--) {
    const kinds = rows[i].map(kindOf);
    const words = kinds.filter((kind) => kind !== "empty").length;
    const isTitle = words === 0 || words === 1 && kinds.length > 2 && kinds[0] !== "empty";
    if (isTitle || kinds.includes("numbers") || kinds.includes("times")) break;
    count++;
    // Complete and distinct names need no row above them; a row of units does.
    const names = rows[i].map(nameOf);
    if (words === kinds.length && new Set(names).size === names.length && !isUnits(names)) break;
  }
  return count;
}

/** Whether the cells of a row are units or formats: names are above them. */
function isUnits(names: readonly string[]): boolean {
  return names.filter((name) => UNIT.test(name)).length >= names.length / 2;
}

/** Counts the rows of a header: the rows before the first with numbers. */
function countBelow([, ...rows]: readonly (readonly Cell[])[]): number {
  const kinds = rows.slice(0, MAX_HEADER).map((row) => row.map(kindOf));
  const body = kinds.findIndex((row) => row.includes("numbers"));
  // A text alone in the first cell is a time in words.
  const isHeader = kinds.slice(0, Math.max(0, body)).every((row) => row.lastIndexOf("texts") > 0);
  return isHeader && body > 0 ? 1 + body : 1;
}

/** Recognizes a table by its columns. */
function recognizeColumns(
  columns: readonly RecognizedColumn[],
): Omit<RecognizedFile, "format"> {
  const names = columns.map(({ name }) => name);
  const times = columns.filter(({ cells }) => cells === "times");
  const numbers = columns.filter(({ cells }) => cells === "numbers");
  const variables = names.filter((name) => CLIMATE.test(name));
  const quote = (texts: readonly string[]) =>
    texts.slice(0, 6).map((name) => JSON.stringify(name)).join(", ");
  const build = (kind: RecognizedFile["kind"], reason: string) => ({
    kind,
    columns,
    reasons: [reason],
  });
  if (variables.length > 1 && !names.some((name) => /power|energy|production/i.test(name))) {
    return build("climate", `Its columns ${quote(variables)} are climate variables`);
  }
  const speed = names.find((name) => /wind.?speed/i.test(name));
  const power = names.find((name) => /power/i.test(name));
  if (times.length === 0 && speed !== undefined && power !== undefined) {
    return build("power curve", `It has ${quote([speed, power])} and no column with times`);
  }
  if (
    names.some((name) => /latitude/i.test(name)) && names.some((name) => /hub.?height/i.test(name))
  ) {
    return build("unknown", "It lists turbines, with their places and hub heights");
  }
  if (times.length > 0 && numbers.length > 0) {
    return build(
      "production",
      `It has times in ${quote(times.map(({ name }) => name))} and numbers in ${
        quote(numbers.map(({ name }) => name))
      }; these columns do not match any preset (known layout)`,
    );
  }
  return build(
    "unknown",
    `It has ${times.length === 0 ? "no column with times" : "times"} and ${
      numbers.length === 0 ? "no column with numbers" : "numbers"
    }. Production and climate data have both; a power curve has columns named wind speed and power`,
  );
}

/** Recognizes the files of a preset: its production, or its status logs. */
function recognizePreset(
  rows: readonly (readonly Cell[])[],
  preset: Preset,
): Pick<RecognizedFile, "kind" | "columns" | "reasons"> | undefined {
  if ("register" in preset) {
    const wanted = preset.register.turbine_id.map((name) => name.toLowerCase());
    const header = rows.findLastIndex((row) =>
      row.some((cell) => wanted.includes(nameOf(cell).toLowerCase()))
    );
    if (header === -1) return undefined;
    const name = rows[header].map(nameOf).find((name) => wanted.includes(name.toLowerCase()));
    return {
      kind: "production",
      columns: readColumns(rows, header),
      reasons: [`Row ${header + 1} has the column ${JSON.stringify(name)}`],
    };
  }
  const kinds = [["production", preset.columns], [
    "events",
    Object.values(preset.events?.columns ?? {}),
  ]] as const;
  for (const [kind, wanted] of kinds) {
    const header = wanted.length === 0 ? -1 : rows.findIndex((row) => {
      const names = row.map(nameOf);
      return wanted.every((name) => names.includes(name));
    });
    if (header === -1) continue;
    const list = wanted.map((name) => JSON.stringify(name)).join(", ");
    return {
      kind,
      columns: readColumns(rows, header),
      reasons: [`Row ${header + 1} has the columns ${list}`],
    };
  }
}

/** Most different texts, as marks of missing values, in a column of numbers. */
const MAX_MARKS = 3;

/** Finds the kind of the cells of a column, without up to five rows below the table, such as totals. Texts among numbers may be marks. */
function readKind(cells: readonly Cell[]): Pick<RecognizedColumn, "cells" | "marks"> {
  const all = cells.map(kindOf);
  const end = all.lastIndexOf(all[0]) + 1;
  const kinds = all.length - end <= Math.min(MAX_FOOTER, end / 2) ? all.slice(0, end) : all;
  if (new Set(kinds).size < 2) return { cells: kinds[0] ?? "empty" };
  const marks = new Set(cells.filter((_, i) => kinds[i] === "texts").map(formatCell));
  const others = kinds.filter((kind) => kind !== "numbers").length;
  return kinds.includes("times") || others > kinds.length / 2 || marks.size > MAX_MARKS
    ? { cells: "texts" }
    : { cells: "numbers", marks: [...marks] };
}

/** Recognizes the columns below a header of one or more rows. */
function readColumns(
  rows: readonly (readonly Cell[])[],
  header: number,
  count = 1,
): RecognizedColumn[] {
  const body = rows.slice(header + count);
  const head = rows.slice(header, header + count).map((row) => row.map(nameOf));
  return joinHeader(head.length > 1 ? spreadMerged(head) : head).map((name, i) => {
    const column = body.map((row) => row[i] ?? null).filter((cell) => kindOf(cell) !== "empty");
    const { cells, marks } = readKind(column);
    const times = cells === "numbers" && !marks && (YEAR.test(name) ||
      TIME_NAME.test(name) && column.every((cell) => TIME_NUMBER.test(formatCell(cell))));
    return {
      name,
      cells: times ? "times" : cells,
      first: column.map(formatCell).filter((cell) => !marks?.includes(cell)).slice(0, FIRST_CELLS),
      ...(marks ? { marks } : {}),
    };
  });
}

/** Formats a cell as the file has it; a stamp as ISO 8601, with Z if the file has its offset. */
function formatCell(cell: Cell): string {
  if (typeof cell !== "object" || cell === null) return String(cell).trim();
  if ("fault" in cell) return cell.fault;
  const [epoch, zone] = "instant" in cell ? [cell.instant, "Z"] : [cell.local, ""];
  return new Date(epoch / 1000).toISOString().slice(0, 16) + zone;
}

function kindOf(cell: Cell): RecognizedColumn["cells"] {
  if (typeof cell === "number" || typeof cell === "bigint") return "numbers";
  if (typeof cell === "object" && cell !== null) return "fault" in cell ? "texts" : "times";
  const text = cell === null ? "" : String(cell).trim();
  if (NULL_TEXTS.has(text)) return "empty";
  if (plainNumber.test(text) || COMMA_NUMBER.test(text)) return "numbers";
  const time = TIME.exec(RANGE.exec(text)?.[1] ?? text);
  const month = time?.groups?.month;
  return time && (month === undefined || findMonth(month) > 0) ? "times" : "texts";
}
