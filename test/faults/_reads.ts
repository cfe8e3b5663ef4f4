/**
 * The public functions that read, one call each, for tests of what all of them have to bear.
 *
 * @module
 */
import type { OperationId } from "../../src/api/operations/operation.ts";
import { coverage, datasets, downloadClimate } from "../../src/client/calls/climate_data.ts";
import type { Connection } from "../../src/client/connection/connection.ts";
import { modelData } from "../../src/client/calls/model_data.ts";
import { monthlyIndices } from "../../src/client/calls/monthly_indices.ts";
import { orderStatus } from "../../src/client/orders/order_status.ts";
import { monthlyReport, reportMonths, reportTurbines } from "../../src/client/calls/reports.ts";
import { turbineDetails, turbines } from "../../src/client/calls/turbines.ts";
import { monthlyIndex, windIndices } from "../../src/client/calls/wind_indices.ts";

/** A call that reads. */
export interface Read {
  /** The operation that it calls first. */
  readonly operation: OperationId;
  /** The call. */
  readonly call: (options: { connection: Connection; onNoData?: "empty" }) => Promise<unknown>;
}

const span = { from: "2024-01-01", to: "2024-01-02" };
const place = { latitude: 55.5, longitude: 7.75 };
const climate = { ...place, from: 2023, to: 2023 };

/** Each function that reads, by how it is written. */
export const reads: Readonly<Record<string, Read>> = {
  "turbines()": { operation: "turbines", call: (o) => turbines(o) },
  "turbineDetails()": { operation: "turbine_details", call: (o) => turbineDetails("T1", o) },
  "turbineDetails([])": { operation: "turbine_details", call: (o) => turbineDetails(["T1"], o) },
  "modelData()": { operation: "model_data", call: (o) => modelData("T1", { ...span, ...o }) },
  "modelData([])": { operation: "model_data", call: (o) => modelData(["T1"], { ...span, ...o }) },
  "windIndices()": { operation: "wind_indices", call: (o) => windIndices("T1", o) },
  "windIndices([])": { operation: "wind_indices", call: (o) => windIndices(["T1"], o) },
  "monthlyIndices()": { operation: "wind_indices", call: (o) => monthlyIndices("T1", o) },
  "monthlyIndex()": { operation: "monthly_index", call: (o) => monthlyIndex("T1", "2024-05", o) },
  "datasets()": { operation: "datasets", call: (o) => datasets(o) },
  "coverage()": { operation: "coverage", call: (o) => coverage("era5", { ...place, ...o }) },
  "downloadClimate()": {
    operation: "download_climate",
    call: (o) => downloadClimate("era5", { ...climate, ...o }),
  },
  "reportTurbines()": { operation: "report_turbines", call: (o) => reportTurbines(o) },
  "reportMonths()": { operation: "report_months", call: (o) => reportMonths("T1", o) },
  "monthlyReport()": {
    operation: "monthly_report",
    call: (o) => monthlyReport("T1", "2024-05", o),
  },
  "orderStatus()": { operation: "order_status", call: (o) => orderStatus("o-1", o) },
};

let random: typeof Math.random;

/** Hardly any pauses between tries: the random share of each back-off is 5 or 10 ms. */
export const withoutPauses = {
  before(): void {
    random = Math.random;
    Math.random = () => 0.005;
  },
  after(): void {
    Math.random = random;
  },
} as const;

/** All that a person or a log could see of a value. */
export function shownOf(value: unknown): string {
  const { message = "", stack = "" } = value instanceof Error ? value : {};
  const seen: unknown[] = [];
  const json = JSON.stringify(value, (_, entry) => {
    if (typeof entry === "object" && entry !== null) {
      if (seen.includes(entry)) return "(seen)";
      seen.push(entry);
    }
    return typeof entry === "bigint" ? String(entry) : entry;
  });
  return [message, stack, String(value), Deno.inspect(value, { depth: 9 }), json].join("\n");
}
