// deno-lint-ignore-file require-await -- SQLite answers at once; async turns its exceptions into rejections
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DamagedFileError, nameFailure } from "../../../disk/files.ts";
import { isPassing } from "../../failures/is_passing.ts";
import { retry, type RetryPolicy } from "../../failures/retry.ts";
import type { Engine, StoredRow, StoredValue } from "../engine.ts";

/** Running transactions of several steps in this process, by the real path of the database. */
const running = new Map<string, Promise<void>>();

/**
 * Runs a transaction of several steps, one at a time per database in this process. A statement that waits inside SQLite
 * for such a transaction would block the thread that has to end it.
 *
 * @param path Path of the database
 * @param steps Begins and ends the transaction; called synchronously if no other one runs
 */
export async function takeTurn<T>(path: string, steps: () => Promise<T>): Promise<T> {
  const name = Deno.realPathSync(path);
  for (let other; (other = running.get(name));) await other;
  const { promise, resolve } = Promise.withResolvers<void>();
  running.set(name, promise);
  try {
    return await steps();
  } finally {
    running.delete(name);
    resolve();
  }
}

/**
 * Messages of SQLite for a damaged file, another kind of file, and a lost table; node:sqlite passes on the code of only
 * some calls.
 */
const DAMAGED = /malformed|not a database|no such (table|column)/;

/** Whether an error of SQLite means that another process locks the database, by its message. */
const isBusy = ({ message }: Error): boolean => /locked|busy/.test(message);

/** How long to wait for another writing process, ms. */
const LOCK_TIMEOUT = 10_000;

/** Retries changing the journal mode while another process does so: SQLite does not wait for that lock. */
const BUSY: RetryPolicy = {
  isWorth: (error) => isBusy(error as Error),
  pause: [20, 20],
  time: 4000,
};

/** Commits are synced to disk, so orders and revocations survive a power cut. */
const SETTINGS = "PRAGMA synchronous = FULL; " +
  // Copies each commit from the log at once, because SQLite silently ignores the rest of a damaged log.
  "PRAGMA wal_autocheckpoint = 1";

/** Lock file of updates, next to the database. */
const UPDATE_LOCK = "update.lock";

const REMEDY =
  "Stop the service, move its data directory away and copy the last backup to its place";

/** A connection with its prepared statements. */
class Connection implements Disposable {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, ReturnType<DatabaseSync["prepare"]>>();

  constructor(path: string, readOnly = false) {
    this.path = path;
    this.#database = this.#withPath(() =>
      new DatabaseSync(path, { timeout: LOCK_TIMEOUT, readOnly })
    );
    if (!readOnly) this.exec(SETTINGS);
  }

  /** Runs statements without values and results. */
  exec(sql: string): void {
    this.#withPath(() => this.#database.exec(sql));
  }

  all(sql: string, values: readonly StoredValue[] = []): StoredRow[] {
    return this.#withPath(() => this.#prepare(sql).all(...values));
  }

  run(sql: string, values: readonly StoredValue[]): number {
    return Number(this.#withPath(() => this.#prepare(sql).run(...values)).changes);
  }

  rollBack(): void {
    try {
      this.#database.exec("ROLLBACK");
    } catch {
      // SQLite has rolled it back itself, as on a full disk, or cannot read any more; the first error says why.
    }
  }

  [Symbol.dispose](): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(sql: string) {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql.replaceAll(/\$(\d+)/g, "?$1"));
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Runs a call of SQLite, and adds the file to its errors. */
  #withPath<T>(call: () => T): T {
    try {
      return call();
    } catch (cause) {
      if (!(cause instanceof Error)) throw cause;
      if (DAMAGED.test(cause.message)) {
        throw new DamagedFileError(this.path, `it is damaged (${cause.message}). ${REMEDY}`, {
          cause,
        });
      }
      if (!isPassing(cause)) throw cause;
      const remedy = isBusy(cause)
        ? "Another process writes to this database. Try again"
        : "Check that the disk is connected and has free space";
      throw new Error(`Cannot use ${this.path}: ${cause.message}. ${remedy}`, { cause });
    }
  }
}

/** Operations of SQLite that are the same inside and outside a transaction. */
export abstract class SqliteQueries implements Engine {
  readonly address: string;
  readonly schema = "";
  readonly remedy = REMEDY;
  protected readonly connection: Connection;

  constructor(connection: Connection) {
    this.address = connection.path;
    this.connection = connection;
  }

  /** Version of the schema, 0 for a new database. */
  get version(): number {
    return Number(this.connection.all("PRAGMA user_version")[0].user_version);
  }

