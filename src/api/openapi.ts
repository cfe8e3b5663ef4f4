import { z } from "zod";
import { YEAR_RANGE } from "./calendar.ts";
import { type Column, type Tag, wireName } from "./column.ts";
import type { Operation, OperationError, Success } from "./operation.ts";
import { INTERFACE_VERSION, KEY_HEADER, operations } from "./operations.ts";
import { MAX_IDENTIFIER_LENGTH, type Parameter } from "./parameter.ts";
import { recordOf } from "./resources.ts";
import type {
  JsonSchema,
  OpenApiColumn,
  OpenApiContent,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
} from "./openapi_document.ts";

/** Name of the security scheme. */
const KEY_SCHEME = "key";

/** Name of the schema of error bodies; no operation is called so. */
const PROBLEM = "problem";

/** Longest e-mail address (RFC 5321). */
const MAX_EMAIL_LENGTH = 254;

const CONTROL_CHARACTERS = "\\u0000-\\u001f\\u007f-\\u009f";

const problemSchema: JsonSchema = {
  type: "object",
  description: "What went wrong, RFC 9457.",
  properties: {
    type: { type: "string", description: "Kind of problem." },
    title: { type: "string", description: "The status in words." },
    status: { type: "integer", description: "The status of the answer." },
    detail: {
      type: "string",
      description: "What was asked, what was found and what to do next.",
    },
  },
  required: ["type", "title", "status", "detail"],
};

function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** A sentence with the unit and the tag behind it. */
function described(description: string, tag: Tag, unit?: string): string {
  return [description, ...(unit ? [`Unit: ${unit}.`] : []), `(${tag})`].join(" ");
}

/** Texts of a length, without control characters; `not` is a lookahead for what is none. */
function textSchema(not = ""): JsonSchema {
  return {
    type: "string",
    minLength: 1,
    maxLength: MAX_IDENTIFIER_LENGTH,
    pattern: `^${not}[^${CONTROL_CHARACTERS}]*$`,
  };
}

/** JSON Schema has no bounds for dates: the extension names them. */
function calendarSchema(schema: JsonSchema, begin: string, end: string): JsonSchema {
  const [first, last] = YEAR_RANGE;
  return {
    type: "string",
    ...schema,
    "x-vindkit-minimum": `${first}${begin}`,
    "x-vindkit-maximum": `${last}${end}`,
  };
}

function typeSchema({ type, values, minimum, maximum }: Parameter): JsonSchema {
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
      return calendarSchema({ format: "date" }, "-01-01", "-12-31");
    case "year_month":
      return calendarSchema({ pattern: "^[0-9]{4}-(0[1-9]|1[0-2])$" }, "-01", "-12");
    case "email":
      return { type: "string", format: "email", minLength: 1, maxLength: MAX_EMAIL_LENGTH };
    case "identifier":
      return textSchema("(?!\\.{1,2}$)");
    case "string":
      return textSchema();
  }
}

function parameterOf(parameter: Parameter): OpenApiParameter {
  const { name, required, description, unit, tag, defaultApplies = true } = parameter;
  const schema = typeSchema(parameter);
  // Where the text contradicts itself, what a server does without a value is not this default.
  const keyword = defaultApplies ? "default" : "x-vindkit-default-in-text";
  return {
    name,
    in: parameter.in,
    required,
    description: described(description, tag, unit),
    schema: parameter.default === undefined ? schema : { ...schema, [keyword]: parameter.default },
    ...(unit ? { "x-vindkit-unit": unit } : {}),
    "x-vindkit-tag": tag,
  };
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
function schemaOf(resource: z.ZodType): Record<string, unknown> {
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
    },
  });
  return schema;
}

/** JSON Schema of a record with these columns, with their tags. */
function recordSchema(columns: readonly Column[]): JsonSchema {
  const schema = schemaOf(recordOf(columns));
  const properties = schema.properties as Record<string, JsonSchema>;
  const tagged = columns.map((column) => {
    const name = wireName(column);
    const { description } = properties[name];
    return [name, {
      ...properties[name],
      description: described(String(description), column.tag),
      "x-vindkit-tag": column.tag,
    }];
  });
  return { ...schema, properties: Object.fromEntries(tagged) };
}

