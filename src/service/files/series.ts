import pl, { type DataFrame } from "nodejs-polars";
import { buildDatetimes, buildNumbers } from "../../frames/frame.ts";
import { HOUR, type HourAxis } from "../../time/hour_axis.ts";

/**
 * Converts hourly series to the bytes of a Parquet file: `time` in UTC, then the values; NaN becomes null.
 *
 * @param axis The hours
 * @param values Arrays by column name
 */
export function seriesToParquet(
  axis: HourAxis,
  values: Readonly<Record<string, Float64Array>>,
): Uint8Array {
  const stamps = Float64Array.from({ length: axis.length }, (_, i) => axis.start + i * HOUR);
  const columns = Object.entries(values).map(([name, array]) => buildNumbers(name, array));
  return pl.DataFrame([buildDatetimes("time", stamps), ...columns]).writeParquet({
    compression: "zstd",
  });
}

/** Reads such a file. */
export function parquetToFrame(bytes: Uint8Array): DataFrame {
  return pl.readParquet(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}
