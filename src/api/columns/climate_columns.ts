import type { Column } from "./column.ts";
import { STAMP_NAMES } from "./model_columns.ts";

/** Names of climate variables on the wire, with their columns in frames: `wSpeed.100` becomes `wind_speed_100`. */
interface ClimatePattern {
  readonly wire: RegExp;
  readonly column: (height: string | undefined) => Column;
}

function pattern(
  wirePrefix: string,
  name: string,
  unit: string,
  range: readonly [number | null, number | null],
  label: string,
): ClimatePattern {
  return {
    wire: new RegExp(`^${wirePrefix}(?:\\.(\\d+(?:\\.\\d+)?))?$`),
    column: (height) => ({
      name: height === undefined ? name : `${name}_${height.replace(".", "_")}`,
      wire: height === undefined ? wirePrefix : `${wirePrefix}.${height}`,
      dtype: "f64",
      unit,
      range,
      label: height === undefined ? label : `${label} at ${height} m`,
      description: height === undefined
        ? `${label}.`
        : `${label} ${height} m above ground, at the timestamp.`,
      tag: "assumed",
    }),
  };
}

const patterns: readonly ClimatePattern[] = [
  pattern("wSpeed", "wind_speed", "m/s", [0, 75], "Wind speed"),
  pattern("wDir", "wind_direction", "deg", [0, 360], "Wind direction"),
  pattern("temp", "temperature", "degC", [-80, 60], "Temperature"),
  pattern("press", "pressure", "Pa", [30_000, 110_000], "Air pressure"),
  pattern("relHum", "relative_humidity", "%", [0, 100], "Relative humidity"),
];

/** The declared column of a climate variable by its name on the wire, or `undefined` for an unknown one. */
export function climateColumn(wire: string): Column | undefined {
  for (const { wire: expression, column } of patterns) {
    const match = expression.exec(wire);
    if (match) return column(match[1]);
  }
  return undefined;
}

/** The declared column of a climate variable by its name in frames, such as `wind_speed_100`. */
export function climateColumnByName(name: string): Column | undefined {
  const match = /^(.*?)(?:_(\d+(?:_\d+)?))?$/.exec(name);
  if (!match) return undefined;
  for (const { column } of patterns) {
    const declared = column(match[2]?.replace("_", "."));
    if (declared.name === name) return declared;
  }
  return undefined;
}

/** Timestamp of a climate row. */
export const climateTime: Column = {
  name: "time",
  aliases: STAMP_NAMES,
  dtype: "datetime",
  label: "Time",
  description: "Timestamp of the values, UTC.",
  tag: "assumed",
};
