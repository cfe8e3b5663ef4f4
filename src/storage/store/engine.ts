/** A row as a database gives it. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** A value of a statement. */
export type StoredValue = string | number | null;

/**
 * What {@linkcode Documents} need of a database, SQLite on one machine or PostgreSQL: both understand the statements. Every
 * failure is a rejection.
 */
export interface Engine {
  /** Where it is, as it may be shown. */
  readonly address: string;
  /** What the names of its tables begin with. */
  readonly schema: string;
  /** What to do where something of it is damaged. */
  readonly remedy: string;
  /**
   * All rows of a query.
   *
   * @param sql One statement, its values as `$1`, `$2`, …
   */
  all(sql: string, ...values: readonly StoredValue[]): Promise<StoredRow[]>;
  /**
   * Runs a statement.
   *
   * @returns How many rows it changed
   */
  run(sql: string, ...values: readonly StoredValue[]): Promise<number>;
  /**
   * Commits all statements of a body or none, even if the body goes on after a failed one; within another transaction
   * it is part of that one. A transaction that loses against another is run again from its beginning.
   *
   * @param body Gets what its statements go through
   * @param reads Whether it only reads, and all of it as it was at one moment. @default {false}
   */
  transaction<T>(body: (engine: Engine) => Promise<T>, reads?: boolean): Promise<T>;
  /**
   * Waits for a lock, and holds it until the transaction ends; there is no wait if only one transaction writes at a
   * time. A transaction that imports may pause for longer than others.
   *
   * @param shared Whether others may have it as well, who share it too
   */
  lock(what: "import" | "files" | "points", shared?: boolean): Promise<void>;
  /** Locks the database against other updates, on every machine: `undefined` where another one has it. */
  lockUpdates(): Promise<AsyncDisposable | undefined>;
  /** Its clock, milliseconds since 1970 UTC. */
  now(): Promise<number>;
  /** A value that differs after each commit of any process; `undefined` if only a query can tell. */
  stamp(): unknown;
  /**
   * Looks whether it can be read and written, past all caches.
   *
   * @throws {Error} If it cannot
   */
  check(): Promise<void>;
  /**
   * Looks whether what it stores on the disk is whole.
   *
   * @throws {DamagedFileError} If it is not
   */
  verify(): Promise<void>;
  close(): Promise<void>;
}
