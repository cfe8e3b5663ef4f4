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
} from "../../api/errors.ts";
import type { Transport } from "../http/transport.ts";
import { PROFILE } from "./cds_access.ts";
import { quote, type SourceAnswer } from "./source_link.ts";

/** A request is larger than the Climate Data Store allows: parts of it may be small enough. */
export class CostLimitError extends NoAccessError {
  override name = "NoAccessError"; // the class that callers check for
}

/** Why a job gives no file although nothing is wrong with its request: another one may. */
export type LossReason = "queue full" | "expired" | "dismissed";

/** A job that gives no file, while the same request sent anew may. */
export class LostJobError extends OrderFailedError {
  override name = "OrderFailedError"; // the class that callers check for
  /** Why. */
  readonly reason: LossReason;

  /** Makes the error of a job. */
  constructor(message: string, reason: LossReason, facts: ErrorFacts = {}) {
    super(message, facts);
    this.reason = reason;
  }
}

const problemSchema = z.object({
  title: z.string().default(""),
  detail: z.unknown().transform((detail) => typeof detail === "string" ? detail : ""),
  traceback: z.string().default(""),
});

/** Reads the error document of an answer; empty texts where it has none. */
function readProblem({ json }: SourceAnswer): z.infer<typeof problemSchema> {
  return problemSchema.safeParse(json).data ?? { title: "", detail: "", traceback: "" };
}

/** Whether an answer says that the results have expired; a job without them yet has another title. */
export function hasExpired(answer: SourceAnswer): boolean {
  return answer.status === 404 && /expired/i.test(readProblem(answer).title);
}

/** Whether an answer says that the results are not ready yet. */
export function isEarly({ status, json }: SourceAnswer): boolean {
  return status === 404 && /not.ready/.test(JSON.stringify(json ?? ""));
}

/**
 * Builds the error of a job without results.
 *
 * @param jobId Identifier of the job
 * @param answer The answer of its results, which has the reason
 */
export function buildJobError(
  jobId: string,
  answer: SourceAnswer,
  transport: Transport,
): VindkitError {
  const { detail, traceback } = readProblem(answer);
  const reason = quote(traceback || detail || answer.excerpt, transport);
  const message = `Cannot use job ${jobId} of the Climate Data Store: it failed: ${reason}`;
  const facts = { status: answer.status, url: answer.url };
  return /queued requests .*limited|temporarily limited/i.test(reason)
    ? new LostJobError(message, "queue full", {
      ...facts,
      hint: "Its queue is full. Try again later, and delete requests that you no longer need on " +
        "https://cds.climate.copernicus.eu/requests",
    })
    : new OrderFailedError(message, {
      ...facts,
      hint: "Look whether the dataset has the period that was asked for; else try again later",
    });
}

/**
 * Builds the error for an answer without success. Refusals of one status are told apart by their titles.
 *
 * @param what What was tried, such as "order reanalysis-era5-single-levels"
 */
export function buildCdsError(
  what: string,
  answer: SourceAnswer,
  transport: Transport,
): VindkitError {
  const { status, url } = answer;
  const { title, detail } = readProblem(answer);
  const said = quote([title, detail === title ? "" : detail].filter(Boolean).join(": "), transport);
  const found = said || answer.excerpt || `it answered ${status}`;
  const message = `Cannot ${what}: ${found} (${status})`;
  const facts = { status, url };
  switch (status) {
    case 401:
      return new LicenceError(message, {
        ...facts,
        hint: `Check CDSAPI_KEY or ~/.cdsapirc: ${PROFILE} shows the key`,
      });
    case 403: {
      if (/cost limit/i.test(title)) {
        return new CostLimitError(message, { ...facts, hint: "Ask for a shorter period" });
      }
      if (!/licence/i.test(title)) return new NoAccessError(message, facts);
      const page = /https?:\/\/\S+/.exec(detail)?.[0];
      return new NoAccessError(message, {
        ...facts,
        hint: `Open ${
          page ? quote(page, transport) : "the page of the dataset"
        }, accept the licence there once, then run the same again`,
      });
    }
    case 400:
    case 422:
      return new ArgumentError(message, { ...facts, hint: "Look at place and period" });
    case 404:
      return new NotFoundError(message, {
        ...facts,
        hint: "Check CDSAPI_URL; the dataset may have been renamed",
      });
    case 429:
      return new TooManyRequestsError(message, {
        ...facts,
        hint: "Wait, and request less at once",
      });
    default:
      return new ServiceError(message, { ...facts, hint: "Try again later" });
  }
}
