import { CONTROL_CHARACTERS, HIDDEN_CHARACTERS } from "../error_text.ts";
import { z } from "zod";
import { type Column, type Tag, wireName } from "../columns/column.ts";
import type { Operation, OperationId } from "../operations/operation.ts";
import {
  ANY_FILE,
  type Group,
  type OperationError,
  type Success,
} from "../operations/operation_declaration.ts";
import { CONTACT, type ServiceStatus, serviceStatuses } from "../operations/operation_errors.ts";
import { INTERFACE_VERSION, KEY_HEADER, operations } from "../operations/operations.ts";
import {
  MAX_EMAIL_LENGTH,
  MAX_IDENTIFIER_LENGTH,
  type Parameter,
  type ParameterValue,
} from "../operations/parameter.ts";
import {
  allowHeader,
  authenticateHeader,
  cacheControlHeader,
  entityTagHeader,
  type ResponseHeader,
  retryAfterHeader,
} from "../operations/response_headers.ts";
import { buildSentSchema, TAG_KEYWORD } from "../resources/resources.ts";

/** A JSON Schema, draft 2020-12: keywords and their values. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** One parameter of an operation. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
  /** A value that the sample can answer. */
  readonly example?: ParameterValue;
}

/** One answer of an operation. */
interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Omit<ResponseHeader, "name">>>;
  /** Its bodies by media type; an answer without a body has none. */
  readonly content?: Readonly<
    Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>
  >;
  /** The operations that take an identifier from this answer, with expressions of OpenAPI for their parameters. */
  readonly links?: Record<string, { operationId: string; parameters: Record<string, string> }>;
}

/** An operation of the document. */
export type OpenApiOperation = ReturnType<typeof buildOperation>;

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = ReturnType<typeof openApi>;

/** A sentence, followed by the unit and the tag. */
function described(description: string, tag: Tag, unit?: string): string {
  return [description, ...(unit ? [`Unit: ${unit}.`] : []), `(${tag})`].join(" ");
}

/** Pattern of texts of a length, without characters that hide others; `not` is a lookahead for refused texts. */
function textSchema(hidden: string, not = ""): JsonSchema {
  return {
    type: "string",
    minLength: 1,
    maxLength: MAX_IDENTIFIER_LENGTH,
    pattern: `^${not}[^${hidden}]*$`,
  };
}

/** Pattern of a year of four digits. */
const YEAR = "(?!0000)[0-9]{4}";

/** The schema of a parameter's values. */
function parameterSchema({ type, values, minimum, maximum }: Parameter): JsonSchema {
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
      return textSchema(CONTROL_CHARACTERS, "(?!\\.{1,2}$)");
    case "string":
      return textSchema(HIDDEN_CHARACTERS);
  }
}

/** The alternatives of a schema, including nested ones, each once. */
function alternatives(schemas: readonly JsonSchema[]): JsonSchema[] {
  const flat = schemas.flatMap((schema) => {
    const inner = Object.keys(schema).length === 1 ? schema.anyOf : undefined;
    return (inner as JsonSchema[] | undefined) ?? [schema];
  });
  return [...new Map(flat.map((schema) => [JSON.stringify(schema), schema])).values()];
}

/** JSON Schema of a resource, without JavaScript specifics: bigint and the bounds of safe integers. */
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
      const { [TAG_KEYWORD]: tag, description } = jsonSchema;
      if (tag) jsonSchema.description = described(String(description), tag as Tag);
      delete jsonSchema[TAG_KEYWORD];
    },
  });
  return schema;
}

/** The schema of an operation's JSON object, or of one of its records, with the tags of its fields. */
export function resourceSchema(success: Success): JsonSchema | undefined {
  if (success.kind === "record") return buildSchema(success.schema);
  return success.kind === "records" ? buildSchema(buildSentSchema(success.columns)) : undefined;
}

import sampleAnswers from "./examples.json" with { type: "json" };

/** Content of each group. */
const groups: Readonly<Record<Group, string>> = {
  "wind-index":
    "Turbines of the licence, their calibrated model hour by hour, and their wind indices.",
  "climate-data":
    "Climate datasets, their points, and orders and downloads of series of one point.",
  "reports": "Monthly wind-index reports.",
  "user-access": "Keys for customers.",
};

