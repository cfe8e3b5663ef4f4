/** Most workers of `serve`: each takes 250 MB, and a machine with many cores need not have that for each. */
const MAX_DEFAULT_WORKERS = 4;

/** How many workers `serve` has: one core is left for what answers. */
export function countWorkers(cores: number): number {
  return Math.max(1, Math.min(MAX_DEFAULT_WORKERS, cores - 1));
}
