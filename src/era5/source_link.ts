import { ConfigurationError } from "../api/errors.ts";
import { isLoopback } from "../client/http/address.ts";
import { assertNoKey, redactText, redactUrl } from "../client/http/redaction.ts";
import { limitParts, parseJson, readWhole } from "../client/http/body.ts";
import type { OutgoingRequest } from "../client/http/exchange.ts";
import { ConcurrencyLimiter } from "../client/http/concurrency_limiter.ts";
import { sendWithRetries } from "../client/http/retries.ts";
import type { Transport } from "../client/http/transport.ts";
import type { Connection } from "../client/connection/connection.ts";
import type { Secret } from "../client/connection/secret.ts";

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
