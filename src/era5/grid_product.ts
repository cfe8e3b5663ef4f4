import { DataFormatError } from "../api/errors.ts";
import { type GridPoint, wrapLongitude } from "../frames/grid_points.ts";
import { readNetcdf } from "../frames/netcdf.ts";
import { listCells } from "../frames/netcdf_grid.ts";
import type { CdsProduct } from "./cds_block.ts";
import { checkHours } from "./climate_hours.ts";
import { convertVariables, era5Variables } from "./era5_variables.ts";
import { listMonths } from "./months.ts";
import { readMember } from "./read_member.ts";

const DATASET = "reanalysis-era5-single-levels";

function pad(number: number): string {
  return String(number).padStart(2, "0");
}

function listNumbers(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, i) => pad(from + i));
}

/** The smallest area that has all of some grid points of a cell, deg; its east is 180 where it ends there. */
function boundPoints(points: readonly GridPoint[]) {
  const latitudes = points.map(({ latitude }) => latitude);
  const longitudes = points.map(({ longitude }) => longitude);
  const apart = Math.max(...longitudes) - Math.min(...longitudes) > 180; // on both sides of 180
  const turned = longitudes.map((one) => apart && one < 0 ? one + 360 : one);
  const [north, south] = [Math.max(...latitudes), Math.min(...latitudes)];
  return { north, west: Math.min(...turned), south, east: Math.max(...turned) };
}

/** ERA5 hourly data on single levels: the grid points of an area as NetCDF. A request takes minutes to hours. */
export const gridProduct: CdsProduct = {
  dataset: DATASET,
  fileType: "netcdf",
  maxMonths: 3,
  countMonths: ({ month }) => 13 - month, // it multiplies years and months

  complete(points) {
    const { north, west, south, east } = boundPoints(points);
    return [...new Set([south, north])].flatMap((latitude) =>
      [...new Set([west, east])].map((one) => ({ latitude, longitude: wrapLongitude(one) }))
    );
  },

  buildInputs({ points, months }, lastDay) {
    const { north, west, south, east } = boundPoints(points);
    return {
      product_type: ["reanalysis"],
      variable: era5Variables.map(([request]) => request),
      year: [String(months.first.year)],
      month: listMonths(months).map(({ month }) => pad(month)),
      day: listNumbers(1, months.first.equals(months.last) ? lastDay.day : 31),
      time: listNumbers(0, 23).map((hour) => `${hour}:00`),
      area: [north, west, south, east],
      data_format: "netcdf",
      download_format: "unarchived",
    };
  },

  async readFile(path, settledEnd) {
    const grid = await readNetcdf(await readMember(path, DATASET, ".nc", "instant"), DATASET);
    for (const [, short, unit] of era5Variables) {
      const own = grid.variables.get(short)?.unit;
      if (own === undefined || own === unit) continue; // a missing one is refused with the list of all
      throw new DataFormatError(
        `Cannot use ${DATASET}: its variable ${short} has the unit "${own}", not "${unit}"`,
      );
    }
    const flags = grid.preliminary && { preliminary: Float64Array.from(grid.preliminary) };
    return Array.from(listCells(grid), ({ latitude, longitude, values }) =>
      checkHours({
        file: DATASET,
        latitude,
        longitude,
        stamps: grid.times,
        values: { ...flags, ...convertVariables(values, DATASET) },
      }, settledEnd));
  },
};
