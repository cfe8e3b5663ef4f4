import { NetworkError, TimeoutError, VindkitError } from "../api/errors.ts";
import { KEY_HEADER } from "../api/operations.ts";
import { STATUS_CODE } from "@std/http/status";
import type { Connection } from "./connection.ts";

/** Longest wait for the headers of an answer, ms. */
export const HEADERS_TIMEOUT = 60_000;

/** Longest wait for the next part of a body, ms. */
export const IDLE_TIMEOUT = 30_000;

/** Redirects followed before giving up. */
export const MAX_REDIRECTS = 5;

/** A redirect that must not be followed: asking again would lead there again. */
export class RedirectError extends NetworkError {}

/** One answer, read whole. */
export interface Exchange {
  /** HTTP status. */
  readonly status: number;
  /** Headers. */
  readonly headers: Headers;
  /** Body. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What an exchange may take. */
export interface ExchangeLimits {
  /** Instant by which all must be done, on the clock of `performance.now()`. */
  readonly deadline: number;
  /** Ends it early. */
  readonly signal: AbortSignal | undefined;
}

/** Address without what may be private: for messages. */
export function shownUrl(url: string): string {
  const { origin, pathname, searchParams } = new URL(url);
  for (const name of ["email", "serial_number"]) {
    if (searchParams.has(name)) searchParams.set(name, "***");
  }
  const query = searchParams.size > 0 ? `?${searchParams}` : "";
  return `${origin}${pathname}${query}`;
}

/**
 * Sends a GET and reads the answer whole. The key goes to the connection's own origin only; redirects are followed by
 * hand, within that origin.
 *
 * @param connection Where to
 * @param url Address
 * @param limits Deadline and signal
 * @throws {TimeoutError} If headers or the next part of the body take too long, or the deadline passes
 * @throws {NetworkError} If the service cannot be reached, or the answer breaks off
 */
export async function exchange(
  connection: Connection,
  url: string,
  limits: ExchangeLimits,
): Promise<Exchange> {
  const { deadline, signal } = limits;
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort(signal!.reason);
  signal?.addEventListener("abort", abort, { once: true });
  const shown = shownUrl(url);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const within = (longest: number, what: string) => {
    clearTimeout(timer);
    const left = Math.max(0, deadline - performance.now());
    const message = left < longest
      ? `${shown} took longer than the whole call may take. Give connect() a longer timeout`
      : `${shown} sent no ${what} for ${longest / 1000} s. Try again later`;
    timer = setTimeout(
      () => controller.abort(new TimeoutError(`Cannot fetch: ${message}`, { url: shown })),
      Math.min(longest, left),
    );
  };
  try {
    within(HEADERS_TIMEOUT, "headers");
    const response = await follow(connection, url, controller.signal);
    within(IDLE_TIMEOUT, "data");
    const bytes = await readBody(response, () => within(IDLE_TIMEOUT, "data"));
    return { status: response.status, headers: response.headers, bytes };
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason;
    if (error instanceof VindkitError) throw error;
    throw new NetworkError(
      `Cannot fetch ${shown}: ${(error as Error).message}. Check the address and the network`,
      { url: shown, cause: error },
    );
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

async function follow(connection: Connection, url: string, signal: AbortSignal): Promise<Response> {
  const own = new URL(connection.baseUrl).origin;
  let address = url;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    if (new URL(address).origin !== own) {
      throw new RedirectError(
        `Cannot fetch ${shownUrl(url)}: it leads to ${
          new URL(address).origin
        }, away from ${own}. ` +
          "The key is sent to its own origin only",
        { url: shownUrl(url) },
      );
    }
    const headers = new Headers();
    if (connection.key) headers.set(KEY_HEADER, connection.key.reveal());
    const response = await connection.send(
      new Request(address, { headers, redirect: "manual", signal }),
    );
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || !location) return response;
    if (response.status === STATUS_CODE.NotModified) return response;
    await response.body?.cancel();
    address = new URL(location, address).href;
  }
  throw new RedirectError(`Cannot fetch ${shownUrl(url)}: more than ${MAX_REDIRECTS} redirects`, {
    url: shownUrl(url),
  });
}

async function readBody(
  response: Response,
  onPart: () => void,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!response.body) return new Uint8Array();
  // Where the length is known the parts go to their place at once.
  const announced = Number(response.headers.get("content-length") ?? 0);
  let bytes = new Uint8Array(announced > 0 && announced < 2 ** 31 ? announced : 65_536);
  let length = 0;
  for await (const part of response.body) {
    onPart();
    if (length + part.length > bytes.length) {
      const larger = new Uint8Array(Math.max(length + part.length, bytes.length * 2));
      larger.set(bytes.subarray(0, length));
      bytes = larger;
    }
    bytes.set(part, length);
    length += part.length;
  }
  return bytes.subarray(0, length);
}
