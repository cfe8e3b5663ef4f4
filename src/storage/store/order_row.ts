import type { Order } from "./order.ts";
import type { StoredRow } from "./stored_row.ts";

/** The row of an order. Its parameters are sorted: the same parameters give the same text. */
export function formatOrder(order: Order) {
  const { id, serialNumber, serviceId, state, token, file, expires } = order;
  const parameters = Object.entries(order.parameters).sort(([a], [b]) => a < b ? -1 : 1);
  return {
    id,
    serial_number: serialNumber,
    service_id: serviceId,
    parameters: JSON.stringify(Object.fromEntries(parameters)),
    state,
    token,
    file,
    expires,
  };
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
