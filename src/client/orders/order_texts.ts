import type { LedgerEntry, LedgerState } from "./ledger.ts";

/** Orders that are listed below a frame. */
const MAX_NAMED = 5;

/** Says how to continue an order whose wait or download ended early, whatever the reason. */
export function formatWayOn(orderId: string): string {
  return "It stays placed: the same call joins it, " +
    `attachOrder(${JSON.stringify(orderId)}).download() continues it, also in another process`;
}

const stateTexts: Readonly<Record<LedgerState, string>> = {
  sent: "sent, no answer is known: it may be in the service's queue or not",
  placed: "placed",
  delivered: "delivered",
  refused: "refused: nothing was ordered",
  failed: "failed: the service no longer knows it",
  repeated: "replaced by a later one",
  forgotten: "forgotten on request",
};

/** Formats what is known of an order. */
export function formatState({ state, status }: Pick<LedgerEntry, "state" | "status">): string {
  return state === "placed" && status !== null
    ? `placed; the service last reported "${status}"`
    : stateTexts[state];
}

type OrderState = Pick<LedgerEntry, "state" | "entry" | "orderId" | "parameters">;

/** Formats what can be done about an order; `undefined` if nothing is left to do. */
export function formatNextStep(
  { state, entry, orderId, parameters }: OrderState,
): string | undefined {
  // The whole request is in the entry only if it went to a service of another provider.
  if (parameters.request !== undefined) {
    return state === "sent" || state === "placed"
      ? "the same call of era5() continues it"
      : undefined;
  }
  switch (state) {
    case "sent":
      return "downloadClimate() with the same parameters needs no order; placeOrder() with " +
        `{ repeat: true } may order twice; orders().forget(${entry}), if the provider says that ` +
        "there is none";
    case "placed":
      return `attachOrder(${JSON.stringify(orderId)}).download() waits for the file and reads it`;
    case "delivered":
      return `attachOrder(${JSON.stringify(orderId)}).download() fetches the file again, as long ` +
        "as the service stores it";
    case "failed":
      return "placeOrder() with the same parameters places it again; downloadClimate() needs no order";
    default:
      return undefined;
  }
}

/** Lists what can be done about open orders, one line each. */
export function listNextSteps(orders: readonly OrderState[]): string[] {
  const open = orders.filter(({ state }) => state === "sent" || state === "placed");
  const lines = open.slice(0, MAX_NAMED).map((order) =>
    `Entry ${order.entry} is ${order.state === "sent" ? "uncertain" : "open"}: ${
      formatNextStep(order)
    }`
  );
  const more = open.length - lines.length;
  return more > 0 ? [...lines, `${more} more are open or uncertain`] : lines;
}
