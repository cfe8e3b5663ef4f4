import type { Column, Dtype } from "./column.ts";

/** A number in a unit. Any plain number fits; a number declared in another unit does not compile. */
export type Quantity<Unit extends string> = number & {
  /** For the compiler only: no number has it. */
  readonly __unit?: Unit;
};

/** A date in JSON: a day or a month as text, or a bare year; the API text calls a field a year and formats it as a date. */
export type WireDate = string | number;

/** The fields whose name in JSON differs from their name in frames. */
export interface WireNames {
  /** Figure of the month over one twelfth of a normal year. */
  readonly month_index: "monthIndex";
}

/** The fields that identify a record: an answer without them is refused. */
export type KeyField = "turbine_id" | "service_id" | "year" | "month";

/** A record as another service may send it: all fields may be `null` except the identifying ones. */
export type Received<T> = {
  readonly [Name in keyof T]: Name extends KeyField ? T[Name] : T[Name] | null;
};

/** A record with its fields named as on the wire. */
export type OnWire<T> = {
  [Name in keyof T as Name extends keyof WireNames ? WireNames[Name] : Name]: T[Name];
};

type DtypeOf<Value> = [Value] extends [number] ? { readonly dtype: "f64" | "i32" }
  : [Value] extends [number | bigint] ? { readonly dtype: "i64" }
  : [Value] extends [boolean] ? { readonly dtype: "bool" }
  : number extends Value ? { readonly dtype: "date" }
  : string extends Value ? { readonly dtype: "utf8" | "datetime" }
  : { readonly dtype: "utf8"; readonly values: readonly (Value & string)[] };

/** The unit in the declaration of such values. */
export type UnitOf<Value> = "__unit" extends keyof Value
  ? Value extends Quantity<infer Unit> ? { readonly unit: Unit } : never
  : { readonly unit?: undefined };

/** The declaration of a field with these values; its dtype, unit, null and absence follow from the type. */
export type ColumnOf<Value> =
  & Omit<Column, "name" | "wire" | "dtype" | "unit" | "values" | "notNull" | "optional">
  & DtypeOf<NonNullable<Value>>
  & UnitOf<NonNullable<Value>>
  & (null extends Value ? { readonly notNull?: false } : { readonly notNull: true })
  & (undefined extends Value ? { readonly optional: true } : { readonly optional?: false });

/**
 * The columns of a record by their names in frames, in order: exactly one for each field of the type, so columns and type
 * can only be edited together.
 */
export type ColumnTable<T> = {
  readonly [Name in keyof T]-?:
    & ColumnOf<T[Name]>
    & (Name extends keyof WireNames ? { readonly wire: WireNames[Name] } : {
      readonly wire?: undefined;
    });
};

/** Facts of a field other than its type, label and description. */
type Facts = Partial<Omit<Column, "name" | "dtype" | "label" | "description">>;

/**
 * Declares fields with common facts, each by its type, label and description, and its other facts.
 *
 * @param common Facts of all of these fields
 */
export function declareAs<const Common extends Facts>(common: Common): <
  const Type extends Dtype,
  const More extends Facts = Record<never, never>,
>(
  dtype: Type,
  label: string,
  description: string,
  more?: More,
) => Common & NoInfer<More> & {
  readonly dtype: Type;
  readonly label: string;
  readonly description: string;
} {
  return (dtype, label, description, more) => ({ ...common, dtype, label, description, ...more! });
}

/** Declares a field of the API text that always has a value. */
export const documented = declareAs({ tag: "documented", notNull: true });

/** Declares a field of the API text that may be `null`. */
export const nullable = declareAs({ tag: "documented" });

/** A list of columns, each of them a field of the type: `record[column.name]` is typed. */
export type Columns<T> = readonly (Column & { readonly name: keyof T & string })[];

/** The columns of a table as a list, for frames and files. */
export function listColumns<T>(table: ColumnTable<T>): Columns<T> {
  return namesOf(table).map((name) => {
    const column: Omit<Column, "name"> = table[name];
    return { name, ...column };
  });
}

/** The columns of a table without absent ones. */
export function requireColumns<T>(table: ColumnTable<T>): ColumnTable<Required<T>> {
  const columns = listColumns(table).map((
    { name, ...column },
  ) => [name, { ...column, optional: false }]);
  return Object.fromEntries(columns) as ColumnTable<Required<T>>; // the types differ only in this
}

/** Renames the fields of a record as on the wire. */
export function toWire<T>(table: ColumnTable<T>, record: NoInfer<T>): OnWire<T> {
  return renamed(table, ({ name, wire = name }) => [wire, record[name]]) as OnWire<T>;
}

/** Renames the fields of a received record as in frames, and leaves out undeclared and absent fields. */
export function fromWire<T>(
  table: ColumnTable<T>,
  record: NoInfer<OnWire<Received<T>>>,
): Received<T> {
  const values: Readonly<Record<string, unknown>> = record;
  return renamed(table, ({ name, wire = name }) => [name, values[wire]]) as Received<T>;
}

/**
 * Whether a record has a value of the declared type for each column; further fields may follow.
 *
 * @param table The columns, by their names in the record
 */
export function isRecord<T>(
  table: ColumnTable<T>,
  record: Readonly<Record<string, unknown>>,
): record is Readonly<Record<string, unknown>> & T {
  return namesOf(table).every((name) => fits(table[name], record[name]));
}

function fits({ dtype, values, notNull, optional }: Omit<Column, "name">, value: unknown): boolean {
  if (value === undefined) return optional === true;
  if (value === null) return !notNull;
  switch (dtype) {
    case "f64":
      return typeof value === "number";
    case "i32":
      return Number.isInteger(value);
    case "date":
      return typeof value === "string" || Number.isInteger(value);
    case "i64":
      return Number.isInteger(value) || typeof value === "bigint";
    case "bool":
      return typeof value === "boolean";
    default:
      return typeof value === "string" && (values?.includes(value) ?? true);
  }
}

function namesOf<T>(table: ColumnTable<T>): (keyof T & string)[] {
  return Object.keys(table) as (keyof T & string)[]; // a table has no other keys
}

/** The entries of a record under other names, without absent ones. */
function renamed<T>(
  table: ColumnTable<T>,
  entryOf: (column: Columns<T>[number]) => readonly [string, unknown],
): unknown {
  return Object.fromEntries(
    listColumns(table).map(entryOf).filter(([, value]) => value !== undefined),
  );
}
