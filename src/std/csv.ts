/**
 * Typed door to `@std/csv`: the npm build of the same sources, which carries no types.
 *
 * @module
 */
import { parse as untypedParse } from "deno-std/csv/mod.js";
import { stringify as untypedStringify } from "deno-std/csv/mod.js";

/** Options of {@linkcode parse}. */
export interface ParseOptions {
  /** Character between fields. @default {","} */
  separator?: string;
  /** Lines that start with this character are left out. */
  comment?: string;
  /** Removes white space before the first character of a field. @default {false} */
  trimLeadingSpace?: boolean;
  /** Number of fields each row must have; 0 takes that of the first row. */
  fieldsPerRecord?: number;
}

/** Options of {@linkcode stringify}. */
export interface StringifyOptions {
  /** Character between fields. @default {","} */
  separator?: string;
  /** Column names; they become the first row. */
  columns?: readonly string[];
}

/** Parses CSV text into rows of fields. */
export const parse: (text: string, options?: ParseOptions) => string[][] = untypedParse;

/** Writes records as CSV text. */
export const stringify: (
  data: readonly (Readonly<Record<string, unknown>> | readonly unknown[])[],
  options?: StringifyOptions,
) => string = untypedStringify;
