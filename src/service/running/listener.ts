/** How long to wait before listening is tried again, ms. */
const PAUSE = 200;

/** Somebody who answers requests at a port. */
export interface Listener {
  readonly port: number;
  /** Settles when it has stopped. */
  readonly finished: Promise<void>;
  /** Stops listening, and waits until the answers under way are sent. */
  shutdown(): Promise<void>;
}

/**
 * Listens, and does so again where it cannot accept connections any more. The runtime ends a server at the first
 * connection for which the process has no file descriptor left; its open connections go on being answered. Without this
 * a client that opens connections by the thousand would end the service, and not only keep others waiting.
 *
 * @param where Port, 0 for a free one, and address
 * @param handler Answers requests
 * @throws {Deno.errors.AddrInUse} If somebody listens there already
 */
export function listen(
  where: { readonly port: number; readonly hostname: string },
  handler: Deno.ServeHandler<Deno.NetAddr>,
): Listener {
  const begin = (port: number) =>
    Deno.serve({ ...where, port, onListen: () => {} }, handler) as Deno.HttpServer<Deno.NetAddr>;
  const servers = [begin(where.port)];
  const { port } = servers[0].addr;
  const closing = Promise.withResolvers<void>();
  let closed = false;

  async function pause(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    await Promise.race([
      closing.promise,
      new Promise<void>((resolve) => timer = setTimeout(resolve, PAUSE)),
    ]);
    clearTimeout(timer);
  }

  async function keepListening(): Promise<void> {
    while (!closed) {
      try {
        await servers.at(-1)!.finished;
        return;
      } catch (error) {
        console.error(`No connection can be accepted (${(error as Error).message}): trying again`);
      }
      for (let listening = false; !listening && !closed;) {
        await pause();
        if (closed) return;
        try {
          servers.push(begin(port));
          listening = true;
        } catch {
          // Nothing is free yet; /healthz tells whoever supervises it.
        }
      }
    }
  }
  const finished = keepListening();

  return {
    port,
    finished,
    shutdown: async () => {
      closed = true;
      closing.resolve();
      await Promise.all(servers.map((server) => server.shutdown()));
      await finished;
    },
  };
}
