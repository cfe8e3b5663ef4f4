import pl, { type DataFrame, type DataType, type Series } from "nodejs-polars";
import type { Column, Dtype } from "../api/columns/column.ts";

/** Values of a column: a typed array without nulls, or a list that may have them. Dates and datetimes are integers: days and microseconds since 1970 UTC. */
export type ColumnValues =
  | Float64Array
  | Int32Array
  | BigInt64Array
  | readonly (string | number | bigint | boolean | null)[];

/** Builds a series of a declared column, with its dtype even if it is empty. */
export function buildSeries(column: Column, values: ColumnValues, timeZone = "UTC"): Series {
  const { name } = column;
  switch (column.dtype) {
    case "i32":
      return buildSmall(name, values);
    case "i64":
      return buildIntegers(name, values);
    case "date":
      return buildSmall(name, values).cast(pl.Date);
    case "datetime":
      return buildIntegers(name, values).cast(pl.Datetime("us", "UTC")).cast(
        pl.Datetime("us", timeZone),
      );
    default:
      return pl.Series(name, values as string[], polarsType(column));
  }
}

/** Builds 32-bit integers from floats: nodejs-polars turns null into 0 in a list of Int32. */
function buildSmall(name: string, values: ColumnValues): Series {
  return pl.Series(name, values as number[], pl.Float64).cast(pl.Int32);
}

/** Builds 64-bit integers from a `BigInt64Array`: Polars makes an empty series of a list of bigints, and numbers lose digits. */
function buildIntegers(name: string, values: ColumnValues): Series {
  if (values instanceof BigInt64Array) {
    return pl.Series(name, values as unknown as bigint[], pl.Int64);
  }
  const list = values as readonly (bigint | number | null)[];
  const integers = BigInt64Array.from(list, (value) => BigInt(value ?? 0));
  const series = pl.Series(name, integers as unknown as bigint[], pl.Int64);
  if (!list.includes(null)) return series;
  const present = pl.Series("present", list.map((value) => value !== null), pl.Bool);
  return pl.DataFrame([series, present]).select(
    pl.when(pl.col("present")).then(pl.col(name)).otherwise(pl.lit(null)).alias(name),
  ).getColumn(name);
}

/**
 * Builds a frame of declared columns, with their dtypes even if it has no rows.
 *
 * @param columns Declarations, in the order of the frame
 * @param values Values by column name; declared columns without values are left out
 * @param timeZone IANA zone of the datetimes
 */
export function buildFrame(
  columns: readonly Column[],
  values: Readonly<Record<string, ColumnValues>>,
  timeZone = "UTC",
): DataFrame {
  return pl.DataFrame(
    columns.filter((column) => values[column.name] !== undefined)
      .map((column) => buildSeries(column, values[column.name], timeZone)),
  );
}

/**
 * Rows as values by column name; absent and non-finite values count as missing, an instant is milliseconds since 1970
 * UTC.
 */
export type Rows = readonly Readonly<
  Record<string, string | number | boolean | null | undefined>
>[];

/**
 * Builds a frame of declared columns from rows. Leaves out a column that no row has.
 *
 * @param timeZone IANA zone of the datetimes
 */
export function buildRows(columns: readonly Column[], rows: Rows, timeZone?: string): DataFrame {
  const present = columns.filter(({ name }) =>
    rows.length === 0 || rows.some((row) => name in row)
  );
  const read = ({ name, dtype }: Column): ColumnValues =>
    rows.map(({ [name]: value }) =>
      value === undefined || (typeof value === "number" && !Number.isFinite(value))
        ? null
        : dtype === "datetime" && typeof value === "number"
        ? BigInt(Math.round(value)) * 1000n
        : value
    );
  return buildFrame(
    present,
    Object.fromEntries(present.map((column) => [column.name, read(column)])),
    timeZone,
  );
}

/** Takes a numeric column as an array in which missing values are NaN, as in the engine. */
export function extractNumbers(frame: DataFrame, column: string): Float64Array {
  return toFloats(frame.getColumn(column));
}

/** Converts a numeric series to an array in which missing values are NaN. */
export function toFloats(series: Series): Float64Array {
  const floats = series.cast(pl.Float64).rename("value");
  if (floats.nullCount() === 0) return floats.toTypedArray() as Float64Array;
  return pl.DataFrame([floats]).select(pl.col("value").fillNull(pl.lit(NaN)))
    .getColumn("value").toTypedArray() as Float64Array;
}

/** Builds a numeric series in which NaN, the engine's missing value, becomes null. */
export function buildNumbers(name: string, values: Float64Array): Series {
  // Polars cannot find a column without a name, and a header may have one.
  const series = pl.Series("value", values as unknown as number[], pl.Float64);
  return pl.DataFrame([series]).select(pl.col("value").fillNan(pl.lit(null) as never))
    .getColumn("value").rename(name);
}

/** Takes a datetime column of any zone as milliseconds since 1970 UTC. */
export function extractEpochs(frame: DataFrame, column: string): Float64Array {
  const micros = frame.getColumn(column).cast(pl.Datetime("us")).cast(pl.Int64);
  // Floats resolve microseconds until the year 2255 and seconds after it; big integers take many times as long.
  return (micros.cast(pl.Float64).toTypedArray() as Float64Array).map((value) => value / 1000);
}

/** Builds a datetime series in a zone from milliseconds since 1970 UTC. */
export function buildDatetimes(name: string, epochs: Float64Array, timeZone = "UTC"): Series {
  const micros = epochs.map((epoch) => Math.round(epoch * 1000));
  return pl.Series(name, micros as unknown as number[], pl.Float64).cast(pl.Int64)
    .cast(pl.Datetime("us", "UTC")).cast(pl.Datetime("us", timeZone));
}

/** Polars type of a declared column; a datetime is in `timeZone`. */
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

/** Declared type of a column, by the name of its Polars type; `undefined` for lists and the like, which CSV cannot store. */
export function declaredType(type: string): Dtype | undefined {
  if (/^Float\d+$/.test(type)) return "f64";
  if (/^(?:Int(?:8|16|32)|UInt(?:8|16))$/.test(type)) return "i32";
  if (/^(?:Int64|UInt32|UInt64)$/.test(type)) return "i64";
  if (/^(?:Utf8|String|Categorical)/.test(type)) return "utf8";
  if (/^Bool/.test(type)) return "bool";
  if (type === "Date") return "date";
  return type.startsWith("Datetime") ? "datetime" : undefined;
}

/** Zone of a datetime type, read from its printed form, because only that has it; `undefined` if there is none. */
export function zoneOf(type: DataType): string | undefined {
  const zone = /^Datetime\(\w+,\s*([^)]*)\)$/.exec(dtypeName(type))?.[1];
  return zone === undefined || /^(?:null|undefined)?$/.test(zone) ? undefined : zone;
}
