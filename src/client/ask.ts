import { delay } from "@std/async";
import { NetworkError, TimeoutError, type VindkitError } from "../api/errors.ts";
import type { Operation, OperationId } from "../api/operation.ts";
import { operationOf } from "../api/operations.ts";
import { type ParameterValues, requestPath } from "../api/request_path.ts";
import { STATUS_CODE } from "@std/http/status";
import { type CallOptions, connectionOf } from "./default_connection.ts";
import { assertNoPage, type Excerpt, excerptOf } from "./excerpt.ts";
import { errorOfAnswer } from "./error_of_answer.ts";
import { type Exchange, exchange, RedirectError, shownUrl } from "./exchange.ts";

/** Times that a safe request is sent before its failure is told. */
export const MAX_TRIES = 3;

/** Longest pause between two tries, ms. */
const MAX_PAUSE = 20_000;

/** Operations that change something: a second request could place a second order or issue a second key. */
const unsafe: readonly OperationId[] = ["place_order", "api_key"];

/** Statuses that a later request may not get. */
const passing: readonly number[] = [
  STATUS_CODE.TooManyRequests,
  502,
  STATUS_CODE.ServiceUnavailable,
  504,
];

/** The successful answer to a call. */
export interface Answer extends Exchange {
  /** The operation. */
  readonly operation: Operation;
  /** Parameters that were sent, by wire name. */
  readonly parameters: Readonly<Record<string, string | number>>;
  /** Address, without secrets. */
  readonly url: string;
  /** When the answer was there, ISO 8601 UTC. */
  readonly fetchedAt: string;
  /** The beginning of its body for a message, without secrets. */
  readonly excerpt: Excerpt;
}

/** Pause before the next try, ms: what the service asks for, in seconds or as a date, else a random share of a growing time. */
function pauseBefore(attempt: number, retryAfter: string | null): number {
  const seconds = retryAfter === null ? NaN : Number(retryAfter);
  const asked = Number.isNaN(seconds) ? Date.parse(retryAfter ?? "") - Date.now() : seconds * 1000;
  return asked >= 0
    ? Math.min(asked, MAX_PAUSE)
    : Math.random() * Math.min(MAX_PAUSE, 500 * 2 ** attempt);
}

/**
 * Calls an operation.
 *
 * @param id The operation
 * @param values Its parameters by wire name
 * @param options Connection and signal
 * @throws {ArgumentError} If a parameter is not allowed, before anything is sent
 * @throws {VindkitError} The class that the status means in this operation, or a timeout or network error
 */
export async function ask(
  id: OperationId,
  values: ParameterValues,
  options: CallOptions,
): Promise<Answer> {
  const operation = operationOf(id);
  const path = requestPath(operation, values);
  const connection = connectionOf(options);
  const { exchange: result, url } = await tryUntil(
    connection.baseUrl + path,
    unsafe.includes(id) ? 1 : MAX_TRIES,
    options,
  );
  const excerpt = excerptOf(operation, values, connection);
  if (result.status !== STATUS_CODE.OK) throw errorOfAnswer(operation, result, url, excerpt);
  assertNoPage(operation, result, url, excerpt);
  const parameters = Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Record<string, string | number>;
  const fetchedAt = Temporal.Now.instant().toString();
  return { ...result, operation, parameters, url, fetchedAt, excerpt };
}

/** Sends a request until it succeeds, its failure is no passing one, or the tries are used up. */
export async function tryUntil(
  url: string,
  tries: number,
  options: CallOptions,
): Promise<{ exchange: Exchange; url: string }> {
  const connection = connectionOf(options);
  const limits = {
    deadline: performance.now() + connection.timeout,
    signal: options.signal,
  };
  for (let attempt = 1;; attempt++) {
    let failure: VindkitError | undefined;
    let retryAfter: string | null = null;
    let result: Exchange | undefined;
    try {
      result = await exchange(connection, url, limits);
      if (!passing.includes(result.status) || attempt >= tries) {
        return { exchange: result, url: shownUrl(url) };
      }
      retryAfter = result.headers.get("retry-after");
    } catch (error) {
      const passes = error instanceof NetworkError || error instanceof TimeoutError;
      if (!passes || error instanceof RedirectError || attempt >= tries) throw error;
      failure = error;
    }
    const pause = pauseBefore(attempt, retryAfter);
    if (performance.now() + pause > limits.deadline) {
      if (failure) throw failure;
      return { exchange: result!, url: shownUrl(url) };
    }
    await delay(pause, options.signal ? { signal: options.signal } : {});
  }
}
