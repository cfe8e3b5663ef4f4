import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from "node:sqlite";
import { DamagedFileError, readFileVersion } from "../../../disk/files.ts";
import { sha256 } from "../../../disk/hashes.ts";
import { isPassing } from "../../failures/is_passing.ts";
import { inTurn } from "./write_turns.ts";

/** A row as SQLite gives it. */
export type Row = Record<string, SQLOutputValue>;

type Statement = ReturnType<DatabaseSync["prepare"]>;

/**
 * Messages of SQLite for a damaged file, another kind of file, and a lost table; node:sqlite passes on the code of some
 * calls only.
 */
const DAMAGED = /malformed|not a database|no such (table|column)/;

/** Whether an error of SQLite is that another process locks the database, by its message. */
export const isBusy = ({ message }: Error): boolean => /locked|busy/.test(message);

/** Characters of a seal: accidents, not attacks, are to be found. */
const SEAL_LENGTH = 16;

/** Column of a row with the hash of its other values. SQLite itself does not notice a flipped bit in a value. */
const SEAL = "seal";

/** Computes the hash of values, as short as still shows damage. */
export function sealOf(values: unknown): string {
  return sha256(JSON.stringify(values)).slice(0, SEAL_LENGTH);
}

/** Pause after a verification, in its durations: other requests wait meanwhile. */
export const PAUSE_RATIO = 20;

/** How long to wait for another process that writes, ms. */
const LOCK_TIMEOUT = 10_000;

/** A transaction of several steps, and what the first one of them failed with that did. */
interface Steps {
  failure?: { readonly error: unknown };
}

/** A SQLite database with its prepared statements. */
export class SqliteDatabase {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, Statement>();
  /** Version of the database in which a table was found whole, and when it may be verified again, `performance.now`. */
  readonly #verified = new Map<string, { readonly version: string; readonly again: number }>();
  /** The transaction of several steps on this connection. */
  #steps: Steps | undefined;

  /**
   * @param path Path of the database; created where it is missing
   * @param options `readOnly`: writes nothing, and fails where it is missing
   */
  constructor(path: string, { readOnly = false }: { readonly readOnly?: boolean } = {}) {
    this.path = path;
    this.#database = this.#name(() => new DatabaseSync(path, { timeout: LOCK_TIMEOUT, readOnly }));
    this.#database.function("seal_of", { varargs: true }, (...values) => sealOf(values));
  }

  /** Runs statements that take no values and give no rows. */
  exec(sql: string): void {
    this.#name(() => this.#database.exec(sql));
  }

  /** Runs reads that belong together: none of them sees what another process commits meanwhile. */
  snapshot<T>(body: () => T): T {
    return this.#database.isTransaction ? body() : this.#run("BEGIN", body);
  }

  /**
   * Rows of a table, each compared with its seal.
   *
   * @param rest What follows its name in the query
   * @throws {DamagedFileError} If a row is not as it was written
   */
  select(table: string, rest = "", ...values: SQLInputValue[]): Row[] {
    return this.all(`SELECT * FROM ${table} ${rest}`, ...values)
      .map((row) => this.#open(table, row));
  }

  /**
   * Sealed rows of a table that have some values. An index may be damaged too: what it leads to is compared.
   *
   * @param key The values by column
   * @param rest What follows the condition in the query
   * @throws {DamagedFileError} If a row is not as it was written
   */
  find(table: string, key: Readonly<Record<string, SQLInputValue>>, rest = ""): Row[] {
    const columns = Object.entries(key);
    const condition = columns.map(([name]) => `${name} = ?`).join(" AND ");
    const rows = this.select(table, `WHERE ${condition} ${rest}`, ...Object.values(key));
    const isAsked = (row: Row) => columns.every(([name, value]) => row[name] === value);
    return rows.every(isAsked) ? rows : this.refuse(`an index of ${table}`);
  }

  /**
   * The sealed row of a table that has some values. Where there is none the table is verified, once for each version of the
   * database: a damaged index or page would hide it. Who asks for what is not there must not keep the thread busy: after a
   * long verification only the rows are looked through for a while.
   *
   * @throws {DamagedFileError} If the row or the table is not as it was written
   */
  findOne(table: string, key: Readonly<Record<string, SQLInputValue>>): Row | undefined {
    const [row] = this.find(table, key);
    const version = [this.path, `${this.path}-wal`].map(readFileVersion).join();
    const verified = this.#verified.get(table);
    if (row || verified?.version === version) return row;
    const begun = performance.now();
    if (!verified || begun >= verified.again) {
      this.verify(table);
      this.verifySeals(table);
      const end = performance.now();
      this.#verified.set(table, { version, again: end + PAUSE_RATIO * (end - begun) });
      return undefined;
    }
    const condition = Object.keys(key).map((name) => `+${name} = ?`).join(" AND "); // "+": by no index
    const hidden = this.get(`SELECT 1 FROM ${table} WHERE ${condition}`, ...Object.values(key));
    return hidden && this.refuse(`an index of ${table}`);
  }

  /**
   * Looks whether pages and indices are whole, of a table or of all.
   *
   * @throws {DamagedFileError} If one is not
   */
  verify(table?: string): void {
    const [row] = this.all(`PRAGMA integrity_check${table === undefined ? "" : `(${table})`}`);
    const found = row && Object.values(row)[0];
    if (found !== "ok") this.refuse("it", String(found).replaceAll("\n", ", "));
  }

  /**
   * Compares all rows of a table with their seals.
   *
   * @throws {DamagedFileError} If one is not as it was written
   */
  verifySeals(table: string): void {
    this.#name(() => {
      for (const row of this.#prepare(`SELECT * FROM ${table}`).iterate()) this.#open(table, row);
    });
  }

