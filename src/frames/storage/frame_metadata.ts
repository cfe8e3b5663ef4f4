import type { Column, Dtype } from "../../api/columns/column.ts";
import type { Origin } from "../provenance.ts";

/**
 * Metadata stored beside a saved frame: its declared columns and its origin, in the format of the W3C's "CSV on the Web"
 * (https://www.w3.org/TR/tabular-metadata/) with its predefined vocabularies Dublin Core, schema.org and PROV.
 */
export interface FrameMetadata {
  /** Name of the file of the frame. */
  readonly file: string;
  /** SHA-256 of that file, hexadecimal, by which later changes of the file are found. */
  readonly sha256: string;
  /** Format of the file, if it is CSV. */
  readonly csv?: CsvDialect | undefined;
  /** Its columns, in order. */
  readonly columns: readonly SavedColumn[];
  /** Sources of the frame; empty if they are not stated. */
  readonly origin: Origin;
  /** Whether its figures are invented, or may be: written where the sample was used, without a source. */
  readonly synthetic: boolean;
}

/** Format of a saved CSV file. */
export interface CsvDialect {
  /** Decimal mark. */
  readonly decimal: "." | ",";
  /** Character between fields. */
  readonly delimiter: "," | ";";
  /** Whether texts are escaped with apostrophes where formulas could begin. */
  readonly safe: boolean;
  /** Whether a line above the header says that the figures are invented. */
  readonly synthetic: boolean;
}

/** A column of a saved frame. */
export interface SavedColumn {
  /** Its name in the frame and in the file. */
  readonly name: string;
  /** Type of its values; `undefined` for types that only the file itself can name. */
  readonly dtype?: Dtype | undefined;
  /** Zone of its stamps. */
  readonly timeZone?: string | undefined;
  /** Its declaration, if it has one. */
  readonly column?: Column | undefined;
}

/** Path of the metadata of a file, as CSV on the Web defines it. */
export function metadataPath(path: string): string {
  return `${path}-metadata.json`;
}

/** Names of the types of columns in CSV on the Web. */
export const baseTypes: Readonly<Record<Dtype, string>> = {
  f64: "double",
  i32: "int",
  i64: "long",
  utf8: "string",
  bool: "boolean",
  date: "date",
  datetime: "dateTime",
};

/** A value of a property. */
export type Value = string | number | boolean;
