import { STATUS_CODE } from "@std/http/status";
import { z } from "zod";
import { DataFormatError } from "../api/errors.ts";
import { describeMisfit } from "../client/answers/read_answer.ts";
import { buildCdsError, buildJobError, isEarly, LostJobError } from "./cds_errors.ts";
import { quote, requestSource, type SourceAnswer, type SourceTransport } from "./source_link.ts";

/** A request to the Climate Data Store: a dataset and its inputs. */
export interface CdsInputs {
  /** Identifier of the dataset. */
  readonly dataset: string;
  /** Inputs by their names in the API. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** The file of a job. */
export interface JobFile {
  /** Address of the file. */
  readonly url: string;
  /** Size, bytes, if stated. */
  readonly size: number | undefined;
}

const linkSchema = z.object({ rel: z.string(), href: z.string() });
const jobSchema = z.object({
  jobID: z.string().regex(/^[\w-]{1,128}$/),
  processID: z.string().optional(),
  status: z.string(),
  created: z.string().optional(),
  links: z.array(linkSchema).default([]),
  metadata: z.object({
    request: z.object({ ids: z.record(z.string(), z.unknown()).optional() }).nullish(),
    log: z.array(z.tuple([z.unknown(), z.string()])).nullish(),
    datasetMetadata: z.object({
      messages: z.array(z.object({
        severity: z.string().nullish(),
        content: z.string().nullish(),
      })).nullish(),
    }).nullish(),
  }).nullish(),
});
const jobsSchema = z.object({ jobs: z.array(jobSchema) });
const resultsSchema = z.object({
  asset: z.object({
    value: z.object({ href: z.string(), "file:size": z.int().min(0).nullish() }),
  }),
});

/** Reads the answer of a request that must succeed. */
function parse<T>(
  schema: z.ZodType<T>,
  what: string,
  answer: SourceAnswer,
  transport: SourceTransport,
): T {
  const { json, url, status } = answer;
  if (status !== STATUS_CODE.OK && status !== STATUS_CODE.Created) {
    throw buildCdsError(what, answer, transport);
  }
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  throw new DataFormatError(
    `Cannot use the answer of ${url}: ${describeMisfit(result.error, json)}`,
    {
      url,
      hint: `Check the address in ${transport.read.url}, and whether a proxy answered instead`,
    },
  );
}

function buildJobUrl({ baseUrl }: SourceTransport, jobId: string): string {
  return `${baseUrl}/retrieve/v1/jobs/${jobId}`;
}

/**
 * Submits a request once. It is not retried here, because an answer may be lost after the job was accepted.
 *
 * @param onSend Called when the request is sent
 * @returns The answer, and the identifier of the job if it was accepted
 */
export async function submitJob(
  transport: SourceTransport,
  { dataset, inputs }: CdsInputs,
  signal: AbortSignal | undefined,
  onSend: () => void,
): Promise<{ readonly answer: SourceAnswer; readonly jobId: string | undefined }> {
  const answer = await requestSource(transport, {
    method: "POST",
    url: `${transport.baseUrl}/retrieve/v1/processes/${dataset}/execution`,
    json: { inputs },
    safe: false,
    signal,
    onSend,
  });
  if (answer.status !== STATUS_CODE.Created && answer.status !== STATUS_CODE.OK) {
    return { answer, jobId: undefined };
  }
  // In this answer, `self` is the address of the submission and `monitor` the address of the job.
  const { links, jobID } = parse(jobSchema, "order", answer, transport);
  const monitor = links.find(({ rel }) => rel === "monitor")?.href.replace(/[?#].*$/, "");
  const jobId = monitor?.slice(monitor.lastIndexOf("/") + 1);
  return { answer, jobId: jobId && /^[\w-]{1,128}$/.test(jobId) ? jobId : jobID };
}

function toText(value: unknown): string {
  return JSON.stringify([value].flat());
}

/** States of jobs without a file: another job may have replaced them. */
const USELESS = ["failed", "rejected", "dismissed", "deleted"];

/**
 * Looks for the job of a request whose answer was lost.
 *
 * @param since Earliest time at which the request may have been sent, ms since 1970 UTC
 * @returns Identifier of the job; `undefined` if no job has these inputs
 */
export async function findJob(
  transport: SourceTransport,
  { dataset, inputs }: CdsInputs,
  since: number,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const url = `${transport.baseUrl}/retrieve/v1/jobs?sortby=-created&limit=100`;
  const answer = await requestSource(transport, { url, signal });
  const { jobs } = parse(jobsSchema, "list the jobs of the Climate Data Store", answer, transport);
  for (const { jobID, processID, created, status } of jobs) {
    const at = created === undefined ? since : Date.parse(created.replace(/Z?$/, "Z"));
    if (processID !== dataset || at < since || USELESS.includes(status)) continue;
    const job = await requestSource(transport, {
      url: `${buildJobUrl(transport, jobID)}?request=true`,
      signal,
    });
    if (job.status !== STATUS_CODE.OK) continue; // deleted meanwhile
    const ids = parse(jobSchema, `read job ${jobID}`, job, transport).metadata?.request?.ids ?? {};
    if (Object.entries(inputs).every(([name, value]) => toText(ids[name]) === toText(value))) {
      return jobID;
    }
  }
}

/** Statuses for a job that was deleted or belongs to another account. */
const GONE: readonly number[] = [STATUS_CODE.NotFound, STATUS_CODE.Forbidden];

/**
 * Reads the state of a job.
 *
 * @returns State as the service names it, such as `running`, and its warnings about the job or its dataset
 * @throws {LostJobError} If the service does not know the job
 */
export async function readJob(
  transport: SourceTransport,
  jobId: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly status: string; readonly warnings: readonly string[] }> {
  const url = `${buildJobUrl(transport, jobId)}?log=true`;
  const answer = await requestSource(transport, { url, signal });
  if (GONE.includes(answer.status)) {
    throw new LostJobError(
      `Cannot use job ${jobId}: it was deleted, or it belongs to another account. Repeat the call to request a new job`,
    );
  }
  const { status, metadata } = parse(jobSchema, `read job ${jobId}`, answer, transport);
  const warnings = [
    ...(metadata?.log ?? []).map(([, text]) => text).filter((text) => /^WARNING/.test(text)),
    ...(metadata?.datasetMetadata?.messages ?? [])
      .flatMap(({ severity, content }) =>
        /warn|error|critical/i.test(severity ?? "") ? content ?? [] : []
      ),
  ];
  return { status, warnings: warnings.map((text) => quote(text, transport)) };
}

/**
 * Reads the address of the file of a finished job.
 *
 * @returns `undefined` if it is not ready yet
 * @throws {LostJobError} If its results have expired, or the queue was full
 * @throws {OrderFailedError} If the job failed; the message has the reason
 */
export async function readResults(
  transport: SourceTransport,
  jobId: string,
  signal: AbortSignal | undefined,
): Promise<JobFile | undefined> {
  // Built from the identifier, because a rejected job has no link to its results.
  const url = `${buildJobUrl(transport, jobId)}/results`;
  const answer = await requestSource(transport, { url, signal });
  if (answer.status === STATUS_CODE.BadRequest) throw buildJobError(jobId, answer, transport);
  if (isEarly(answer)) return undefined;
  if (GONE.includes(answer.status)) {
    throw new LostJobError(
      `Cannot use job ${jobId}: its results have expired, or it was deleted. Repeat the call to request a new job`,
    );
  }
  const what = `read the results of job ${jobId}`;
  const { value } = parse(resultsSchema, what, answer, transport).asset;
  const file = URL.parse(value.href, url);
  if (!file) {
    throw new DataFormatError(
      `Cannot use the results of job ${jobId}: their address is not a URL. Delete the job on https://cds.climate.copernicus.eu/requests, then repeat the call`,
    );
  }
  return { url: file.href, size: value["file:size"] ?? undefined };
}

/**
 * Deletes a job, so it takes no place in the queue.
 *
 * @returns Whether the job is gone; a missing answer is no error, because the file was already downloaded
 */
export async function deleteJob(
  transport: SourceTransport,
  jobId: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const url = buildJobUrl(transport, jobId);
  try {
    const { status } = await requestSource(transport, { method: "DELETE", url, signal });
    return status < 300 || GONE.includes(status);
  } catch {
    return false;
  }
}
