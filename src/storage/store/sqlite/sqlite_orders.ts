// deno-lint-ignore-file require-await -- SQLite answers at once; async turns what it throws into a rejection
import type { Order, OrderChange, OrderState } from "../order.ts";
import { formatOrder, toOrder } from "../order_row.ts";
import type { OrderStore } from "../store.ts";
import { findTable } from "../stored_tables.ts";
import type { SqliteDatabase } from "./sqlite_database.ts";
import { insertRow } from "./sqlite_rows.ts";

/** The orders of a SQLite store. */
export class SqliteOrders implements OrderStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async place(order: Order, now: number): Promise<Order> {
    const row = formatOrder(order);
    return await this.#database.write(() => {
      const [open] = this.#database.select(
        "orders",
        `WHERE serial_number = ? AND service_id = ? AND parameters = ?
         AND (state IN ('placed', 'approved')
           OR state = 'complete' AND (expires IS NULL OR expires >= ?))
         ORDER BY rowid LIMIT 1`,
        row.serial_number,
        row.service_id,
        row.parameters,
        now,
      );
      if (open) return toOrder(open);
      insertRow(this.#database, findTable("orders"), row);
      this.#database.seal("orders", "id = ?", row.id);
      return order;
    });
  }

  async get(id: string): Promise<Order | undefined> {
    const row = this.#database.findOne("orders", { id });
    return row && toOrder(row);
  }

  async findByToken(token: string): Promise<Order | undefined> {
    const row = this.#database.findOne("orders", { token });
    return row && toOrder(row);
  }

  async unfinished(serialNumber?: string, limit = -1): Promise<Order[]> {
    return this.#database
      .select(
        "orders",
        `WHERE state <> 'failed' AND expires IS NULL AND serial_number = ifnull(?, serial_number)
         ORDER BY rowid LIMIT ?`,
        serialNumber ?? null,
        limit,
      )
      .map(toOrder);
  }

  async update(id: string, change: OrderChange, from?: readonly OrderState[]): Promise<boolean> {
    const names = Object.keys(change) as (keyof OrderChange)[];
    const assignments = names.map((name) => `${name} = ?`).join(", ");
    const values = names.map((name) => change[name] ?? null);
    return await this.#database.write(() => {
      const [known] = this.#database.find("orders", { id });
      if (!known || from && !from.includes(known.state as OrderState)) return false;
      this.#database.run(`UPDATE orders SET ${assignments} WHERE id = ?`, ...values, id);
      this.#database.seal("orders", "id = ?", id);
      return true;
    });
  }
}
