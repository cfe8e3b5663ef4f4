/** Shortest time of several runs, ms: the run with the least disturbance. */
export async function shortest(runs: number, act: () => unknown): Promise<number> {
  let best = Infinity;
  for (let i = 0; i < runs; i++) {
    const begun = performance.now();
    await act();
    best = Math.min(best, performance.now() - begun);
  }
  return best;
}

/** Median of several values. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Time of one run, ms. */
export async function timed(act: () => unknown): Promise<number> {
  const begun = performance.now();
  const result = act();
  if (result instanceof Promise) await result;
  return performance.now() - begun;
}
