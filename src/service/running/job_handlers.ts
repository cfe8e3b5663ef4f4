import { buildOrder, rebuildOrder } from "../fulfilment/build_order.ts";
import { buildDownload } from "../fulfilment/climate_download.ts";
import { readClimateRequest } from "../fulfilment/climate_delivery.ts";
import { gzipFile } from "../../storage/files/gzip_file.ts";
import { renderModelCsv } from "../fulfilment/model_csv.ts";
import { removeOrphanFiles } from "../../sites/keep/named_files.ts";
import { computeChunkFile } from "../../sites/compute_chunk.ts";
import type { JobHandlers } from "../../storage/jobs/job.ts";
import type { Storage } from "../../storage/storage.ts";
import { sitesOf } from "../../sites/keep/sites.ts";

/** Creates the handlers of a service's jobs, by kind; only workers of the queue do exports. */
export function createJobHandlers(storage: Storage): Omit<JobHandlers, "export_group"> {
  const { store, files } = storage;
  return {
    build_order: (order, task) => buildOrder(store, files, order, task),
    rebuild_order: (order, task) => rebuildOrder(store, files, order, task),
    build_download: (parameters) =>
      buildDownload(sitesOf(store), files, readClimateRequest(parameters)),
    render_model_csv: ({ model, timeZone }) => renderModelCsv(files, model, timeZone),
    gzip_file: ({ name }) => gzipFile(files, name),
    compute_chunk: ({ input }, task) => computeChunkFile(files, input, task),
    remove_orphans: async () => void await removeOrphanFiles(store, files),
  };
}
