import { type Quantity, readUnit } from "../../frames/cells/named_unit.ts";
import { ZERO_CELSIUS } from "../../windindex/climate/climate.ts";

type Conversion = readonly [factor: number, offset: number];

interface VariableKind {
  readonly quantity: Quantity;
  /** Accepted units; the first is the engine's. */
  readonly units: readonly (readonly [unit: string, conversion: Conversion])[];
  /** Plausible values in the engine's unit: others point to a wrong unit or column. */
  readonly range: readonly [number, number];
  /** Plausible means of four days or more, in the engine's unit. @default the range */
  readonly means?: readonly [number, number];
}

/** No hourly mean of a reanalysis reaches 75 m/s: 26 years at three sites have at most 36.5. */
const MAX_SPEED = 75;

const speed: VariableKind = {
  quantity: "speed",
  units: [
    ["m/s", [1, 0]],
    ["km/h", [1 / 3.6, 0]],
    ["knots", [1852 / 3600, 0]],
    ["mph", [0.44704, 0]],
    ["ft/s", [0.3048, 0]],
  ],
  range: [-MAX_SPEED, MAX_SPEED],
};
const temperature: VariableKind = {
  quantity: "temperature",
  units: [["degC", [1, 0]], ["K", [1, -ZERO_CELSIUS]], ["degF", [1 / 1.8, -32 / 1.8]]],
  range: [-90, 60],
  means: [-60, 40],
};

const kinds: readonly (readonly [RegExp, VariableKind])[] = [
  [/^wind_speed_[1-9]\d*(\.\d+)?$/, { ...speed, range: [0, MAX_SPEED] }],
  [/^wind_[uv]_[1-9]\d*(\.\d+)?$/, speed],
  [/^wind_direction_[1-9]\d*(\.\d+)?$/, {
    quantity: "direction",
    units: [["deg", [1, 0]], ["rad", [180 / Math.PI, 0]]],
    range: [-180, 360.01], // converted radians may exceed 360 by rounding
  }],
  [/^temperature$/, temperature],
  [/^dew_point$/, temperature],
  [/^pressure$/, {
    quantity: "pressure",
    units: [
      ["Pa", [1, 0]],
      ["hPa", [100, 0]],
      ["kPa", [1000, 0]],
      ["mmHg", [133.322, 0]],
      ["inHg", [3386.39, 0]],
    ],
    range: [30_000, 110_000],
  }],
  [/^relative_humidity$/, {
    quantity: "share",
    units: [["%", [1, 0]], ["1", [100, 0]]],
    range: [0, 110],
    means: [5, 101], // shares of 1 have means below 1
  }],
  [/^preliminary$/, { quantity: "share", units: [["1", [1, 0]]], range: [0, 1] }],
];

function kindOf(name: string): VariableKind | undefined {
  return kinds.find(([pattern]) => pattern.test(name))?.[1];
}

/** Whether a site file may use this name for a climate variable. */
export function isClimateVariable(name: string): boolean {
  return kindOf(name) !== undefined;
}

/** Quantity that a climate variable measures. */
export function quantityOf(name: string): Quantity {
  return kindOf(name)!.quantity;
}

/** Lists the units that a site file may name for a climate variable; the first is the engine's. */
export function listClimateUnits(name: string): string[] {
  return (kindOf(name)?.units ?? []).map(([unit]) => unit);
}

/** Reads a unit of a climate variable in any spelling, "m s**-1" or "kn"; `undefined` if it has no such unit. */
export function readClimateUnit(name: string, text: string): string | undefined {
  const unit = readUnit(text, quantityOf(name));
  return unit !== undefined && listClimateUnits(name).includes(unit) ? unit : undefined;
}

/** An implausible value of a climate variable, or an implausible mean. */
export interface Implausible {
  /** Position of the value; `undefined` for the mean. */
  readonly row?: number;
  /** The value in the engine's unit. */
  readonly value: number;
  readonly range: readonly [number, number];
  /** The engine's unit. */
  readonly unit: string;
  /** Other units in which all values are plausible. */
  readonly likely: readonly string[];
}

/** Fewest values for judging a mean: four days of hours. */
const MIN_VALUES = 96;

/** Finds the first implausible value in a unit, or an implausible mean. */
function findImplausible(
  { range, means = range }: VariableKind,
  values: ArrayLike<number>,
  [factor, offset]: Conversion,
): Pick<Implausible, "row" | "value" | "range"> | undefined {
  let [sum, count] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] * factor + offset;
    if (value < range[0] || value > range[1]) return { row: i, value, range };
    if (value === value) {
      sum += value;
      count++;
    }
  }
  const mean = sum / count;
  if (count >= MIN_VALUES && !(mean >= means[0] && mean <= means[1])) {
    return { value: mean, range: means };
  }
}

/**
 * Converts a climate variable to the engine's unit.
 *
 * @param name Name of the variable in the site file
 * @param values Values in the source's unit; missing is NaN
 * @param unit The source's unit, in any spelling; the engine's if absent
 * @returns Converted values, and the first implausible value or the implausible mean, if any
 */
export function convertVariable(
  name: string,
  values: ArrayLike<number>,
  unit?: string,
): { values: Float64Array; implausible?: Implausible } {
  const kind = kindOf(name)!;
  const engineUnit = kind.units[0][0];
  const declared = unit === undefined ? engineUnit : readClimateUnit(name, unit);
  const [, conversion] = kind.units.find(([one]) => one === declared)!;
  const [factor, offset] = conversion;
  const converted = new Float64Array(values.length);
  for (let i = 0; i < converted.length; i++) converted[i] = values[i] * factor + offset;
  const implausible = findImplausible(kind, values, conversion);
  if (!implausible) return { values: converted };
  const likely = kind.units
    .filter(([, one]) => findImplausible(kind, values, one) === undefined).map(([unit]) => unit);
  return { values: converted, implausible: { ...implausible, unit: engineUnit, likely } };
}

/** Variables of the Climate Data Store's ERA5 files, by their names there. */
export const era5Variables: Readonly<Record<string, string>> = {
  u10: "wind_u_10",
  v10: "wind_v_10",
  u100: "wind_u_100",
  v100: "wind_v_100",
  t2m: "temperature",
  d2m: "dew_point",
  sp: "pressure",
};
