import type { Growth } from "./_growth_figures.ts";

/** Peak memory of this process so far, bytes. `getrusage` would return the parent's peak if it was higher. */
function highWater(): number {
  const status = Deno.readTextFileSync("/proc/self/status");
  return Number(/VmHWM:\s*(\d+) kB/.exec(status)![1]) * 1024;
}

/** Measures a piece of work in this process. */
export async function measured(act: () => Promise<number>): Promise<Growth> {
  const before = Deno.memoryUsage().rss;
  const begun = performance.now();
  const frame = await act();
  const milliseconds = performance.now() - begun;
  return { growth: highWater() - before, frame, milliseconds };
}
