import type { DataFrame } from "nodejs-polars";
import type { Column } from "../../api/columns/column.ts";
import type { PassRule } from "../../time/local_clock.ts";
import type { TableAdvice } from "./table_advice.ts";

/** Options of `readCsv()`. */
export interface ReadCsvOptions {
  /** Name of the file or address, for messages. */
  file: string;
  /** IANA zone of stamps without offset. @default none: such stamps are an error */
  timeZone?: string;
  /** How the pass of a stamp of a repeated hour is found. @default by the order of the rows */
  passRule?: PassRule;
  /** Whether columns that are not declared are kept, as numbers if every value is one, else as text. @default {true} */
  extra?: boolean;
  /**
   * Columns by which the header is found; required if the columns are found by the header.
   * @default all columns that are not optional
   */
  required?: readonly Column[];
  /** What the caller can declare of the file. @default nothing */
  advice?: TableAdvice;
}

/** A table read from delimited text. */
export interface CsvTable {
  /** Declared columns with their names in frames, then the others. Datetimes are in UTC. */
  readonly frame: DataFrame;
  /** Line of the first row, counted from 1. */
  readonly firstLine: number;
  /** The declared columns that the text has, in the order of the frame. */
  readonly columns: readonly Column[];
  /** Their names in the header, which may be spelled differently. */
  readonly names: readonly string[];
  /** Lines before the header. */
  readonly preamble: readonly string[];
}
