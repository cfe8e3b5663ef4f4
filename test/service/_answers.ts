/**
 * Everything that a service answers about a small site, so two states can be compared byte by byte.
 *
 * @module
 */
import type { OperationId } from "../../src/api/operations/operation.ts";
import { KEY_HEADER, operationOf } from "../../src/api/operations/operations.ts";
import { requestPath } from "../../src/api/operations/request_path.ts";

/** A service: of this process, or one that listens elsewhere. */
export type Ask = (path: string, headers: Headers) => Promise<Response>;

/** The dataset of the example site. */
export const DATASET = "example-climate";

/** Parameters of an order of the example site. */
export const ORDERED = {
  service_id: DATASET,
  lat: 55.5,
  lon: 8,
  start_year: 2023,
  end_year: 2023,
  filetype: "csv",
} as const;

/** Path of an operation. */
export function buildPath(id: OperationId, values: Record<string, string | number> = {}): string {
  return requestPath(operationOf(id), values);
}

const turbine = { turbine_id: "E1" };

/** Requests to every operation whose answer stays the same until an import. */
export function listPaths(months: readonly string[]): string[] {
  return [
    buildPath("turbines"),
    buildPath("turbine_details", turbine),
    buildPath("model_data", { ...turbine, start_date: "2023-01-01", end_date: "2030-01-01" }),
    buildPath("wind_indices", turbine),
    ...months.flatMap((period) => [
      buildPath("monthly_index", {
        ...turbine,
        year: Number(period.slice(0, 4)),
        month: Number(period.slice(5)),
      }),
      buildPath("monthly_report", { ...turbine, period }),
    ]),
    buildPath("datasets"),
    buildPath("coverage", { service_id: DATASET, lat: 55.5, lon: 8 }),
    buildPath("download_climate", ORDERED),
    buildPath("report_turbines"),
    buildPath("report_months", turbine),
  ];
}

/** An answer in full: status and body. */
export async function answerTo(ask: Ask, path: string, key: string): Promise<string> {
  const response = await ask(path, new Headers({ [KEY_HEADER]: key }));
  return `${response.status} ${new TextDecoder("latin1").decode(await response.bytes())}`;
}

/** Answers to some paths. */
export async function answersTo(
  ask: Ask,
  paths: readonly string[],
  key: string,
): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const path of paths) answers[path] = await answerTo(ask, path, key);
  return answers;
}
