import { DataFormatError } from "../../api/errors.ts";
import { readNetcdf } from "../../frames/netcdf.ts";
import type { CdsProduct } from "./cds_product.ts";
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

/** ERA5 hourly data on single levels: the grid points of an area as NetCDF. A request takes minutes to hours. */
export const gridProduct: CdsProduct = {
  dataset: DATASET,
  fileType: "netcdf",
  maxMonths: 3,
  keyOf: ({ year }) => year, // it multiplies years and months

  buildInputs: ({ north, west, south, east }, months, lastDay) => ({
    product_type: ["reanalysis"],
    variable: era5Variables.map(({ request }) => request),
    year: [String(months.first.year)],
    month: listMonths(months).map(({ month }) => pad(month)),
    day: listNumbers(1, months.first.equals(months.last) ? lastDay.day : 31),
    time: listNumbers(0, 23).map((hour) => `${hour}:00`),
    area: [north, west, south, east],
    data_format: "netcdf",
    download_format: "unarchived",
  }),

  async readFile(path, settledEnd) {
    const grid = await readNetcdf(await readMember(path, DATASET, ".nc", "instant"), DATASET);
    const { times, latitudes, longitudes, variables, preliminary } = grid;
    for (const { short, unit } of era5Variables) {
      const own = variables.get(short)?.unit;
      if (own === undefined || own === unit) continue; // a missing one is refused with the list of all
      throw new DataFormatError(
        `Cannot use ${DATASET}: its variable ${short} has the unit "${own}", not "${unit}"`,
      );
    }
    const flags = preliminary
      ? Float64Array.from(preliminary)
      : times.map((at) => at < settledEnd ? 0 : NaN);
    const cells = latitudes.length * longitudes.length;
    return latitudes.flatMap((latitude, row) =>
      longitudes.map((longitude, column) => {
        const cell = row * longitudes.length + column;
        const values = new Map([...variables].map(([name, { values }]) =>
          [name, Float64Array.from(times, (_, i) => values[i * cells + cell])] as const
        ));
        return checkHours({
          file: DATASET,
          latitude,
          longitude,
          stamps: times,
          values: convertVariables(values, DATASET),
          preliminary: flags,
        });
      })
    );
  },
};
