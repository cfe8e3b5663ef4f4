import { type Column, ownColumn } from "../../api/columns/column.ts";
import { DataFormatError } from "../../api/errors.ts";
import { readBeginning, readParts } from "../../frames/archive/file_parts.ts";
import { unzipMember } from "../../frames/archive/unzip.ts";
import { isZip } from "../../frames/archive/zip.ts";
import { CsvReader } from "../../frames/csv/csv_reader.ts";
import { extractEpochs, extractNumbers } from "../../frames/frame.ts";
import type { CdsProduct } from "./cds_product.ts";
import { checkHours } from "./climate_hours.ts";
import { convertVariables, era5Variables } from "./era5_variables.ts";

const DATASET = "reanalysis-era5-single-levels-timeseries";

/** How far the point of a file may be from the one that was asked for, deg: half the step of the grid. */
const MAX_OFFSET = 0.125;

function column(name: string, dtype: Column["dtype"]): Column {
  return ownColumn(name, dtype, name, name);
}

/** Columns of its files: those of the variables are named, in an order of the service. */
const columns: readonly Column[] = [
  column("valid_time", "datetime"),
  column("latitude", "f64"),
  column("longitude", "f64"),
  ...era5Variables.map(({ short }) => column(short, "f64")),
];

/** Refuses a file of more than one point, or of another one than was asked for. */
function readDegrees(values: Float64Array, name: string, wanted: number, file: string): number {
  const [first] = values;
  const offset = Math.abs((first - wanted + 540) % 360 - 180);
  if (values.every((value) => value === first) && offset <= MAX_OFFSET) return first;
  throw new DataFormatError(
    `Cannot use ${file}: its ${name} is ${[...new Set(values)].slice(0, 3).join(", ")}, not near ` +
      `${wanted} as requested`,
  );
}

/** ERA5 hourly time series at a point, which come within a minute as CSV, zipped or not. */
export const pointProduct: CdsProduct = {
  fileType: "csv",
  maxMonths: Infinity,
  splitPeriod: (months) => [months],

  buildRequest: ({ north, west }, { first }, lastDay) => ({
    dataset: DATASET,
    inputs: {
      variable: era5Variables.map(({ request }) => request),
      location: { longitude: west, latitude: north },
      date: [`${first.toPlainDate({ day: 1 })}/${lastDay}`],
      data_format: "csv",
    },
  }),

  async readFile(path, { north, west }, settledEnd) {
    const reader = new CsvReader(columns, { file: DATASET, timeZone: "UTC", extra: false });
    const write = (part: Uint8Array) => reader.write(part);
    if (isZip(await readBeginning(path))) await unzipMember(path, DATASET, ".csv", write);
    else await readParts(path, write);
    const { frame } = reader.end();
    if (frame.height === 0) return [];
    const stamps = extractEpochs(frame, "valid_time");
    const values = new Map(
      era5Variables.map(({ short }) => [short, extractNumbers(frame, short)]),
    );
    return [checkHours({
      file: DATASET,
      latitude: readDegrees(extractNumbers(frame, "latitude"), "latitude", north, DATASET),
      longitude: readDegrees(extractNumbers(frame, "longitude"), "longitude", west, DATASET),
      stamps,
      values: convertVariables(values, DATASET),
      // The file does not say which hours are preliminary: those of the last months may be.
      preliminary: stamps.map((at) => at < settledEnd ? 0 : NaN),
    })];
  },
};