/** Answers of the sample to requests with the examples of the parameters, shortened. */
const examples: Readonly<Partial<Record<OperationId, unknown>>> = sampleAnswers;

/** Name of the security scheme. */
const KEY_SCHEME = "key";

/** Name of the schema of error bodies; no operation has this name. */
const PROBLEM = "problem";

const problemSchema: JsonSchema = {
  type: "object",
  description: "Description of the problem (RFC 9457).",
  properties: {
    type: { type: "string", description: "Kind of problem." },
    title: { type: "string", description: "The status in words." },
    status: { type: "integer", description: "The status of the answer." },
    detail: {
      type: "string",
      description: "The request, the problem, and what to do next.",
    },
  },
  required: ["type", "title", "status", "detail"],
};

/** Whether answers of an operation have a tag, which conditional requests need. */
function isTagged({ headers }: Operation): boolean {
  return headers.includes(entityTagHeader);
}

/** The request header of a conditional request. */
const ifNoneMatch: OpenApiParameter = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: described("Entity tags of the answers that the client already has.", "ours"),
  schema: { type: "string" },
};

/** The request header that requires a particular answer. */
const ifMatch: OpenApiParameter = {
  ...ifNoneMatch,
  name: "If-Match",
  description: described("Entity tags of the answers that the client accepts.", "ours"),
};

const otherTag: ServiceStatus = {
  status: 412,
  condition: "If-Match does not contain the tag of the answer",
  headers: [],
};

function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

function buildParameter(parameter: Parameter): OpenApiParameter {
  const { name, required, description, unit, tag, defaultApplies = true } = parameter;
  const schema = parameterSchema(parameter);
  // If the text contradicts itself, its default may differ from the server's behaviour.
  const hasDefault = defaultApplies && parameter.default !== undefined;
  return {
    name,
    in: parameter.in,
    required,
    description: described(description, tag, unit),
    schema: hasDefault ? { ...schema, default: parameter.default } : schema,
    ...(parameter.example === undefined ? {} : { example: parameter.example }),
  };
}

/** Headers of an answer; empty if it has none. */
function buildHeaders(headers: readonly ResponseHeader[]): Pick<OpenApiResponse, "headers"> {
  if (headers.length === 0) return {};
  const entries = headers.map(({ name, description, ...header }) =>
    [name, { description: described(description, "ours"), ...header }] as const
  );
  return { headers: Object.fromEntries(entries) };
}

function columnLine(column: Column): string {
  const { dtype, unit, description, tag } = column;
  const facts = [...(unit ? [unit] : []), dtype, tag].join(", ");
  return `- \`${wireName(column)}\` (${facts}): ${description}`;
}

/** OpenAPI expression for an identifier of another operation in an answer; `undefined` if the answer lacks it. */
function findLinkSource({ success, parameters }: Operation, name: string): string | undefined {
  if (parameters.some((parameter) => parameter.name === name)) return undefined; // the caller has it already
  if (success.kind === "string" && success.names === name) return "$response.body";
  const listed = success.kind === "records" && success.columns.map(wireName).includes(name);
  return listed ? `$response.body#/0/${name}` : undefined;
}

/** Links to the operations that take an identifier from an answer: turbines, datasets, orders. */
function buildLinks(operation: Operation): Pick<OpenApiResponse, "links"> {
  const links = operations.flatMap(({ id, parameters }) => {
    const identifiers = parameters.filter(({ type }) => type === "identifier");
    return identifiers.flatMap(({ name }) => {
      const source = findLinkSource(operation, name);
      return source ? [[id, { operationId: id, parameters: { [name]: source } }] as const] : [];
    });
  });
  return links.length > 0 ? { links: Object.fromEntries(links) } : {};
}

