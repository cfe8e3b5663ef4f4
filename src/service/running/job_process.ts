/**
 * A worker of the service. Its argument is the path of the data directory; it reads jobs from standard input.
 *
 * @module
 */
import { openStorage } from "../../storage/storage.ts";
import { createJobHandlers, doJobs } from "./do_jobs.ts";

await doJobs(async () => {
  const { store, files, close } = await openStorage(Deno.args[0]);
  const commit = store.transaction.bind(store);
  return { handlers: createJobHandlers({ store, files }), commitOf: () => commit, close };
});
