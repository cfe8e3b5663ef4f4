import { SYNTHETIC } from "../../api/world.ts";

/** How a table says where its figures come from (`frames/provenance.ts`), up to the minute of the request. */
const IN_TABLES = new RegExp(
  String.raw`( from (?:${SYNTHETIC}: the built-in sample, not real data|own data|live service), )` +
    String.raw`\d{4}-\d\d-\d\dT\d\d:\d\dZ`,
  "g",
);

/** How a chart says it, up to the day: over several lines, with markup or quotes between them. */
const IN_CHARTS = /(Source: (?!not stated)[^]{1,800}?)\b\d{4}-\d\d-\d\d\b(?!T)/g;

/** How the card of an order says when it was sent (`client/orders/order_card.ts`), as text and as HTML. */
const ON_ORDERS = /\b(Sent(?:<\/th><td[^>]*>| +))\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;

/** The names that a service gives to an order, on its card. */
const ORDER_NAMES = /(Climate order |attachOrder\((?:"|&quot;))[^\s<"&]+/g;

/**
 * A text without the moment at which figures were fetched or ordered: all else of two runs on the same data is the same.
 * It is masked here and not set in the run, so that a committed notebook tells when its figures were really fetched.
 */
export function maskFetchStamps(text: string): string {
  return text.replaceAll(IN_TABLES, "$1(when fetched)").replaceAll(IN_CHARTS, "$1(when fetched)")
    .replaceAll(ON_ORDERS, "$1(when sent)").replaceAll(ORDER_NAMES, "$1(name)");
}
