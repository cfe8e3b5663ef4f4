import { climateColumnByName } from "../../api/columns/climate_columns.ts";
import type { ClimatePoint } from "../../windindex/climate/climate.ts";
import type { Files } from "../../storage/files/files.ts";
import { seriesToParquet } from "../keep/series.ts";
import type { SiteRecord } from "../keep/site_record.ts";
import type { SiteData } from "../site_data.ts";

/**
 * Computes the wind direction in tenths: 0 up to, not including, 360 deg. The remainder is taken in whole tenths,
 * because in decimals 362.4 % 360 is 2.3999999999999773.
 *
 * @param u Eastward wind, m/s
 * @param v Northward wind, m/s
 * @returns Degrees clockwise from north; NaN for NaN
 */
export function roundDirection(u: number, v: number): number {
  return (Math.round(Math.atan2(-u, -v) * 1800 / Math.PI) + 3600) % 3600 / 10;
}

/** Builds the columns of a climate point as stored and delivered: speed and direction at each height, then the air. */
function buildPointColumns(point: ClimatePoint): Record<string, Float64Array> {
  const columns: Record<string, Float64Array> = {};
  for (const { height, u, v } of point.levels) {
    const speed = new Float64Array(u.length);
    const direction = new Float64Array(u.length);
    for (let i = 0; i < u.length; i++) {
      speed[i] = round(Math.sqrt(u[i] * u[i] + v[i] * v[i]), 1000);
      direction[i] = roundDirection(u[i], v[i]);
    }
    columns[`wind_speed_${height}`.replace(".", "_")] = speed;
    columns[`wind_direction_${height}`.replace(".", "_")] = direction;
  }
  if (point.temperature) columns.temperature = point.temperature.map((value) => round(value, 100));
  if (point.pressure) columns.pressure = point.pressure.map((value) => round(value, 1));
  if (point.relativeHumidity) {
    columns.relative_humidity = point.relativeHumidity.map((value) => round(value, 10));
  }
  for (const name of Object.keys(columns)) {
    if (!climateColumnByName(name)) {
      throw new Error(`Cannot store "${name}": no declared column has this name`);
    }
  }
  return columns;
}

function round(value: number, perUnit: number): number {
  return Math.round(value * perUnit) / perUnit;
}

/**
 * Stores the series of the climate points of a site.
 *
 * @returns The points with the names of their files
 */
export async function storePoints(
  data: SiteData,
  files: Pick<Files, "put">,
): Promise<SiteRecord["points"]> {
  const points: SiteRecord["points"][number][] = [];
  for (const { dataset: { serviceId }, climate } of data.reanalyses) {
    for (const point of climate) {
      const { latitude, longitude, elevation, axis, stamp } = point;
      points.push({
        serviceId,
        ...{ latitude, longitude, elevation, start: axis.start, hours: axis.length, stamp },
        file: await files.put(seriesToParquet(axis, buildPointColumns(point)), "parquet"),
      });
    }
  }
  return points;
}
