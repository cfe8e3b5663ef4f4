import { DataFormatError } from "../../api/errors.ts";
import { readBeginning } from "../../frames/archive/file_parts.ts";
import { unzipMember } from "../../frames/archive/unzip.ts";
import { isZip } from "../../frames/archive/zip.ts";
import { readNetcdf } from "../../frames/netcdf.ts";
import type { CdsProduct } from "./cds_product.ts";
import { checkHours } from "./climate_hours.ts";
import { convertVariables, era5Variables } from "./era5_variables.ts";
import { listMonths, splitYears } from "./months.ts";

const DATASET = "reanalysis-era5-single-levels";

function pad(number: number): string {
  return String(number).padStart(2, "0");
}

function listNumbers(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, i) => pad(from + i));
}

/** Reads the NetCDF of a file, which may be zipped although that was not asked for. */
async function readMember(path: string): Promise<Uint8Array> {
  if (!isZip(await readBeginning(path))) return await Deno.readFile(path);
  let bytes = new Uint8Array();
  let length = 0;
  await unzipMember(path, DATASET, ".nc", (part) => {
    bytes.set(part, length);
    length += part.length;
  }, ({ size }) => {
    bytes = new Uint8Array(size);
  });
  return bytes;
}

/** ERA5 hourly data on single levels: the grid points of an area as NetCDF. A request takes minutes to hours. */
export const gridProduct: CdsProduct = {
  fileType: "netcdf",
  maxMonths: 3,
  splitPeriod: splitYears,

  buildRequest: ({ north, west, south, east }, months, lastDay) => ({
    dataset: DATASET,
    inputs: {
      product_type: ["reanalysis"],
      variable: era5Variables.map(({ request }) => request),
      year: [String(months.first.year)],
      month: listMonths(months).map(({ month }) => pad(month)),
      day: listNumbers(1, months.first.equals(months.last) ? lastDay.day : 31),
      time: listNumbers(0, 23).map((hour) => `${hour}:00`),
      area: [north, west, south, east],
      data_format: "netcdf",
      download_format: "unarchived",
    },
  }),

  async readFile(path, { north, west, south, east }, settledEnd) {
    const grid = await readNetcdf(await readMember(path), DATASET);
    const { times, latitudes, longitudes, variables, preliminary } = grid;
    const same = (all: readonly number[], ...wanted: number[]) =>
      all.length === 2 &&
      wanted.every((one) => all.some((own) => Math.abs((own - one + 540) % 360 - 180) < 0.01));
    if (!same(latitudes, north, south) || !same(longitudes, west, east)) {
      throw new DataFormatError(
        `Cannot use ${DATASET}: it has the latitudes ${latitudes.join(", ")} and the longitudes ` +
          `${longitudes.join(", ")}, not ${north}, ${south} and ${west}, ${east} as requested`,
      );
    }
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
          longitude: longitude > 180 ? longitude - 360 : longitude,
          stamps: times,
          values: convertVariables(values, DATASET),
          preliminary: flags,
        });
      })
    );
  },
};
