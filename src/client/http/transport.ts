import type { World } from "../../api/world.ts";
import type { ConcurrencyLimiter } from "./concurrency_limiter.ts";
import { isLoopback } from "./address.ts";

/** One try of a request, passed to `onRequest`; it contains no secrets. */
export interface RequestEvent {
  /** Operation of the API; `undefined` for the file of an order. */
  readonly operation: string | undefined;
  /** Address, without private values. */
  readonly url: string;
  /** Number of the try, from 1. */
  readonly attempt: number;
  /** HTTP status, if there was an answer. */
  readonly status?: number;
  /** The failure, if there was no answer: an error of this library, or the reason of the caller's signal. */
  readonly error?: unknown;
  /** How long it took, ms. */
  readonly milliseconds: number;
  /** Pause before the next try, ms; absent after the last try. */
  readonly retryIn?: number;
}

/** Longest waits, ms. */
export interface Timeouts {
  /** A whole call. */
  readonly total: number;
  /** The headers of an answer. */
  readonly headers: number;
  /** The next part of an answer. */
  readonly idle: number;
}

/** Settings of a connection for its requests: address, key, timeouts and limits. */
export interface Transport {
  /** Base address of requests. */
  readonly baseUrl: string;
  /** World of the service. */
  readonly target: World;
  /** Whether the service runs in this process. */
  readonly inProcess: boolean;
  /** The key; it goes to the origin of the base address only. */
  readonly key: { reveal(): string } | undefined;
  /** Header in which the service expects the key. */
  readonly keyHeader: string;
  /** Further origins from which files may be downloaded. */
  readonly downloadOrigins: readonly string[];
  /** Largest body of an answer, bytes. */
  readonly maxDownload: number;
  /** Longest waits. */
  readonly timeouts: Timeouts;
  /** Decides how many requests are under way. */
  readonly limiter: ConcurrencyLimiter;
  /** Whether long calls show their progress. */
  readonly progress: boolean;
  /** Called for each try of a request. */
  readonly onRequest: ((event: RequestEvent) => void | Promise<void>) | undefined;
  /** Sends one request without changes or retries. */
  send(request: Request): Promise<Response>;
}

/**
 * Sends requests over the network. Plain-text requests to this machine bypass a proxy of the environment
 * (`HTTP_PROXY`): it would see the key.
 */
export class Sender implements Disposable {
  readonly #direct = new Map<string, Deno.HttpClient>();

  /** Sends one request without changes or retries. */
  async send(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const isPlain = url.protocol === "http:" && isLoopback(url);
    if (!isPlain || !mayHaveProxy(url)) return await fetch(request);
    return await fetch(request, { client: this.#openDirect(url) });
  }

  /** A client that connects to an address itself. */
  #openDirect({ hostname, host, port }: URL): Deno.HttpClient {
    let client = this.#direct.get(host);
    if (!client) {
      client = Deno.createHttpClient({
        proxy: {
          transport: "tcp",
          hostname: hostname.replace(/^\[|\]$/g, ""),
          port: Number(port || 80),
        },
      });
      this.#direct.set(host, client);
    }
    return client;
  }

  /** Closes the connections that are kept; the next request opens others. */
  [Symbol.dispose](): void {
    for (const client of this.#direct.values()) client.close();
    this.#direct.clear();
  }
}

/** Names of variables in which Deno finds a proxy, by the scheme of an address. */
const PROXIES: Readonly<Record<string, readonly string[]>> = {
  "http:": ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"],
  "https:": ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"],
};

/** A variable of the environment; `null` if the program may not read it, although Deno itself does. */
function readVariable(name: string): string | null | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable: name });
  return state === "granted" ? Deno.env.get(name) : null;
}

/** Whether the environment names a proxy for an address, as far as it is known. */
function mayHaveProxy({ protocol }: URL): boolean {
  return PROXIES[protocol].some((name) => readVariable(name) !== undefined);
}

/** Names the proxy through which an address is reached, without its user and password; `undefined` for none, or an unknown one. */
export function describeProxy(address: string): string | undefined {
  const url = URL.parse(address);
  if (!url || isLoopback(url) && url.protocol === "http:") return undefined;
  for (const name of PROXIES[url.protocol] ?? []) {
    const value = readVariable(name);
    if (!value) continue;
    const proxy = URL.parse(value.includes("://") ? value : `http://${value}`);
    return `the proxy ${proxy ? proxy.host : "there"} of ${name}`;
  }
  return undefined;
}
