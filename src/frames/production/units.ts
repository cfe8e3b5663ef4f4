import { readSpan } from "../../show/options/range.ts";
import { refuseFile } from "../refuse_file.ts";
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

/**
 * Converts values to the unit of the frame: kW, or MWh for months and years.
 *
 * @param starts Start of the period of each value, ms since 1970 UTC; of months and years as if they were in UTC. Needed
 * where times have another unit
 */
export function convertUnit(
  values: Float64Array,
  how: UnitFormat & Pick<ProductionFormat, "other_units" | "time_zone">,
  starts?: Float64Array,
): Float64Array {
  const stamped = how.resolution === "hour" || how.resolution === "10min";
  const factorOf = (unit: ProductionFormat["unit"]) =>
    findFactor({ ...how, unit }) / (stamped ? 1 : 1000);
  const factor = factorOf(how.unit);
  const converted = factor === 1 ? values : values.map((value) => value * factor);
  if (!how.other_units || !starts) return converted;
  const zone = stamped ? how.time_zone ?? "UTC" : "UTC";
  const spans = how.other_units.map(({ unit, ...range }) => ({
    factor: factorOf(unit),
    span: readSpan(range, zone),
  }));
  return converted.map((value, i) => {
    const other = spans.find(({ span: [from, to] }) => starts[i] >= from && starts[i] < to);
    return other ? values[i] * other.factor : value;
  });
}

const UNITS = ["kWh", "MWh", "kW", "MW", "Wh", "GWh", "W", "GW"] as const;

/**
 * Finds the unit of values that are some times too large when they are read in the declared one.
 *
 * @param factor How many times too large, as 1000 for kWh read as MWh
 * @returns `undefined` if no unit explains the factor
 */
export function findUnitBehind(
  { unit, resolution }: UnitFormat,
  factor: number,
): ProductionFormat["unit"] | undefined {
  const wanted = findFactor({ unit, resolution }) / factor;
  const fitting = UNITS.filter((one) =>
    (isEnergy(one) || resolution === "10min" || resolution === "hour") &&
    Math.abs(findFactor({ unit: one, resolution }) / wanted - 1) < 0.01
  );
  return fitting.find((one) => isEnergy(one) === isEnergy(unit)) ?? fitting[0];
}

/** A unit in brackets, "Power (kW) mean", or at the end of a name: "WTG 03 / Power / kW", "power_kw", not "WTG 2 MW". */
const unitInName = /[[(]\s*([kMG]?Wh?)\s*[\])]|(?:[_/,.-]\s*|(?<!\d)\s)([kMG]Wh?|Wh)$/i;

/** The unit of power or energy in a name of a column, as it is declared; `undefined` if it has none. */
export function findUnitInName(name: string): string | undefined {
  const [, bracketed, last] = unitInName.exec(name) ?? [];
  return (bracketed ?? last)?.toUpperCase().replace("K", "k").replace("H", "h");
}

/**
 * Refuses a declared unit if the name of the column has another one.
 *
 * @throws {DataFormatError} If the units differ
 */
export function assertUnit(file: string, name: string, unit: string): void {
  const named = findUnitInName(name);
  if (named === undefined || named === unit) return;
  const found =
    `column "${name}" says ${named}, its unit is declared as ${unit}. Declare unit "${named}"`;
  refuseFile(file, found, { code: "unit", field: "unit", column: name, value: named });
}
