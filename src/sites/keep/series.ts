import pl, { type DataFrame } from "nodejs-polars";
import type { Column } from "../../api/columns/column.ts";
import { buildDatetimes, buildNumbers } from "../../frames/frame.ts";
import { HOUR, type HourAxis } from "../../time/hourly.ts";

/**
 * Converts hourly series to the bytes of a Parquet file: `time` in UTC, then the values; NaN becomes null.
 *
 * @param values Arrays by column name
 * @param declared Columns as the contract declares them; rounding to their decimals halves the file
 */
export function seriesToParquet(
  axis: HourAxis,
  values: Readonly<Record<string, Float64Array>>,
  declared: readonly Column[] = [],
): Uint8Array {
  const stamps = Float64Array.from({ length: axis.length }, (_, i) => axis.start + i * HOUR);
  const columns = Object.entries(values).map(([name, array]) => {
    const { decimals } = declared.find((column) => column.name === name) ?? {};
    const numbers = buildNumbers(name, array);
    return decimals === undefined ? numbers : numbers.round(decimals) as typeof numbers;
  });
  return pl.DataFrame([buildDatetimes("time", stamps), ...columns]).writeParquet({
    compression: "zstd",
  });
}

/** Reads a Parquet file into a frame. */
export function parquetToFrame(bytes: Uint8Array): DataFrame {
  return pl.readParquet(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}
