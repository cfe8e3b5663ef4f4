import type { UnitOf } from "../columns/column_table.ts";
import { type Parameter, type ParameterValue, problemWith } from "./parameter.ts";

type TypeOf<Value> = [Value] extends [number] ? { readonly type: "integer" | "number" }
  : string extends Value ? { readonly type: Exclude<Parameter["type"], "integer" | "number"> }
  : { readonly type: "string"; readonly values: readonly (Value & string)[] };

/**
 * The parameters of a call by their names on the wire, in order: one for each field of the type and no other, so that
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
