import { z } from "zod";
import { type Column, wireName } from "./column.ts";
import { monthRecord } from "./columns.ts";
import { powerControl, turbineDetailsFields } from "./turbine_columns.ts";

/** JSON value of a column, `null` where it has none. */
function valueOf(column: Column): z.ZodType {
  const described = (type: z.ZodType) =>
    (column.notNull ? type : type.nullable()).describe(
      column.unit ? `${column.description} Unit: ${column.unit}.` : column.description,
    );
  switch (column.dtype) {
    case "f64":
      return described(z.number());
    case "i32":
      return described(z.int());
    case "i64":
      return described(z.union([z.int(), z.bigint()]));
    case "bool":
      return described(z.boolean());
    case "date": // the text calls a field a year and formats it as a date: both are taken
      return described(z.union([z.string(), z.int().min(1000).max(9999)]));
    default:
      return described(z.string());
  }
}

/** JSON object with these columns by their wire names; additions are kept. */
export function recordOf(columns: readonly Column[]): z.ZodObject {
  return z.looseObject(Object.fromEntries(
    columns.map((column) => {
      const value = valueOf(column);
      return [wireName(column), column.optional ? value.optional() : value];
    }),
  ));
}

/** Turbine details as the wire has them; additions of a service are kept. */
export interface TurbineDetailsResource {
  /** Identifier of the turbine. */
  turbine_id: string;
  /** Name of the turbine. */
  name: string;
  /** Latitude, deg, positive north. */
  latitude: number | null;
  /** Longitude, deg, positive east. */
  longitude: number | null;
  /** Hub height above ground, m. */
  hub_height: number | null;
  /** Rated power of one turbine, kW. */
  rated_power: number | null;
  /** Rotor diameter, m. */
  rotor_diameter: number | null;
  /** IANA time zone of the turbine. */
  time_zone: string;
  /** First day of the calibration's training window. */
  training_start: string | null;
  /** Last day of the calibration's training window. */
  training_end: string | null;
  /** Whether model data and indices are available. */
  data_ready: boolean;
  /** Last month with an index. */
  last_wind_index: { month: number; year: number } | null;
  /** Power curve of one turbine at 1.225 kg/m3: speeds in m/s, powers in kW. */
  power_curve: {
    power_control: "pcStall" | "pcPitch";
    power: { wind_speed: number; power: number }[];
  } | null;
  /** Additions of the service. */
  [addition: string]: unknown;
}

/** Turbine details (2.2 of the API text). Formats of dates and zone are not shown there. */
export const turbineDetailsResource: z.ZodType<TurbineDetailsResource> = recordOf(
  turbineDetailsFields,
).extend({
  last_wind_index: z.looseObject({
    month: z.int().describe("Month, 1 to 12."),
    year: z.int().describe("Year."),
  }).nullable().describe("Last month with an index."),
  power_curve: z.looseObject({
    power_control: z.enum(["pcStall", "pcPitch"]).describe(powerControl.description),
    power: z.array(z.looseObject({
      wind_speed: z.number().describe("Wind speed at hub height. Unit: m/s."),
      power: z.number().describe("Power at 1.225 kg/m3. Unit: kW."),
    })).describe("Points of the power curve."),
  }).nullable().describe("Power curve of one turbine."),
}) as unknown as z.ZodType<TurbineDetailsResource>;

/** Monthly wind-index result (2.3 of the API text). */
export const monthlyIndexResource: z.ZodObject = recordOf(monthRecord);

/** API key answer; the API text does not show its fields, these are assumed. */
export const apiKeyResource: z.ZodType = z.looseObject({
  api_key: z.string().describe("The key for the X-Auth header."),
  expires: z.string().nullable().optional().describe("Last day on which the key is valid."),
});
