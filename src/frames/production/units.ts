import { refuseFile } from "../refuse_file.ts";
import type { ProductionFormat } from "./production_format.ts";

/** What a declaration says of the unit. */
type UnitFormat = Pick<ProductionFormat, "resolution" | "unit">;

/** Factor from the unit of the file to kW, for ten minutes and hours. */
export function findFactor({ resolution, unit }: UnitFormat): number {
  const kilo = unit === "MW" || unit === "MWh" ? 1000 : 1;
  const energy = unit === "kWh" || unit === "MWh";
  return energy && resolution === "10min" ? 6 * kilo : kilo; // a kWh in an hour is a mean kW
}

/** Converts values to the unit of the frame: kW, or MWh for months and years. */
export function convertUnit(values: Float64Array, how: UnitFormat): Float64Array {
  if (how.resolution === "hour" || how.resolution === "10min") {
    const factor = findFactor(how);
    return values.map((value) => value * factor);
  }
  return how.unit === "kWh" ? values.map((value) => value / 1000) : values;
}

/** A unit in brackets, "Power (kW) mean", or at the end of a name: "WTG 03 / Power / kW", "power_kw", not "WTG 2 MW". */
const unitInName = /[[(]\s*([kMG]?Wh?)\s*[\])]|(?:[_/,.-]\s*|(?<!\d)\s)([kMG]Wh?)$/i;

/**
 * Refuses a declared unit if the name of the column has another one.
 *
 * @throws {DataFormatError} If the units differ
 */
export function assertUnit(file: string, name: string, unit: string): void {
  const [, bracketed, last] = unitInName.exec(name) ?? [];
  const named = bracketed ?? last;
  if (named === undefined || named.toLowerCase() === unit.toLowerCase()) return;
  const found = `column "${name}" says ${named}, its unit is declared as ${unit}. Declare its unit`;
  refuseFile(file, found, { code: "unit", field: "unit", column: name, value: named });
}
