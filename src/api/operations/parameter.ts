import { problemWithDate, problemWithMonth } from "../calendar.ts";
import type { Tag } from "../columns/column.ts";
import type { UnitOf } from "../columns/column_table.ts";
import { describeValue, findHidden } from "../error_text.ts";
import type { Meaning } from "../errors.ts";

/** Type of a parameter's value; `identifier` is one path segment, `year_month` is YYYY-MM. */
export type ParameterType =
  | "identifier"
  | "string"
  | "email"
  | "integer"
  | "number"
  | "date"
  | "year_month";

/** A value, on both sides of the wire. */
export type ParameterValue = string | number;

/** One parameter of an operation. */
export interface Parameter {
  /** Name on the wire. */
  readonly name: string;
  /** Whether it is part of the path or of the query. */
  readonly in: "path" | "query";
  /** Type of its value. */
  readonly type: ParameterType;
  /** Whether a request must have it. */
  readonly required: boolean;
  /** Value when it is absent. */
  readonly default?: ParameterValue;
  /** A value that the sample can answer. */
  readonly example?: ParameterValue;
  /** Smallest value. */
  readonly minimum?: number;
  /** Largest value. */
  readonly maximum?: number;
  /** The only values it may have. */
  readonly values?: readonly string[];
  /** Unit of the value. */
  readonly unit?: string;
  /** Its meaning, one sentence. */
  readonly description: string;
  /** Source of its bounds. */
  readonly tag: Tag;
  /** Whether our service uses the default for an absent value; false if the text contradicts itself. @default {true} */
  readonly defaultApplies?: boolean;
  /** Meaning of the error for a forbidden value. @default {"invalid_argument"} */
  readonly refusal?: Meaning;
}

/** A parameter of the path, from the API text. */
export const inPath = { in: "path", required: true, tag: "documented" } as const;

/** A required parameter of the query, from the API text. */
export const inQuery = { in: "query", required: true, tag: "documented" } as const;

/** An optional parameter of the query, from the API text. */
export const optional = { in: "query", required: false, tag: "documented" } as const;

/** Longest identifier that is sent or looked up. */
export const MAX_IDENTIFIER_LENGTH = 128;

/** Longest e-mail address (RFC 5321). */
export const MAX_EMAIL_LENGTH = 254;

/** Marks that another service's identifier may contain, but no text that people type. */
const MARKS = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

function problemWithText(
  value: string,
  kind: string,
  longest: number = MAX_IDENTIFIER_LENGTH,
  hidden: string | null = findHidden(value),
): string | null {
  if (value === "") return "it is empty";
  if (hidden !== null) return `it has ${hidden}`;
  if (value.length > longest) {
    return `it has ${value.length} characters, but ${kind} has at most ${longest}`;
  }
  return null;
}

/** Why a text cannot be an identifier, or `null` if it can. */
export function problemWithIdentifier(value: string): string | null {
  return value === "." || value === ".."
    ? `"${value}" is a path, not an identifier`
    : problemWithText(
      value,
      "an identifier",
      MAX_IDENTIFIER_LENGTH,
      findHidden(value.replaceAll(MARKS, "-")),
    );
}

function problemWithNumber(parameter: Parameter, value: number): string | null {
  if (!Number.isFinite(value)) return `${value} is not a number`;
  if (parameter.type === "integer" && !Number.isSafeInteger(value)) {
    return `${value} is not a whole number`;
  }
  const { minimum = -Infinity, maximum = Infinity } = parameter;
  if (value >= minimum && value <= maximum) return null;
  return `${value} is not within ${parameter.minimum ?? "-∞"} to ${parameter.maximum ?? "∞"}`;
}

/** Why a parameter must not have this value, or `null` if it may. */
export function problemWith(parameter: Parameter, value: ParameterValue): string | null {
  if (parameter.type === "integer" || parameter.type === "number") {
    if (typeof value !== "number") return `it is ${describeValue(value)}, not a number`;
    return problemWithNumber(parameter, value);
  }
  if (typeof value !== "string") return `it is ${describeValue(value)}, not a text`;
  if (parameter.values && !parameter.values.includes(value)) {
    return `"${value.slice(0, 40)}" is not one of ${parameter.values.join(", ")}`;
  }
  switch (parameter.type) {
    case "date":
      return problemWithDate(value);
    case "year_month":
      return problemWithMonth(value);
    case "email":
      return problemWithText(value, "an e-mail", MAX_EMAIL_LENGTH) ??
        (/^[^\s@]+@[^\s@]+\.[^\s@]+$|^[^\s@]+@localhost$/.test(value)
          ? null
          : "it is not an e-mail address");
    case "identifier":
      return problemWithIdentifier(value);
    case "string":
      return problemWithText(value, "a text");
  }
}

/** Result of reading a parameter: its value, or the reason to refuse it. */
type ReadParameter =
  | { readonly value: ParameterValue | undefined }
  | { readonly problem: string };

const numberText = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** Reads a parameter from the text of a request; an absent one becomes its default. */
export function readParameter(parameter: Parameter, text: string | undefined): ReadParameter {
  if (text === undefined) {
    if (parameter.required) return { problem: "it is missing" };
    return { value: parameter.defaultApplies === false ? undefined : parameter.default };
  }
  let value: ParameterValue = text;
  if (parameter.type === "integer" || parameter.type === "number") {
    if (!numberText.test(text)) return { problem: `"${text.slice(0, 40)}" is not a number` };
    value = Number(text);
  }
  const problem = problemWith(parameter, value);
  return problem === null ? { value } : { problem };
}

type TypeOf<Value> = [Value] extends [number] ? { readonly type: "integer" | "number" }
  : string extends Value ? { readonly type: Exclude<Parameter["type"], "integer" | "number"> }
  : { readonly type: "string"; readonly values: readonly (Value & string)[] };

/**
 * The parameters of a call by their names on the wire, in order: exactly one for each field of the type, so parameters and
 * type can only be edited together.
 */
export type ParameterTable<T> = {
  readonly [Name in keyof T]-?:
    & Omit<Parameter, "name" | "type" | "unit" | "required" | "values">
    & TypeOf<NonNullable<T[Name]>>
    & UnitOf<NonNullable<T[Name]>>
    & { readonly required: undefined extends T[Name] ? false : true };
};

/** The parameters of a table as operations take them. */
export function listParameters<T>(table: ParameterTable<T>): readonly Parameter[] {
  const names = Object.keys(table) as (keyof T & string)[]; // a table has no other keys
  return names.map((name) => {
    const parameter: Omit<Parameter, "name"> = table[name];
    return { name, ...parameter };
  });
}

/** Whether values fit a table: every required value is present, and every value is allowed. */
export function areParameters<T>(
  table: ParameterTable<T>,
  values: Readonly<Record<string, ParameterValue | undefined>>,
): values is Readonly<Record<string, ParameterValue | undefined>> & T {
  return listParameters(table).every((parameter) => {
    const value = values[parameter.name];
    return value === undefined ? !parameter.required : problemWith(parameter, value) === null;
  });
}
