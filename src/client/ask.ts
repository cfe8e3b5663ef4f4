import { delay } from "@std/async";
import { NetworkError, TimeoutError, type VindkitError } from "../api/errors.ts";
import type { Operation, OperationId } from "../api/operation.ts";
import { operationOf } from "../api/operations.ts";
import { type ParameterValues, requestPath } from "../api/request_path.ts";
import { STATUS_CODE } from "@std/http/status";
import { type CallOptions, connectionOf } from "./default_connection.ts";
import { errorOfAnswer } from "./error_of_answer.ts";
import { type Exchange, exchange, shownUrl } from "./exchange.ts";

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
}

/** Pause before the next try, ms: what the service asks for, else a random share of a growing time. */
function pauseBefore(attempt: number, retryAfter: string | null): number {
  const asked = Number(retryAfter) * 1000;
  return retryAfter !== null && asked >= 0
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
  if (result.status !== STATUS_CODE.OK) throw errorOfAnswer(operation, result, url);
  const parameters = Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Record<string, string | number>;
  return { ...result, operation, parameters, url, fetchedAt: Temporal.Now.instant().toString() };
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
    try {
      const result = await exchange(connection, url, limits);
      if (!passing.includes(result.status) || attempt >= tries) {
        return { exchange: result, url: shownUrl(url) };
      }
      retryAfter = result.headers.get("retry-after");
    } catch (error) {
      if (!(error instanceof NetworkError || error instanceof TimeoutError)) throw error;
      failure = error;
    }
    const pause = pauseBefore(attempt, retryAfter);
    if (failure && (attempt >= tries || performance.now() + pause > limits.deadline)) throw failure;
    await delay(pause, options.signal ? { signal: options.signal } : {});
  }
}
