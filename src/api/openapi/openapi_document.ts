import type { Column, Tag } from "../columns/column.ts";
import type { Meaning } from "../errors.ts";
import type { ParameterValue } from "../operations/parameter.ts";

/** A JSON Schema, draft 2020-12. */
export interface JsonSchema {
  /** A keyword and its value. */
  readonly [keyword: string]: unknown;
}

/** Content of an answer by media type: its schema, and an answer of the sample. */
export type OpenApiContent = Readonly<
  Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>
>;

/** One parameter of an operation. */
export interface OpenApiParameter {
  /** Name on the wire. */
  readonly name: string;
  /** Whether it is part of the path or of the query. */
  readonly in: "path" | "query" | "header";
  /** Whether a request must have it. */
  readonly required: boolean;
  /** What it means, in which unit, and where its bounds come from. */
  readonly description: string;
  /** Values it may have. */
  readonly schema: JsonSchema;
  /** A value that the sample has an answer for. */
  readonly example?: ParameterValue;
  /** Unit of the value. */
  readonly "x-vindkit-unit"?: string;
  /** Where its bounds come from. */
  readonly "x-vindkit-tag": Tag;
}

/** A column of a CSV answer. */
export interface OpenApiColumn extends Pick<Column, "name" | "dtype" | "unit" | "description"> {
  /** Where the column comes from. */
  readonly tag: Tag;
}

/** A header of an answer. */
export interface OpenApiHeader {
  /** What it says. */
  readonly description: string;
  /** Whether each such answer has it. */
  readonly required: boolean;
  /** Values it may have. */
  readonly schema: JsonSchema;
  /** Where it comes from. */
  readonly "x-vindkit-tag": Tag;
}

/** An operation that takes what an answer holds. */
interface OpenApiLink {
  /** Name of the operation. */
  readonly operationId: string;
  /** Values for its parameters, as expressions of OpenAPI. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** One answer of an operation. */
export interface OpenApiResponse {
  /** When it is given, or what it holds. */
  readonly description: string;
  /** Its headers by name. */
  readonly headers?: Readonly<Record<string, OpenApiHeader>>;
  /** Its bodies; an answer without a body has none. */
  readonly content?: OpenApiContent;
  /** Where to go on from here, by the name of the operation. */
  readonly links?: Readonly<Record<string, OpenApiLink>>;
  /** What an error means for the caller. */
  readonly "x-vindkit-meaning"?: Meaning;
  /** Where the statement that it is given comes from. */
  readonly "x-vindkit-tag"?: Tag;
  /** Columns of a CSV by their names on the wire. */
  readonly "x-vindkit-columns"?: readonly OpenApiColumn[];
}

export interface OpenApiOperation {
  /** Name of the operation. */
  readonly operationId: string;
  /** What it answers, one sentence. */
  readonly summary: string;
  /** What it answers, with its marks. */
  readonly description: string;
  /** Group it belongs to. */
  readonly tags: readonly string[];
  /** Whether the API text marks it deprecated. */
  readonly deprecated: boolean;
  /** Schemes of which one must be fulfilled; none for an operation without a key. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly OpenApiParameter[];
  /** Its answers by status. */
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

/** An OpenAPI 3.1 document, as far as {@linkcode openApi} makes use of it. */
export interface OpenApiDocument {
  /** Version of OpenAPI. */
  readonly openapi: string;
  /** What the document describes. */
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    /** Licence of the document and the service; the answers state that of the data. */
    readonly license: { readonly name: string; readonly identifier: string };
    /** Whom to ask. */
    readonly contact: { readonly name: string };
  };
  /** Where the service is. */
  readonly servers: readonly { readonly url: string }[];
  /** Groups of operations. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** The operations by path; all are GET. */
  readonly paths: Readonly<Record<string, { readonly get: OpenApiOperation }>>;
  /** What is referred to. */
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
}
