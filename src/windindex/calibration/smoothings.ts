/**
 * Smoothing of the power curve unless other periods clearly say otherwise, m/s: a turbulence of 10 to 12 % at 9 m/s. The
 * months of Kelmarsh, 2018, were seen when it was chosen.
 */
export const DEFAULT_SMOOTHING = 1;

/** Smoothings that calibration compares, m/s: more where the wind of the turbine scatters more around the reanalysis. */
export const SMOOTHINGS = [0.5, DEFAULT_SMOOTHING, 1.5, 2];
