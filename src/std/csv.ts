/**
 * Typed door to `@std/csv`: the npm build of the same sources, which carries no types. Options that change the type of
 * the result are left out.
 *
 * @module
 */
import { parse as untypedParse, stringify as untypedStringify } from "deno-std/csv/mod.js";

/** Options of {@linkcode parse}. */
export interface ParseOptions {
  /** Character between fields. @default {","} */
  separator?: string;
}

/** Options of {@linkcode stringify}. */
export interface StringifyOptions {
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
