import { z } from "zod";
import { type Column, type Tag, wireName } from "../columns/column.ts";
import { type ColumnTable, listColumns, type OnWire } from "../columns/column_table.ts";
import {
  type CalendarMonth,
  type MonthlyIndex,
  monthlyIndexTable,
} from "../columns/month_columns.ts";
import { powerControl, type TurbineFields, turbineFieldTable } from "../columns/turbine_columns.ts";

/** Keyword with which a JSON Schema says where a statement comes from. */
export const TAG_KEYWORD = "x-vindkit-tag";

/** A value with its meaning, one sentence, and where it comes from. */
export function field<T extends z.ZodType>(type: T, description: string, tag: Tag): T {
  return type.meta({ description, [TAG_KEYWORD]: tag });
}

/** JSON value of a column where it has one. */
function buildTypeSchema({ dtype, values }: Column): z.ZodType {
  if (values) return z.enum(values);
  switch (dtype) {
    case "f64":
      return z.number();
    case "i32":
      return z.int();
    case "i64":
      return z.union([z.int(), z.bigint()]);
    case "bool":
      return z.boolean();
    case "date": // the text calls a field a year and formats it as a date: both are taken
      return z.union([z.string(), z.int().min(1000).max(9999)]);
    default:
      return z.string();
  }
}

/** JSON value of a column, `null` where it has none. */
function buildValueSchema(column: Column): z.ZodType {
  const { description, unit, tag } = column;
  const value = column.notNull ? buildTypeSchema(column) : buildTypeSchema(column).nullable();
  return field(
    column.optional ? value.optional() : value,
    unit ? `${description} Unit: ${unit}.` : description,
    tag,
  );
}

/** JSON object with these columns by their wire names; additions pass unchanged. */
export function buildRecordSchema(columns: readonly Column[]): z.ZodObject {
  return z.looseObject(
    Object.fromEntries(columns.map((column) => [wireName(column), buildValueSchema(column)])),
  );
}

/** The fields of a type that are declared by name, without the additions of a service. */
type NamedFields<T> = { [Name in keyof T as string extends Name ? never : Name]: T[Name] };

/** A schema for each field of a type and no other, so that neither can be edited without the other. */
export type Shape<T> = {
  readonly [Name in keyof NamedFields<T>]-?: z.ZodType<NamedFields<T>[Name]>;
};

/** A shape whose schemas take all values of their fields, null among them: one that takes fewer is not assignable. */
type Exact<T, Own> = {
  readonly [Name in keyof Own]: Name extends keyof NamedFields<T>
    ? Own[Name] extends z.ZodType<infer Taken>
      ? Extract<NamedFields<T>[Name], string | number | boolean | null | undefined> extends Taken
        ? Own[Name]
      : never
    : never
    : never;
};

/** JSON object of a type; additions pass unchanged: `buildObjectSchema<Type>()(shape)`. */
export function buildObjectSchema<T>(): <Own extends Shape<T>>(
  shape: Own & Exact<T, Own>,
) => z.ZodType<T> {
  // What passes has each field as its schema gives it.
  return (shape) => z.looseObject({ ...shape }) as unknown as z.ZodType<T>;
}

/** The fields of a table by their wire names. */
export function buildShape<T>(table: ColumnTable<T>): Shape<OnWire<T>> {
  return buildRecordSchema(listColumns(table)).shape as unknown as Shape<OnWire<T>>; // by the dtypes, which are those of T
}

/** Turbine details as the wire has them; additions of a service pass unchanged. */
export interface TurbineDetailsResource extends TurbineFields {
  /** Last month with an index. */
  readonly last_wind_index: CalendarMonth | null;
  /** Power curve of one turbine at 1.225 kg/m3. */
  readonly power_curve: PowerCurveResource | null;
  /** Ground above sea level, m, where our service answers. */
  readonly elevation?: unknown;
  /** Number of turbines that the production is of, where our service answers. */
  readonly units?: unknown;
  /** Additions of the service. */
  readonly [addition: string]: unknown;
}

/** Power curve of one turbine at 1.225 kg/m3. */
export interface PowerCurveResource {
  /** How the turbine limits its power. */
  readonly power_control: "pcStall" | "pcPitch";
  /** Points of the curve, in order of the wind speed. */
  readonly power: readonly PowerCurvePoint[];
}

/** A point of a power curve. */
export interface PowerCurvePoint {
  /** Wind speed at hub height, m/s. */
  readonly wind_speed: number;
  /** Power, kW. */
  readonly power: number;
}

/**
 * An addition of our service: described for it, and not checked in answers of others, which may mean something else by the name.
 *
 * @param type Type in JSON Schema
 */
function addition(type: string | readonly string[], description: string): z.ZodType {
  return z.unknown().optional().meta({ type, description, [TAG_KEYWORD]: "ours" });
}

function documented<T extends z.ZodType>(type: T, description: string): T {
  return field(type, description, "documented");
}

/** Turbine details (2.2 of the API text). Formats of dates and zone are not shown there. */
export const turbineDetailsResource: z.ZodType<TurbineDetailsResource> = buildObjectSchema<
  TurbineDetailsResource
>()({
  ...buildShape(turbineFieldTable),
  last_wind_index: documented(
    buildObjectSchema<CalendarMonth>()({
      month: documented(z.int(), "Month, 1 to 12."),
      year: documented(z.int(), "Year."),
    }).nullable(),
    "Last month with an index.",
  ),
  power_curve: documented(
    buildObjectSchema<PowerCurveResource>()({
      power_control: documented(z.enum(["pcStall", "pcPitch"]), powerControl.description),
      power: documented(
        z.array(
          buildObjectSchema<PowerCurvePoint>()({
            wind_speed: documented(z.number(), "Wind speed at hub height. Unit: m/s."),
            power: documented(z.number(), "Power at 1.225 kg/m3. Unit: kW."),
          }),
        ),
        "Points of the power curve.",
      ),
    }).nullable(),
    "Power curve of one turbine.",
  ),
  elevation: addition(["number", "null"], "Ground above sea level. Unit: m."),
  units: addition("integer", "Number of turbines that the production is of."),
});

/** Monthly wind-index result (2.3 of the API text). */
export const monthlyIndexResource: z.ZodType<OnWire<MonthlyIndex>> = buildObjectSchema<
  OnWire<MonthlyIndex>
>()(
  buildShape(monthlyIndexTable),
);

/** API key answer; the API text does not show its fields, these are assumed. */
export interface ApiKeyResource {
  /** The key for the X-Auth header. */
  readonly api_key: string;
  /** Last day on which the key is valid; `null` where it has none. */
  readonly expires?: string | null;
}

/** Schema of the API key answer. */
export const apiKeyResource: z.ZodType<ApiKeyResource> = buildObjectSchema<ApiKeyResource>()({
  api_key: field(z.string(), "The key for the X-Auth header.", "assumed"),
  expires: field(
    z.string().nullable().optional(),
    "Last day on which the key is valid; null where it has none.",
    "assumed",
  ),
});
