import pl, { type DataType } from "nodejs-polars";
import type { Column, Dtype } from "../api/columns/column.ts";

/** Polars type of a declared column; a datetime has the zone given. */
export function polarsType(column: Column, timeZone = "UTC"): DataType {
  switch (column.dtype) {
    case "f64":
      return pl.Float64;
    case "i32":
      return pl.Int32;
    case "i64":
      return pl.Int64;
    case "utf8":
      return pl.Utf8;
    case "bool":
      return pl.Bool;
    case "date":
      return pl.Date;
    case "datetime":
      return pl.Datetime("us", timeZone);
  }
}

/** Name of a Polars type, as "Float64" or "Datetime(us,Europe/Copenhagen)". */
export function dtypeName(type: DataType): string {
  return String(type).replace(/^DataType\((.*)\)$/s, "$1");
}

/** Type that a column of a Polars type is declared with, by the name of the Polars type; `undefined` for lists and the like, which CSV cannot have. */
export function declaredType(type: string): Dtype | undefined {
  if (/^Float\d+$/.test(type)) return "f64";
  if (/^(?:Int(?:8|16|32)|UInt(?:8|16))$/.test(type)) return "i32";
  if (/^(?:Int64|UInt32|UInt64)$/.test(type)) return "i64";
  if (/^(?:Utf8|String|Categorical)/.test(type)) return "utf8";
  if (/^Bool/.test(type)) return "bool";
  if (type === "Date") return "date";
  return type.startsWith("Datetime") ? "datetime" : undefined;
}

/** Zone of a datetime type, read from its printed form, the only one that has it; `undefined` if there is none. */
export function zoneOf(type: DataType): string | undefined {
  const zone = /^Datetime\(\w+,\s*([^)]*)\)$/.exec(dtypeName(type))?.[1];
  return zone === undefined || /^(?:null|undefined)?$/.test(zone) ? undefined : zone;
}
