import { SYNTHETIC } from "../api/world.ts";

/** How a table says where its figures come from (`frames/provenance.ts`), up to the minute of the request. */
const IN_TABLES = new RegExp(
  String.raw`( from (?:${SYNTHETIC}: the built-in sample, not real data|own data|live service), )` +
    String.raw`\d{4}-\d\d-\d\dT\d\d:\d\dZ`,
  "g",
);

/** How a chart says it, up to the day: over several lines, with markup or quotes between them. */
const IN_CHARTS = /(Source: (?!not stated)[^]{1,800}?)\b\d{4}-\d\d-\d\d\b(?!T)/g;

/**
 * A text without the moment at which figures were fetched: all else of two runs on the same data is the same. The
 * moment is masked here and not set in the run, so that a committed notebook tells when its figures were really fetched.
 */
export function withoutFetchStamps(text: string): string {
  return text.replaceAll(IN_TABLES, "$1(when fetched)").replaceAll(IN_CHARTS, "$1(when fetched)");
}
