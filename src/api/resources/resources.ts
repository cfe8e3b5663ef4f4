import { z } from "zod";
import { type Column, type Tag, wireName } from "../columns/column.ts";
import {
  type ColumnTable,
  listColumns,
  type OnWire,
  type Received,
} from "../columns/column_table.ts";
import {
  type CalendarMonth,
  type MonthlyIndex,
  monthlyIndexTable,
  monthRecord,
} from "../columns/month_columns.ts";
import {
  calibrationReason,
  type CalibrationVerdict,
  calibrationVerdict,
  calibrationVerdicts,
  powerControl,
  turbineDetailsFields,
  type TurbineFields,
  turbineFieldTable,
} from "../columns/turbine_columns.ts";

/** Keyword for the source of a statement in a JSON Schema. */
export const TAG_KEYWORD = "x-vindkit-tag";

/** Months of the calendar, YYYY-MM. */
const MONTH_PATTERN = "^[0-9]{4}-(0[1-9]|1[0-2])$";

/** A value with its meaning, one sentence, and the source of the statement. */
export function field<T extends z.ZodType>(type: T, description: string, tag: Tag): T {
  return type.meta({ description, [TAG_KEYWORD]: tag });
}

/** Notation of a value: a keyword of JSON Schema that is narrower than its type. */
function formatOf({ dtype, monthly }: Column): Readonly<Record<string, string>> {
  switch (dtype) {
    case "f64":
      return { format: "double" };
    case "i32":
      return { format: "int32" };
    case "i64":
      return { format: "int64" };
    case "date":
      return monthly ? { pattern: MONTH_PATTERN } : { format: "date" };
    case "datetime":
      return { format: "date-time" };
    default:
      return {};
  }
}

/** Reads a number that a service writes as a text. */
function readNumberText(value: unknown): unknown {
  return typeof value === "string" && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value)
    ? Number(value)
    : value;
}

/** JSON value of a column if it is not null: as our service sends it, or as any service may. */
function buildType({ dtype, values, key }: Column, from: "ours" | "any"): z.ZodType {
  if (values && from === "ours") return z.enum(values);
  const number = (type: z.ZodType) => from === "ours" ? type : z.preprocess(readNumberText, type);
  switch (dtype) {
    case "f64":
      return number(z.number());
    case "i32":
      return number(z.int());
    case "i64":
      return number(z.union([z.int(), z.bigint()]));
    case "bool":
      return z.boolean();
  }
  if (from === "ours") return z.string();
  // The text calls a field a year and formats it as a date, so both are accepted. An identifier may be a number.
  if (dtype === "date") return z.union([z.string(), z.int().min(1000).max(9999)]);
  return key ? z.union([z.string(), z.int(), z.bigint()]).transform(String) : z.string();
}

/** JSON value of a column as our service sends it. */
function buildSentValue(column: Column): z.ZodType {
  const { description, unit, tag, notNull } = column;
  const value = buildType(column, "ours").meta(formatOf(column));
  return field(
    notNull ? value : value.nullable(),
    unit ? `${description} Unit: ${unit}.` : description,
    tag,
  );
}

/** JSON object with these columns by their wire names, as our service sends it: all of them. */
export function buildSentSchema(columns: readonly Column[]): z.ZodObject {
  return z.looseObject(
    Object.fromEntries(columns.map((column) => [wireName(column), buildSentValue(column)])),
  );
}

/**
 * JSON object with these columns by their wire names, as another service may send it: only keys are required. An absent
 * field becomes `null` (or stays absent, if the API text does not have it), and additions pass unchanged.
 */
export function buildReceivedSchema(columns: readonly Column[]): z.ZodObject {
  return z.looseObject(Object.fromEntries(columns.map((column) => {
    const value = buildType(column, "any");
    return [
      wireName(column),
      column.key ? value : column.optional ? value.nullish() : orNull(value),
    ];
  })));
}

