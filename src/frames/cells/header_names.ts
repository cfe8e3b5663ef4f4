import { addedColumn } from "../../api/columns/column.ts";
import { bindColumns, holdsNames, listNames } from "../csv/csv_names.ts";

/** Separator between the rows of a header. */
const JOINT = " / ";

/** Most rows to search for a header. */
export const MAX_ROWS_BEFORE = 50;

/**
 * Repeats the text of merged header cells: CSV stores it in the first one and leaves the others empty. An empty cell
 * takes the text to its left if a cell below it is not empty, and if the cells above both are merged, too.
 *
 * @param rows Cells of the header
 */
export function spreadMerged(rows: readonly (readonly string[])[]): string[][] {
  const width = Math.max(...rows.map((row) => row.length));
  const spread = rows.map((row) => Array.from({ length: width }, (_, i) => row[i]?.trim() ?? ""));
  for (let r = 0; r < spread.length - 1; r++) {
    for (let c = 1; c < width; c++) {
      const above = r === 0 || spread[r - 1][c] === spread[r - 1][c - 1];
      const below = spread.slice(r + 1).some((row) => row[c] !== "");
      if (spread[r][c] === "" && above && below) spread[r][c] = spread[r][c - 1];
    }
  }
  return spread;
}

/** Joins the rows of a header into names of columns: "WTG 03 / Power / kW". */
export function joinHeader(rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(...rows.map((row) => row.length));
  return Array.from({ length: width }, (_, c) => {
    const parts = rows.map((row) => (row[c] ?? "").replaceAll(/\s+/g, " ").trim());
    // A cell merged downwards has its text in each row.
    return parts.filter((part, r) => part !== "" && part !== parts[r - 1]).join(JOINT);
  });
}

/** Position and names of the header of a table. */
export interface TableHeader {
  /** Position of its first row. */
  readonly row: number;
  /** Joined names. */
  readonly names: readonly string[];
}

/**
 * Finds the header among the first rows: at its declared position, or the first rows that have all names, exactly or else
 * in another spelling.
 *
 * @param skipRows Rows before it, if declared
 * @param readNames Joins the rows of a header into names of columns
 */
export function findHeader<Row>(
  rows: readonly Row[],
  headerRows: number,
  skipRows: number | undefined,
  wanted: readonly string[],
  readNames: (rows: readonly Row[]) => string[],
): TableHeader | undefined {
  const starts = skipRows !== undefined
    ? [skipRows]
    : Array.from({ length: Math.min(rows.length, MAX_ROWS_BEFORE) }, (_, i) => i);
  for (const anySpelling of [false, true]) {
    for (const row of starts) {
      if (row + headerRows > rows.length) continue;
      const names = readNames(rows.slice(row, row + headerRows));
      if (holdsNames(names, wanted.map((name) => [name]), anySpelling)) return { row, names };
    }
  }
}

/**
 * Finds the positions of names in a header, exact or in another spelling, in the order of `wanted`. Columns without a
 * name are taken one after the other.
 *
 * @param refuse Called with the problem of the header
 */
export function findPositions(
  names: readonly string[],
  wanted: readonly string[],
  refuse: (problem: string) => never,
): readonly number[] {
  const namedColumns = wanted.filter((name) => name !== "");
  const columns = namedColumns.map((name) => addedColumn(name, "utf8", name, name));
  const duplicate = namedColumns.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (duplicate !== undefined) {
    refuse(`column "${duplicate}" is duplicated. Rename one of these columns`);
  }
  const bound = bindColumns(names, columns);
  if ("problem" in bound) return refuse(bound.problem);
  const missing = columns.find((column) => !bound.positions.has(column));
  if (missing) refuse(`column "${missing.name}" is missing. ${listNames(names)}`);
  const blank = names.keys().filter((i) => names[i] === "");
  const namedPositions = columns.values().map((column) => bound.positions.get(column)!);
  return wanted.map((name) =>
    (name === "" ? blank : namedPositions).next().value ??
      refuse(`a column without a name is missing. ${listNames(names)}`)
  );
}
