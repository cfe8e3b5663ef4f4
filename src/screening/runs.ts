/** A stretch of consecutive positions. */
export interface Run {
  /** First position. */
  readonly from: number;
  /** Position after the last one. */
  readonly to: number;
}

/** Finds the stretches of positions at which a condition is true, each as long as possible. */
export function findRuns(length: number, condition: (position: number) => boolean): Run[] {
  const runs: Run[] = [];
  let from = -1;
  for (let i = 0; i <= length; i++) {
    const inside = i < length && condition(i);
    if (inside && from === -1) from = i;
    if (!inside && from !== -1) {
      runs.push({ from, to: i });
      from = -1;
    }
  }
  return runs;
}
