import { type Column, ownColumn } from "../../api/columns/column.ts";
import { DataFormatError } from "../../api/errors.ts";
import { CsvReader } from "../../frames/csv/csv_reader.ts";
import { extractEpochs, extractNumbers } from "../../frames/frame.ts";
import type { CdsProduct } from "./cds_block.ts";
import { checkHours } from "./climate_hours.ts";
import { convertVariables, era5Variables } from "./era5_variables.ts";
import { readMember } from "./read_member.ts";

const DATASET = "reanalysis-era5-single-levels-timeseries";

function column(name: string, dtype: Column["dtype"]): Column {
  return ownColumn(name, dtype, name, name);
}

/** Columns of its files: those of the variables are named, in an order of the service. */
const columns: readonly Column[] = [
  column("valid_time", "datetime"),
  column("latitude", "f64"),
  column("longitude", "f64"),
  ...era5Variables.map(([, short]) => column(short, "f64")),
];

/** Refuses a file of more than one point. */
function readDegrees(values: Float64Array, name: string): number {
  const [first] = values;
  if (values.every((value) => value === first)) return first;
  throw new DataFormatError(
    `Cannot use ${DATASET}: its ${name} is ${
      [...new Set(values)].slice(0, 3).join(", ")
    }, not of ` +
      "one point",
  );
}

/** ERA5 hourly time series at a point, which come within a minute as CSV, zipped or not. */
export const pointProduct: CdsProduct = {
  dataset: DATASET,
  fileType: "csv",
  maxMonths: Infinity,
  countMonths: () => Infinity,
  complete: (points) => [...points],

  buildInputs: ({ points: [{ latitude, longitude }], months: { first } }, lastDay) => ({
    variable: era5Variables.map(([request]) => request),
    location: { longitude, latitude },
    date: [`${first.toPlainDate({ day: 1 })}/${lastDay}`],
    data_format: "csv",
  }),

  async readFile(path, settledEnd) {
    const reader = new CsvReader(columns, { file: DATASET, timeZone: "UTC", extra: false });
    reader.write(await readMember(path, DATASET, ".csv", "-sfc"));
    const { frame } = reader.end();
    if (frame.height === 0) return [];
    const values = new Map(
      era5Variables.map(([, short]) => [short, extractNumbers(frame, short)]),
    );
    return [checkHours({
      file: DATASET,
      latitude: readDegrees(extractNumbers(frame, "latitude"), "latitude"),
      longitude: readDegrees(extractNumbers(frame, "longitude"), "longitude"),
      stamps: extractEpochs(frame, "valid_time"),
      values: convertVariables(values, DATASET),
    }, settledEnd)];
  },
};
