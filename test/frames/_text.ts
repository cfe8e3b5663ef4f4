import type { DataFrame } from "nodejs-polars";
import type { Column, Dtype } from "../../src/api/columns/column.ts";

/** Bytes of a text in UTF-8. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Bytes of a text in Latin-1. */
export function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Bytes of a text in UTF-16 with its byte order mark. */
export function utf16(text: string): Uint8Array {
  return new Uint8Array(
    Uint16Array.from(`\ufeff${text}`, (character) => character.charCodeAt(0)).buffer,
  );
}

/** A minimal declared column. */
export function column(name: string, dtype: Dtype, more: Partial<Column> = {}): Column {
  return { name, dtype, label: name, description: name, tag: "ours", ...more };
}

/** Values of a column; Polars declares them without dates and nulls. */
export function listColumn(frame: DataFrame, name: string): unknown[] {
  return frame.getColumn(name).toArray();
}
