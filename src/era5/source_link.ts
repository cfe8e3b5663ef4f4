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

/** Services that `era5()` can ask. */
export type Era5Source = "cds" | "open-meteo";

/** Longest text of a service that a message quotes, characters. */
const MAX_QUOTED = 500;

/** Address and key of a service of another provider. */
export interface SourceAddress {
  /** Root of its API. */
  readonly url: string;
  /** The key; it goes to the origin of the root only. */
  readonly key: Secret | undefined;
  /** Header in which it expects the key. */
  readonly keyHeader: string;
  /** Where address and key were read, for messages: a variable or a file. */
  readonly read: { readonly url: string; readonly key: string };
}

/** A transport to such a service. */
export type SourceTransport = Transport & Pick<SourceAddress, "read">;

/**
 * Reads the root of an API; a server on this computer may be without TLS.
 *
 * @param where Where it was set, such as `CDSAPI_URL`
 * @param example An address that could be used
 * @throws {ConfigurationError} If it cannot be used; the message does not show it, as it may be a key in the wrong place
 */
export function readRoot(text: string, where: string, example: string): string {
  const url = URL.parse(text);
  const refuse = (problem: string): never => {
    throw new ConfigurationError(
      `Cannot use the address in ${where}: ${problem}. Give one such as ${example}`,
    );
  };
  if (!url) return refuse("it is not a URL");
  if (url.protocol !== "https:" && !(isLoopback(url) && url.protocol === "http:")) {
    return refuse("it is not https:");
  }
  if (url.username || url.password || url.search || url.hash) {
    return refuse("it has a user, a query or a fragment");
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** A request to such a service. */
interface SourceRequest extends Pick<OutgoingRequest, "method" | "url" | "onSend"> {
  /** Value that is sent as JSON. */
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
  /** Address, for messages. */
  readonly url: string;
  /** Its bytes. */
  readonly bytes: Uint8Array;
  /** Its JSON; `undefined` if it is none. */
  readonly json: unknown;
  /** Its beginning without the key, for messages; empty for a web page. */
  readonly excerpt: string;
}

/**
 * Makes the transport to a service of another provider: home, limits, timers and listener of the connection, one request
 * at a time.
 */
export function openSource(connection: Connection, address: SourceAddress): SourceTransport {
  const { downloadOrigins, maxDownload, timeouts, progress, onRequest } = connection;
  return {
    baseUrl: address.url,
    target: "live",
    inProcess: false,
    key: address.key,
    keyHeader: address.keyHeader,
    read: address.read,
    downloadOrigins,
    maxDownload,
    timeouts,
    limiter: new ConcurrencyLimiter(1),
    progress,
    onRequest,
    send: (request) => fetch(request),
  };
}

/** Quotes a text of a service for a message: without the key, in one line, at most 500 characters. */
export function quote(text: string, transport: Transport): string {
  return clean(text, transport).slice(0, MAX_QUOTED);
}

/** Quotes the end of a text, as of a traceback, whose last line has the reason. */
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
 * @throws {DataFormatError} If the answer is too large, or repeats the key
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
  /** Word of the store, such as `accepted`, `running` or `successful`. */
  readonly state: string;
  /** Its dataset. */
  readonly dataset: string;
  /** First month that the request asks for, such as `2023-01`. */
  readonly first: string;
  /** Last month, included. */
  readonly last: string;
}

/** Pauses between requests to the Climate Data Store, ms. */
export interface Pauses {
  /** Before the second look at a job; each further one is longer. */
  readonly look: number;
  /** Before a request is sent anew to a full queue. */
  readonly queue: number;
  /** Before a second look for a job whose answer was lost; the third comes after four of them. */
  readonly search: number;
}

/** Long on purpose: all users share the store. */
export const PAUSES: Pauses = { look: 2_000, queue: 60_000, search: 5_000 };

/** How requests to a source are sent and waited for, and what is known of their answers. */
export interface Session {
  readonly connection: Connection;
  readonly transport: SourceTransport;
  readonly ledger: Ledger;
  readonly stored: StoredMonths;
  readonly pauses: Pauses;
  /** Counts the months that were fetched. */
  readonly progress: Progress;
  /** Longest wait for a request, ms. */
  readonly timeout: number;
  /** Called for each new state of a job. */
  readonly onStatus: ((status: Era5Status) => void) | undefined;
  readonly signal: AbortSignal;
  /** Collects what a reader of the figures should know. */
  readonly notes: Set<string>;
}