/** The schema of an operation's JSON object, or of one of its records. */
function resourceSchema(success: Success): JsonSchema | undefined {
  if (success.kind === "record") return schemaOf(success.schema);
  return success.kind === "records" ? recordSchema(success.columns) : undefined;
}

function columnOf(column: Column): OpenApiColumn {
  const { dtype, unit, description, tag } = column;
  return { name: wireName(column), dtype, ...(unit ? { unit } : {}), description, tag };
}

function columnLine({ name, dtype, unit, description, tag }: OpenApiColumn): string {
  const facts = [...(unit ? [unit] : []), dtype, tag].join(", ");
  return `- \`${name}\` (${facts}): ${description}`;
}

function successOf({ id, success, summary }: Operation): OpenApiResponse {
  const { kind, mediaType } = success;
  const body = (schema: JsonSchema): OpenApiContent => ({ [mediaType]: { schema } });
  switch (kind) {
    case "records":
      return {
        description: summary,
        content: body({ type: "array", items: reference(id) }),
      };
    case "record":
      return { description: summary, content: body(reference(id)) };
    case "string": {
      const { description } = success;
      return { description, content: body({ type: "string", description }) };
    }
    case "csv": {
      const columns = success.columns.map(columnOf);
      const description = [
        "Comma-separated text; the first line names the columns:",
        columns.map(columnLine).join("\n"),
      ].join("\n\n");
      return {
        description: summary,
        content: body({ type: "string", description }),
        "x-vindkit-columns": columns,
      };
    }
    case "file": {
      const schema = { type: "string", format: "binary" };
      // What is in it follows from the parameters, and so does its media type.
      const content = { ...body(schema), "*/*": { schema } };
      return { description: success.description, content };
    }
  }
}

function errorOf({ condition, meaning, tag }: OperationError): OpenApiResponse {
  return {
    description: `${condition} (${meaning}, ${tag})`,
    content: { "application/problem+json": { schema: reference(PROBLEM) } },
    "x-vindkit-meaning": meaning,
    "x-vindkit-tag": tag,
  };
}

function operationOf(operation: Operation): OpenApiOperation {
  const { id, group, summary, deprecated, key, parameters, errors } = operation;
  const marks = [
    deprecated ? "Deprecated in the API text." : "Current.",
    key ? `Needs the key in \`${KEY_HEADER}\`.` : "Needs no key.",
  ];
  return {
    operationId: id,
    summary,
    description: [summary, ...marks].join(" "),
    tags: [group],
    deprecated,
    security: key ? [{ [KEY_SCHEME]: [] }] : [],
    parameters: parameters.map(parameterOf),
    responses: Object.fromEntries([
      ["200", successOf(operation)],
      ...errors.map((error) => [String(error.status), errorOf(error)]),
    ]),
  };
}

/**
 * The OpenAPI 3.1 document of the API, derived from the contract.
 *
 * @param server Address of the service, below which the paths lie
 */
export function openApi(server = "/"): OpenApiDocument {
  const groups = new Set(operations.map(({ group }) => group));
  const schemas = operations.flatMap(({ id, success }) => {
    const schema = resourceSchema(success);
    return schema ? [[id, schema] as const] : [];
  });
  return {
    openapi: "3.1.0",
    info: {
      title: "Online Data Services API",
      version: INTERFACE_VERSION,
      description: "Wind indices, climate data and monthly reports. `x-vindkit-tag` says where a " +
        "statement comes from: *documented*: the API text says so; *assumed*: the text is silent " +
        "or contradicts itself; *ours*: an addition of our service.",
    },
    servers: [{ url: server }],
    tags: [...groups].map((name) => ({ name })),
    paths: Object.fromEntries(
      operations.map((operation) => [operation.path, { get: operationOf(operation) }]),
    ),
    components: {
      securitySchemes: {
        [KEY_SCHEME]: { type: "apiKey", in: "header", name: KEY_HEADER },
      },
      schemas: { ...Object.fromEntries(schemas), [PROBLEM]: problemSchema },
    },
  };
}
