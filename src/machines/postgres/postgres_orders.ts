import { formatOrder, toOrder } from "../../storage/store/order_row.ts";
import type { Order, OrderChange, OrderState } from "../../storage/store/order.ts";
import type { OrderStore } from "../../storage/store/store.ts";
import { findTable } from "../../storage/store/stored_tables.ts";
import { beginNaming } from "./naming_lock.ts";
import { beginCompleting } from "./points_lock.ts";
import type { PostgresQueries } from "./postgres_queries.ts";
import { insertRows } from "./postgres_rows.ts";

/** The orders of a PostgreSQL store. */
export class PostgresOrders implements OrderStore {
  readonly #database: PostgresQueries;

  constructor(database: PostgresQueries) {
    this.#database = database;
  }

  async place(order: Order, now: number): Promise<Order> {
    const row = formatOrder(order);
    const same = [row.serial_number, row.service_id, row.parameters];
    return await this.#database.transaction(async (all) => {
      // Of several servers that place equal orders at once the second one sees that of the first.
      await all.run(
        "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
        JSON.stringify(same),
      );
      const open = await all.get(
        `SELECT * FROM vindkit.orders
         WHERE serial_number = $1 AND service_id = $2 AND parameters::text = $3
         AND (state IN ('placed', 'approved')
           OR state = 'complete' AND (expires IS NULL OR expires >= $4))
         ORDER BY number LIMIT 1`,
        ...same,
        now,
      );
      if (open) return toOrder(open);
      await insertRows(all, findTable("orders"), [row]);
      return order;
    });
  }

  async get(id: string): Promise<Order | undefined> {
    const row = await this.#database.get("SELECT * FROM vindkit.orders WHERE id = $1", id);
    return row && toOrder(row);
  }

  async findByToken(token: string): Promise<Order | undefined> {
    if (token.includes("\0")) return undefined; // PostgreSQL has no such text, and refuses to look for it
    const row = await this.#database.get("SELECT * FROM vindkit.orders WHERE token = $1", token);
    return row && toOrder(row);
  }

  async unfinished(serialNumber?: string, limit?: number): Promise<Order[]> {
    const rows = await this.#database.all(
      `SELECT * FROM vindkit.orders WHERE state <> 'failed' AND expires IS NULL
       AND ($1::text IS NULL OR serial_number = $1) ORDER BY number LIMIT $2`,
      serialNumber ?? null,
      limit ?? null,
    );
    return rows.map(toOrder);
  }

  async update(id: string, change: OrderChange, from?: readonly OrderState[]): Promise<boolean> {
    const names = Object.keys(change) as (keyof OrderChange)[];
    const assignments = names.map((name, i) => `${name} = $${i + 3}`).join(", ");
    return await this.#database.transaction(async (all) => {
      if (change.file) await beginNaming(all);
      if (change.state === "complete") await beginCompleting(all);
      const changed = await all.run(
        `UPDATE vindkit.orders SET ${assignments}
         WHERE id = $1 AND ($2::text[] IS NULL OR state = ANY($2))`,
        id,
        from ?? null,
        ...names.map((name) => change[name] ?? null),
      );
      return changed > 0;
    });
  }
}
