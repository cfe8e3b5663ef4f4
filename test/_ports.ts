/** A port of loopback that nothing listens on now: for servers that cannot choose one themselves. */
export function findFreePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** How long a server may take to listen, ms. */
const DEADLINE = 60_000;

/** Waits until something listens on a port of loopback. */
export async function waitForPort(port: number): Promise<void> {
  const end = performance.now() + DEADLINE;
  for (;;) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
