/**
 * A park's production as that of one unit: the engine knows one turbine, and wakes end up in its calibration.
 *
 * @module
 */
import pl, { type DataFrame } from "nodejs-polars";

/**
 * Power or energy of one unit.
 *
 * @param total Of the whole park
 * @param units Number of equal units that are measured together
 */
export function perUnit(total: number, units: number): number {
  return total / units;
}

/** The same for a frame of time and value. */
export function framePerUnit(frame: DataFrame, units: number): DataFrame {
  const [time, value] = frame.columns;
  return frame.select(pl.col(time), pl.col(value).div(pl.lit(units)).alias(value));
}
