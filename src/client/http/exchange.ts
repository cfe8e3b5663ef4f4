import { describeProxy, type Transport } from "./transport.ts";
import { STATUS_CODE } from "@std/http/status";
import {
  NetworkError,
  RefusedConnectionError,
  TimeoutError,
  VindkitError,
} from "../../api/errors.ts";
import { adviseGrant } from "../../disk/denial.ts";
import { isLoopback, judgeAddress } from "./address.ts";
import type { ReadBody } from "./body.ts";
import { redactUrl } from "./redaction.ts";

/** The connection was not established: nothing was sent, so even an order may be sent again. */
export class ConnectError extends NetworkError {
  override name = "NetworkError"; // the class that callers check for
}

/** The certificate or the secure connection failed: a retry would fail, too. */
export class TlsError extends RefusedConnectionError {}

/** The cause behind Deno's "fetch failed", without the address, which may have private parameters. */
function readReason(error: unknown): { phase: string; text: string } {
  const { message, cause } = error as Error;
  const full = cause instanceof Error ? cause.message : message;
  const [, phase = "", text = ""] = /client error \((\w+)\)(?:: (.*))?$/s.exec(full) ?? [];
  return { phase, text: text || full.replaceAll(/\S*https?:\/\/\S+/g, "the address") };
}

/**
 * Builds the error for a failed fetch.
 *
 * @param safeUrl Address, without secrets
 * @param address Address after redirects
 */
export function buildNetworkError(
  error: unknown,
  safeUrl: string,
  address = safeUrl,
): NetworkError {
  if (error instanceof Deno.errors.NotCapable) {
    const { host } = new URL(address);
    return new RefusedConnectionError(
      `Cannot fetch ${safeUrl}: this program has no permission to reach ${host}`,
      { url: safeUrl, hint: adviseGrant(host, "net") },
    );
  }
  const { phase, text } = readReason(error);
  const proxy = describeProxy(safeUrl);
  const message = `Cannot fetch ${safeUrl}${proxy ? ` through ${proxy}` : ""}: ${text}`;
  if (phase !== "Connect") {
    return new NetworkError(message, { url: safeUrl, hint: "Check the address and the network" });
  }
  if (/certificate|tls|ssl|handshake|peer|alert|corrupt message/i.test(text)) {
    return new TlsError(message, {
      url: safeUrl,
      hint:
        "Check the address. If a company proxy is in between, name its certificate in DENO_CERT",
    });
  }
  return new ConnectError(message, { url: safeUrl, hint: "Check the address and the network" });
}

/** Time limits of a request. */
export interface RequestLimits {
  /** Instant by which the whole call must be done, on the clock of `performance.now()`. */
  readonly deadline: number;
  /** Longest wait for the headers, ms. */
  readonly headers: number;
  /** Longest wait for the next part of the body, ms. */
  readonly idle: number;
  /** Cancels the request. */
  readonly signal: AbortSignal | undefined;
}

/** Longest timer of the runtime, ms; a longer one would fire at once. */
const MAX_TIMER = 2 ** 31 - 1;

