import type { RecognizedColumn } from "../../../mod.ts";

/** A climate variable, its column and unit. */
export interface ClimateVariable {
  readonly variable: string;
  readonly column: string;
  /** Its unit. @default that of the engine */
  readonly unit?: string;
}

/** Names of columns by variable; a group is the height. Those of ERA5, MERRA-2, Open-Meteo and other services. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/^(?:wind_?speed|wspeed|ws)[._]?(\d+)m?(?![\d])/i, "wind_speed_"],
  [/^(\d+)_m_h?ws_mean/i, "wind_speed_"],
  [/^(?:wind_?(?:from_?)?direction|wdir|wd)[._]?(\d+)m?(?![\d])/i, "wind_direction_"],
  [/^(\d+)_m_h?wd_mean/i, "wind_direction_"],
  [/^(?:wind_)?u_?(\d+)m?(?![\d])/i, "wind_u_"],
  [/^(?:wind_)?v_?(\d+)m?(?![\d])/i, "wind_v_"],
  [/^(?:t_?2m|t2|2_m_temp|temp(?:erature)?(?:_2m)?)(?![a-z])/i, "temperature"],
  [/^(?:d2m|2_m_dew_point|dew_?point)/i, "dew_point"],
  [/^(?:sp|ps|surface_pressure|pressure|0_m_pres)(?![a-z])/i, "pressure"],
  [/^(?:rh|2_m_rh|relative_?humidity)/i, "relative_humidity"],
  [/^(?:era5t|preliminary)$/i, "preliminary"],
];

/** Units that the name of a column shows. */
const UNITS: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  wind: [[/km\/?h|kmh|kph/i, "km/h"], [/knot|kn\b/i, "knots"]],
  temperature: [[/[_( ]K\b|_k$|kelvin/, "K"], [/[_( ]C\b|_c$|°C|deg-?c/i, "degC"]],
  pressure: [[/hpa|mbar/i, "hPa"], [/[_( ]pa\b/i, "Pa"]],
};

function guessUnit(variable: string, { name, first }: RecognizedColumn): string | undefined {
  const value = Math.max(...first.map((cell) => Number(cell.replace(",", "."))));
  const find = (kind: string) => UNITS[kind].find(([pattern]) => pattern.test(name))?.[1];
  if (variable.startsWith("wind_direction")) return "deg";
  if (variable.startsWith("wind")) return find("wind") ?? "m/s";
  if (variable === "temperature" || variable === "dew_point") {
    return find("temperature") ?? (value > 150 ? "K" : "degC");
  }
  if (variable === "pressure") return find("pressure") ?? (value > 2000 ? "Pa" : "hPa");
  if (variable === "relative_humidity") return value <= 1 ? "1" : "%";
  return undefined;
}

/**
 * Guesses which columns are climate variables, and in which units.
 *
 * @param columns The columns of a file
 */
export function guessVariables(columns: readonly RecognizedColumn[]): ClimateVariable[] {
  const found = new Map<string, ClimateVariable>();
  for (const column of columns.filter(({ cells }) => cells === "numbers")) {
    for (const [pattern, name] of NAMES) {
      const match = pattern.exec(column.name);
      const variable = match && name + (match[1] ?? "");
      if (!variable || found.has(variable)) continue;
      const unit = guessUnit(variable, column);
      found.set(variable, { variable, column: column.name, ...(unit ? { unit } : {}) });
    }
  }
  return [...found.values()];
}

/**
 * Guesses the point of a file by its name, such as `era5_52.50N_-1.00E.parquet`.
 *
 * @param path Its path
 */
export function guessPoint(
  path: string,
): readonly [latitude: string, longitude: string] | undefined {
  const found = /(-?\d+(?:\.\d+)?)_?([NS])[_ -]?(?:_)?(-?\d+(?:\.\d+)?)_?([EW])/i.exec(
    path.split("/").at(-1)!,
  );
  if (!found) return undefined;
  const [, latitude, north, longitude, east] = found;
  const sign = (mark: string, other: string) => mark.toUpperCase() === other ? -1 : 1;
  return [
    String(sign(north, "S") * Number(latitude)),
    String(sign(east, "W") * Number(longitude)),
  ];
}
