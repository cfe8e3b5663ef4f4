import { z } from "zod";
import { type Column, type Tag, wireName } from "../columns/column.ts";
import { monthRecord } from "../columns/columns.ts";
import { powerControl, turbineDetailsFields } from "../columns/turbine_columns.ts";

/** Keyword with which a JSON Schema says where a statement comes from. */
export const TAG_KEYWORD = "x-vindkit-tag";

/** A value with its meaning, one sentence, and where it comes from. */
export function field<T extends z.ZodType>(type: T, description: string, tag: Tag): T {
  return type.meta({ description, [TAG_KEYWORD]: tag });
}

/** JSON value of a column where it has one. */
function typeOf({ dtype }: Column): z.ZodType {
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
function valueOf(column: Column): z.ZodType {
  const { description, unit, tag } = column;
  const value = column.notNull ? typeOf(column) : typeOf(column).nullable();
  return field(
    column.optional ? value.optional() : value,
    unit ? `${description} Unit: ${unit}.` : description,
    tag,
  );
}

/** JSON object with these columns by their wire names; additions are kept. */
export function recordOf(columns: readonly Column[]): z.ZodObject {
  return z.looseObject(
    Object.fromEntries(columns.map((column) => [wireName(column), valueOf(column)])),
  );
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

/**
 * An addition of our service: described for it, and not held against others, which may mean something else by the name.
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
export const turbineDetailsResource: z.ZodType<TurbineDetailsResource> = recordOf(
  turbineDetailsFields,
).extend({
  last_wind_index: documented(
    z.looseObject({
      month: documented(z.int(), "Month, 1 to 12."),
      year: documented(z.int(), "Year."),
    }).nullable(),
    "Last month with an index.",
  ),
  power_curve: documented(
    z.looseObject({
      power_control: documented(z.enum(["pcStall", "pcPitch"]), powerControl.description),
      power: documented(
        z.array(z.looseObject({
          wind_speed: documented(z.number(), "Wind speed at hub height. Unit: m/s."),
          power: documented(z.number(), "Power at 1.225 kg/m3. Unit: kW."),
        })),
        "Points of the power curve.",
      ),
    }).nullable(),
    "Power curve of one turbine.",
  ),
  elevation: addition(["number", "null"], "Ground above sea level. Unit: m."),
  units: addition("integer", "Number of turbines that the production is of."),
}) as unknown as z.ZodType<TurbineDetailsResource>;

/** Monthly wind-index result (2.3 of the API text). */
export const monthlyIndexResource: z.ZodObject = recordOf(monthRecord);

/** API key answer; the API text does not show its fields, these are assumed. */
export const apiKeyResource: z.ZodType = z.looseObject({
  api_key: field(z.string(), "The key for the X-Auth header.", "assumed"),
  expires: field(
    z.string().nullable().optional(),
    "Last day on which the key is valid; null where it has none.",
    "assumed",
  ),
});
