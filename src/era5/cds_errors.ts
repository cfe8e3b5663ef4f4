import { z } from "zod";
import {
  ArgumentError,
  type ErrorFacts,
  LicenceError,
  NoAccessError,
  NotFoundError,
  OrderFailedError,
  ServiceError,
  TooManyRequestsError,
  type VindkitError,
} from "../api/errors.ts";
import type { Transport } from "../client/http/transport.ts";
import { PROFILE } from "./find_cds_access.ts";
import { quote, quoteEnd, type SourceAnswer, type SourceTransport } from "./source_link.ts";

/** A request exceeds the cost limit of the Climate Data Store: parts of it may be small enough. */
export class CostLimitError extends NoAccessError {
  override name = "NoAccessError"; // the class that callers check for
}

/** A job without a file, although the same request may succeed if sent again. */
export class LostJobError extends OrderFailedError {
  override name = "OrderFailedError"; // the class that callers check for
  /** Whether the queue was full; then the request is sent again after a pause. */
  readonly queueFull: boolean;

  constructor(message: string, facts: ErrorFacts = {}, queueFull = false) {
    super(message, facts);
    this.queueFull = queueFull;
  }
}

/** A job that failed because none of the requested data are published yet. */
export class UnpublishedError extends OrderFailedError {
  override name = "OrderFailedError"; // the class that callers check for
}

/** A text of an error document, which may be absent, null or something else. */
const text = z.string().catch("");
const problemSchema = z.object({ title: text, detail: text, traceback: text });

/** Reads the error document of an answer; texts are empty without one. */
function readProblem({ json }: SourceAnswer): z.infer<typeof problemSchema> {
  return problemSchema.safeParse(json).data ?? { title: "", detail: "", traceback: "" };
}

/** Whether an answer says that the results are not ready yet. */
export function isEarly({ status, json }: SourceAnswer): boolean {
  return status === 404 && /not.ready/.test(JSON.stringify(json ?? ""));
}

/**
 * Builds the error of a job without results.
 *
 * @param answer The answer of the job's results, which states the reason
 */
export function buildJobError(
  jobId: string,
  answer: SourceAnswer,
  transport: Transport,
): VindkitError {
  const { title, detail, traceback } = readProblem(answer);
  const text = traceback || detail || title || answer.excerpt;
  const reason = quoteEnd(text, transport);
  const message =
    `Cannot use job ${jobId}: the Climate Data Store reports that the job failed (${reason})`;
  const facts = { status: answer.status, url: answer.url };
  if (/available yet|embargo/i.test(text)) return new UnpublishedError(message, facts);
  return /queued requests[^]*limited|temporarily limited/i.test(text)
    ? new LostJobError(message, {
      ...facts,
      hint:
        "The queue is full. Try again later, and delete requests that you no longer need on https://cds.climate.copernicus.eu/requests",
    }, true)
    : new OrderFailedError(message, {
      ...facts,
      hint: "Check whether the dataset has the requested period. If it does, try again later",
    });
}

/** Builds the error for an answer without success. The title distinguishes refusals with the same status. */
export function buildCdsError(
  what: string,
  answer: SourceAnswer,
  transport: SourceTransport,
): VindkitError {
  const { status, url } = answer;
  const { title, detail } = readProblem(answer);
  const text = quote([title, detail === title ? "" : detail].filter(Boolean).join(": "), transport);
  const reason = text || answer.excerpt || `the store answered ${status}`;
  const message = `Cannot ${what}: ${reason} (HTTP status ${status})`;
  const facts = (hint?: string) => ({ status, url, hint });
  switch (status) {
    case 401:
      return new LicenceError(
        message,
        facts(`Check the key in ${transport.read.key}. ${PROFILE} shows the key`),
      );
    case 403: {
      if (/cost limit/i.test(title)) {
        const smallest = "A month is the smallest request. Request one point instead of four, ";
        return new CostLimitError(message, facts(`${smallest}or another source`));
      }
      if (!/licence/i.test(title)) return new NoAccessError(message, facts());
      const page = /https?:\/\/\S+/.exec(detail)?.[0];
      const where = page ? quote(page, transport) : "the page of the dataset";
      return new NoAccessError(
        message,
        facts(`Open ${where}, accept the licence there once, then run the same call again`),
      );
    }
    case 400:
    case 422:
      return new ArgumentError(message, facts("Check the place and the period"));
    case 404:
      return new NotFoundError(
        message,
        facts(
          `Check the address in ${transport.read.url}. If it is right, the dataset was probably renamed`,
        ),
      );
    case 429:
      return new TooManyRequestsError(message, facts("Wait, then request less at a time"));
    default:
      return new ServiceError(message, facts("Try again later"));
  }
}
