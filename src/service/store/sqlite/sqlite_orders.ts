// deno-lint-ignore-file require-await -- SQLite answers at once; async turns what it throws into a rejection
import type { Order, OrderChange, OrderState } from "../order.ts";
import type { OrderStore } from "../store.ts";
import type { Row, SqliteDatabase } from "./sqlite_database.ts";

/** Formats parameters as text, sorted: the same parameters give the same text. */
function formatParameters(parameters: Order["parameters"]): string {
  const sorted = Object.entries(parameters).sort(([a], [b]) => a < b ? -1 : 1);
  return JSON.stringify(Object.fromEntries(sorted));
}

/** An order from its row. */
function toOrder(row: Row | undefined): Order | undefined {
  return row && {
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

/** The orders of a SQLite store. */
export class SqliteOrders implements OrderStore {
  readonly #database: SqliteDatabase;

  /** @param database Their database */
  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async place(order: Order, now: number): Promise<Order> {
    const { id, serialNumber, serviceId, state, token, file, expires } = order;
    const parameters = formatParameters(order.parameters);
    return await this.#database.write(() => {
      const [open] = this.#database.select(
        "orders",
        `WHERE serial_number = ? AND service_id = ? AND parameters = ?
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
        `INSERT INTO orders (id, serial_number, service_id, parameters, state, token, file, expires)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        id,
        serialNumber,
        serviceId,
        parameters,
        state,
        token,
        file,
        expires,
      );
      this.#database.seal("orders", "id = ?", id);
      return order;
    });
  }

  async get(id: string): Promise<Order | undefined> {
    return toOrder(this.#database.findOne("orders", { id }));
  }

  async findByToken(token: string): Promise<Order | undefined> {
    return toOrder(this.#database.findOne("orders", { token }));
  }

  async unfinished(): Promise<Order[]> {
    return this.#database
      .select("orders", "WHERE state <> 'failed' AND expires IS NULL ORDER BY rowid")
      .map((row) => toOrder(row)!);
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