/** Builds the successful answer of an operation. */
function buildSuccess({ id, success, summary }: Operation): OpenApiResponse {
  const { kind, mediaType } = success;
  const example = examples[id];
  const body = (schema: JsonSchema): OpenApiResponse["content"] => ({
    [mediaType]: { schema, ...(example === undefined ? {} : { example }) },
  });
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
      const description = [
        "Comma-separated text; the first line names the columns:",
        success.columns.map(columnLine).join("\n"),
        ...(success.note ? [success.note] : []),
      ].join("\n\n");
      return { description: summary, content: body({ type: "string", description }) };
    }
    case "file": {
      const mediaTypes = new Set([ANY_FILE, mediaType, ...Object.values(success.mediaTypes)]);
      const contents = [...mediaTypes].map((type) => {
        const format = type.startsWith("text/") ? {} : { format: "binary" };
        const description = type === ANY_FILE
          ? { description: "Any of these files, for a client that accepts only this type." }
          : {};
        return [type, { schema: { type: "string", ...format, ...description } }];
      });
      return { description: success.description, content: Object.fromEntries(contents) };
    }
  }
}

/** An answer with a problem as its body. */
function buildProblem(
  description: string,
  headers: readonly ResponseHeader[] = [],
): OpenApiResponse {
  return {
    description,
    ...buildHeaders([cacheControlHeader, ...headers]),
    content: { "application/problem+json": { schema: reference(PROBLEM) } },
  };
}

function buildError(error: OperationError): OpenApiResponse {
  const { condition, meaning, tag } = error;
  return buildProblem(`${condition} (${meaning}, ${tag})`, headersOfError(error));
}

/** Headers of a refusal: when to retry, and those that RFC 9110 requires for 401 and 405. */
function headersOfError({ meaning, status }: OperationError): ResponseHeader[] {
  if (meaning === "too_many_requests") return [retryAfterHeader];
  if (status === 401) return [authenticateHeader];
  return status === 405 ? [allowHeader] : [];
}

function buildServiceStatus({ condition, headers }: ServiceStatus): OpenApiResponse {
  return buildProblem(`${condition} (ours)`, headers);
}

function buildResponses(operation: Operation): Record<string, OpenApiResponse> {
  const { headers, errors } = operation;
  const unchanged: OpenApiResponse = {
    description: "the client already has this answer, because the tag matches (ours)",
    ...buildHeaders(headers),
  };
  return Object.fromEntries([
    ["200", { ...buildSuccess(operation), ...buildHeaders(headers), ...buildLinks(operation) }],
    ...(isTagged(operation)
      ? [["304", unchanged] as const, ["412", buildServiceStatus(otherTag)] as const]
      : []),
    ...errors.map((error) => [String(error.status), buildError(error)] as const),
    ...serviceStatuses.map((any) => [String(any.status), buildServiceStatus(any)] as const),
  ]);
}

function buildOperation(operation: Operation) {
  const { id, group, summary, deprecated, key, parameters } = operation;
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
    parameters: [
      ...parameters.map(buildParameter),
      ...(isTagged(operation) ? [ifNoneMatch, ifMatch] : []),
    ],
    responses: buildResponses(operation),
  };
}

/** The OpenAPI 3.1 document of the API, derived from the contract. */
export function openApi(server = "/") {
  const schemas: Record<string, JsonSchema> = {};
  for (const { id, success } of operations) {
    const schema = resourceSchema(success);
    if (schema) schemas[id] = schema;
  }
  schemas[PROBLEM] = problemSchema;
  return {
    openapi: "3.1.0",
    info: {
      title: "Online Data Services API",
      version: INTERFACE_VERSION,
      description:
        "Wind indices, climate data and monthly reports. A word in brackets says where a statement comes from. *documented*: the API text says so. *assumed*: the API text does not say, " +
        "or contradicts itself. *ours*: our service adds it. The examples are answers of the SYNTHETIC sample.",
      license: { name: "MIT", identifier: "MIT" },
      contact: { name: CONTACT },
    },
    servers: [{ url: server }],
    tags: Object.entries(groups).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(
      operations.map((operation) => [operation.path, { get: buildOperation(operation) }]),
    ),
    components: {
      securitySchemes: {
        [KEY_SCHEME]: { type: "apiKey", in: "header", name: KEY_HEADER },
      },
      schemas,
    },
  };
}
