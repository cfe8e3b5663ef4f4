import { ArgumentError } from "../../api/errors.ts";
import { isCompoundFile, isZip } from "../files/archive.ts";
import type { TableAdvice } from "../csv/csv_layout.ts";
import { refuseFile } from "../files/read_file.ts";
import { isParquet, readParquet } from "../files/parquet.ts";
import type { CellTable, TableLayout } from "./cell_table.ts";
import { readFrameCells } from "./frame_cells.ts";
import { readSheetCells } from "./sheet_cells.ts";
import { readTolerantCsv } from "./tolerant_csv.ts";

/** Refuses declarations that cannot apply to a file of this kind: it may be the wrong file. */
function assertNotGiven(
  file: string,
  layout: TableLayout,
  kind: string,
  fields: readonly (keyof TableLayout)[],
): void {
  const excluded = fields.find((field) => layout[field] !== undefined);
  if (excluded === undefined) return;
  const problem = `it is ${kind}, so "${excluded}" does not apply. Omit it`;
  throw new ArgumentError(`Cannot read ${file}: ${problem}`, { field: excluded });
}

/** Refuses bytes that are not text, and declarations that cannot apply to a text. */
export function assertTextFile(bytes: Uint8Array, file: string, layout: TableLayout): void {
  assertNotGiven(file, layout, "a text file", ["sheet", "range"]);
  if (!isCompoundFile(bytes)) return;
  refuseFile(
    file,
    "it is an old Excel file (.xls), or it has a password. Save it as .xlsx without a password",
  );
}

/**
 * Reads columns of a table of any kind: the only source of rows for all layouts. The first bytes of the file show its
 * kind.
 *
 * @param wanted Names of the columns
 * @param advice Advice for messages on what the caller can declare. @default none
 * @throws {DataFormatError} If it does not have the table; the message names line and column, or the cell
 * @throws {ArgumentError} If a declared field does not apply to the file, or one of several sheets must be named
 */
export async function readCells(
  bytes: Uint8Array,
  file: string,
  layout: TableLayout,
  wanted: readonly string[],
  advice?: TableAdvice,
): Promise<CellTable> {
  if (isZip(bytes)) {
    assertNotGiven(file, layout, "an Excel file", ["delimiter", "encoding"]);
    return await readSheetCells(bytes, file, layout, wanted, advice);
  }
  if (!isParquet(bytes)) {
    assertTextFile(bytes, file, layout);
    return readTolerantCsv(bytes, file, layout, wanted, advice);
  }
  const textual = ["delimiter", "encoding", "header_rows", "skip_rows", "sheet", "range"] as const;
  assertNotGiven(file, layout, "a Parquet file", textual);
  return { ...readFrameCells(readParquet(bytes, file), file, wanted, layout), advice };
}