  /** Runs statements without values and results. */
  exec(sql: string): void {
    this.connection.exec(sql);
  }

  async all(sql: string, ...values: readonly StoredValue[]): Promise<StoredRow[]> {
    return this.connection.all(sql, values);
  }

  async run(sql: string, ...values: readonly StoredValue[]): Promise<number> {
    return this.connection.run(sql, values);
  }

  abstract transaction<T>(body: (engine: Engine) => Promise<T>, reads?: boolean): Promise<T>;

  async lock(): Promise<void> {
    // SQLite allows only one writer.
  }

  async lockUpdates(): Promise<AsyncDisposable | undefined> {
    const path = `${dirname(this.address)}/${UPDATE_LOCK}`;
    this.connection.all("SELECT 1"); // throws if closed
    // The system releases the lock with the process, even a killed one.
    const file = await Deno.open(path, { write: true, create: true, mode: 0o600 })
      .catch((cause) => Promise.reject(nameFailure(`lock ${path}`, cause)));
    const locked = await file.tryLock(true);
    const end = async () => {
      if (locked) await file.unlock(); // otherwise a process being started, which has a copy of the descriptor, would keep it
      file.close();
    };
    if (locked) return { [Symbol.asyncDispose]: end };
    await end();
  }

  async now(): Promise<number> {
    const [row] = this.connection.all("SELECT round(unixepoch('subsec') * 1000) AS now");
    return Number(row.now);
  }

  stamp(): unknown {
    return this.connection.all("PRAGMA data_version")[0].data_version;
  }

  async check(): Promise<void> {
    this.connection.all("SELECT 1"); // throws if closed
    // A separate file: closing a descriptor of the database would release this process's locks.
    Deno.writeTextFileSync(`${this.address}.check`, "");
    Deno.removeSync(`${this.address}.check`);
    using reader = new Connection(this.address, true);
    reader.all("SELECT * FROM lists");
  }

  async verify(): Promise<void> {
    const [row] = this.connection.all("PRAGMA integrity_check");
    const result = row && Object.values(row)[0];
    if (result === "ok") return;
    const problem = `it is damaged (${String(result).replaceAll("\n", ", ")}). ${REMEDY}`;
    throw new DamagedFileError(this.address, problem);
  }

  abstract close(): Promise<void>;
}

/** The statements of a transaction. */
class SqliteTransaction extends SqliteQueries {
  #failure: { readonly error: unknown } | undefined;

  /** @throws The first error of a statement or nested transaction, even if the body caught it */
  assertSound(): void {
    if (this.#failure) throw this.#failure.error;
  }

  override async all(sql: string, ...values: readonly StoredValue[]): Promise<StoredRow[]> {
    return await this.transaction(() => super.all(sql, ...values));
  }

  override async run(sql: string, ...values: readonly StoredValue[]): Promise<number> {
    return await this.transaction(() => super.run(sql, ...values));
  }

  override async transaction<T>(body: (engine: Engine) => Promise<T>): Promise<T> {
    try {
      return await body(this);
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }

  override async close(): Promise<void> {
    // The opener of the database closes it.
  }
}

/** A SQLite database in WAL mode, with one connection for reading and one for writing. */
export class SqliteEngine extends SqliteQueries {
  #writer: Connection | undefined;

  /**
   * Opens a database with a write-ahead log, so readers and a writer work in parallel.
   *
   * @param path Path of the database, created if it is missing
   */
  static async open(path: string): Promise<SqliteEngine> {
    const connection = new Connection(path);
    try {
      await retry(() => connection.exec("PRAGMA journal_mode = WAL"), BUSY);
      return new SqliteEngine(connection);
    } catch (error) {
      connection[Symbol.dispose]();
      throw error;
    }
  }

  override async transaction<T>(
    body: (engine: Engine) => Promise<T>,
    reads: boolean = false,
  ): Promise<T> {
    this.connection.all("SELECT 1"); // throws if closed
    if (reads) {
      using reader = new Connection(this.address, true);
      reader.exec("BEGIN");
      return await body(new SqliteTransaction(reader));
    }
    return await takeTurn(this.address, async () => {
      const writer = this.#writer ??= new Connection(this.address);
      writer.exec("BEGIN IMMEDIATE");
      try {
        const transaction = new SqliteTransaction(writer);
        const result = await body(transaction);
        transaction.assertSound();
        writer.exec("COMMIT");
        return result;
      } catch (error) {
        writer.rollBack();
        throw error;
      }
    });
  }

  override async close(): Promise<void> {
    this.#writer?.[Symbol.dispose]();
    this.connection[Symbol.dispose]();
  }
}
