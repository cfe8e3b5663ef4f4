/**
 * Facts from the client's answers to all operations, in the form that the Python programs print.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { unzipSync } from "fflate";
import type { DataFrame } from "nodejs-polars";
import {
  type Connection,
  coverage,
  datasets,
  downloadClimate,
  modelData,
  monthlyIndex,
  monthlyReport,
  placeOrder,
  provenance,
  reportMonths,
  reportTurbines,
  requestApiKey,
  saveClimate,
  turbineDetails,
  turbines,
  windIndices,
} from "../../mod.ts";
import { climateColumnByName } from "../../src/api/columns/climate_columns.ts";
import { fileMediaTypes, type FileType } from "../../src/api/operations/climate_data.ts";
import { type Column, wireName } from "../../src/api/columns/column.ts";
import {
  coverageList,
  datasetList,
  modelDataCsv,
  monthRecord,
  reportMonthList,
  reportTurbineList,
  turbineList,
  windIndicesCsv,
} from "../../src/api/columns/columns.ts";
import type { OperationId } from "../../src/api/operations/operation.ts";
import { extractEpochs } from "../../src/frames/frame.ts";
import { sha256 } from "../../src/disk/hashes.ts";
import { licences } from "../service/_sample.ts";

/** Requests of every reader. The span of the model contains both clock changes. */
export const wanted = {
  turbine: "T1",
  year: 2024,
  month: 5,
  start: "2024-03-01",
  end: "2024-11-08",
  dataset: "era5",
  point: { lat: 55.5, lon: 7.75 },
  years: { start_year: 2023, end_year: 2023 },
  serial_number: licences.valid.serialNumber,
  email: licences.valid.email,
} as const;

/** Facts of each operation. */
export type Facts = Record<OperationId, unknown>;

const period = `${wanted.year}-${String(wanted.month).padStart(2, "0")}`;

function wireOf(columns: readonly Column[] | undefined, name: string): string {
  const column = columns?.find((one) => one.name === name) ?? climateColumnByName(name);
  return column ? wireName(column) : name;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function columnFacts(frame: DataFrame, name: string): Record<string, unknown> {
  if (name === "time") {
    const seconds = [...extractEpochs(frame, name)].map((epoch) => epoch / 1000);
    return { first: seconds[0], last: seconds.at(-1), sum: sum(seconds) };
  }
  const all = frame.getColumn(name).toArray() as (string | number | null)[];
  const values = all.filter((value) => value !== null);
  const gaps = all.length - values.length;
  return typeof values[0] === "string"
    ? { gaps, first: all[0], last: all.at(-1), kinds: new Set(values).size }
    : { gaps, sum: sum(values as number[]) };
}

/** Facts of a table, by the column names in the response. */
function tableFacts(frame: DataFrame, columns?: readonly Column[]): Record<string, unknown> {
  return {
    rows: frame.height,
    columns: frame.columns.map((name) => ({
      name: wireOf(columns, name),
      ...columnFacts(frame, name),
    })),
  };
}

/** Records as in the response, with dates cut to a length. */
function records(
  frame: DataFrame,
  columns: readonly Column[],
  characters = 10,
): Record<string, unknown>[] {
  return (frame.toRecords() as Record<string, unknown>[]).map((record) =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => {
        const text = value instanceof Date ? value.toISOString().slice(0, characters) : value;
        return [wireOf(columns, name), typeof text === "bigint" ? Number(text) : text];
      }),
    )
  );
}

function fileFacts(frame: DataFrame, fileType: FileType): Record<string, unknown> {
  const [hash] = provenance(frame)[0].sha256;
  return { media_type: fileMediaTypes[fileType], sha256: hash, table: tableFacts(frame) };
}

/** A timestamp in local time. */
function local(epoch: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(epoch).toZonedDateTimeISO(zone)
    .toPlainDateTime().toString({ smallestUnit: "second" });
}

