import pl, { type DataFrame, type Series } from "nodejs-polars";
import { checkHeap, MAX_COLUMN_TEXT } from "../files/reader_limits.ts";
import {
  buildLeaveOut,
  type Cell,
  type CellTable,
  pickRows,
  type TableLayout,
} from "./cell_table.ts";
import { findPositions } from "./header_names.ts";
import { refuseFile } from "../files/read_file.ts";
import { dtypeName, zoneOf } from "../frame.ts";
import { assertNumbers, isNumeric } from "../read_columns.ts";

const DAY = 86_400 * 1e6; // microseconds

/**
 * Reads columns of a typed frame as cells.
 *
 * @param layout Which rows are left out
 * @throws {DataFormatError} If a column is missing, or has values other than numbers, texts, times and booleans
 */
export function readFrameCells(
  frame: DataFrame,
  file: string,
  wanted: readonly string[],
  layout: TableLayout,
): CellTable {
  const refuse = (problem: string) => refuseFile(file, problem, { code: "columns" });
  const positions = findPositions(frame.columns, wanted, refuse);
  const names = positions.map((position) => frame.columns[position]);
  // Each time is an object, and each text a copy.
  const size = names.reduce((sum, name) => sum + (isNumeric(frame.getColumn(name)) ? 24 : 70), 0);
  checkHeap(
    frame.height,
    names.length,
    (problem) => refuseFile(file, problem),
    size * frame.height,
  );
  const columns = names.map((name) => ({ name, cells: readCells(frame.getColumn(name), file) }));
  const table: CellTable = {
    file,
    columns,
    leftOut: [],
    texts: false,
    commas: true,
    line: (row) => row + 1,
    place: (row, column) => `row ${row + 1}, column "${names[column]}"`,
  };
  if (!layout.leave_out?.length) return table;
  const isLeftOut = buildLeaveOut(layout);
  const rows = [...columns[0].cells.keys()];
  const leftOut = new Set(rows.filter((row) => isLeftOut((i) => columns[i].cells[row])));
  return {
    ...pickRows(table, rows.filter((row) => !leftOut.has(row))),
    leftOut: [...leftOut].map((row) => row + 1),
  };
}

function readCells(series: Series, file: string): Cell[] {
  const type = dtypeName(series.dtype);
  if (/^(?:Utf8|String|Categorical|Enum)/.test(type)) return readTexts(series.cast(pl.Utf8), file);
  if (/^Bool/.test(type)) return series.toArray() as (boolean | null)[];
  if (type.startsWith("Datetime")) {
    const zoned = zoneOf(series.dtype) !== undefined;
    const micros = series.cast(pl.Datetime("us")).cast(pl.Int64).cast(pl.Float64);
    const wrap = (value: number): Cell => zoned ? { instant: value } : { local: value };
    return (micros.toArray() as (number | null)[]).map((value) =>
      value === null ? null : wrap(value)
    );
  }
  if (type === "Date") {
    const days = series.cast(pl.Int32).toArray() as (number | null)[];
    return days.map((day) => day === null ? null : { local: day * DAY });
  }
  if (isNumeric(series)) {
    assertNumbers(series, (problem) => refuseFile(file, problem));
    return series.cast(pl.Float64).toArray() as (number | null)[];
  }
  const unsupported =
    `column "${series.name}" is of type ${type}. Cast it to numbers, texts or times`;
  refuseFile(file, unsupported);
}

/** Reads texts. A file stores a repeated text once, but here each row has its own copy. */
function readTexts(series: Series, file: string): (string | null)[] {
  const characters = series.str.lengths().cast(pl.Float64).sum();
  if (characters > MAX_COLUMN_TEXT) {
    refuseFile(
      file,
      `the texts of column "${series.name}" have ${characters} characters in total, but the limit is ${MAX_COLUMN_TEXT}`,
    );
  }
  return series.toArray() as (string | null)[];
}
