import type { Files } from "../../storage/files/files.ts";
import { putValue, readValue } from "../../storage/files/value_file.ts";
import { type Jobs, type JobTask, waitForAbort } from "../../storage/jobs/job.ts";
import type { Sites } from "../keep/sites.ts";
import { Neighbourhood } from "../production/neighbour_production.ts";
import { planSite, type SitePlan } from "./plan_site.ts";
import {
  hasFailed,
  refuseAll,
  type SiteData,
  toFailure,
  type TurbineFailure,
} from "../site_data.ts";
import { type ChunkLimits, type SiteChunk, splitSite } from "./split_site.ts";
import { delay } from "@std/async";
import { ENGINE_VERSION } from "../../windindex/power_model.ts";
import { computeTurbine, type ImportedTurbine } from "../calibration/compute_turbine.ts";

/** A computed turbine, with its hourly model in a file. */
export interface ModelledTurbine extends ImportedTurbine {
  /** Name of the file; `null` without calibration. */
  readonly modelFile: string | null;
}

/**
 * Computes the turbines of a chunk.
 *
 * @param files Receives each hourly model at once: the models of a large fleet would not fit into memory
 * @param options `signal` stops before the next turbine; `onTurbine` is called after each turbine
 * @returns The turbines, with the reason for each one that cannot be computed
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
    await delay(0, signal ? { signal } : {}); // lets Ctrl-C through
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
 * Computes the turbines of a chunk in a file, as a job.
 *
 * @param files Has the chunk, and receives the hourly models and the result
 * @param input Name of the file
 * @param task Receives the number of computed turbines
 * @returns Name of the file with the result
 * @throws {DamagedFileError} If the file is missing or damaged
 * @throws {Error} If the import uses another engine
 */
export async function computeChunkFile(
  files: Files,
  input: string,
  task: Pick<JobTask, "report">,
): Promise<{ readonly result: string }> {
  const chunk = await readValue(files, input) as SiteChunk;
  if (chunk.engine !== ENGINE_VERSION) { // its figures would be stored under the other engine
    throw new Error(
      `Cannot compute turbines: their import uses engine ${chunk.engine}, but this worker uses ${ENGINE_VERSION}. ` +
        "Run the same version of the program on all machines",
    );
  }
  let done = 0;
  const computed = await computeChunk(chunk, files, { onTurbine: () => task.report(++done) });
  return { result: await putValue(files, computed) };
}

/** Options for computing a site. */
export interface ComputeOptions {
  /** Calibrates and chooses the reference period again, even if nothing changed. @default {false} */
  readonly recalibrate?: boolean | undefined;
  /** Limits of the chunks. @default 50 turbines, 128 MB */
  readonly limits?: ChunkLimits;
  /** Jobs that compute the chunks, one job each. @default this thread computes them */
  readonly jobs?: Jobs | undefined;
  /** Stops before the next turbine, or the next result of a job. */
  readonly signal?: AbortSignal | undefined;
  readonly onTurbine?: (() => void) | undefined;
}

/** Result of chunks: turbines, with the reason for each one that cannot be computed. */
type Computed = (ModelledTurbine | TurbineFailure)[];

/** Computes a chunk by a job. No row names its input and result files, so they are removed after a day. */
async function computeByJob(
  input: string,
  files: Files,
  jobs: Jobs,
  onTurbine: () => void,
): Promise<Computed> {
  let reported = 0;
  const report = (done: number) => {
    for (; reported < done; reported++) onTurbine(); // another worker that repeats the job starts from 0
  };
  const { result } = await jobs.run(
    { kind: "compute_chunk", parameters: { input }, turn: "", urgent: false },
    { onProgress: (done) => report(Number(done)) },
  );
  const turbines = await readValue(files, result) as Computed;
  report(turbines.length);
  return turbines;
}

/**
 * Computes the chunks of a site, in this thread or by jobs.
 *
 * @param files Receives hourly models, and passes inputs and results of jobs
 * @returns The turbines, chunk by chunk
 */
async function computeSite(
  chunks: readonly SiteChunk[],
  files: Files,
  { jobs, ...options }: Pick<ComputeOptions, "jobs" | "signal" | "onTurbine">,
): Promise<Computed> {
  if (!jobs) {
    const computed: Computed = [];
    for (const chunk of chunks) computed.push(...await computeChunk(chunk, files, options));
    return computed;
  }
  const { signal, onTurbine = () => {} } = options;
  const results: Promise<Computed>[] = [];
  for (const chunk of chunks) {
    signal?.throwIfAborted();
    const result = computeByJob(await putValue(files, chunk), files, jobs, onTurbine);
    result.catch(() => {}); // thrown below, after all are started
    results.push(result);
  }
  return (await Promise.race([Promise.all(results), waitForAbort(signal)])).flat();
}

/** Moves failed turbines of a site to its failures. */
function withoutFailed(data: SiteData, failed: readonly TurbineFailure[]): SiteData {
  const messages = new Map(failed.map(({ id, message }) => [id, message]));
  const failures = data.turbines.flatMap(({ turbine: { id, latitude, longitude } }) => {
    const message = messages.get(id);
    return message === undefined ? [] : [{ id, message, latitude, longitude }];
  });
  return {
    ...data,
    turbines: data.turbines.filter(({ turbine }) => !messages.has(turbine.id)),
    failures: [...data.failures ?? [], ...failures],
  };
}

/**
 * Computes all turbines of a site that can be computed. A failed turbine is no neighbour any more, so its former
 * neighbours are computed again without it.
 *
 * @throws {ArgumentError} If no turbine can be computed
 */
export async function computeAll(
  data: SiteData,
  sites: Sites,
  changed: ReadonlySet<string>,
  files: Files,
  { recalibrate = false, limits, ...options }: ComputeOptions,
): Promise<{ rest: SiteData; plan: SitePlan; computed: ModelledTurbine[] }> {
  const done = new Map<string, ModelledTurbine>(); // by the hash of inputs
  const { signal } = options;
  let { onTurbine } = options;
  let rest = data;
  while (rest.turbines.length > 0) {
    const { turbines } = rest;
    const neighbours = new Neighbourhood(rest);
    const plan = await planSite(rest, neighbours, sites, changed, { recalibrate, signal });
    for (const _ of plan.kept) onTurbine?.();
    const { earlier, inputs } = plan;
    const find = (position: number) => done.get(inputs.get(turbines[position].turbine.id)!);
    const open = new Map([...earlier].filter(([position]) => !find(position)));
    const chunks = splitSite(rest, neighbours, open, limits);
    const results = await computeSite(chunks, files, { ...options, onTurbine });
    for (const one of results) if (!hasFailed(one)) done.set(inputs.get(one.turbine.id)!, one);
    const failed = [...plan.failures, ...results.filter(hasFailed)];
    if (failed.length === 0) {
      return { rest, plan, computed: [...earlier.keys()].map((position) => find(position)!) };
    }
    rest = withoutFailed(rest, failed);
    onTurbine = undefined; // counts each turbine once
  }
  return refuseAll(rest.site, rest.failures ?? []);
}
