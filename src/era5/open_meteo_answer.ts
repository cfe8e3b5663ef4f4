import { z } from "zod";
import { DataFormatError } from "../api/errors.ts";
import { describeMisfit } from "../client/answers/read_answer.ts";
import { checkHours, type ClimateHours } from "./climate_hours.ts";
import { parseJson } from "./source_link.ts";
import type { SourceReader } from "./stored_months.ts";

/** The variables that are asked for: name and unit there, column and power of ten to its unit. */
export const variables = [
  ["wind_speed_100m", "m/s", "wind_speed_100", 0],
  ["wind_direction_100m", "°", "wind_direction_100", 0],
  ["wind_speed_10m", "m/s", "wind_speed_10", 0],
  ["wind_direction_10m", "°", "wind_direction_10", 0],
  ["temperature_2m", "°C", "temperature", 0],
  ["surface_pressure", "hPa", "pressure", 2],
] as const;

const series = z.array(z.number().nullable());
const placeSchema = z.object({
  latitude: z.number(),
  longitude: z.number(),
  utc_offset_seconds: z.literal(0),
  hourly_units: z.object(
    Object.fromEntries(variables.map(([name, unit]) => [name, z.literal(unit)])),
  ),
  hourly: z.object({ time: z.array(z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/)) })
    .catchall(series),
});

/** Shifts the decimal point: a product would make 101320.00000000001 Pa of 1013.2 hPa. */
function shift(value: number, power: number): number {
  return power === 0 ? value : Number(`${value}e${power}`);
}

/**
 * Reads an answer: hours of each of its places, to the last one with a wind.
 *
 * @param settledEnd First instant that may be preliminary, ms since 1970 UTC
 * @throws {DataFormatError} If unit, zone or layout are not those that were asked for
 */
export function readAnswer(json: unknown, settledEnd: number): ClimateHours[] {
  const file = "the answer of Open-Meteo";
  const result = z.array(placeSchema).safeParse([json].flat()); // one place comes without a list
  if (!result.success) {
    throw new DataFormatError(
      `Cannot use ${file}: ${describeMisfit(result.error, [json].flat())}`,
    );
  }
  return result.data.map(({ latitude, longitude, hourly }) => {
    const stamps = Float64Array.from(hourly.time, (text) => Date.parse(`${text}Z`));
    const values = variables.map(([name, , column, power]) => {
      const own = series.safeParse(hourly[name]).data;
      if (own?.length === stamps.length) {
        return [
          column,
          Float64Array.from(own, (value) => value === null ? NaN : shift(value, power)),
        ];
      }
      throw new DataFormatError(`Cannot use ${file}: ${name} is missing, or not of all hours`);
    });
    const known = hourly[variables[0][0]] as readonly (number | null)[];
    // The days that are not published yet are null.
    const length = known.findLastIndex((value) => value !== null) + 1;
    const cut = Object.fromEntries(values.map(([name, all]) => [name, all.slice(0, length)]));
    return checkHours({
      file,
      latitude,
      longitude,
      stamps: stamps.slice(0, length),
      values: cut,
    }, settledEnd);
  });
}

/** The hourly ERA5 of Open-Meteo as files: its answers as they came. */
export const openMeteoReader: SourceReader = {
  dataset: "era5",
  readFile: async (path, settledEnd) =>
    readAnswer(parseJson(await Deno.readTextFile(path)), settledEnd),
};
