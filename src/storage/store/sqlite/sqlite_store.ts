// deno-lint-ignore-file require-await -- SQLite answers at once; async turns what it throws into a rejection
import { DamagedFileError, nameFailure } from "../../../disk/files.ts";
import type { World } from "../../../api/world.ts";
import type { Store } from "../store.ts";
import type { RowVisitor } from "../stored_tables.ts";
import { verifyLists, verifyTables } from "./contents.ts";
import { listNamedFiles } from "./named_files.ts";
import { prepareSchema } from "./schema.ts";
import { SEALED_TABLES } from "./sealed_tables.ts";
import { PAUSE_RATIO, SqliteDatabase } from "./sqlite_database.ts";
import { SqliteLicences } from "./sqlite_licences.ts";
import { SqliteOrders } from "./sqlite_orders.ts";
import { SqliteSites } from "./sqlite_sites.ts";
import { loadRows, visitRows } from "./sqlite_rows.ts";
import { takeTurn } from "./write_turns.ts";
import { dirname } from "node:path";
import { ConfigurationError } from "../../../api/errors.ts";
import { ATTEMPT_PERIOD, type Attempts, type CountedAttempt } from "../attempts.ts";

/** Name of the file that is locked, beside the database. */
const LOCK = "update.lock";

/**
 * Locks a database against other updates of this machine. The system ends the lock with the process, also a killed one.
 *
 * @param database Path of the database
 * @returns `undefined` where another update has it
 * @throws {Error} If the file of the lock cannot be opened
 */
async function lockUpdates(database: string): Promise<AsyncDisposable | undefined> {
  const path = `${dirname(database)}/${LOCK}`;
  const file = await Deno.open(path, { write: true, create: true, mode: 0o600 })
    .catch((cause) => Promise.reject(nameFailure(`lock ${path}`, cause)));
  if (await file.tryLock(true)) {
    return { [Symbol.asyncDispose]: () => Promise.resolve(file.close()) };
  }
  file.close();
}

/** Largest number of names that are stored; beyond it the one longest without an attempt is removed. */
const CAPACITY = 10_000;

interface MemoryAttemptsOptions {
  /** Largest number of names that are stored. @default {10_000} */
  capacity?: number;
  /** A clock that never goes back, ms. @default {performance.now} */
  now?: () => number;
}

/** Attempts of one process, in memory: names in the order of their latest one. */
export class MemoryAttempts implements Attempts {
  readonly #capacity: number;
  readonly #now: () => number;
  readonly #instants = new Map<string, number[]>();

  constructor({ capacity = CAPACITY, now = () => performance.now() }: MemoryAttemptsOptions = {}) {
    this.#capacity = capacity;
    this.#now = now;
  }

  get size(): number {
    return this.#instants.size;
  }

  async count(name: string, limit: number): Promise<CountedAttempt> {
    const now = this.#now();
    this.#forgetBefore(now - ATTEMPT_PERIOD);
    const recent = (this.#instants.get(name) ?? []).filter((it) => it > now - ATTEMPT_PERIOD);
    const first = recent.at(-limit);
    if (first !== undefined) {
      return { pause: first + ATTEMPT_PERIOD - now, takeBack: () => Promise.resolve() };
    }
    this.#instants.delete(name); // it becomes the latest
    this.#instants.set(name, [...recent, now]);
    if (this.size > this.#capacity) this.#instants.delete(this.#instants.keys().next().value!);
    return { pause: 0, takeBack: async () => this.#takeBack(name, now) };
  }

  #takeBack(name: string, instant: number): void {
    const instants = this.#instants.get(name);
    const i = instants?.indexOf(instant) ?? -1;
    if (i < 0) return;
    instants!.splice(i, 1);
    if (instants!.length === 0) this.#instants.delete(name);
  }

  /** Removes names whose attempts have all expired; they come first. */
  #forgetBefore(instant: number): void {
    for (const [name, instants] of this.#instants) {
      if (instants.at(-1)! > instant) break;
      this.#instants.delete(name);
    }
  }
}

/** The store on one machine: SQLite in WAL mode. */
export class SqliteStore implements Store {
  readonly sites: SqliteSites;
  readonly licences: SqliteLicences;
  readonly orders: SqliteOrders;
  readonly attempts = new MemoryAttempts();
  readonly #database: SqliteDatabase;
  /** When {@linkcode SqliteStore.check} may read everything again, `performance.now`. */
  #nextVerification = -Infinity;

