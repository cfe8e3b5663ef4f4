import type { z } from "zod";
import type { Column, Tag } from "../columns/column.ts";
import type { Meaning } from "../errors.ts";
import type { Parameter } from "./parameter.ts";
import type { ResponseHeader } from "./response_headers.ts";

/** Media type under which a client may ask for any file as bytes. */
export const ANY_FILE = "application/octet-stream";

/** Group of operations in the API text. */
export type Group = "wind-index" | "climate-data" | "reports" | "user-access";

/** Common facts of all operations of a group. */
export interface OfGroup {
  /** The group they belong to. */
  readonly group: Group;
  /** Whether the API text marks them deprecated. */
  readonly deprecated: boolean;
  /** Whether they need the key. */
  readonly key: boolean;
}

/** Content of a successful answer. */
export type Success =
  /** A JSON array of records with these columns. */
  | { readonly kind: "records"; readonly mediaType: string; readonly columns: readonly Column[] }
  /** One JSON object. */
  | { readonly kind: "record"; readonly mediaType: string; readonly schema: z.ZodType }
  /** One JSON string; `names` is the parameter of other operations that it is a value for. */
  | {
    readonly kind: "string";
    readonly mediaType: string;
    readonly description: string;
    readonly names?: string;
  }
  /** Comma-separated text with these columns; `note` explains how to read them if that is not obvious. */
  | {
    readonly kind: "csv";
    readonly mediaType: string;
    readonly columns: readonly Column[];
    readonly note?: string;
  }
  /**
   * A file; a parameter decides its content and its media type. `mediaType` is the type that the API text declares,
   * `mediaTypes` has the types of our service by the values of that parameter.
   */
  | {
    readonly kind: "file";
    readonly mediaType: string;
    readonly mediaTypes: Readonly<Record<string, string>>;
    readonly description: string;
  };

/** An error status of an operation, with its meaning there. */
export interface OperationError {
  /** HTTP status. */
  readonly status: number;
  /** Its meaning, which decides what a caller does about it. */
  readonly meaning: Meaning;
  /** The condition in words. */
  readonly condition: string;
  /** Source of the statement. */
  readonly tag: Tag;
}

/** An operation without its name. All are GET and succeed with 200. */
export interface OperationDeclaration {
  /** Path below the base address, with parameters in braces. */
  readonly path: string;
  /** Summary of its answer, one sentence. */
  readonly summary: string;
  /** Its parameters, path before query. */
  readonly parameters: readonly Parameter[];
  /** The successful answer. */
  readonly success: Success;
  /** Headers of our service's successful answer; the API text names none. */
  readonly headers: readonly ResponseHeader[];
  /** Its errors. */
  readonly errors: readonly OperationError[];
  /** Whether it changes something: then HEAD is refused, because it must have no effects. @default {false} */
  readonly changes?: boolean;
}

/** The operations of a group by their names, in order: exactly one for each name of the type. */
export type OperationTable<Id extends string> = { readonly [Name in Id]: OperationDeclaration };
