import type { Column, Dtype } from "../../api/columns/column.ts";
import type { Provenance } from "../provenance.ts";

/**
 * What is kept beside a saved frame: its declared columns and where it comes from, as metadata of the W3C's "CSV on the
 * Web" (https://www.w3.org/TR/tabular-metadata/), in terms that it predefines: Dublin Core, schema.org and PROV.
 */
export interface FrameMetadata {
  /** Name of the file that it stands beside. */
  readonly file: string;
  /** SHA-256 of that file, hexadecimal: one that was changed since is known by it. */
  readonly sha256: string;
  /** How it is written, if it is CSV. */
  readonly csv?: CsvDialect | undefined;
  /** Its columns, in order. */
  readonly columns: readonly SavedColumn[];
  /** Where it comes from, if that is known. */
  readonly provenance?: Provenance | undefined;
}

/** How a saved CSV file is written. */
export interface CsvDialect {
  /** Decimal mark. */
  readonly decimal: "." | ",";
  /** Character between fields. */
  readonly delimiter: "," | ";";
  /** Whether apostrophes stand where formulas could begin. */
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

/** Name of the metadata of a file: where CSV on the Web looks for it. */
export function metadataPath(path: string): string {
  return `${path}-metadata.json`;
}

/** What CSV on the Web calls the types of columns. */
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