/** A value that may be absent, which is then `null`. */
function orNull<T extends z.ZodType>(value: T): z.ZodType<z.output<T> | null> {
  return value.nullish().transform((present) => present ?? null);
}

/** The fields of a type that are declared by name, without the additions of a service. */
type NamedFields<T> = { [Name in keyof T as string extends Name ? never : Name]: T[Name] };

/** Exactly one schema for each field of a type, so both can only be edited together. */
export type Shape<T> = {
  readonly [Name in keyof NamedFields<T>]-?: z.ZodType<NamedFields<T>[Name]>;
};

/** A shape whose schemas accept all values of their fields, including null; narrower schemas are not assignable. */
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
  // a parsed object has each field as its schema declares it
  return (shape) => z.looseObject({ ...shape }) as unknown as z.ZodType<T>;
}

/** The fields of a table by their wire names, as our service sends them. */
export function buildShape<T>(table: ColumnTable<T>): Shape<OnWire<T>> {
  return buildSentSchema(listColumns(table)).shape as unknown as Shape<OnWire<T>>; // the dtypes follow from T
}

/** Turbine details as our service sends them. */
export interface TurbineDetailsResource extends TurbineFields {
  /** Last month with an index. */
  readonly last_wind_index: CalendarMonth | null;
  /** Power curve of one turbine at 1.225 kg/m3. */
  readonly power_curve: PowerCurveResource;
  /** Ground above sea level, m. */
  readonly elevation: number | null;
  /** Number of turbines in the production. */
  readonly units: number;
  /** Whether its figures are fitted to production; a location index is not. */
  readonly calibrated: boolean;
  /** First and last year of the reference period, whose mean is 100 %; `null` before there is one. */
  readonly reference_from: number | null;
  readonly reference_to: number | null;
  /** How far its calibration can be trusted; `null` without calibration. */
  readonly calibration_verdict: CalibrationVerdict | null;
  /** Why; `null` likewise. */
  readonly calibration_reason: string | null;
  /** Standard deviation of the error of a long-term mean that more years do not reduce, %; `null` likewise. */
  readonly lasting_error: number | null;
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
 * Turbine details as any service may send them; only the identifier is needed: `turbine_id`, `name`, `latitude` and
 * `longitude` (deg), `hub_height` and `rotor_diameter` (m), `rated_power` of one turbine (kW), `time_zone`, `training_start`
 * and `training_end` (days of the calibration), `data_ready`, and those below.
 */
export interface TurbineDetails extends Received<TurbineFields> {
  /** Last month with an index, `year` and `month`; `null` if there is none. */
  readonly last_wind_index: CalendarMonth | null;
  /** Power curve of one turbine at 1.225 kg/m3: points of `power` (kW) by wind speed, and its `power_control`. */
  readonly power_curve: ReceivedPowerCurve | null;
  /** Ground above sea level, m; only from our service. */
  readonly elevation?: unknown;
  /** Number of turbines in the production; only from our service. */
  readonly units?: unknown;
  /** Whether its figures are fitted to production (a location index is not); only from our service. */
  readonly calibrated?: unknown;
  /** First year of the reference period, whose mean is 100 %; only from our service. */
  readonly reference_from?: unknown;
  /** Its last year; only from our service. */
  readonly reference_to?: unknown;
  /** How far its calibration can be trusted, `good`, `fair`, `poor` or `useless`; only from our service. */
  readonly calibration_verdict?: unknown;
  /** Reason for this grade; only from our service. */
  readonly calibration_reason?: unknown;
  /** Standard deviation of the error of a long-term mean that more years do not reduce, %; only from our service. */
  readonly lasting_error?: unknown;
  /** Additions of the service. */
  readonly [addition: string]: unknown;
}

/** A power curve as any service may send it. */
export interface ReceivedPowerCurve extends Pick<PowerCurveResource, "power"> {
  /** How the turbine limits its power: `pcStall`, `pcPitch`, or another word of a service. */
  readonly power_control: string | null;
}

function documented<T extends z.ZodType>(type: T, description: string): T {
  return field(type, description, "documented");
}

/** A number of double precision. */
const double = (): z.ZodNumber => z.number().meta({ format: "double" });

/** A whole number of 32 bits. */
const int32 = (): z.ZodInt => z.int().meta({ format: "int32" });

/** Turbine details (2.2 of the API text) as our service sends them. Formats of dates and zone are not shown there. */
export const turbineDetailsResource: z.ZodType<TurbineDetailsResource> = buildObjectSchema<
  TurbineDetailsResource
>()({
  ...buildShape(turbineFieldTable),
  last_wind_index: documented(
    buildObjectSchema<CalendarMonth>()({
      month: documented(int32(), "Month, 1 to 12."),
      year: documented(int32(), "Year."),
    }).nullable(),
    "Last month with an index.",
  ),
  power_curve: documented(
    buildObjectSchema<PowerCurveResource>()({
      power_control: documented(z.enum(["pcStall", "pcPitch"]), powerControl.description),
      power: documented(
        z.array(
          buildObjectSchema<PowerCurvePoint>()({
            wind_speed: documented(double(), "Wind speed at hub height. Unit: m/s."),
            power: documented(double(), "Power at 1.225 kg/m3. Unit: kW."),
          }),
        ),
        "Points of the power curve.",
      ),
    }),
    "Power curve of one turbine.",
  ),
  elevation: field(double().nullable(), "Ground above sea level. Unit: m.", "ours"),
  units: field(int32(), "Number of turbines whose production is measured together.", "ours"),
  calibrated: field(z.boolean(), "Whether the figures are calibrated with production.", "ours"),
  reference_from: field(int32().nullable(), "First year of the reference period.", "ours"),
  reference_to: field(
    int32().nullable(),
    "Last year of the reference period, whose mean is 100 %.",
    "ours",
  ),
  calibration_verdict: field(
    z.enum(calibrationVerdicts).nullable(),
    calibrationVerdict.description,
    "ours",
  ),
  calibration_reason: field(z.string().nullable(), calibrationReason.description, "ours"),
  lasting_error: field(
    z.number().nullable(),
    "Part of the standard error of a long-term mean that more years do not reduce. Unit: %.",
    "ours",
  ),
});

/** Turbine details as any service may send them: an absent field is `null`. */
export const receivedTurbineDetails: z.ZodType<TurbineDetails> = buildReceivedSchema(
  turbineDetailsFields,
).extend({
  last_wind_index: orNull(z.looseObject({ month: z.int(), year: z.int() })),
  power_curve: orNull(z.looseObject({
    power_control: orNull(z.string()),
    power: z.array(z.looseObject({ wind_speed: z.number(), power: z.number() })),
  })),
}) as unknown as z.ZodType<TurbineDetails>; // the declarations follow from the type

/** Monthly wind-index result (2.3 of the API text) as our service sends it. */
export const monthlyIndexResource: z.ZodType<OnWire<MonthlyIndex>> = buildObjectSchema<
  OnWire<MonthlyIndex>
>()(
  buildShape(monthlyIndexTable),
);

/** Monthly wind-index result as any service may send it. */
export const receivedMonthlyIndex: z.ZodType<OnWire<Received<MonthlyIndex>>> = buildReceivedSchema(
  monthRecord,
) as unknown as z.ZodType<OnWire<Received<MonthlyIndex>>>; // the declarations follow from the type

/** API key answer of our service; the API text does not show its fields. */
export interface ApiKeyResource {
  /** The key for the X-Auth header. */
  readonly api_key: string;
  /** Last day on which the key is valid; `null` if it has none. */
  readonly expires: string | null;
}

/** Schema of the API key answer. */
export const apiKeyResource: z.ZodType<ApiKeyResource> = buildObjectSchema<ApiKeyResource>()({
  api_key: field(z.string(), "The key for the X-Auth header.", "assumed"),
  expires: field(
    z.string().meta({ format: "date" }).nullable(),
    "Last day on which the key is valid; null if it never expires.",
    "assumed",
  ),
});
