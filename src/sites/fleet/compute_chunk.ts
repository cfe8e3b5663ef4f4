import { delay } from "@std/async";
import { ENGINE_VERSION } from "../../windindex/power_model.ts";
import type { Files } from "../../storage/files/files.ts";
import { putValue, readValue } from "../../storage/files/value_file.ts";
import type { JobTask } from "../../storage/jobs/job.ts";
import { computeTurbine, type ImportedTurbine } from "../calibration/compute_turbine.ts";
import { Neighbourhood } from "../production/neighbour_production.ts";
import { toFailure, type TurbineFailure } from "../turbine_failure.ts";
import type { SiteChunk } from "./split_site.ts";

/** A turbine as computed, with its hourly model in a file. */
export interface ModelledTurbine extends ImportedTurbine {
  /** Name of the file; `null` without calibration. */
  readonly modelFile: string | null;
}

/**
 * Computes the turbines of a chunk.
 *
 * @param files Where the hourly models go, each at once: those of a large fleet would not fit into memory
 * @param options `signal` stops it before the next turbine; `onTurbine` is called when one is computed
 * @returns The turbines, or why their figures cannot be computed
 */
export async function computeChunk(
  chunk: SiteChunk,
  files: Pick<Files, "put">,
  options: { signal?: AbortSignal | undefined; onTurbine?: (() => void) | undefined } = {},
): Promise<(ModelledTurbine | TurbineFailure)[]> {
  const { signal, onTurbine } = options;
  const neighbours = new Neighbourhood(chunk);
  const computed: (ModelledTurbine | TurbineFailure)[] = [];
  for (const [position, earlier] of chunk.earlier) {
    await delay(0, signal ? { signal } : {}); // Ctrl-C is heard only while the work waits
    try {
      const nearest = neighbours.findNearest(position);
      const { model, ...rest } = computeTurbine(chunk, position, nearest, earlier);
      computed.push({ ...rest, modelFile: model && await files.put(model, "parquet") });
    } catch (error) {
      computed.push(toFailure(chunk.turbines[position].turbine.id, error));
    }
    onTurbine?.();
  }
  return computed;
}

/**
 * Computes the turbines of a chunk that is a file, as a job.
 *
 * @param files Where it is, and where the hourly models and the result go
 * @param input Name of the file
 * @param task Hears how many turbines are computed
 * @returns Name of the file with the result
 * @throws {DamagedFileError} If the file is missing or damaged
 * @throws {Error} If the import has another engine
 */
export async function computeChunkFile(
  files: Files,
  input: string,
  task: Pick<JobTask, "report">,
): Promise<{ readonly result: string }> {
  const chunk = await readValue(files, input) as SiteChunk;
  if (chunk.engine !== ENGINE_VERSION) { // its figures would be stored as those of the other one
    throw new Error(
      `Cannot compute turbines: their import has engine ${chunk.engine}, this worker ${ENGINE_VERSION}. ` +
        "Run one version of the program on all machines",
    );
  }
  let done = 0;
  const computed = await computeChunk(chunk, files, { onTurbine: () => task.report(++done) });
  return { result: await putValue(files, computed) };
}
