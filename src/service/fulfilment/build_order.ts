import type { ClimateParameters } from "../../api/operations/climate_data.ts";
import type { JobParameters, JobTask } from "../../storage/jobs/job.ts";
import type { Files } from "../../storage/files/files.ts";
import type { StoredPoint } from "../../sites/keep/site_record.ts";
import { sitesOf } from "../../sites/keep/sites.ts";
import { isBuilt } from "../../storage/store/orders.ts";
import type { Store } from "../../storage/store/store.ts";
import { deliverClimate, findPoint, readClimateRequest } from "./climate_delivery.ts";
import { Refusal } from "../../storage/jobs/refusal.ts";
import { createName } from "../licences/licences.ts";

/** How long a download address is valid, ms: a week. */
export const ADDRESS_LIFETIME = 7 * 24 * 3_600_000;

/**
 * Builds the file of an approved order, and completes the order in the store. If two processes do this, the first one
 * counts. If the data are replaced meanwhile, the owner still gets the file, but later requests do not join the order.
 *
 * @throws {Refusal} If there is no data for it, or its parameters are damaged
 */
export async function buildOrder(
  store: Store,
  files: Files,
  { id }: JobParameters["build_order"],
  task: JobTask,
): Promise<void> {
  const order = await store.orders.get(id);
  if (order?.state !== "approved") return; // another process was first, or its licence is gone
  const request = readClimateRequest(order.parameters);
  const { file, point } = await buildCurrentFile(store, files, request);
  const expires = await store.now() + ADDRESS_LIFETIME;
  const finished = { state: "complete", token: createName(), file, expires } as const;
  await task.commit(async (all) => {
    const { orders } = all;
    if (!await orders.update(id, finished)) return;
    await files.assertPresent([file]); // after the order names it, which protects it from removal
    // From the update on no import can store points; an earlier import ended only orders that were complete by then.
    if (await isCurrent(all, request, point)) return;
    await orders.update(id, { state: "delivered" });
  });
}

/**
 * Builds the missing or damaged file of a finished order again. If its data were replaced meanwhile, its address ends,
 * and the next order for the same request is built from the new data.
 */
export async function rebuildOrder(
  store: Store,
  files: Files,
  { id }: JobParameters["rebuild_order"],
  task: JobTask,
): Promise<void> {
  const order = await store.orders.get(id);
  if (!order || !isBuilt(order)) return;
  try {
    const request = readClimateRequest(order.parameters);
    if ((await buildCurrentFile(store, files, request)).file === order.file) return;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error; // the data are gone
  }
  const ended = { state: "delivered", expires: await store.now() - 1 } as const;
  await task.commit(async ({ orders }) => void await orders.update(id, ended));
}

/** Builds a file, again if its data were replaced meanwhile; returns it with its point. */
async function buildCurrentFile(
  store: Store,
  files: Files,
  request: ClimateParameters,
): Promise<{ readonly file: string; readonly point: StoredPoint }> {
  while (true) {
    const point = await findPoint(sitesOf(store), request);
    const { extension, bytes } = await deliverClimate(files, point, request);
    const file = await files.put(bytes, extension);
    if (await isCurrent(store, request, point)) return { file, point };
  }
}

/** Whether a point still has the data for a request. */
async function isCurrent(
  store: Store,
  request: ClimateParameters,
  point: StoredPoint,
): Promise<boolean> {
  try {
    return (await findPoint(sitesOf(store), request)).file === point.file;
  } catch (error) {
    if (error instanceof Refusal) return false; // the data are gone
    throw error;
  }
}
