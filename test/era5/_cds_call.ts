import { assertRejects } from "@std/assert";
import type { DataFrame } from "nodejs-polars";
import { CancelledError } from "../../src/api/errors.ts";
import { type Era5Options, getEra5 } from "../../src/era5/era5.ts";
import type { Pauses } from "../../src/era5/source_link.ts";
import type { Environment } from "../../src/disk/home.ts";
import { CDS_KEY, type CdsRoute, type CdsServer } from "./_cds_server.ts";

/** Creates an environment with only these variables, because all running tests share the process's. */
export function environmentOf(variables: Readonly<Record<string, string>>): Environment {
  return { get: (name) => variables[name] };
}

/** No pauses between requests. */
export const AT_ONCE: Pauses = { look: 0, queue: 0, search: 0 };

/** Gets two months of a point from the fake server, without pauses. */
export async function getTwoMonths(
  server: CdsServer,
  options: Partial<Era5Options> = {},
  pauses: Pauses = AT_ONCE,
): Promise<DataFrame> {
  const { connection, url } = server;
  const range = { latitude: 55.4, longitude: 7.9, from: "2023-01", to: "2023-02" };
  return await getEra5(
    { ...range, connection, ...options },
    environmentOf({ CDSAPI_URL: url, CDSAPI_KEY: CDS_KEY }),
    pauses,
  );
}

/** Runs a function at another time; the fake servers use the real time. */
export async function withNow<T>(now: string, act: () => Promise<T>): Promise<T> {
  const { instant, plainDateISO } = Temporal.Now;
  const fixed = Temporal.Instant.from(now);
  Temporal.Now.instant = () => fixed;
  Temporal.Now.plainDateISO = () => fixed.toZonedDateTimeISO("UTC").toPlainDate();
  try {
    return await act();
  } finally {
    Object.assign(Temporal.Now, { instant, plainDateISO });
  }
}

/** Calls `era5()` and aborts once its job runs, so its order stays open. */
export async function stopWhileRunning(
  server: CdsServer,
  options: Partial<Era5Options> = {},
): Promise<void> {
  server.plans.push({ states: ["running"] });
  const controller = new AbortController();
  const onStatus = () => controller.abort(new Error("enough"));
  const { signal } = controller;
  await assertRejects(
    () => getTwoMonths(server, { ...options, onStatus, signal }),
    CancelledError,
    "enough. Make the same call to continue from there",
  );
}

/** Makes all jobs succeed. */
export function finishJobs({ jobs }: CdsServer): void {
  for (const { states } of jobs.values()) states.push("successful");
}

/** Lists the routes of the requests that the fake server received. */
export function listRoutes({ seen }: CdsServer): CdsRoute[] {
  return seen.map(({ route }) => route);
}

/** Counts the requests of a route. */
export function countRoute(server: CdsServer, route: CdsRoute): number {
  return listRoutes(server).filter((one) => one === route).length;
}

/** Whether a file of ../shared/data exists. */
export function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
