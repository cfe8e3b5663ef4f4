import type { Files } from "../storage/files/files.ts";
import { putValue, readValue } from "../storage/files/value_file.ts";
import type { Jobs } from "../storage/jobs/job.ts";
import { waitForAbort } from "../storage/jobs/wait_for_abort.ts";
import { computeChunk, type ModelledTurbine } from "./compute_chunk.ts";
import type { SiteChunk } from "./split_site.ts";

/** How the chunks of a site are computed. */
export interface ComputeOptions {
  /** Who computes them, each as a job; the thread itself unless given. */
  readonly jobs?: Jobs | undefined;
  /** Stops before the next turbine, or the next result of a job. */
  readonly signal?: AbortSignal | undefined;
  readonly onTurbine?: (() => void) | undefined;
}

/** Computes a chunk by a job: input and result are files that no row names, which are removed after a day. */
async function computeByJob(
  input: string,
  files: Files,
  jobs: Jobs,
  onTurbine: () => void,
): Promise<ModelledTurbine[]> {
  let heard = 0;
  const hear = (done: number) => {
    for (; heard < done; heard++) onTurbine(); // a job that another worker begins again starts from 0
  };
  const { result } = await jobs.run(
    { kind: "compute_chunk", parameters: { input }, turn: "", urgent: false },
    { onProgress: (done) => hear(Number(done)) },
  );
  const turbines = await readValue(files, result) as ModelledTurbine[];
  hear(turbines.length);
  return turbines;
}

/**
 * Computes the chunks of a site, in this thread or by jobs.
 *
 * @param files Where hourly models go, and where jobs find their input and leave what comes of them
 * @returns The turbines, chunk by chunk
 * @throws {ArgumentError} If figures cannot be computed; the message names the turbine
 */
export async function computeSite(
  chunks: readonly SiteChunk[],
  files: Files,
  { jobs, ...options }: ComputeOptions,
): Promise<ModelledTurbine[]> {
  if (!jobs) {
    const computed: ModelledTurbine[] = [];
    for (const chunk of chunks) computed.push(...await computeChunk(chunk, files, options));
    return computed;
  }
  const { signal, onTurbine = () => {} } = options;
  const results: Promise<ModelledTurbine[]>[] = [];
  for (const chunk of chunks) {
    signal?.throwIfAborted();
    const result = computeByJob(await putValue(files, chunk), files, jobs, onTurbine);
    result.catch(() => {}); // thrown below, once all are under way
    results.push(result);
  }
  return (await Promise.race([Promise.all(results), waitForAbort(signal)])).flat();
}
