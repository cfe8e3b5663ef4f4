import { delay } from "@std/async";
import { logFailure } from "../responses/failure_log.ts";

/** Pause before listening is tried again, ms. */
const PAUSE = 200;

/** A server that listens at a port. */
export interface Listener {
  readonly port: number;
  /** Settles when it has stopped. */
  readonly finished: Promise<void>;
  /** Stops listening, and waits until the answers under way are sent. */
  shutdown(): Promise<void>;
}

/**
 * Listens, and starts again where connections cannot be accepted any more. The runtime ends a server at the first
 * connection for which the process has no file descriptor left; its open connections are still answered. Without this
 * a client that opens thousands of connections would end the service, and not only make others wait.
 *
 * @param where Port, 0 for a free one, and address
 * @throws {Deno.errors.AddrInUse} If another process listens there
 */
export function listen(
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
        const found = `No connection can be accepted (${(error as Error).message}): trying again`;
        logFailure("", found, true);
      }
      for (let listening = false; !listening && !signal.aborted;) {
        await delay(PAUSE, { signal }).catch(() => {}); // it is closing
        if (signal.aborted) return;
        try {
          servers.push(begin(port));
          listening = true;
        } catch {
          // No descriptor is free yet; a supervisor notices at /healthz.
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
