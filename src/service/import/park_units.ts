/**
 * Production of a park as that of one unit: the engine computes one turbine, and wakes become part of its calibration.
 *
 * @module
 */
import pl, { type DataFrame } from "nodejs-polars";

/**
 * Divides power or energy by the units of a park.
 *
 * @param total Of the whole park
 * @param units Number of equal units that are measured together
 */
export function divideByUnits(total: number, units: number): number {
  return total / units;
}

/** Divides a frame of production by the units of a park; status and availability are those of the park. */
export function divideFrameByUnits(frame: DataFrame, units: number): DataFrame {
  if (units === 1) return frame;
  const value = frame.columns[1];
  return frame.withColumn(pl.col(value).div(pl.lit(units)).alias(value));
}