  /** Seals rows that were just written, before their transaction ends. */
  seal(table: string, condition: string, ...values: SQLInputValue[]): void {
    const names = this.all("SELECT name FROM pragma_table_info(?) WHERE name <> ?", table, SEAL)
      .map(({ name }) => name).join(", ");
    this.run(`UPDATE ${table} SET ${SEAL} = seal_of(${names}) WHERE ${condition}`, ...values);
  }

  /**
   * Says that something in the database is not as it was written.
   *
   * @param what What it is
   * @param found What SQLite says of it
   * @throws {DamagedFileError} Always
   */
  refuse(what: string, found?: string, cause?: unknown): never {
    throw new DamagedFileError(
      this.path,
      `${what} is damaged${found === undefined ? "" : ` (${found})`}. ` +
        "Stop the service, move its data directory away and copy the last backup to its place",
      { cause },
    );
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#name(() => this.#prepare(sql).get(...values)) as Row | undefined;
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#name(() => this.#prepare(sql).all(...values)) as Row[];
  }

  /** The rows of a query one by one, while nothing else is asked of this connection. */
  each(sql: string): IterableIterator<Row> {
    return this.#name(() => this.#prepare(sql).iterate()) as IterableIterator<Row>;
  }

  /**
   * Runs a statement.
   *
   * @returns How many rows it changed
   */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#name(() => this.#prepare(sql).run(...values)).changes);
  }

  /** Runs all of the body or nothing of it; no other process writes meanwhile. */
  transaction<T>(body: () => T): T {
    return this.#run("BEGIN IMMEDIATE", body);
  }

  /**
   * Runs a transaction, once this process runs none of several steps on this database; as a step of such a one where that
   * runs on this connection.
   */
  async write<T>(body: () => T): Promise<T> {
    if (this.#steps) return await this.steps(async () => await body());
    return await inTurn(this.path, () => this.transaction(body));
  }

  /** Whether a transaction of several steps runs on this connection. */
  get inSteps(): boolean {
    return this.#steps !== undefined;
  }

  /**
   * Runs all steps of the body or nothing of them, also where the body goes on after one that fails; within another such
   * transaction they are a part of that. What else runs on this connection is a part of it too.
   */
  async steps<T>(body: () => Promise<T>): Promise<T> {
    const outer = this.#steps;
    if (outer) {
      return await body().catch((error) => {
        outer.failure ??= { error };
        throw error;
      });
    }
    this.exec("BEGIN IMMEDIATE");
    const steps: Steps = {};
    this.#steps = steps;
    try {
      const result = await body();
      if (steps.failure) throw steps.failure.error;
      this.exec("COMMIT");
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    } finally {
      this.#steps = undefined;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Runs a call of SQLite, whose failures do not say which file they are about. */
  #name<T>(call: () => T): T {
    try {
      return call();
    } catch (cause) {
      if (!(cause instanceof Error) || cause instanceof DamagedFileError) throw cause;
      if (DAMAGED.test(cause.message)) this.refuse("it", cause.message, cause);
      if (!isPassing(cause)) throw cause;
      const remedy = isBusy(cause)
        ? "Another process writes to it; try again"
        : "Look at its disk: free space, and whether the file is whole";
      throw new Error(`Cannot use ${this.path}: ${cause.message}. ${remedy}`, { cause });
    }
  }

  #run<T>(begin: string, body: () => T): T {
    this.exec(begin);
    try {
      const result = body();
      this.exec("COMMIT");
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  #rollBack(): void {
    try {
      this.#database.exec("ROLLBACK");
    } catch {
      // SQLite has ended it itself, as on a full disk, or cannot read any more: the first failure says why.
    }
  }

  /** Compares a row with its seal, and takes that off. */
  #open(table: string, { [SEAL]: seal, ...row }: Row): Row {
    return seal === sealOf(Object.values(row)) ? row : this.refuse(`a row of ${table}`);
  }

  #prepare(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, statement = this.#database.prepare(sql));
    return statement;
  }
}
