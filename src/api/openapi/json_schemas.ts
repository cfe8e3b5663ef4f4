import { z } from "zod";
import type { Tag } from "../columns/column.ts";
import type { Success } from "../operations/operation_declaration.ts";
import type { JsonSchema } from "./openapi_document.ts";
import {
  CONTROL_CHARACTERS,
  MAX_EMAIL_LENGTH,
  MAX_IDENTIFIER_LENGTH,
  type Parameter,
} from "../operations/parameter.ts";
import { buildSentSchema, TAG_KEYWORD } from "../resources/resources.ts";

/** A sentence with the unit and the tag behind it. */
export function described(description: string, tag: Tag, unit?: string): string {
  return [description, ...(unit ? [`Unit: ${unit}.`] : []), `(${tag})`].join(" ");
}

/** Texts of a length, without control characters; `not` is a lookahead for texts that are refused. */
function textSchema(not = ""): JsonSchema {
  return {
    type: "string",
    minLength: 1,
    maxLength: MAX_IDENTIFIER_LENGTH,
    pattern: `^${not}[^${CONTROL_CHARACTERS}]*$`,
  };
}

/** Pattern of a year of four digits. */
const YEAR = "(?!0000)[0-9]{4}";

/** The schema of a parameter's values. */
export function parameterSchema({ type, values, minimum, maximum }: Parameter): JsonSchema {
  if (values) return { type: "string", enum: values };
  switch (type) {
    case "integer":
    case "number":
      return {
        type,
        ...(minimum === undefined ? {} : { minimum }),
        ...(maximum === undefined ? {} : { maximum }),
      };
    case "date":
      return { type: "string", format: "date", pattern: `^${YEAR}-[0-9]{2}-[0-9]{2}$` };
    case "year_month":
      return { type: "string", pattern: `^${YEAR}-(0[1-9]|1[0-2])$` };
    case "email":
      return { type: "string", format: "email", minLength: 1, maxLength: MAX_EMAIL_LENGTH };
    case "identifier":
      return textSchema("(?!\\.{1,2}$)");
    case "string":
      return textSchema();
  }
}

/** The alternatives of a schema, those of alternatives among them, each once. */
function alternatives(schemas: readonly JsonSchema[]): JsonSchema[] {
  const flat = schemas.flatMap((schema) => {
    const inner = Object.keys(schema).length === 1 ? schema.anyOf : undefined;
    return (inner as JsonSchema[] | undefined) ?? [schema];
  });
  return [...new Map(flat.map((schema) => [JSON.stringify(schema), schema])).values()];
}

/** JSON Schema of a resource, without what is only so in JavaScript: bigint and the bounds of safe integers. */
function buildSchema(resource: z.ZodType): JsonSchema {
  const { $schema: _remote, ...schema } = z.toJSONSchema(resource, {
    target: "draft-2020-12",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === "bigint") jsonSchema.type = "integer";
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.anyOf) {
        jsonSchema.anyOf = alternatives(
          jsonSchema.anyOf as JsonSchema[],
        ) as typeof jsonSchema.anyOf;
      }
      const tag = jsonSchema[TAG_KEYWORD] as Tag | undefined;
      if (tag) jsonSchema.description = described(String(jsonSchema.description), tag);
    },
  });
  return schema;
}

/** The schema of an operation's JSON object, or of one of its records, with the tags of what is in it. */
export function resourceSchema(success: Success): JsonSchema | undefined {
  if (success.kind === "record") return buildSchema(success.schema);
  return success.kind === "records" ? buildSchema(buildSentSchema(success.columns)) : undefined;
}
