import { ZERO_CELSIUS } from "../windindex/climate/climate.ts";

type Conversion = readonly [factor: number, offset: number];

interface VariableKind {
  /** Units it may come in; the first is the engine's. */
  readonly units: readonly (readonly [unit: string, conversion: Conversion])[];
  /** Plausible values in the unit of the engine: others point to a wrong unit or column. */
  readonly range: readonly [number, number];
}

const speed: VariableKind = {
  units: [
    ["m/s", [1, 0]],
    ["m s**-1", [1, 0]],
    ["km/h", [1 / 3.6, 0]],
    ["knots", [1852 / 3600, 0]],
  ],
  range: [-110, 110],
};
const temperature: VariableKind = {
  units: [["degC", [1, 0]], ["K", [1, -ZERO_CELSIUS]]],
  range: [-90, 60],
};

const kinds: readonly (readonly [RegExp, VariableKind])[] = [
  [/^wind_speed_[1-9]\d*(\.\d+)?$/, { ...speed, range: [0, 110] }],
  [/^wind_[uv]_[1-9]\d*(\.\d+)?$/, speed],
  [/^wind_direction_[1-9]\d*(\.\d+)?$/, { units: [["deg", [1, 0]]], range: [0, 360] }],
  [/^temperature$/, temperature],
  [/^dew_point$/, temperature],
  [/^pressure$/, { units: [["Pa", [1, 0]], ["hPa", [100, 0]]], range: [30_000, 110_000] }],
  [/^relative_humidity$/, { units: [["%", [1, 0]], ["1", [100, 0]]], range: [0, 110] }],
  [/^preliminary$/, { units: [["1", [1, 0]]], range: [0, 1] }],
];

function kindOf(name: string): VariableKind | undefined {
  return kinds.find(([pattern]) => pattern.test(name))?.[1];
}

/** Whether a name is that of a climate variable of a site file. */
export function isClimateVariable(name: string): boolean {
  return kindOf(name) !== undefined;
}

/** Units that a site file may name for a climate variable; the first is that of the engine. */
export function listClimateUnits(name: string): string[] {
  return (kindOf(name)?.units ?? []).map(([unit]) => unit);
}

/**
 * Converts a climate variable to the engine's unit.
 *
 * @param name Name of the variable in the site file
 * @param values Values in the source's unit; missing is NaN
 * @param unit The source's unit; the engine's where absent
 * @returns Converted values, and the first value that is not plausible, if any
 */
export function convertVariable(name: string, values: ArrayLike<number>, unit?: string) {
  const { units, range } = kindOf(name)!;
  const own = units[0][0];
  const [, [factor, offset]] = units.find(([name]) => name === (unit ?? own))!;
  const converted = new Float64Array(values.length);
  for (let i = 0; i < converted.length; i++) {
    const value = values[i] * factor + offset;
    converted[i] = value;
    if (value < range[0] || value > range[1]) {
      return { values: converted, implausible: { row: i, value, range, unit: own } };
    }
  }
  return { values: converted };
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
