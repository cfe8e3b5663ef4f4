import { buildListenError, formatListenerUrl } from "./listen_address.ts";
import { findMaxRequests } from "../limits/request_limits.ts";
import { logFailure } from "../../storage/failures/failure_log.ts";
import type { Service } from "./service.ts";
import { refuseRuntimeSpans } from "./telemetry.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { delay } from "@std/async";
import { isLoopback } from "../limits/request_host.ts";

/** Pause before listening is tried again, ms. */
const PAUSE = 200;

/** A server that listens at a port. */
interface Listener {
  readonly port: number;
  /** Settles when it has stopped. */
  readonly finished: Promise<void>;
  /** Stops listening, and waits until the answers under way are sent. */
  shutdown(): Promise<void>;
}

/**
 * Listens, and starts again if connections can no longer be accepted. The runtime ends a server at the first
 * connection for which the process has no file descriptor left; open connections are still answered. Without the
 * restart, a client that opens thousands of connections would end the service.
 *
 * @param where Port, 0 for a free one, and address
 * @throws {Deno.errors.AddrInUse} If another process listens there
 */
function listen(
  where: { readonly port: number; readonly hostname: string },
  handler: Deno.ServeHandler<Deno.NetAddr>,
): Listener {
  const begin = (port: number) =>
    Deno.serve({ ...where, port, onListen: () => {} }, handler) as Deno.HttpServer<Deno.NetAddr>;
  const servers = [begin(where.port)];
  const { port } = servers[0].addr;
  const closing = new AbortController();
  const { signal } = closing;

  async function keepListening(): Promise<void> {
    while (!signal.aborted) {
      try {
        await servers.at(-1)!.finished;
        return;
      } catch (error) {
        logFailure(
          "Cannot accept connections now, so the service tries again",
          (error as Error).message,
          { passes: true },
        );
      }
      for (let listening = false; !listening && !signal.aborted;) {
        await delay(PAUSE, { signal }).catch(() => {}); // it is closing
        if (signal.aborted) return;
        try {
          servers.push(begin(port));
          listening = true;
        } catch {
          // no descriptor is free yet; a supervisor notices at /healthz
        }
      }
    }
  }
  const finished = keepListening();

  return {
    port,
    finished,
    shutdown: async () => {
      closing.abort();
      await Promise.all(servers.map((server) => server.shutdown()));
      await finished;
    },
  };
}

/** A service that listens. */
export interface Server {
  /** Address under which this machine reaches it, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Settles when it has stopped. */
  readonly finished: Promise<void>;
  /**
   * Issues an address that signs a browser of this machine in with the local licence: once, and within ten minutes.
   * `undefined` if other machines reach the service.
   */
  issueSignInUrl(): string | undefined;
  /**
   * Stops listening, waits for answers under way, and closes the service.
   *
   * @param deadline Longest time to wait for answers under way, ms: later ones end with the process. @default no limit
   */
  close(deadline?: number): Promise<void>;
}

/** Waits for work under way, but not longer than a deadline in ms. */
async function waitAtMost(work: Promise<void>, deadline: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => timer = setTimeout(resolve, deadline));
  await Promise.race([work, over]);
  clearTimeout(timer);
}

/** Options of {@linkcode serve}. */
export interface ServeOptions {
  /** Port; 0 takes a free one. @default {0} */
  port?: number;
  /** Address to listen on; loopback only. @default {"127.0.0.1"} */
  hostname?: string;
}

/** Starts listening, or throws an error that says why it failed. */
function startListening(where: Required<ServeOptions>, service: Service): Listener {
  try {
    const listensOn = where.hostname;
    const listener: Listener = listen(where, (request, { remoteAddr, completed }) => {
      return service.fetch(request, { remoteAddr, completed, listensOn, port: listener.port });
    });
    return listener;
  } catch (error) {
    throw buildListenError(error, where.hostname, where.port);
  }
}

const OPTIONS = declareOptions<ServeOptions>()("", { port: 0, hostname: "127.0.0.1" });

/**
 * Serves a service over HTTP.
 *
 * @param service The service
 * @param options Port and address
 * @throws {ConfigurationError} If OpenTelemetry would export the addresses of requests, or if listening fails
 */
export function serve(service: Service, options: ServeOptions = {}): Server {
  const { port, hostname } = readOptions("serve()", options, OPTIONS);
  refuseRuntimeSpans();
  findMaxRequests();
  const server = startListening({ port, hostname }, service);
  const url = formatListenerUrl(hostname, server.port);
  return {
    url,
    finished: server.finished,
    issueSignInUrl: () => {
      const path = isLoopback(hostname) ? service.issueSignInPath() : undefined;
      return path && url + path;
    },
    close: async (deadline) => {
      const drained = server.shutdown();
      if (deadline === undefined) await drained;
      else await waitAtMost(drained, deadline);
      await service.close();
    },
  };
}
