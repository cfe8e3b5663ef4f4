import type { StoredRow } from "../../storage/store/stored_row.ts";

/** What a database and a transaction of it do alike. */
export interface PostgresQueries {
  /** Address of the database without its password. */
  readonly address: string;
  /**
   * All rows of a query.
   *
   * @param sql One statement, its values as `$1`, `$2`, …
   * @throws {Error} If it fails, with SQLSTATE as `code`; `isPassing` where another try may help
   */
  all(sql: string, ...values: readonly unknown[]): Promise<StoredRow[]>;
  get(sql: string, ...values: readonly unknown[]): Promise<StoredRow | undefined>;
  /**
   * Runs a statement.
   *
   * @returns How many rows it changed
   */
  run(sql: string, ...values: readonly unknown[]): Promise<number>;
  /**
   * Commits all statements of a body together or none of them; within a transaction it is a part of that one, and where it
   * fails nothing of that is committed. What loses against another transaction is run again from its beginning.
   *
   * @param body Gets what its statements go through
   * @param mode How it begins, such as `ISOLATION LEVEL REPEATABLE READ`; READ COMMITTED unless given
   */
  transaction<T>(body: (queries: PostgresQueries) => Promise<T>, mode?: string): Promise<T>;
}
