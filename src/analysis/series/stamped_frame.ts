import pl, { type DataFrame } from "nodejs-polars";
import { climateColumnByName } from "../../api/columns/climate_columns.ts";
import type { Column } from "../../api/columns/column.ts";
import { modelDataCsv, time, turbineId } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { shownOf } from "../../show/shown.ts";
import { turbineZone, zoneOf } from "./zone_of_frame.ts";

/** Stamps of a frame as they stand there, and their zone. */
export interface FrameStamps {
  /** Milliseconds since 1970 UTC, in the order of the rows; NaN where a row has none. */
  readonly epochs: Float64Array;
  /** The turbine's zone where the frame names it, else that of the stamps. */
  readonly timeZone: string;
}

/** Ends an analysis: says what it was about, and what is wrong with what it was given. */
export type Refuse = (problem: string) => never;

/** Makes the errors of one argument of an analysis. */
export function refusing(what: string): Refuse {
  return (problem) => {
    throw new ArgumentError(`Cannot ${what}: ${problem}`);
  };
}

/** The stamps of a frame, as they stand there. */
export function stampsOf(frame: DataFrame, refuse: Refuse): FrameStamps {
  const series = frame.getColumn(time.name);
  const { variant } = series.dtype;
  if (variant !== "Datetime") {
    refuse(
      `column "${time.name}" holds ${variant}, not datetimes with a time zone. Read the file with ` +
        "readProduction(), or make datetimes of it",
    );
  }
  const zone = zoneOf(series.dtype);
  if (zone === undefined) {
    return refuse(
      `column "${time.name}" must hold datetimes with a time zone. ` +
        `Give it one with pl.col("${time.name}").dt.replaceTimeZone("Europe/Copenhagen")`,
    );
  }
  const micros = frame.select(
    pl.col(time.name).cast(pl.Datetime("us")).cast(pl.Int64).cast(pl.Float64)
      .fillNull(pl.lit(NaN)).alias("micros"),
  ).getColumn("micros").toTypedArray() as Float64Array;
  return { epochs: micros.map((stamp) => stamp / 1000), timeZone: turbineZone(frame) ?? zone };
}

/** Values of a column as numbers; NaN where one is missing or not finite. */
export function valuesOf(frame: DataFrame, name: string, refuse: Refuse): Float64Array {
  const series = frame.getColumn(name);
  if (
    !/^(U?Int|Float)\d+$/.test(series.dtype.variant) && series.nullCount() < frame.height
  ) {
    refuse(`column "${name}" holds ${series.dtype.variant}, not numbers. Cast it to pl.Float64`);
  }
  const values = frame.select(
    pl.col(name).cast(pl.Float64).fillNull(pl.lit(NaN)).alias("values"),
  ).getColumn("values").toTypedArray() as Float64Array;
  return values.map((value) => Number.isFinite(value) ? value : NaN);
}

/** Refuses a frame of several turbines, whose rows would be mixed. */
export function assertOneTurbine(frame: DataFrame, refuse: Refuse): void {
  if (!frame.columns.includes(turbineId.name)) return;
  const ids = frame.getColumn(turbineId.name).unique().toArray();
  if (ids.length <= 1) return;
  refuse(
    `it holds ${ids.length} turbines. Keep one with ` +
      `frame.filter(pl.col("${turbineId.name}").eq(pl.lit(${JSON.stringify(ids.sort()[0])})))`,
  );
}

/** The declaration of a column: that which its frame carries, or else that of the contract; an unknown one has its name. */
export function columnOf(frame: DataFrame, name: string): Column {
  const carried = shownOf(frame)?.columns ?? [];
  return [...carried, ...modelDataCsv].find((column) => column.name === name) ??
    climateColumnByName(name) ??
    { name, dtype: "f64", label: name, description: name, tag: "ours" };
}
