/** Where figures come from: the synthetic sample, the user's own data, or a live service. */
export type World = "sample" | "own" | "live";

/** Response header in which our service says where its figures come from (*ours*). */
export const WORLD_HEADER = "Vindkit-World";

/** Response header with the attributions that the data require, percent-encoded, separated by commas (*ours*). */
export const ATTRIBUTION_HEADER = "Vindkit-Attribution";

/** Response header with what a reader of the figures should know, percent-encoded, separated by commas (*ours*). */
export const NOTES_HEADER = "Vindkit-Notes";

/** Response header with the IANA zone of the timestamps in a CSV (*ours*). */
export const TIME_ZONE_HEADER = "Vindkit-Time-Zone";

/** Headers that describe the figures of a body: they are stored with it. */
export const FIGURE_HEADERS = [WORLD_HEADER, ATTRIBUTION_HEADER, NOTES_HEADER, TIME_ZONE_HEADER];

/**
 * When figures of the sample count as fetched: it is computed, the same on each day, and complete half a year after its last
 * hour. So what is made of it has the same bytes each time.
 */
export const SAMPLE_TIME = "2026-06-01T00:00:00Z";

/** What everything made from the sample says. */
export const SYNTHETIC = "SYNTHETIC";
