/** Ports outside of the ephemeral range, so a restarted server finds its port free. */
const [FIRST_PORT, LAST_PORT] = [10_000, 32_767];

/** A free port of loopback, for servers that cannot choose one themselves. */
export function findFreePort(): number {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT + 1 - FIRST_PORT));
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}

/** Longest time until a server listens, ms. */
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