  /**
   * Opens a database, and creates it where it is missing.
   *
   * @param path Path of the database
   * @param world Where the figures of a new database come from
   * @throws {ConfigurationError} If it has another schema
   */
  constructor(path: string, world: World = "own") {
    this.#database = new SqliteDatabase(path);
    this.sites = new SqliteSites(this.#database);
    this.licences = new SqliteLicences(this.#database);
    this.orders = new SqliteOrders(this.#database);
    try {
      prepareSchema(this.#database, path, world);
    } catch (cause) {
      this.#database.close();
      if (cause instanceof ConfigurationError) throw cause;
      const found = cause instanceof DamagedFileError ? cause.problem : (cause as Error).message;
      throw new ConfigurationError(`Cannot open ${path}: ${found}`, { cause });
    }
  }

  forRequest(): SqliteStore {
    return this;
  }

  async world(): Promise<World> {
    const [row] = this.#database.find("about", { name: "world" });
    return row ? row.value as World : this.#database.refuse("the table about");
  }

  async now(): Promise<number> {
    return Number(this.#database.get("SELECT round(unixepoch('subsec') * 1000) AS now")!.now);
  }

  async check(): Promise<void> {
    const { path } = this.#database;
    this.#database.get("SELECT 1"); // throws where it is closed
    if (path === ":memory:") return;
    // Another file: to close one of the database would end the locks of this process.
    Deno.writeTextFileSync(`${path}.check`, "");
    Deno.removeSync(`${path}.check`);
    using other = new SqliteDatabase(path, { readOnly: true });
    for (const table of [...SEALED_TABLES, "months"]) other.get(`SELECT * FROM ${table} LIMIT 1`);
    verifyLists(other);
    if (performance.now() < this.#nextVerification) return;
    const begun = performance.now();
    verifyTables(other);
    this.#nextVerification = begun + PAUSE_RATIO * (performance.now() - begun);
  }

  async verify(): Promise<void> {
    verifyTables(this.#database);
  }

  async wantedFiles(now: number, among?: readonly string[]): Promise<string[]> {
    // What a damaged row does not name any more would be removed.
    for (const table of ["points", "turbines", "orders"]) this.#database.verifySeals(table);
    const wanted = listNamedFiles(this.#database, now).map(({ name }) => name);
    return among ? [...new Set(wanted).intersection(new Set(among))] : wanted;
  }

  async transaction<T>(body: (store: SqliteStore) => Promise<T>): Promise<T> {
    if (this.#database.inSteps) return await this.#database.steps(() => body(this));
    const { path } = this.#database;
    this.#database.get("SELECT 1"); // throws where it is closed
    return await takeTurn(path, async () => {
      // What others read and write through this store meanwhile is no part of it.
      const own = new SqliteStore(path);
      try {
        return await own.#database.steps(() => body(own));
      } finally {
        await own.close();
      }
    });
  }

  async excludeNaming<T>(body: (store: SqliteStore) => Promise<T>): Promise<T> {
    return await this.transaction(body); // SQLite lets one write at a time
  }

  async lockUpdates(): Promise<AsyncDisposable | undefined> {
    this.#database.get("SELECT 1"); // throws where it is closed
    return await lockUpdates(this.#database.path);
  }

  async snapshot(visit: RowVisitor): Promise<void> {
    this.#database.get("SELECT 1"); // throws where it is closed
    await visitRows(this.#database.path, visit);
  }

  async load(read: (write: RowVisitor) => Promise<void>): Promise<void> {
    await this.transaction((own) => loadRows(own.#database, read));
  }

  async close(): Promise<void> {
    this.#database.close();
  }
}
