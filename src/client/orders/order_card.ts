import type { Card, CardRow } from "../../show/card.ts";
import { Ledger, type LedgerEntry } from "./ledger.ts";
import { buildOrderRow, orderColumns } from "./order_row.ts";
import { formatNextStep, formatState } from "./order_texts.ts";

/** Columns of `orders()` that the card shows in its title or in the rows State and Next. */
const SHOWN_ELSEWHERE = ["entry", "order_id", "state", "status"];

/** Reads the order from the ledger; if that fails, returns it as it was: showing an order never throws. */
function readCurrentEntry(home: string, order: LedgerEntry & { orderId: string }): LedgerEntry {
  try {
    const found = new Ledger(home).find(order.place, order.orderId);
    return found?.entry === order.entry ? found : order;
  } catch {
    return order;
  }
}

/**
 * Builds the card of an order: state, parameters, when it was sent, what to do next.
 *
 * @param home Home folder of the ledger
 */
export function buildOrderCard(home: string, order: LedgerEntry & { orderId: string }): Card {
  const entry = readCurrentEntry(home, order);
  const row = buildOrderRow(entry);
  const parameters = orderColumns.flatMap(({ name, label, unit, description }, i): CardRow[] => {
    if (SHOWN_ELSEWHERE.includes(name)) return [];
    const hint = `${name}: ${description}`;
    const value = row[i];
    if (typeof value === "bigint") return [{ label, value: `${entry.sentAt.slice(0, 19)}Z`, hint }];
    return [{ label, value: value === null ? null : String(value), unit, hint }];
  });
  return {
    title: `Climate order ${order.orderId}`,
    rows: [
      { label: "State", value: formatState(entry) },
      ...parameters,
      { label: "Next", value: formatNextStep(entry) ?? "nothing is left to do" },
    ],
    synthetic: entry.place === "sample",
  };
}
