import { readSpan } from "../../show/options/range.ts";
import { HOUR } from "../../time/hourly.ts";
import { findStepLength, isStamped, isStep } from "./production_columns.ts";
import type { ProductionFormat } from "./production_format.ts";

/** Fields of a declaration that concern the unit. */
type UnitFormat = Pick<ProductionFormat, "resolution" | "unit">;

/** Prefixes of units with their factor to kilo. */
const KILO: Readonly<Record<string, number>> = { "": 0.001, k: 1, M: 1000, G: 1e6 };

/** Whether a unit is a unit of energy. */
export function isEnergy(unit: ProductionFormat["unit"]): boolean {
  return unit.endsWith("Wh");
}

/** Factor from the unit of the file to kW, for periods of equal length; for others to kW or kWh. */
export function findFactor({ resolution, unit }: UnitFormat): number {
  const kilo = KILO[unit.split("W")[0]];
  // A kWh in an hour is a mean kW.
  return isEnergy(unit) && isStep(resolution) ? kilo * (HOUR / findStepLength(resolution)) : kilo;
}

const UNITS = ["kWh", "MWh", "kW", "MW", "Wh", "GWh", "W", "GW"] as const;

/**
 * Finds the true unit of values that are too large by a factor when read in the declared one.
 *
 * @param factor How many times too large, such as 1000 for kWh read as MWh
 * @returns `undefined` if no unit explains the factor
 */
export function findUnitBehind(
  { unit, resolution }: UnitFormat,
  factor: number,
): ProductionFormat["unit"] | undefined {
  const trueFactor = findFactor({ unit, resolution }) / factor;
  const fitting = UNITS.filter((one) =>
    (isEnergy(one) || isStamped(resolution)) &&
    Math.abs(findFactor({ unit: one, resolution }) / trueFactor - 1) < 0.01
  );
  return fitting.find((one) => isEnergy(one) === isEnergy(unit)) ?? fitting[0];
}

/**
 * Converts values to the unit of the frame: kW, or MWh for months and years.
 *
 * @param hoursOf Hours of the period of a value
 * @param starts Start of the period of each value, ms since 1970 UTC; of months and years as if they were in UTC.
 * Needed for `other_units`
 */
export function convertUnit(
  values: Float64Array,
  how: UnitFormat & Pick<ProductionFormat, "other_units" | "time_zone">,
  hoursOf: (row: number) => number,
  starts?: Float64Array,
): Float64Array {
  const stamped = isStamped(how.resolution);
  const converterOf = (unit: ProductionFormat["unit"]) => {
    const factor = findFactor({ ...how, unit });
    if (!stamped) return (value: number) => factor === 1000 ? value : value * factor / 1000; // MWh stay as they are
    return how.resolution === "day" && isEnergy(unit)
      ? (value: number, row: number) => value * factor / hoursOf(row)
      : (value: number) => value * factor;
  };
  const convert = converterOf(how.unit);
  if (!how.other_units || !starts) return values.map(convert);
  const zone = stamped ? how.time_zone ?? "UTC" : "UTC";
  const spans = how.other_units.map(({ unit, ...range }) => ({
    convert: converterOf(unit),
    span: readSpan(range, zone),
  }));
  return values.map((value, i) => {
    const other = spans.find(({ span: [from, to] }) => starts[i] >= from && starts[i] < to);
    return (other?.convert ?? convert)(value, i);
  });
}
