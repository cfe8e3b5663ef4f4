/**
 * Computes the weight of each of several estimates relative to their common mean, 0 to 1: the variance between groups
 * over the total variance. Where groups differ no more than their own scatter explains, all shares are 0.
 *
 * Source: random effects by R. DerSimonian and N. Laird, "Meta-analysis in clinical trials" (1986); the shares are the
 * credibility of H. Bühlmann (1967).
 *
 * @param variances Variance of each; `Infinity` for a group without information
 */
export function computeCredibility(
  estimates: ArrayLike<number>,
  variances: ArrayLike<number>,
): Float64Array {
  let weight = 0;
  let squares = 0;
  let sum = 0;
  let groups = 0;
  for (let i = 0; i < estimates.length; i++) {
    if (!(variances[i] < Infinity)) continue;
    const own = 1 / variances[i];
    weight += own;
    squares += own * own;
    sum += own * estimates[i];
    groups++;
  }
  const shares = new Float64Array(estimates.length);
  if (groups < 2) return shares;
  let spread = 0; // Cochran's Q
  for (let i = 0; i < estimates.length; i++) {
    if (variances[i] < Infinity) spread += (estimates[i] - sum / weight) ** 2 / variances[i];
  }
  const between = (spread - (groups - 1)) / (weight - squares / weight);
  if (!(between > 0)) return shares;
  for (let i = 0; i < shares.length; i++) shares[i] = between / (between + variances[i]);
  return shares;
}
