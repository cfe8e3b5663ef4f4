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
      `Cannot compute turbines: their import uses engine ${chunk.engine}, but this worker uses ${ENGINE_VERSION}. ` +
        "Run the same version of the program on all machines",
    );
  }
  let done = 0;
  const computed = await computeChunk(chunk, files, { onTurbine: () => task.report(++done) });
  return { result: await putValue(files, computed) };
}

/** How a site is computed. */
export interface ComputeOptions {
  /** Calibrates and chooses the reference period again, also where nothing changed. @default {false} */
  readonly recalibrate?: boolean | undefined;
  /** How large the chunks are in which it is computed. @default 50 turbines, 128 MB */
  readonly limits?: ChunkLimits;
  /** Jobs that compute the chunks, one each; this thread does it unless they are given. */
  readonly jobs?: Jobs | undefined;
  /** Stops before the next turbine, or the next result of a job. */
  readonly signal?: AbortSignal | undefined;
  readonly onTurbine?: (() => void) | undefined;
}

/** What comes of chunks: turbines, or why their figures cannot be computed. */
type Computed = (ModelledTurbine | TurbineFailure)[];

/** Computes a chunk by a job: input and result are files that no row names, which are removed after a day. */
async function computeByJob(
  input: string,
  files: Files,
  jobs: Jobs,
  onTurbine: () => void,
): Promise<Computed> {
  let heard = 0;
  const hear = (done: number) => {
    for (; heard < done; heard++) onTurbine(); // a job that another worker begins again starts from 0
  };
  const { result } = await jobs.run(
    { kind: "compute_chunk", parameters: { input }, turn: "", urgent: false },
    { onProgress: (done) => hear(Number(done)) },
  );
  const turbines = await readValue(files, result) as Computed;
  hear(turbines.length);
  return turbines;
}

/**
 * Computes the chunks of a site, in this thread or by jobs.
 *
 * @param files Where hourly models go, and where jobs find their input and leave what comes of them
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
    result.catch(() => {}); // thrown below, once all are under way
    results.push(result);
  }
  return (await Promise.race([Promise.all(results), waitForAbort(signal)])).flat();
}

/** The site without turbines that failed, which are among its failures. */
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
 * Computes the turbines of a site that can be computed. One that fails is no neighbour of others: those that had it are
 * computed once more, without it.
 *
 * @throws {ArgumentError} If none can be computed
 */
export async function computeRest(
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
    onTurbine = undefined; // each counts once
  }
  return refuseAll(rest.site, rest.failures ?? []);
}
