import { HOUR } from "../../time/hourly.ts";
import { findStepLength, isStamped, isStep } from "./production_columns.ts";
import type { ProductionFormat } from "./production_format.ts";

/** What a declaration says of the unit. */
type UnitFormat = Pick<ProductionFormat, "resolution" | "unit">;

/** Prefixes of units with their factor to kilo. */
const KILO: Readonly<Record<string, number>> = { "": 0.001, k: 1, M: 1000, G: 1e6 };

/** Whether a unit is one of energy. */
export function isEnergy(unit: ProductionFormat["unit"]): boolean {
  return unit.endsWith("Wh");
}

/** Factor from the unit of the file to kW, for periods of equal length; for others to kW or kWh. */
export function findFactor({ resolution, unit }: UnitFormat): number {
  const kilo = KILO[unit.split("W")[0]];
  // A kWh in an hour is a mean kW.
  return isEnergy(unit) && isStep(resolution) ? kilo * (HOUR / findStepLength(resolution)) : kilo;
}

/**
 * Converts values to the unit of the frame: kW, or MWh for months and years.
 *
 * @param hoursOf Hours of the period of a value
 */
export function convertUnit(
  values: Float64Array,
  how: UnitFormat,
  hoursOf: (row: number) => number,
): Float64Array {
  const factor = findFactor(how);
  if (isStamped(how.resolution)) {
    return how.resolution === "day" && isEnergy(how.unit)
      ? values.map((value, row) => value * factor / hoursOf(row))
      : values.map((value) => value * factor);
  }
  return factor === 1000 ? values : values.map((value) => value * factor / 1000); // MWh stay as they are
}
