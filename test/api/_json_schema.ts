/**
 * A small check of values against JSON Schema, for the keywords that the OpenAPI document uses. An unknown keyword is
 * an error, so no value passes unchecked.
 *
 * @module
 */
import type { JsonSchema, OpenApiDocument } from "../../src/api/openapi/openapi.ts";

type Check = (argument: never, value: unknown, at: string, schema: JsonSchema) => string[];

/** Every `$ref` within a part of a document. */
export function referencesIn(part: unknown): string[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) =>
    key === "$ref" ? [String(value)] : referencesIn(value)
  );
}

/** Target of a local reference, or `undefined`. */
export function resolve(document: OpenApiDocument, reference: string): JsonSchema | undefined {
  if (!reference.startsWith("#/")) return undefined;
  let part: unknown = document;
  for (const key of reference.slice(2).split("/")) {
    part = (part as Record<string, unknown> | undefined)?.[key];
  }
  return part as JsonSchema | undefined;
}

function isType(type: string, value: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "string":
      return typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    default:
      throw new Error(`Cannot check type ${type}`);
  }
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  try {
    Temporal.PlainDate.from(text, { overflow: "reject" });
    return true;
  } catch {
    return false;
  }
}

function isFormat(format: string, text: string): boolean {
  if (format === "date") return isDate(text);
  if (format === "email") return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
  // formats of numbers only state their storage; the type excludes texts
  if (["double", "int32", "int64"].includes(format)) return true;
  throw new Error(`Cannot check format ${format}`);
}

/** Lists the problems of values by a schema of a document. */
export function problemsWith(document: OpenApiDocument, schema: JsonSchema) {
  const text = (holds: (argument: never, value: string) => boolean): Check => (argument, value) =>
    typeof value !== "string" || holds(argument, value) ? [] : [`is "${value}"`];
  const number = (holds: (argument: never, value: number) => boolean): Check => (argument, value) =>
    typeof value !== "number" || holds(argument, value) ? [] : [`is ${value}`];
  const annotation: Check = () => [];

  const checks: Readonly<Record<string, Check>> = {
    description: annotation,
    default: annotation,
    type: (types: string | string[], value) =>
      [types].flat().some((type) => isType(type, value)) ? [] : [`is no ${types}`],
    enum: (values: unknown[], value) => values.includes(value) ? [] : [`is none of ${values}`],
    minimum: number((least: number, value) => value >= least),
    maximum: number((most: number, value) => value <= most),
    minLength: text((least: number, value) => [...value].length >= least),
    maxLength: text((most: number, value) => [...value].length <= most),
    pattern: text((pattern: string, value) => new RegExp(pattern, "u").test(value)),
    format: text(isFormat),
    $ref: (reference: string, value, at) => find(resolve(document, reference)!, value, at),
    anyOf: (schemas: JsonSchema[], value, at) => {
      const problems = schemas.map((one) => find(one, value, at));
      return problems.some(({ length }) => length === 0) ? [] : problems.flat();
    },
    items: (items: JsonSchema, value, at) =>
      Array.isArray(value) ? value.flatMap((item, i) => find(items, item, `${at}[${i}]`)) : [],
    required: (names: string[], value) =>
      names.filter((name) => isType("object", value) && !Object.hasOwn(value as object, name))
        .map((name) => `has no ${name}`),
    properties: (properties: Record<string, JsonSchema>, value, at) =>
      Object.entries(properties).flatMap(([name, property]) =>
        isType("object", value) && Object.hasOwn(value as object, name)
          ? find(property, (value as Record<string, unknown>)[name], `${at}.${name}`)
          : []
      ),
    additionalProperties: (additions: JsonSchema) =>
      Object.keys(additions).length === 0 ? [] : ["has additions that this check cannot look at"],
  };

  function find(part: JsonSchema, value: unknown, at: string): string[] {
    return Object.entries(part).flatMap(([keyword, argument]) => {
      const check = checks[keyword];
      if (!check) throw new Error(`Cannot check the keyword ${keyword} at ${at}`);
      return check(argument as never, value, at, part)
        .map((problem) => problem.startsWith("$") ? problem : `${at} ${problem}`);
    });
  }
  return (value: unknown): string[] => find(schema, value, "$");
}
