import type { DataFrame } from "nodejs-polars";
import type { Column } from "../../api/columns/column.ts";

/** Options of `readCsv()`. */
export interface ReadCsvOptions {
  /** Name of the file or address, for messages. */
  file: string;
  /** IANA zone of stamps without offset; without it such stamps are an error. */
  timeZone?: string;
  /** Whether columns that are not declared are kept, as numbers where every value is one, else as text. @default {true} */
  extra?: boolean;
  /**
   * Names that the header is found by; to be given where the columns follow from the header.
   * @default the wire names of all columns that are not optional
   */
  required?: readonly string[];
}

/** A table read from delimited text. */
export interface CsvTable {
  /** Declared columns under their frame names, then the others. Datetimes stand in UTC. */
  readonly frame: DataFrame;
  /** Line of the first row, counted from 1. */
  readonly firstLine: number;
  /** Whether the last row, or the header where there are no rows, ends with a line end: a download that broke off seldom does. */
  readonly endsWithLineEnd: boolean;
  /** The declared columns that are there, in the order of the frame. */
  readonly columns: readonly Column[];
  /** Their names in the header, which may be another writing. */
  readonly names: readonly string[];
  /** Lines before the header. */
  readonly preamble: readonly string[];
}
