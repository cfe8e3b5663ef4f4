import { delay } from "@std/async";
import { STATUS_CODE } from "@std/http/status";
import { NetworkError, RefusedConnectionError, TimeoutError } from "../../api/errors.ts";
import type { OperationId } from "../../api/operations/operation.ts";
import type { ReadBody } from "./body.ts";
import type { RequestEvent, Transport } from "./transport.ts";
import { STOP_SIGNAL } from "../../show/jupyter.ts";
import { ConnectError, type Exchange, exchange, type OutgoingRequest } from "./exchange.ts";
import { redactUrl } from "./redaction.ts";

/** Longest pause that a service can ask for, ms. */
export const MAX_REQUESTED_PAUSE = 60_000;

/** Longest pause without a `Retry-After`, ms. */
const MAX_BACK_OFF = 20_000;

/** Before the second try the pause is at most twice this, ms. */
const BACK_OFF = 500;

/** Reads the pause of a `Retry-After` header, ms; `undefined` if it is neither seconds nor a future date. */
export function parseRetryAfter(
  retryAfter: string | null,
  now: number = Date.now(),
): number | undefined {
  const text = retryAfter?.trim() ?? "";
  const pause = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return pause >= 0 ? pause : undefined;
}

/**
 * Computes the pause before the next try, ms: the requested one, capped, else a random share of a time that doubles.
 *
 * @param attempt Number of the try that failed, from 1
 * @param retryAfter The header, if there was one
 * @param now Milliseconds since 1970
 * @param random A number from 0 to 1
 */
export function computePause(
  attempt: number,
  retryAfter: string | null,
  now: number = Date.now(),
  random: number = Math.random(),
): number {
  const requested = parseRetryAfter(retryAfter, now);
  return requested === undefined
    ? random * Math.min(MAX_BACK_OFF, BACK_OFF * 2 ** attempt)
    : Math.min(requested, MAX_REQUESTED_PAUSE);
}

/** Tries of a safe request before its failure is thrown. */
export const MAX_TRIES = 3;

/** Longest time that a safe request is repeated while the service is too busy, ms. */
const MAX_BUSY_WAIT = 120_000;

/** Most tries within that time, even if the pauses are short. */
const MAX_BUSY_TRIES = 20;

/** Statuses that mean too many requests of the licence. */
const busyStatuses: readonly number[] = [STATUS_CODE.NotAcceptable, STATUS_CODE.TooManyRequests];

/** A request and how it may be sent. */
interface RetryableRequest extends Omit<OutgoingRequest, "headers"> {
  /** Further headers, built for each try. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** Operation of the API; `undefined` for the file of an order. */
  readonly operation?: OperationId;
  /** Whether it may be sent twice. */
  readonly safe: boolean;
  /** Cancels the call. */
  readonly signal?: AbortSignal | undefined;
  /** Deadline of the outer request, on the clock of `performance.now()`; a nested request does not wait for a slot. */
  readonly within?: number | undefined;
}

/** Whether a retry may succeed after a failure. */
function isTransientFailure(failure: unknown, safe: boolean): boolean {
  if (failure instanceof RefusedConnectionError) return false;
  if (!safe) return failure instanceof ConnectError; // nothing was sent
  return failure instanceof NetworkError || failure instanceof TimeoutError;
}

/** Whether a later request may get another status. */
function isTransientStatus(status: number): boolean {
  return status >= 500 || status === STATUS_CODE.RequestTimeout || busyStatuses.includes(status);
}

/** The signal of a call; in our kernel the stop button aborts it too. */
function addStop(signal: AbortSignal | undefined): AbortSignal | undefined {
  const find = Reflect.get(globalThis, Symbol.for(STOP_SIGNAL)) as (() => AbortSignal) | undefined;
  return find ? AbortSignal.any([find(), ...signal ? [signal] : []]) : signal;
}

/** Calls the caller's listener; an error in it does not end the request. */
async function notifyListener(transport: Transport, event: RequestEvent): Promise<void> {
  try {
    await transport.onRequest?.(event);
  } catch (error) {
    console.error("The onRequest callback of the connection failed:", error);
  }
}

/**
 * Sends a request until it succeeds, its failure is permanent, or tries or time are used up.
 *
 * @returns The last answer, whatever its status
 * @throws {VindkitError} The last failure, if there was no answer
 */
export async function sendWithRetries<T>(
  transport: Transport,
  request: RetryableRequest,
  read: ReadBody<T>,
): Promise<Exchange<T>> {
  const { url, safeUrl = redactUrl(url), safe, operation, within } = request;
  const signal = addStop(request.signal);
  const { limiter, timeouts } = transport;
  // The time of a call starts when it gets a slot: the wait before may be long.
  const turnBy = performance.now() + timeouts.total;
  let deadline = within ?? Infinity;
  let busyUntil = Infinity;
  for (let attempt = 1, tries = 1;; attempt++) {
    let sentAt: number | undefined;
    const send = () => {
      sentAt = performance.now();
      if (attempt === 1) {
        deadline = Math.min(sentAt + timeouts.total, deadline);
        busyUntil = Math.min(sentAt + MAX_BUSY_WAIT, deadline);
      }
      const limits = { deadline, headers: timeouts.headers, idle: timeouts.idle, signal };
      const outgoing = { ...request, safeUrl, headers: request.headers?.() ?? {} };
      return exchange(transport, outgoing, limits, read);
    };
    let answer: Exchange<T> | undefined;
    let failure: unknown;
    try {
      answer = within === undefined
        ? await limiter.run(send, attempt === 1 ? turnBy : deadline, signal)
        : await send();
    } catch (error) {
      failure = error;
    }
    if (sentAt === undefined) throw failure; // timed out waiting for a free slot: nothing was sent
    const busy = answer !== undefined && busyStatuses.includes(answer.status);
    if (busy) limiter.noteRefusal(sentAt);
    else if (answer && answer.status < 500) limiter.noteSuccess();
    const again = answer
      ? safe && isTransientStatus(answer.status) &&
        (busy ? attempt < MAX_BUSY_TRIES : tries < MAX_TRIES)
      : isTransientFailure(failure, safe) && tries < MAX_TRIES;
    const pause = computePause(attempt, answer?.headers.get("retry-after") ?? null);
    const now = performance.now();
    const willRetry = again && now + pause < (busy ? busyUntil : deadline);
    await notifyListener(transport, {
      operation,
      url: safeUrl,
      attempt,
      ...(answer ? { status: answer.status } : { error: failure }),
      milliseconds: now - sentAt,
      ...(willRetry ? { retryIn: pause } : {}),
    });
    if (!willRetry) {
      if (!answer) throw failure;
      return answer;
    }
    if (!busy) tries++; // a busy service is not a failure
    await delay(pause, signal ? { signal } : {});
  }
}
