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
   * Commits all statements of a body together or none of them, also where it goes on after one that failed; within another
   * transaction it is a part of that. What loses against another transaction is run again from its beginning.
   *
   * @param body Gets what its statements go through
   * @param reads Whether it only reads, and all of it as it was at one moment. @default {false}
   */
  transaction<T>(body: (engine: Engine) => Promise<T>, reads?: boolean): Promise<T>;
  /**
   * Waits for a lock, which it has until the transaction ends; where one writes at a time there is none to wait for. A
   * transaction that imports may pause for longer than others.
   *
   * @param shared Whether others may have it as well, who share it too
   */
  lock(what: "import" | "files" | "points", shared?: boolean): Promise<void>;
  /** Locks the database against other updates, on every machine: `undefined` where another one has it. */
  lockUpdates(): Promise<AsyncDisposable | undefined>;
  /** Its clock, milliseconds since 1970 UTC. */
  now(): Promise<number>;
  /** Another value after each commit, of whatever process; `undefined` where only a query finds that out. */
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
