/**
 * Age from which a file that is needed again gets the time of now, ms. Younger ones stay: each renewal is a new version, whose
 * content would be compared again.
 */
export const RENEWAL_AGE = 600_000;
