import { ConfigurationError } from "../../api/errors.ts";
import type { World } from "../../api/world.ts";
import type { Attempts } from "./attempts.ts";
import { KINDS } from "./document_cache.ts";
import type { Documents, DocumentVisitor } from "./documents.ts";
import type { Engine } from "./engine.ts";
import { Licences } from "./licences.ts";
import { Orders } from "./orders.ts";

/** Pause after a full verification, in multiples of its duration, because requests wait while it runs. */
const PAUSE_RATIO = 20;

/** Identifier of the document with the identity of the database, of kind `world`. */
const IDENTITY = "identity";

/** Identity that a database and its files share. */
export interface Identity {
  readonly id: string;
  /** Whether the files may still lack it. */
  readonly pending: boolean;
}

/**
 * The database of the service: SQLite on one machine, or PostgreSQL; no code above it depends on which. Only the store
 * points to files, so one transaction changes everything at once. Failures reject the promise: no method throws
 * synchronously.
 */
export class Store {
  readonly licences: Licences;
  readonly orders: Orders;
  /** Failed attempts to get access: of this process, or of all servers that share the store. They are not moved to another store. */
  readonly attempts: Attempts;
  readonly documents: Documents;
  /** When the next full verification may run, in `performance.now`. */
  #nextVerification = -Infinity;

  /** @param attempts Where failed attempts are counted */
  constructor(documents: Documents, attempts: Attempts) {
    this.documents = documents;
    this.attempts = attempts;
    this.licences = new Licences(documents);
    this.orders = new Orders(documents);
  }

  get #engine(): Engine {
    return this.documents.engine;
  }

  /**
   * Returns a view of the store for one request. It reads the state at the request's first read or later, so not every
   * read has to check for imports. After waiting for a job, take a new view.
   */
  forRequest(): Store {
    const documents = this.documents.forRequest();
    return documents === this.documents ? this : new Store(documents, this.attempts);
  }

  /** Where the figures come from. */
  async world(): Promise<World> {
    return await this.documents.get<World>("world", "world") ?? "own";
  }

  /** Address of the store, without secrets. */
  get address(): string {
    return this.#engine.address;
  }

  /** Identity of the store; `undefined` before the first import. */
  async identity(): Promise<Identity | undefined> {
    const [document] = await this.documents.read<string>("world", { ids: [IDENTITY] });
    return document && { id: document.contents[0], pending: document.entry.state === "pending" };
  }

  /** Sets a random identity, pending until the files have it too; an existing one stays. */
  async beginIdentity(): Promise<Identity> {
    return await this.transaction(async (all) => {
      await all.documents.begin("world"); // others wait here
      return await all.identity() ?? await all.#putIdentity(crypto.randomUUID(), true);
    });
  }

  /** Records that the files have the identity. */
  async confirmIdentity({ id }: Identity): Promise<void> {
    await this.transaction((all) => all.#putIdentity(id, false));
  }

  async #putIdentity(id: string, pending: boolean): Promise<Identity> {
    const state = pending ? "pending" : "";
    await this.documents.put("world", [{ id: IDENTITY, state, parts: [id] }]);
    return { id, pending };
  }

  /**
   * Clock of the database, milliseconds since 1970 UTC. Machines that share it agree on when an address expires,
   * whatever their clocks say.
   */
  async now(): Promise<number> {
    return await this.#engine.now();
  }

  /**
   * Checks that the database can be read and written, past all caches, and from time to time runs {@linkcode
   * Store.verify}.
   *
   * @throws {DamagedFileError} If stored data are damaged
   * @throws {Error} If it cannot be read or written
   */
  async check(): Promise<void> {
    await this.#engine.check();
    if (performance.now() < this.#nextVerification) return;
    const begun = performance.now();
    await this.verify();
    this.#nextVerification = performance.now() + PAUSE_RATIO * (performance.now() - begun);
  }

  /**
   * Checks that all data are as written. Contents of turbines are compared only on reading.
   *
   * @throws {DamagedFileError} If something is damaged
   */
  async verify(): Promise<void> {
    await this.documents.verify();
  }

  /**
   * Commits all changes of a body or none, even if the body continues after a failed one. Others see the changes only
   * after the commit. A nested transaction is part of the outer one. The body must not wait for changes by others, and
   * runs again from its beginning if it loses a conflict. Others may meanwhile change data that it has read, so the
   * `edition` of a site and the state of an order are compared when it changes them.
   *
   * @param body Receives a store for its reads and changes, valid only during the transaction
   */
  async transaction<T>(body: (store: Store) => Promise<T>): Promise<T> {
    return await this.documents.transaction((all) => body(new Store(all, this.attempts)));
  }

  /**
   * Runs a transaction during which no other one can name a file, for removing files that no row names. Code that names
   * files checks that they exist, in the same transaction and after the call that names them.
   *
   * @param body Receives a store for the transaction; keep it short, because others wait
   */
  async excludeNaming<T>(body: (store: Store) => Promise<T>): Promise<T> {
    return await this.transaction(async (store) => {
      await store.#engine.lock("files");
      return await body(store);
    });
  }

  /**
   * Locks the store against other updates on all machines that share it, until the lock is disposed of or this process
   * ends, even if killed. Only updates use this lock.
   *
   * @returns `undefined` if another update has the lock
   */
  async lockUpdates(): Promise<AsyncDisposable | undefined> {
    return await this.#engine.lockUpdates();
  }

  /**
   * Reads a snapshot of all documents except the identity, without blocking others. For copying into another store,
   * which has other files.
   *
   * @param visit Receives the documents, kind by kind
   * @throws {DamagedFileError} If stored data are damaged
   */
  async snapshot(visit: DocumentVisitor): Promise<void> {
    await this.documents.visit((kind, documents) =>
      visit(kind, kind === "world" ? documents.filter(({ id }) => id !== IDENTITY) : documents)
    );
  }

  /**
   * Fills an empty store in one transaction, as in `target.load((write) => source.snapshot(write))`.
   *
   * @param read Passes documents on, each after the documents that it references
   * @throws {ConfigurationError} If the store has data: nothing is changed
   */
  async load(read: (write: DocumentVisitor) => Promise<void>): Promise<void> {
    await this.documents.transaction(async (all) => {
      for (const kind of KINDS) {
        if (kind === "world" || (await all.ids(kind)).length === 0) continue;
        throw new ConfigurationError(
          `Cannot move data to ${this.#engine.address}: this database already has sites, licences or orders. Move the data to an empty database`,
        );
      }
      await read((kind, drafts) => all.put(kind, drafts));
    });
  }

  async close(): Promise<void> {
    await this.#engine.close();
  }
}