/** Facts from the client's answers. */
export async function factsOfOurs(connection: Connection, folder: string): Promise<Facts> {
  const options = { connection };
  const { turbine, dataset, start, end } = wanted;
  const place = { latitude: wanted.point.lat, longitude: wanted.point.lon };
  const years = { from: wanted.years.start_year, to: wanted.years.end_year };
  const climate = { ...options, ...place, ...years };

  const details = await turbineDetails(turbine, options);
  const hours = await modelData(turbine, {
    ...options,
    from: start,
    to: Temporal.PlainDate.from(end).subtract({ days: 1 }),
  });
  const stamps = extractEpochs(hours, "time");
  const month = await monthlyIndex(turbine, period, options);
  const ordered = async (fileType: FileType) => {
    const order = await placeOrder(dataset, { ...climate, fileType });
    return fileFacts(await order.download(), fileType);
  };
  const downloaded = async (fileType: FileType) =>
    fileFacts(await downloadClimate(dataset, { ...climate, fileType }), fileType);
  const raw = `${folder}/raw.zip`;
  await saveClimate(dataset, raw, { ...climate, fileType: "zipraw" });
  const rawBytes = await Deno.readFile(raw);
  const members = unzipSync(rawBytes);
  const about = JSON.parse(new TextDecoder().decode(members["about.json"]));
  const key = await requestApiKey({
    ...options,
    serialNumber: wanted.serial_number,
    email: wanted.email,
  });
  assert(/^[0-9a-f]{64}$/.test(key.reveal()), "that is no key of 256 bits");

  return {
    turbines: records(await turbines(options), turbineList),
    turbine_details: JSON.parse(JSON.stringify(details)),
    model_data: {
      sha256: provenance(hours)[0].sha256[0],
      zone: details.time_zone,
      local: [stamps[0], stamps[stamps.length - 1]].map((stamp) =>
        local(stamp, details.time_zone!)
      ),
      table: tableFacts(hours, modelDataCsv),
    },
    wind_indices: tableFacts(await windIndices(turbine, options), windIndicesCsv),
    monthly_index: Object.fromEntries(
      Object.entries(month).map(([name, value]) => [wireOf(monthRecord, name), value]),
    ),
    datasets: records(await datasets(options), datasetList),
    coverage: records(
      await coverage(dataset, { ...options, ...place, numPoints: 4 }),
      coverageList,
    ),
    place_order: await ordered("zipcsv"),
    order_status: await ordered("csv"),
    download_climate: {
      zipcsv: await downloaded("zipcsv"),
      csv: await downloaded("csv"),
      zipraw: {
        media_type: fileMediaTypes.zipraw,
        sha256: sha256(rawBytes),
        members: Object.keys(members),
        columns: about.columns.map(({ name }: { name: string }) => name),
      },
    },
    report_turbines: records(await reportTurbines(options), reportTurbineList, 7),
    report_months: records(await reportMonths(turbine, options), reportMonthList, 7),
    monthly_report: JSON.parse(JSON.stringify(await monthlyReport(turbine, period, options))),
    api_key: { expires: licences.valid.expires, turbines: (await turbines(options)).height },
  };
}

/** Compares facts. Numbers may differ in the last digits, because sums depend on the order of addition. */
export function assertSameFacts(actual: unknown, expected: unknown, at = "$"): void {
  if (typeof actual === "number" && typeof expected === "number") {
    return assertAlmostEquals(actual, expected, 1e-12 * Math.max(1, Math.abs(expected)), at);
  }
  if (typeof actual !== "object" || typeof expected !== "object" || !actual || !expected) {
    return assertEquals(actual, expected, at);
  }
  assertEquals(Object.keys(actual).sort(), Object.keys(expected).sort(), at);
  for (const [name, value] of Object.entries(expected)) {
    assertSameFacts((actual as Record<string, unknown>)[name], value, `${at}.${name}`);
  }
}