/** The timers of one request: one for the whole call, one for the current wait. When one fires, `signal` is aborted. */
class RequestTimers {
  /** Aborted when a timer fires or the caller's signal is. */
  readonly signal: AbortSignal;
  readonly #limits: RequestLimits;
  readonly #safeUrl: string;
  readonly #controller = new AbortController();
  readonly #callTimer: ReturnType<typeof setTimeout>;
  #waitTimer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Starts the timer for the whole call.
   *
   * @param safeUrl Address, without secrets, for messages
   */
  constructor(limits: RequestLimits, safeUrl: string) {
    this.#limits = limits;
    this.#safeUrl = safeUrl;
    this.signal = AbortSignal.any([
      this.#controller.signal,
      ...limits.signal ? [limits.signal] : [],
    ]);
    this.#callTimer = this.#startTimer(
      Math.max(0, limits.deadline - performance.now()),
      "the request took longer than the timeout of the call",
      "Give connect() a longer timeout",
    );
  }

  /** Starts the timer for headers or data. */
  startWaiting(awaited: "headers" | "data"): void {
    this.stopWaiting();
    const longest = awaited === "headers" ? this.#limits.headers : this.#limits.idle;
    this.#waitTimer = this.#startTimer(
      longest,
      `the service sent no ${awaited} for ${longest / 1000} s`,
      "Try again later",
    );
  }

  /** Stops that timer: the time that the caller spends on a part does not count. */
  stopWaiting(): void {
    clearTimeout(this.#waitTimer);
  }

  /** Clears all timers. */
  end(): void {
    this.stopWaiting();
    clearTimeout(this.#callTimer);
  }

  #startTimer(after: number, problem: string, hint: string): ReturnType<typeof setTimeout> {
    const abort = () =>
      this.#controller.abort(
        new TimeoutError(`Cannot fetch ${this.#safeUrl}: ${problem}`, { url: this.#safeUrl, hint }),
      );
    return setTimeout(abort, Math.min(after, MAX_TIMER));
  }
}

/** Redirects followed before giving up. */
export const MAX_REDIRECTS = 5;

/** A redirect that must not be followed; a retry would meet it again. */
class RedirectError extends RefusedConnectionError {}

/** A request; the key is added if the address may receive it. */
export interface OutgoingRequest {
  /** Method; redirects are followed for GET only. @default {"GET"} */
  readonly method?: "GET" | "POST" | "DELETE" | undefined;
  /** Text that is sent. */
  readonly body?: string | undefined;
  /** Address, with its query. */
  readonly url: string;
  /** The address for messages. @default the address without private values */
  readonly safeUrl?: string | undefined;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called when it is sent. */
  readonly onSend?: (() => void) | undefined;
}

/** An answer whose body was read. */
export interface Exchange<T> {
  /** HTTP status. */
  readonly status: number;
  readonly headers: Headers;
  /** What `read` returned for the body. */
  readonly value: T;
}

/**
 * Sends a request and reads the answer. The key goes to the service's own origin only; redirects are followed by hand.
 *
 * @throws {TimeoutError} If headers or the next part of the body take too long, or the deadline passes
 * @throws {NetworkError} If the service cannot be reached, or the answer breaks off
 */
export async function exchange<T>(
  transport: Transport,
  outgoing: OutgoingRequest,
  limits: RequestLimits,
  read: ReadBody<T>,
): Promise<Exchange<T>> {
  limits.signal?.throwIfAborted();
  const safeUrl = outgoing.safeUrl ?? redactUrl(outgoing.url);
  const timers = new RequestTimers(limits, safeUrl);
  let response: Response | undefined;
  try {
    outgoing.onSend?.();
    timers.startWaiting("headers");
    response = await followRedirects(transport, outgoing, timers.signal);
    timers.stopWaiting();
    const { status, headers } = response;
    const framed = headers.has("content-length") || headers.has("transfer-encoding") ||
      transport.inProcess;
    const packed = headers.has("content-encoding"); // fetch() yields unpacked bytes in parts of 4 KiB
    const parts = packed
      ? joinParts(readParts(response, timers, safeUrl))
      : readParts(response, timers, safeUrl);
    const value = await read({ status, headers, framed, parts, deadline: limits.deadline });
    return { status, headers, value };
  } catch (error) {
    throw timers.signal.aborted ? timers.signal.reason : error;
  } finally {
    timers.end();
    if (response?.body && !response.body.locked) await response.body.cancel().catch(() => {}); // read or given up
  }
}

async function* readParts(
  response: Response,
  timers: RequestTimers,
  safeUrl: string,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (!response.body) return;
  const parts = response.body.values(); // leaving early cancels it
  try {
    while (true) {
      timers.startWaiting("data");
      const { done, value } = await parts.next().catch((error) => {
        throw buildNetworkError(error, safeUrl);
      });
      timers.stopWaiting();
      if (done) return;
      yield value;
    }
  } finally {
    await parts.return?.().catch(() => {}); // it may have failed
  }
}

/** Bytes up to which small parts are joined: every part costs a turn in each reader of the body. */
const JOINED_BYTES = 2 ** 18;

/** Joins small parts; parts received before a failure are passed on first. */
async function* joinParts(
  parts: AsyncIterable<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let joined = new Uint8Array(JOINED_BYTES);
  let length = 0;
  try {
    for await (const part of parts) {
      if (length + part.length > joined.length) {
        if (length > 0) yield joined.subarray(0, length);
        joined = new Uint8Array(Math.max(JOINED_BYTES, part.length));
        length = 0;
      }
      joined.set(part, length);
      length += part.length;
    }
  } catch (error) {
    if (length > 0) yield joined.subarray(0, length);
    throw error;
  }
  if (length > 0) yield joined.subarray(0, length);
}

/** Unpacks a body that came compressed without our request: `fetch()` leaves it compressed. */
function unpack(response: Response): Response {
  const format = packings.get(response.headers.get("content-encoding")?.toLowerCase() ?? "");
  if (response.body === null || format === undefined) return response;
  return new Response(response.body.pipeThrough(new DecompressionStream(format)), response);
}

/** Compression formats that `fetch()` unpacks, by their names in headers. */
const packings = new Map<string, CompressionFormat>([
  ["gzip", "gzip"],
  ["deflate", "deflate"],
  ["br", "brotli" as CompressionFormat], // Deno has it, its types do not
]);

async function followRedirects(
  transport: Transport,
  { url, safeUrl = redactUrl(url), headers: extra, method = "GET", body }: OutgoingRequest,
  signal: AbortSignal,
): Promise<Response> {
  const refuse = (problem: string): never => {
    throw new RedirectError(`Cannot fetch ${safeUrl}: ${problem}`, { url: safeUrl });
  };
  let address = url;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const verdict = judgeAddress(address, transport.baseUrl, transport.downloadOrigins);
    if (!verdict.allowed) return refuse(verdict.problem);
    const headers = new Headers(extra);
    const near = isLoopback(verdict.url);
    if (near) headers.set("accept-encoding", "identity"); // compression costs more than it saves
    if (verdict.withKey && transport.key) headers.set(transport.keyHeader, transport.key.reveal());
    const how = { method, ...(body === undefined ? {} : { body }) };
    const request = new Request(address, { ...how, headers, redirect: "manual", signal });
    const response = await transport.send(request).catch((error) => {
      // After a redirect the service has been reached, so something was sent.
      const failure = error instanceof VindkitError
        ? error
        : buildNetworkError(error, safeUrl, address);
      throw failure instanceof ConnectError && hops > 0
        ? new NetworkError(failure.message, { url: safeUrl })
        : failure;
    });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || !location) {
      return near ? unpack(response) : response;
    }
    if (response.status === STATUS_CODE.NotModified) return response;
    await response.body?.cancel();
    if (method !== "GET") refuse(`the service redirects ${method} requests. Check the address`);
    const next = URL.parse(location, address);
    if (!next) {
      return refuse(
        "the service redirects to an address that is not a URL. Tell the provider of the service",
      );
    }
    address = next.href;
  }
  return refuse(`the service sent more than ${MAX_REDIRECTS} redirects. Check the address`);
}
