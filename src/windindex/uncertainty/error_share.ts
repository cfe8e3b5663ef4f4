import { studentQuantile95 } from "../../stats/student.ts";

/** A part of the error of a figure that is independent of its other parts. */
export interface ErrorShare {
  /** Variance of the logarithm of the figure. */
  readonly variance: number;
  /** Degrees of freedom of the variance; `Infinity` where it is not estimated from the training periods. */
  readonly freedom: number;
}

/** No error. */
export const NO_ERROR: ErrorShare = { variance: 0, freedom: Infinity };

/** Builds a share of a known standard deviation. */
export function buildShare(deviation: number): ErrorShare {
  return { variance: deviation ** 2, freedom: Infinity };
}

/** Multiplies the variance of a share. */
export function scaleShare({ variance, freedom }: ErrorShare, factor: number): ErrorShare {
  return { variance: factor * variance, freedom };
}

/**
 * Adds up independent shares.
 *
 * Source: degrees of freedom of a sum of variances by F. Satterthwaite, "An approximate distribution of estimates of variance
 * components" (1946).
 */
export function addShares(...shares: readonly ErrorShare[]): ErrorShare {
  const variance = shares.reduce((sum, share) => sum + share.variance, 0);
  const spread = shares.reduce((sum, share) => sum + share.variance ** 2 / share.freedom, 0);
  return { variance, freedom: spread > 0 ? variance ** 2 / spread : Infinity };
}

/** Computes the squared half width of the 90 % interval of the logarithm of a figure with an error, by Student's t. */
export function computeSquaredWidth({ variance, freedom }: ErrorShare): number {
  return studentQuantile95(freedom) ** 2 * variance;
}
