import { DataFormatError } from "../api/errors.ts";

/** The variables that are asked for: name in requests, name and unit in files, column in frames. */
export const era5Variables = [
  ["100m_u_component_of_wind", "u100", "m s**-1", "wind_u_100"],
  ["100m_v_component_of_wind", "v100", "m s**-1", "wind_v_100"],
  ["10m_u_component_of_wind", "u10", "m s**-1", "wind_u_10"],
  ["10m_v_component_of_wind", "v10", "m s**-1", "wind_v_10"],
  ["2m_temperature", "t2m", "K", "temperature"],
  ["surface_pressure", "sp", "Pa", "pressure"],
] as const;

/** 0 °C, K. */
const ZERO_CELSIUS = 273.15;

/** Direction from which the wind comes, deg, 0 to 360. */
function computeDirection(u: number, v: number): number {
  return (Math.atan2(-u, -v) * 180 / Math.PI + 360) % 360;
}

/**
 * Converts the variables of an ERA5 file to the columns of frames: the wind as components, speed and direction.
 *
 * @param values Values by the names in files: m/s, K, Pa; missing is NaN
 * @throws {DataFormatError} If a variable is missing
 */
export function convertVariables(
  values: ReadonlyMap<string, ArrayLike<number>>,
  file: string,
): Record<string, Float64Array> {
  const columns: Record<string, Float64Array> = {};
  for (const [, short, , column] of era5Variables) {
    const found = values.get(short);
    if (!found) {
      throw new DataFormatError(
        `Cannot use ${file}: it has no variable ${short}. It has ${[...values.keys()].join(", ")}`,
      );
    }
    columns[column] = short === "t2m"
      ? Float64Array.from(found, (kelvin) => kelvin - ZERO_CELSIUS)
      : Float64Array.from(found);
  }
  for (const height of [100, 10]) {
    const [u, v] = [columns[`wind_u_${height}`], columns[`wind_v_${height}`]];
    columns[`wind_speed_${height}`] = u.map((east, i) => Math.hypot(east, v[i]));
    columns[`wind_direction_${height}`] = u.map((east, i) => computeDirection(east, v[i]));
  }
  return columns;
}
