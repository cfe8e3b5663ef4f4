import type { Column } from "../../api/columns/column.ts";
import { CsvReader, type CsvTable, type ReadCsvOptions } from "./csv_reader.ts";

export { NULL_TEXTS } from "./csv_number.ts";
export type { CsvTable, ReadCsvOptions } from "./csv_reader.ts";

/**
 * Reads a delimited text with declared columns into a typed frame. This is the strict reader, where every row must fit;
 * `cells/tolerant_csv.ts` is for files made by people. Delimiter, preamble and order of columns are found by the header;
 * columns that are not declared are kept.
 *
 * A name in the header may differ from the declared one in case, spaces, underscores, hyphens and a bracketed unit.
 * Decimal commas are read if fields are separated by another character, and some value or declared range shows that they
 * do not mark thousands. -999 and -9999 are missing values if the declared range excludes them.
 *
 * @param bytes The text, UTF-8
 * @param columns Declarations by wire name; all but the optional ones are required
 * @param options Name of the file, zone of stamps without offset
 * @throws {DataFormatError} If the text is not such a table; the message names line and column
 */
export function readCsv(
  bytes: Uint8Array,
  columns: readonly Column[],
  options: ReadCsvOptions,
): CsvTable {
  return new CsvReader(columns, options).end(bytes);
}
