import pl, { type DataFrame } from "nodejs-polars";
import { buildDatetimes } from "../../src/frames/frame.ts";
import { readProduction } from "../../src/frames/presets/read_production.ts";
import { dataPresent } from "../validate/_site_data.ts";

/** Milliseconds of an hour. */
export const HOUR = 3_600_000;

/** Parts of a series for tests. */
export interface SeriesParts {
  /** First timestamp. @default {"2022-01-01T00:00Z"} */
  readonly start?: string;
  /** Distance of the timestamps, minutes. @default {60} */
  readonly minutes?: number;
  /** IANA zone of the frame. @default {"UTC"} */
  readonly zone?: string;
  /** Name of the column. @default {"power"} */
  readonly column?: string;
}

/** A frame of values from a timestamp on; null is a missing value. */
export function seriesFrame(
  values: ArrayLike<number | null>,
  { start = "2022-01-01T00:00Z", minutes = 60, zone = "UTC", column = "power" }: SeriesParts = {},
): DataFrame {
  const first = Date.parse(start);
  const stamps = Float64Array.from(values, (_, i) => first + i * minutes * 60_000);
  return framed(stamps, values, zone, column);
}

/** A frame of timestamps (ms since 1970 UTC) and values. */
export function framed(
  stamps: Float64Array,
  values: ArrayLike<number | null>,
  zone = "UTC",
  column = "power",
): DataFrame {
  const power = Array.from(values, (value) => Number.isNaN(value) ? null : value);
  return pl.DataFrame([
    buildDatetimes("time", stamps, zone),
    pl.Series(column, power as number[], pl.Float64),
  ]);
}

/** Turbines of Kelmarsh with known power in 2018. */
export const kelmarshTurbines = ["KWF1", "KWF3", "KWF4", "KWF5"] as const;

const kelmarsh = new URL("../../../shared/data/kelmarsh/", import.meta.url).pathname;

/** Hourly power of a turbine of Kelmarsh in 2018, kW (Kelmarsh wind farm data, CC-BY-4.0, doi 10.5281/zenodo.5841833). */
export async function kelmarshPower(turbine: string): Promise<DataFrame> {
  return await readProduction(`${kelmarsh}power_2018_hourly_kw.csv`, {
    column: turbine,
    time: "time_utc",
    resolution: "hour",
    unit: "kW",
  });
}

/** Reads the rows of the file of Kelmarsh's power as texts: timestamp, then one value per turbine. */
export async function kelmarshRows(): Promise<string[][]> {
  const text = await Deno.readTextFile(`${kelmarsh}power_2018_hourly_kw.csv`);
  return text.trim().split(/\r?\n/).slice(1).map((line) => line.split(","));
}

/** Wind of ERA5 at Kelmarsh: contains modified Copernicus Climate Change Service information. */
export function kelmarshWind(): DataFrame {
  const read = pl.readParquet(`${kelmarsh}era5_52.50N_-1.00E.parquet`);
  return read.select(
    pl.col("datetime_start_utc").cast(pl.Datetime("us", "UTC")).alias("time"),
    pl.col("10_m_hws_mean_mps").cast(pl.Float64).alias("wind_speed_10"),
    pl.col("100_m_hws_mean_mps").cast(pl.Float64).alias("wind_speed_100"),
  );
}

/** Name of a test on a real site; it says that the data are missing, if they are. */
export function named(name: string): string {
  return dataPresent() ? name : `${name} (skipped: ../shared/data is not here)`;
}
