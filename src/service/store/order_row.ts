import type { Order } from "./order.ts";
import type { StoredRow } from "./stored_row.ts";

/** Formats parameters as text, sorted: the same parameters give the same text. */
export function formatParameters(parameters: Order["parameters"]): string {
  const sorted = Object.entries(parameters).sort(([a], [b]) => a < b ? -1 : 1);
  return JSON.stringify(Object.fromEntries(sorted));
}

/** An order from its row. */
export function toOrder(row: StoredRow): Order {
  return {
    id: row.id as string,
    serialNumber: row.serial_number as string,
    serviceId: row.service_id as string,
    parameters: JSON.parse(row.parameters as string),
    state: row.state as Order["state"],
    token: row.token as string | null,
    file: row.file as string | null,
    expires: row.expires as number | null,
  };
}
