import { SYNTHETIC } from "../../api/world.ts";

/** Source line of a table (`frames/provenance.ts`), up to the minute of the request. */
const IN_TABLES = new RegExp(
  String.raw`( from (?:${SYNTHETIC}: the built-in sample, not real data|own data|live service), )` +
    String.raw`\d{4}-\d\d-\d\dT\d\d:\d\dZ`,
  "g",
);

/** Source line of a chart, up to the day: over several lines, with markup or quotes between them. */
const IN_CHARTS = /(Source: (?!not stated)[^]{1,800}?)\b\d{4}-\d\d-\d\d\b(?!T)/g;

/** Time on the card of an order (`client/orders/order_card.ts`), as text and as HTML. */
const ON_ORDERS = /\b(Sent(?:<\/th><td[^>]*>| +))\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;

/** Identifiers of orders on their cards; a service gives a new one to each. */
const ORDER_NAMES = /(Climate order |attachOrder\((?:"|&quot;))[^\s<"&]+/g;

/**
 * Masks the times at which figures were fetched or ordered, which differ between two runs on the same data. They are
 * masked for the comparison only: a committed notebook shows the true times.
 */
export function maskFetchStamps(text: string): string {
  return text.replaceAll(IN_TABLES, "$1(when fetched)").replaceAll(IN_CHARTS, "$1(when fetched)")
    .replaceAll(ON_ORDERS, "$1(when sent)").replaceAll(ORDER_NAMES, "$1(name)");
}
