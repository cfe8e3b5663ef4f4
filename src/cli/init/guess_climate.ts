import type { RecognizedColumn } from "../../sites/mod.ts";
import type { Position } from "./fields.ts";

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

/** Units that the rest of a name shows, after that of the variable. */
const UNITS: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  wind: [[/^(?:m\/s|ms|m s-1|m s\*\*-1)$/i, "m/s"], [/^(?:km\/?h|kmh|kph)$/i, "km/h"], [
    /^(?:knots?|kn)$/i,
    "knots",
  ]],
  direction: [[/^(?:°|degrees?|deg)$/i, "deg"]],
  temperature: [[/^(?:K|kelvin)$/i, "K"], [/^(?:°?C|deg-?c|celsius)$/i, "degC"]],
  pressure: [[/^(?:hpa|mbar)$/i, "hPa"], [/^pa$/i, "Pa"]],
  relative_humidity: [[/^(?:%|percent)$/i, "%"]],
};

/** Words of names that are no unit: heights, and what a value is of its hour. */
const NO_UNIT = /^_?\d+_?m(?![a-z])|mean|avg|average|inst(?:ant)?/gi;

function guessUnit(variable: string, rest: string, first: readonly string[]): string | undefined {
  const unit = rest.replaceAll(NO_UNIT, "").replaceAll(/^[\s_.([\]-]+|[\s_.)\]]+$/g, "");
  const kind = /^wind_(direction)|^(wind)/.exec(variable)?.slice(1).find(Boolean) ??
    variable.replace("dew_point", "temperature");
  if (unit !== "") return UNITS[kind]?.find(([pattern]) => pattern.test(unit))?.[1];
  const value = Math.max(...first.map((cell) => Number(cell.replace(",", "."))));
  if (kind === "direction") return "deg";
  if (kind === "wind") return "m/s";
  if (kind === "temperature") return value > 150 ? "K" : "degC";
  if (kind === "pressure") return value > 30_000 ? "Pa" : value > 300 ? "hPa" : undefined;
  return kind === "relative_humidity" ? value <= 1 ? "1" : "%" : undefined;
}

/**
 * Guesses which columns are climate variables, and in which units.
 *
 * @returns The variables; without a unit where the name has one that is not known, or the values fit none
 */
export function guessVariables(columns: readonly RecognizedColumn[]): ClimateVariable[] {
  const found = new Map<string, ClimateVariable>();
  for (const column of columns.filter(({ cells }) => cells === "numbers")) {
    for (const [pattern, name] of NAMES) {
      const match = pattern.exec(column.name);
      const variable = match && name + (match[1] ?? "");
      if (!variable || found.has(variable)) continue;
      const rest = column.name.slice(match[0].length);
      // Open-Meteo leaves the unit out of some exports, where it is km/h by default.
      const open = /speed.*m$/i.test(match[0]) && rest === "";
      const unit = open ? undefined : guessUnit(variable, rest, column.first);
      found.set(variable, { variable, column: column.name, ...(unit ? { unit } : {}) });
    }
  }
  return [...found.values()];
}

/** A coordinate in the name of a file, its letter before or behind: `52.50N`, `W1.0`. */
const COORDINATE =
  /(?<![\d.a-z])(?:([NSEW])(-?\d+(?:\.\d+)?)|(-?\d+(?:\.\d+)?)_?([NSEW]))(?![a-z\d])/gi;

/** Guesses the point of a file by its name, such as `era5_52.50N_-1.00E.parquet` or `era5_N52.5_W1.csv`. */
export function guessPoint(path: string): Position | undefined {
  const found = [...path.split("/").at(-1)!.matchAll(COORDINATE)]
    .map(([, before, first, second, behind]) => {
      const letter = (before ?? behind).toUpperCase();
      const value = Number(first ?? second) * ("SW".includes(letter) ? -1 : 1);
      return { latitude: "NS".includes(letter), value };
    });
  if (found.length !== 2 || !found[0].latitude || found[1].latitude) return undefined;
  const [{ value: latitude }, { value: longitude }] = found;
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined;
  return { latitude, longitude };
}
