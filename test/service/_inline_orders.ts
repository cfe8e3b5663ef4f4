/**
 * Orders whose jobs run in this thread, as in a service in the same process.
 *
 * @module
 */
import type { Files } from "../../src/storage/files/files.ts";
import { Orders } from "../../src/service/fulfilment/orders.ts";
import type { Jobs } from "../../src/storage/jobs/job.ts";
import { openJobs } from "../../src/service/running/open_jobs.ts";
import type { Store } from "../../src/storage/store/store.ts";

/** Jobs of this thread. */
export function inlineJobs(store: Store, files: Files): Jobs {
  return openJobs("", { store, files }, 0);
}

/** Orders with jobs of this thread. */
export function inlineOrders(store: Store, files: Files): Orders {
  return new Orders(store, inlineJobs(store, files));
}
