/** A row as returned by a database. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** A value of a statement. */
export type StoredValue = string | number | null;

/**
 * The database interface of {@linkcode Documents}: SQLite on one machine, or PostgreSQL; both understand the
 * statements. Failures reject the promise.
 */
export interface Engine {
  /** Address of the database, without secrets. */
  readonly address: string;
  /** Prefix of its table names. */
  readonly schema: string;
  /** Remedy for a damaged database. */
  readonly remedy: string;
  /**
   * Runs a query and returns all rows.
   *
   * @param sql One statement, with values as `$1`, `$2`, …
   */
  all(sql: string, ...values: readonly StoredValue[]): Promise<StoredRow[]>;
  /**
   * Runs a statement.
   *
   * @returns Number of changed rows
   */
  run(sql: string, ...values: readonly StoredValue[]): Promise<number>;
  /**
   * Commits all statements of a body or none, even if the body continues after a failed one. A nested transaction is
   * part of the outer one. A transaction that loses a conflict runs again from its beginning.
   *
   * @param body Receives the engine for its statements
   * @param reads Whether it only reads, from one snapshot. @default {false}
   */
  transaction<T>(body: (engine: Engine) => Promise<T>, reads?: boolean): Promise<T>;
  /**
   * Waits for a lock, and holds it until the transaction ends; does nothing if only one transaction can write at a
   * time. A transaction with the lock `import` may be idle for longer than others.
   *
   * @param shared Whether other holders may share it
   */
  lock(what: "import" | "files" | "points", shared?: boolean): Promise<void>;
  /** Locks the database against other updates on all machines; `undefined` if another update has the lock. */
  lockUpdates(): Promise<AsyncDisposable | undefined>;
  /** Clock of the database, milliseconds since 1970 UTC. */
  now(): Promise<number>;
  /** A value that differs after each commit of any process; `undefined` if only a query can show changes. */
  stamp(): unknown;
  /**
   * Checks that the database can be read and written, past all caches.
   *
   * @throws {Error} If it cannot
   */
  check(): Promise<void>;
  /**
   * Checks the integrity of the data on disk.
   *
   * @throws {DamagedFileError} If it is not
   */
  verify(): Promise<void>;
  close(): Promise<void>;
}
