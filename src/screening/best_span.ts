import type { Run } from "./runs.ts";

/**
 * Finds the consecutive positions with the largest sum of scores (J. Kadane, 1984).
 *
 * @param scores Score of each position; NaN is not allowed
 * @returns The span, from a score above 0 to one, and its sum; an empty one of score 0 where no score is above 0
 */
export function findBestSpan(scores: Float64Array): Run & { readonly score: number } {
  let best = { from: 0, to: 0, score: 0 };
  let [from, score] = [0, 0];
  for (let i = 0; i < scores.length; i++) {
    if (score <= 0) [from, score] = [i, 0];
    score += scores[i];
    if (score > best.score) best = { from, to: i + 1, score };
  }
  return best;
}
