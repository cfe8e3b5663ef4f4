import { ConfigurationError } from "../api/errors.ts";
import { isLoopback } from "../client/http/address.ts";
import { assertNoKey, redactText, redactUrl } from "../client/http/redaction.ts";
import { limitParts, parseJson, readWhole } from "../client/http/body.ts";
import type { OutgoingRequest } from "../client/http/exchange.ts";
import { ConcurrencyLimiter } from "../client/http/concurrency_limiter.ts";
import { sendWithRetries } from "../client/http/retries.ts";
import type { Transport } from "../client/http/transport.ts";
import type { Secret } from "../client/connection/settings.ts";
import type { Progress } from "../show/progress.ts";
import type { Connection } from "../client/connection/connection.ts";
import type { Ledger } from "../client/orders/ledger.ts";
import type { StoredMonths } from "./stored_months.ts";

/** Services that `era5()` can fetch from. */
export type Era5Source = "cds" | "open-meteo";

/** Longest quote of a service in a message, characters. */
const MAX_QUOTED = 500;

/** Address and key of a third-party service. */
export interface SourceAddress {
  /** Root of its API. */
  readonly url: string;
  /** The key; it is sent only to the origin of the root. */
  readonly key: Secret | undefined;
  /** Header in which the service expects the key. */
  readonly keyHeader: string;
  /** Where address and key were read, for messages: a variable or a file. */
  readonly read: { readonly url: string; readonly key: string };
}

/** A transport to a third-party service. */
export type SourceTransport = Transport & Pick<SourceAddress, "read">;

/**
 * Reads the root of an API; TLS is optional for a server on this computer.
 *
 * @param where Source of the text, such as `CDSAPI_URL`
 * @param example A valid address
 * @throws {ConfigurationError} If it cannot be used; the message does not show it, because it may be a misplaced key
 */
export function readRoot(text: string, where: string, example: string): string {
  const url = URL.parse(text);
  const refuse = (problem: string): never => {
    throw new ConfigurationError(
      `Cannot use the address in ${where}: ${problem}. Give an address such as ${example}`,
    );
  };
  if (!url) return refuse("it is not a URL");
  if (url.protocol !== "https:" && !(isLoopback(url) && url.protocol === "http:")) {
    return refuse("it does not begin with https:");
  }
  if (url.username || url.password || url.search || url.hash) {
    return refuse("it has a user, a query or a fragment");
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** A request to a third-party service. */
interface SourceRequest extends Pick<OutgoingRequest, "method" | "url" | "onSend"> {
  /** Body, sent as JSON. */
  readonly json?: unknown;
  /** Whether it may be sent twice. @default {true} */
  readonly safe?: boolean;
  readonly signal: AbortSignal | undefined;
}

/** An answer, whatever its status. */
export interface SourceAnswer {
  /** HTTP status. */
  readonly status: number;
  readonly headers: Headers;
  /** Address without secrets, for messages. */
  readonly url: string;
  /** Its bytes. */
  readonly bytes: Uint8Array;
  /** Its JSON; `undefined` if it is not JSON. */
  readonly json: unknown;
  /** Its beginning without the key, for messages; empty for a web page. */
  readonly excerpt: string;
}

/**
 * Creates the transport to a third-party service, with the limits, timeouts and listener of the connection. It sends
 * one request at a time.
 */
export function openSource(
  connection: Connection,
  { url: baseUrl, ...address }: SourceAddress,
): SourceTransport {
  const { downloadOrigins, maxDownload, timeouts, progress, onRequest } = connection;
  return {
    ...address,
    baseUrl,
    target: "live",
    inProcess: false,
    downloadOrigins,
    maxDownload,
    timeouts,
    limiter: new ConcurrencyLimiter(1),
    progress,
    onRequest,
    send: (request) => fetch(request),
  };
}

/** Quotes a text of a service for a message: without the key, on one line, at most 500 characters. */
export function quote(text: string, transport: Transport): string {
  return clean(text, transport).slice(0, MAX_QUOTED);
}

/** Quotes the end of a text, such as a traceback, whose last line has the reason. */
export function quoteEnd(text: string, transport: Transport): string {
  return clean(text, transport).slice(-MAX_QUOTED);
}

function clean(text: string, { key }: Transport): string {
  return redactText(text, key ? [key.reveal()] : []).replaceAll(/\s+/g, " ").trim();
}

/**
 * Sends a request and reads the whole answer.
 *
 * @throws {NetworkError} If the service cannot be reached
 * @throws {TimeoutError} If it does not answer in time
 * @throws {DataFormatError} If the answer is too large or repeats the key
 */
export async function requestSource(
  transport: Transport,
  { method, url, json, safe = true, signal, onSend }: SourceRequest,
): Promise<SourceAnswer> {
  const shown = redactUrl(url);
  const extra: Record<string, string> = json === undefined
    ? {}
    : { "content-type": "application/json" };
  const { status, headers, value } = await sendWithRetries(transport, {
    method,
    url,
    body: json === undefined ? undefined : JSON.stringify(json),
    headers: () => extra,
    safe,
    signal,
    onSend,
  }, async (body) => {
    const parts = assertNoKey(limitParts(body, transport.maxDownload, shown), transport, shown);
    return await readWhole({ ...body, parts }, shown);
  });
  const text = new TextDecoder().decode(value);
  const excerpt = text.trimStart().startsWith("<") ? "" : quote(text, transport);
  return { status, headers, url: shown, bytes: value, json: parseJson(text), excerpt };
}

/** State of one request of {@linkcode era5} at the Climate Data Store. */
export interface Era5Status {
  /** State as the store names it, such as `accepted`, `running` or `successful`. */
  readonly state: string;
  /** Its dataset. */
  readonly dataset: string;
  /** First requested month, such as `2023-01`. */
  readonly first: string;
  /** Last month, included. */
  readonly last: string;
}

/** Pauses between requests to the Climate Data Store, ms. */
export interface Pauses {
  /** Before the second status check of a job; each further pause is longer. */
  readonly look: number;
  /** Before a request is sent again after the queue was full. */
  readonly queue: number;
  /** Before the second search for a job whose answer was lost; four times as long before the third. */
  readonly search: number;
}

/** Long on purpose: all users share the store. */
export const PAUSES: Pauses = { look: 2_000, queue: 60_000, search: 5_000 };

/** Everything that a call needs to send requests to a source, wait for them and store their answers. */
export interface Session {
  readonly connection: Connection;
  readonly transport: SourceTransport;
  readonly ledger: Ledger;
  readonly stored: StoredMonths;
  readonly pauses: Pauses;
  /** Counts fetched months. */
  readonly progress: Progress;
  /** Longest wait for a request, ms. */
  readonly timeout: number;
  /** Called for each new state of a job. */
  readonly onStatus: ((status: Era5Status) => void) | undefined;
  readonly signal: AbortSignal;
  /** Collects notes for readers of the figures. */
  readonly notes: Set<string>;
}
