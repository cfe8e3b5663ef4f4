// deno-lint-ignore-file require-await -- SQLite answers at once; async turns what it throws into a rejection
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DamagedFileError, nameFailure } from "../../../disk/files.ts";
import { isPassing } from "../../failures/is_passing.ts";
import { retry, type RetryPolicy } from "../../failures/retry.ts";
import type { Engine, StoredRow, StoredValue } from "../engine.ts";

/** The transactions of several steps that this process runs, by the real path of the database. */
const running = new Map<string, Promise<void>>();

/**
 * Runs a transaction of several steps: nothing else of this process writes to its database meanwhile. A statement that
 * waits within SQLite for such a transaction would block the thread that has to end it.
 *
 * @param path Path of the database
 * @param steps Begins the transaction and ends it; called at once where nothing is to be waited for
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
 * Messages of SQLite for a damaged file, another kind of file, and a lost table; node:sqlite passes on the code of some
 * calls only.
 */
const DAMAGED = /malformed|not a database|no such (table|column)/;

/** Whether an error of SQLite is that another process locks the database, by its message. */
const isBusy = ({ message }: Error): boolean => /locked|busy/.test(message);

/** How long to wait for another process that writes, ms. */
const LOCK_TIMEOUT = 10_000;

/** How the journal is changed while another process does the same: SQLite does not wait for that lock. */
const BUSY: RetryPolicy = {
  isWorth: (error) => isBusy(error as Error),
  pause: [20, 20],
  time: 4000,
};

/** Commits are synced to the disk: an order or a revocation survives a power cut. */
const SETTINGS = "PRAGMA synchronous = FULL; " +
  // Each commit is copied from the log at once: SQLite ignores the rest of a damaged log without a word.
  "PRAGMA wal_autocheckpoint = 1";

/** Name of the file that is locked by whoever updates the data, beside the database. */
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
    this.#database = this.#name(() => new DatabaseSync(path, { timeout: LOCK_TIMEOUT, readOnly }));
    if (!readOnly) this.exec(SETTINGS);
  }

  /** Runs statements that take no values and give no rows. */
  exec(sql: string): void {
    this.#name(() => this.#database.exec(sql));
  }

  all(sql: string, values: readonly StoredValue[] = []): StoredRow[] {
    return this.#name(() => this.#prepare(sql).all(...values));
  }

  run(sql: string, values: readonly StoredValue[]): number {
    return Number(this.#name(() => this.#prepare(sql).run(...values)).changes);
  }

  rollBack(): void {
    try {
      this.#database.exec("ROLLBACK");
    } catch {
      // SQLite has ended it itself, as on a full disk, or cannot read any more: the first failure says why.
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

  /** Runs a call of SQLite, whose failures do not say which file they are about. */
  #name<T>(call: () => T): T {
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
        ? "Another process writes to it; try again"
        : "Check its disk for free space, and whether the file is intact";
      throw new Error(`Cannot use ${this.path}: ${cause.message}. ${remedy}`, { cause });
    }
  }
}

/** What SQLite does alike within a transaction and outside. */
export abstract class SqliteQueries implements Engine {
  readonly address: string;
  readonly schema = "";
  readonly remedy = REMEDY;
  protected readonly connection: Connection;

  constructor(connection: Connection) {
    this.address = connection.path;
    this.connection = connection;
  }

  /** The version of its schema, 0 for a new one. */
  get version(): number {
    return Number(this.connection.all("PRAGMA user_version")[0].user_version);
  }

  /** Runs statements that take no values and give no rows. */
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
    // One writes at a time.
  }

  async lockUpdates(): Promise<AsyncDisposable | undefined> {
    const path = `${dirname(this.address)}/${UPDATE_LOCK}`;
    this.connection.all("SELECT 1"); // throws where it is closed
    // The system ends the lock with the process, also a killed one.
    const file = await Deno.open(path, { write: true, create: true, mode: 0o600 })
      .catch((cause) => Promise.reject(nameFailure(`lock ${path}`, cause)));
    const locked = await file.tryLock(true);
    const end = async () => {
      if (locked) await file.unlock(); // else a process that is being started keeps it: it has a copy of the file until then
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
    this.connection.all("SELECT 1"); // throws where it is closed
    // Another file: to close one of the database would end the locks of this process.
    Deno.writeTextFileSync(`${this.address}.check`, "");
    Deno.removeSync(`${this.address}.check`);
    using other = new Connection(this.address, true);
    other.all("SELECT * FROM lists");
  }

  async verify(): Promise<void> {
    const [row] = this.connection.all("PRAGMA integrity_check");
    const found = row && Object.values(row)[0];
    if (found === "ok") return;
    const problem = `it is damaged (${String(found).replaceAll("\n", ", ")}). ${REMEDY}`;
    throw new DamagedFileError(this.address, problem);
  }

  abstract close(): Promise<void>;
}

/** The statements of a transaction. */
class SqliteTransaction extends SqliteQueries {
  #failure: { readonly error: unknown } | undefined;

  /** @throws What one of its statements or parts failed with, also where the body went on */
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
    // Whoever has opened the database closes it.
  }
}

/** A SQLite database in WAL mode: one connection reads, another one writes. */
export class SqliteEngine extends SqliteQueries {
  #writer: Connection | undefined;

  /**
   * Opens a database, with a write-ahead log so that readers and a writer work in parallel.
   *
   * @param path Path of the database; created where it is missing
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
    this.connection.all("SELECT 1"); // throws where it is closed
    if (reads) {
      using own = new Connection(this.address, true);
      own.exec("BEGIN");
      return await body(new SqliteTransaction(own));
    }
    return await takeTurn(this.address, async () => {
      const writer = this.#writer ??= new Connection(this.address);
      writer.exec("BEGIN IMMEDIATE");
      try {
        const own = new SqliteTransaction(writer);
        const result = await body(own);
        own.assertSound();
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
