/** Origin of figures: the synthetic sample, the user's own data, or a live service. */
export type World = "sample" | "own" | "live";

/** Response header with the origin of the figures (*ours*). */
export const WORLD_HEADER = "Vindkit-World";

/** Response header with the attributions that the data require, percent-encoded, separated by commas (*ours*). */
export const ATTRIBUTION_HEADER = "Vindkit-Attribution";

/** Response header with notes for a reader of the figures, percent-encoded, separated by commas (*ours*). */
export const NOTES_HEADER = "Vindkit-Notes";

/** Response header with the IANA zone of the timestamps in a CSV (*ours*). */
export const TIME_ZONE_HEADER = "Vindkit-Time-Zone";

/** Headers that describe the figures of a body: they are stored with it. */
export const FIGURE_HEADERS = [WORLD_HEADER, ATTRIBUTION_HEADER, NOTES_HEADER, TIME_ZONE_HEADER];

/**
 * Fetch time of the sample's figures, fixed at half a year after its last hour: results from the sample then have the same
 * bytes each time.
 */
export const SAMPLE_TIME = "2026-06-01T00:00:00Z";

/** Mark of everything made from the sample. */
export const SYNTHETIC = "SYNTHETIC";
