/**
 * A park's production as that of one unit: the engine knows one turbine, and wakes end up in its calibration.
 *
 * @module
 */
import pl, { type DataFrame } from "nodejs-polars";
import { withProvenance } from "../../frames/provenance.ts";

/**
 * Power or energy of one unit.
 *
 * @param total Of the whole park
 * @param units Number of equal units that are measured together
 */
export function divideByUnits(total: number, units: number): number {
  return total / units;
}

/** The same for a frame of production; status and availability are those of the park. */
export function divideFrameByUnits(frame: DataFrame, units: number): DataFrame {
  if (units === 1) return frame;
  const value = frame.columns[1];
  const divided = frame.withColumn(pl.col(value).div(pl.lit(units)).alias(value));
  return withProvenance(divided, frame);
}
