import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from "node:sqlite";

/** A row as SQLite gives it. */
export type Row = Record<string, SQLOutputValue>;

type Statement = ReturnType<DatabaseSync["prepare"]>;

/** How long to wait for another process that writes, ms. */
const LOCK_TIMEOUT = 10_000;

/** A SQLite database with its prepared statements. */
export class SqliteDatabase {
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, Statement>();

  /** @param path Path of the database; created where it is missing */
  constructor(path: string) {
    this.#path = path;
    this.#database = new DatabaseSync(path, { timeout: LOCK_TIMEOUT });
  }

  /** Runs statements that take no values and give no rows. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** First row of a query. */
  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  /** All rows of a query. */
  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  /**
   * Runs a statement.
   *
   * @returns How many rows it changed
   */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  /** Runs all of the body or nothing of it; no other process writes meanwhile. */
  transaction<T>(body: () => T): T {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const result = body();
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      // SQLite has ended the transaction itself where the disk is full: only the first failure says why.
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  /**
   * First row of a query over a new connection: as it is on the disk, and not in the cache of this connection.
   *
   * @throws {Error} If it cannot be read
   */
  getAnew(sql: string): Row | undefined {
    if (this.#path === ":memory:") return this.get(sql);
    const other = new DatabaseSync(this.#path, { readOnly: true });
    try {
      return other.prepare(sql).get() as Row | undefined;
    } finally {
      other.close();
    }
  }

  /** Closes the database. */
  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, statement = this.#database.prepare(sql));
    return statement;
  }
}
