/**
 * Typed door to `@std/jsonc`: the npm build of the same sources, which carries no types.
 *
 * @module
 */
import { parse as untypedParse } from "deno-std/jsonc/mod.js";

/** Any value of JSON. */
export type JsonValue =
  | { [key: string]: JsonValue | undefined }
  | JsonValue[]
  | string
  | number
  | boolean
  | null;

/** Parses JSON with comments and trailing commas. */
export const parse: (text: string) => JsonValue = untypedParse;
