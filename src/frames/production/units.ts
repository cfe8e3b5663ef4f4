import type { ProductionFormat } from "./production_format.ts";

/** What a declaration says of the unit. */
type UnitFormat = Pick<ProductionFormat, "resolution" | "unit">;

/** Prefixes of units with their factor to kilo. */
const KILO: Readonly<Record<string, number>> = { "": 0.001, k: 1, M: 1000, G: 1e6 };

/** Whether a unit is one of energy. */
export function isEnergy(unit: ProductionFormat["unit"]): boolean {
  return unit.endsWith("Wh");
}

/** Factor from the unit of the file to kW, for ten minutes and hours. */
export function findFactor({ resolution, unit }: UnitFormat): number {
  const kilo = KILO[unit.split("W")[0]];
  return isEnergy(unit) && resolution === "10min" ? 6 * kilo : kilo; // a kWh in an hour is a mean kW
}

/** Converts values to the unit of the frame: kW, or MWh for months and years. */
export function convertUnit(values: Float64Array, how: UnitFormat): Float64Array {
  if (how.resolution === "hour" || how.resolution === "10min") {
    const factor = findFactor(how);
    return values.map((value) => value * factor);
  }
  const factor = findFactor(how);
  return factor === 1000 ? values : values.map((value) => value * factor / 1000); // MWh stay as they are
}
