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

/** A value as callers give it and as services read it. */
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
  /** A value that the sample has an answer for. */
  readonly example?: ParameterValue;
  /** Smallest value. */
  readonly minimum?: number;
  /** Largest value. */
  readonly maximum?: number;
  /** The only values it may have. */
  readonly values?: readonly string[];
  /** Unit of the value. */
  readonly unit?: string;
  /** What it means, one sentence. */
  readonly description: string;
  /** Where its bounds come from. */
  readonly tag: Tag;
  /** Whether our service takes the default for an absent value; not where the text contradicts itself. @default {true} */
  readonly defaultApplies?: boolean;
  /** What a forbidden value means. @default {"invalid_argument"} */
  readonly refusal?: Meaning;
}

/** A parameter of the path, as the API text has it. */
export const inPath = { in: "path", required: true, tag: "documented" } as const;

/** A parameter of the query that a request must have, as the API text has it. */
export const inQuery = { in: "query", required: true, tag: "documented" } as const;

/** A parameter of the query that a request may have, as the API text has it. */
export const optional = { in: "query", required: false, tag: "documented" } as const;

/** Longest identifier that is sent or looked up. */
export const MAX_IDENTIFIER_LENGTH = 128;

/** Longest e-mail address (RFC 5321). */
export const MAX_EMAIL_LENGTH = 254;

/** What an identifier of another service may have, and no text of a person. */
const MARKS = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

function problemWithText(
  value: string,
  what: string,
  longest: number = MAX_IDENTIFIER_LENGTH,
  hidden: string | null = findHidden(value),
): string | null {
  if (value === "") return "it is empty";
  if (hidden !== null) return `it has ${hidden}`;
  if (value.length > longest) {
    return `it has ${value.length} characters, ${what} has at most ${longest}`;
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

/** What reading a parameter from a request gave: its value, or why it is refused. */
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
 * The parameters of a call by their names on the wire, in order: one for each field of the type and no other, so
 * neither can be edited without the other.
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

/** Whether values are those of a table: each required one is there, and each is allowed. */
export function areParameters<T>(
  table: ParameterTable<T>,
  values: Readonly<Record<string, ParameterValue | undefined>>,
): values is Readonly<Record<string, ParameterValue | undefined>> & T {
  return listParameters(table).every((parameter) => {
    const value = values[parameter.name];
    return value === undefined ? !parameter.required : problemWith(parameter, value) === null;
  });
}
