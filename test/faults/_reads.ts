/**
 * The public functions that read, one call each, for tests of common requirements.
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

/** A call of a function that reads. */
type Call = (options: { connection: Connection; onNoData?: "empty" }) => Promise<unknown>;

/** A function that reads. */
export interface ReadFunction {
  /** The operation that it calls first. */
  readonly operation: OperationId;
  readonly call: Call;
}

/** The operations that change nothing. */
type ReadId = Exclude<OperationId, "place_order" | "api_key">;

const span = { from: "2024-01-01", to: "2024-01-02" };
const place = { latitude: 55.5, longitude: 7.75 };
const climate = { ...place, from: 2023, to: 2023 };

/** The functions that read each operation, by their spelling. */
const readsOf: Readonly<Record<ReadId, Readonly<Record<string, Call>>>> = {
  turbines: { "turbines()": (o) => turbines(o) },
  turbine_details: {
    "turbineDetails()": (o) => turbineDetails("T1", o),
    "turbineDetails([])": (o) => turbineDetails(["T1"], o),
  },
  model_data: {
    "modelData()": (o) => modelData("T1", { ...span, ...o }),
    "modelData([])": (o) => modelData(["T1"], { ...span, ...o }),
  },
  wind_indices: {
    "windIndices()": (o) => windIndices("T1", o),
    "windIndices([])": (o) => windIndices(["T1"], o),
    "monthlyIndices()": (o) => monthlyIndices("T1", o),
  },
  monthly_index: { "monthlyIndex()": (o) => monthlyIndex("T1", "2024-05", o) },
  datasets: { "datasets()": (o) => datasets(o) },
  coverage: { "coverage()": (o) => coverage("era5", { ...place, ...o }) },
  download_climate: { "downloadClimate()": (o) => downloadClimate("era5", { ...climate, ...o }) },
  report_turbines: { "reportTurbines()": (o) => reportTurbines(o) },
  report_months: { "reportMonths()": (o) => reportMonths("T1", o) },
  monthly_report: { "monthlyReport()": (o) => monthlyReport("T1", "2024-05", o) },
  order_status: { "orderStatus()": (o) => orderStatus("o-1", o) },
};

/** Each function that reads, by its spelling. */
export const reads: Readonly<Record<string, ReadFunction>> = Object.fromEntries(
  (Object.keys(readsOf) as ReadId[]).flatMap((operation) =>
    Object.entries(readsOf[operation]).map(([name, call]) => [name, { operation, call }])
  ),
);

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

/** Collects all displays of a value for users and logs. */
export function collectDisplays(value: unknown): string {
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
