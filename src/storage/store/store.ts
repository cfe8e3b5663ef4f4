import { ConfigurationError } from "../../api/errors.ts";
import type { World } from "../../api/world.ts";
import type { Attempts } from "./attempts.ts";
import { KINDS } from "./document_cache.ts";
import type { Documents, DocumentVisitor } from "./documents.ts";
import type { Engine } from "./engine.ts";
import { Licences } from "./licences.ts";
import { Orders } from "./orders.ts";

/** Pause after a full comparison with the hashes, in multiples of its duration: requests wait while it runs. */
const PAUSE_RATIO = 20;

/** Identifier of the document, beside that of the world, that has the identity of the database. */
const IDENTITY = "identity";

/** What pairs a database with its files: both have it. */
export interface Identity {
  readonly id: string;
  /** Whether the files may lack it still. */
  readonly pending: boolean;
}

/**
 * The database of the service: SQLite on one machine, or PostgreSQL; no code above it depends on which. Only the store points
 * to files, so a transaction of it changes everything at once. Every failure is a rejection: no method throws
 * synchronously.
 */
export class Store {
  readonly licences: Licences;
  readonly orders: Orders;
  /** Failed attempts to get access: of this process, or of all servers that share the store. They move to no other store. */
  readonly attempts: Attempts;
  readonly documents: Documents;
  /** When all may be compared again, `performance.now`. */
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
   * The same store for one request: it reads what was stored when the request first asked for anything, or later, so
   * not every read has to check whether there was an import. After waiting for a job, take a new one.
   */
  forRequest(): Store {
    const documents = this.documents.forRequest();
    return documents === this.documents ? this : new Store(documents, this.attempts);
  }

  /** Where the figures come from. */
  async world(): Promise<World> {
    return await this.documents.get<World>("world", "world") ?? "own";
  }

  /** Where it is, as it may be shown. */
  get address(): string {
    return this.#engine.address;
  }

  /** Its identity; `undefined` before the first import. */
  async identity(): Promise<Identity | undefined> {
    const [found] = await this.documents.read<string>("world", { ids: [IDENTITY] });
    return found && { id: found.contents[0], pending: found.entry.state === "pending" };
  }

  /** Gives it a random identity, pending until its files have it too; the one that it has stays. */
  async beginIdentity(): Promise<Identity> {
    return await this.transaction(async (all) => {
      await all.documents.begin("world"); // others wait here
      return await all.identity() ?? await all.#putIdentity(crypto.randomUUID(), true);
    });
  }

  /** Notes that its files have its identity. */
  async confirmIdentity({ id }: Identity): Promise<void> {
    await this.transaction((all) => all.#putIdentity(id, false));
  }

  async #putIdentity(id: string, pending: boolean): Promise<Identity> {
    const state = pending ? "pending" : "";
    await this.documents.put("world", [{ id: IDENTITY, state, parts: [id] }]);
    return { id, pending };
  }

  /**
   * The clock of the database, milliseconds since 1970 UTC: all machines that share it agree on when an address ends,
   * whatever their own clocks say.
   */
  async now(): Promise<number> {
    return await this.#engine.now();
  }

  /**
   * Reads a little of everything from the disk, past all caches, and at times all of it as {@linkcode Store.verify} does.
   *
   * @throws {DamagedFileError} If what is stored is damaged
   * @throws {Error} If it cannot be read any more
   */
  async check(): Promise<void> {
    await this.#engine.check();
    if (performance.now() < this.#nextVerification) return;
    const begun = performance.now();
    await this.verify();
    this.#nextVerification = performance.now() + PAUSE_RATIO * (performance.now() - begun);
  }

  /**
   * Looks whether all is as it was written. What depends on a turbine alone is compared when it is read.
   *
   * @throws {DamagedFileError} If something is damaged
   */
  async verify(): Promise<void> {
    await this.documents.verify();
  }

  /**
   * Commits all changes of a body or none, even if the body goes on after a failed one. Nobody else sees them before
   * that. Within another transaction it is part of that one. The body must not wait for a change by others, and is run
   * again from its beginning if it loses against them. Others may meanwhile change what it has read: the `edition` of a
   * site and the states of an order are compared when it changes them.
   *
   * @param body Gets a store of its own, through which it reads and changes; it is not used afterwards
   */
  async transaction<T>(body: (store: Store) => Promise<T>): Promise<T> {
    return await this.documents.transaction((all) => body(new Store(all, this.attempts)));
  }

  /**
   * Runs a transaction during which no other one can name a file: for removing files that no row names. Code that names
   * files checks, in the same transaction and after the call that names them, that they are there.
   *
   * @param body Gets a store of its own; others wait for it, so it is short
   */
  async excludeNaming<T>(body: (store: Store) => Promise<T>): Promise<T> {
    return await this.transaction(async (store) => {
      await store.#engine.lock("files");
      return await body(store);
    });
  }

  /**
   * Locks the store against other updates, on every machine that shares it, until the lock is disposed of or this process
   * ends, also where it is killed. Nothing else waits for it.
   *
   * @returns `undefined` where another update has it
   */
  async lockUpdates(): Promise<AsyncDisposable | undefined> {
    return await this.#engine.lockUpdates();
  }

  /**
   * Reads all documents but the identity as they are at one moment, while others go on: for another store, which has
   * files of its own.
   *
   * @param visit Gets the documents, those of each kind together
   * @throws {DamagedFileError} If what is stored is damaged
   */
  async snapshot(visit: DocumentVisitor): Promise<void> {
    await this.documents.visit((kind, documents) =>
      visit(kind, kind === "world" ? documents.filter(({ id }) => id !== IDENTITY) : documents)
    );
  }

  /**
   * Fills an empty store in one transaction: `target.load((write) => source.snapshot(write))`.
   *
   * @param read Passes the documents on, each after those that it names
   * @throws {ConfigurationError} If the store has data: nothing is changed
   */
  async load(read: (write: DocumentVisitor) => Promise<void>): Promise<void> {
    await this.documents.transaction(async (all) => {
      for (const kind of KINDS) {
        if (kind === "world" || (await all.ids(kind)).length === 0) continue;
        throw new ConfigurationError(
          `Cannot move data to ${this.#engine.address}: it already has sites, licences or orders. Move the data to an empty place`,
        );
      }
      await read((kind, drafts) => all.put(kind, drafts));
    });
  }

  async close(): Promise<void> {
    await this.#engine.close();
  }
}
