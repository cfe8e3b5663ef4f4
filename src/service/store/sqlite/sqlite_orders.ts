import { toOrder } from "./rows.ts";
import type { SqliteDatabase } from "./sqlite_database.ts";
import type { Order, OrderChange, OrderState } from "../order.ts";

/** Parameters as text; the same ones are the same text, in whatever order they came. */
function textOf(parameters: Order["parameters"]): string {
  const sorted = Object.entries(parameters).sort(([a], [b]) => a < b ? -1 : 1);
  return JSON.stringify(Object.fromEntries(sorted));
}

/** The orders of a SQLite store. */
export class SqliteOrders {
  readonly #database: SqliteDatabase;

  /** @param database Where they are kept */
  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** The open order for the same, or the given one, added. */
  place(order: Order, now: number): Order {
    const { id, serialNumber, serviceId, state, token, file, expires } = order;
    const parameters = textOf(order.parameters);
    return this.#database.transaction(() => {
      const open = this.#database.get(
        `SELECT * FROM orders WHERE serial_number = ? AND service_id = ? AND parameters = ?
         AND (state IN ('placed', 'approved')
           OR state = 'complete' AND (expires IS NULL OR expires >= ?))
         ORDER BY rowid LIMIT 1`,
        serialNumber,
        serviceId,
        parameters,
        now,
      );
      if (open) return toOrder(open)!;
      this.#database.run(
        "INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        id,
        serialNumber,
        serviceId,
        parameters,
        state,
        token,
        file,
        expires,
      );
      return order;
    });
  }

  /** One order. */
  order(id: string): Order | undefined {
    return toOrder(this.#database.get("SELECT * FROM orders WHERE id = ?", id));
  }

  /** Order by its download token. */
  ofToken(token: string): Order | undefined {
    return toOrder(this.#database.get("SELECT * FROM orders WHERE token = ?", token));
  }

  /** Orders that are still to be worked off, oldest first. */
  unfinished(): Order[] {
    return this.#database
      .all("SELECT * FROM orders WHERE state <> 'failed' AND expires IS NULL ORDER BY rowid")
      .map((row) => toOrder(row)!);
  }

  /** Files of orders whose address holds, or is not told yet. */
  files(now: number): string[] {
    return this.#database
      .all(
        `SELECT DISTINCT file FROM orders
         WHERE file IS NOT NULL AND (expires IS NULL OR expires >= ?)`,
        now,
      )
      .map(({ file }) => file as string);
  }

  /** Changes an order where it is in one of the states; says whether it was. */
  update(id: string, change: OrderChange, from?: readonly OrderState[]): boolean {
    const names = Object.keys(change) as (keyof OrderChange)[];
    const assignments = names.map((name) => `${name} = ?`).join(", ");
    const values = names.map((name) => change[name] ?? null);
    const condition = from ? "AND state IN (SELECT value FROM json_each(?))" : "";
    return this.#database.run(
      `UPDATE orders SET ${assignments} WHERE id = ? ${condition}`,
      ...values,
      id,
      ...(from ? [JSON.stringify(from)] : []),
    ) > 0;
  }
}
