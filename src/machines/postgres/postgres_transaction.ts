import type { PoolClient } from "./pg.ts";
import type { StoredRow } from "../../storage/store/stored_row.ts";
import type { PostgresQueries } from "./postgres_queries.ts";
import { runStatement } from "./run_statement.ts";

/** The statements of one connection, one after the other. */
export class PostgresTransaction implements PostgresQueries {
  readonly address: string;
  readonly #client: PoolClient;
  #previous: Promise<unknown> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;

  /**
   * @param address Address of the database without its password
   * @param client A connection on which a transaction has begun
   */
  constructor(address: string, client: PoolClient) {
    this.address = address;
    this.#client = client;
  }

  async all(sql: string, ...values: readonly unknown[]): Promise<StoredRow[]> {
    return (await this.#query(sql, values)).rows;
  }

  async get(sql: string, ...values: readonly unknown[]): Promise<StoredRow | undefined> {
    return (await this.#query(sql, values)).rows[0];
  }

  async run(sql: string, ...values: readonly unknown[]): Promise<number> {
    return (await this.#query(sql, values)).rowCount ?? 0;
  }

  transaction<T>(body: (queries: PostgresQueries) => Promise<T>): Promise<T> {
    return this.#note(() => body(this));
  }

  /**
   * Ends it.
   *
   * @throws What one of its statements or parts failed with, also where the body went on
   */
  async commit(): Promise<void> {
    if (this.#failure) throw this.#failure.error;
    await runStatement(this.#client, this.address, "COMMIT");
  }

  #query(sql: string, values: readonly unknown[]) {
    const statement = { text: sql, values: [...values] };
    // A connection runs one after the other, also of a body that begins several at once; none after one that has failed, as
    // it would come after the ROLLBACK.
    const result = this.#previous.then(() => {
      if (this.#failure) throw this.#failure.error;
      return this.#note(() => runStatement(this.#client, this.address, statement));
    });
    this.#previous = result.catch(() => {});
    return result;
  }

  async #note<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }
}
