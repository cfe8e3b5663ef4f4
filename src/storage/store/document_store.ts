import { ConfigurationError } from "../../api/errors.ts";
import type { World } from "../../api/world.ts";
import type { Attempts } from "./attempts.ts";
import { KINDS } from "./document_cache.ts";
import type { Documents, DocumentVisitor } from "./documents.ts";
import type { Engine } from "./engine.ts";
import { Licences } from "./licences.ts";
import { listOrderFiles, Orders } from "./orders.ts";
import { listSiteFiles, Sites } from "./sites.ts";
import type { Store } from "./store.ts";

/** Pause after all was compared with its hashes, in the durations of that: other requests wait meanwhile. */
const PAUSE_RATIO = 20;

/** The store in a database of whatever kind: documents. */
export class DocumentStore implements Store {
  readonly sites: Sites;
  readonly licences: Licences;
  readonly orders: Orders;
  readonly attempts: Attempts;
  readonly documents: Documents;
  /** When all may be compared again, `performance.now`. */
  #nextVerification = -Infinity;

  /** @param attempts Where failed attempts are counted */
  constructor(documents: Documents, attempts: Attempts) {
    this.documents = documents;
    this.attempts = attempts;
    this.sites = new Sites(documents);
    this.licences = new Licences(documents);
    this.orders = new Orders(documents);
  }

  get #engine(): Engine {
    return this.documents.engine;
  }

  forRequest(): DocumentStore {
    const documents = this.documents.forRequest();
    return documents === this.documents ? this : new DocumentStore(documents, this.attempts);
  }

  async world(): Promise<World> {
    return await this.documents.get<World>("world", "world") ?? "own";
  }

  async now(): Promise<number> {
    return await this.#engine.now();
  }

  async check(): Promise<void> {
    await this.#engine.check();
    if (performance.now() < this.#nextVerification) return;
    const begun = performance.now();
    await this.verify();
    this.#nextVerification = performance.now() + PAUSE_RATIO * (performance.now() - begun);
  }

  async verify(): Promise<void> {
    await this.documents.verify();
  }

  async wantedFiles(now: number, among?: readonly string[]): Promise<string[]> {
    const files = await listSiteFiles(this.documents, {});
    const orders = await listOrderFiles(this.documents, now, among);
    const wanted = new Set([...files.map(({ name }) => name), ...orders]);
    return [...among ? wanted.intersection(new Set(among)) : wanted];
  }

  async transaction<T>(body: (store: DocumentStore) => Promise<T>): Promise<T> {
    return await this.documents.transaction((all) => body(new DocumentStore(all, this.attempts)));
  }

  async excludeNaming<T>(body: (store: DocumentStore) => Promise<T>): Promise<T> {
    return await this.transaction(async (store) => {
      await store.#engine.lock("files");
      return await body(store);
    });
  }

  async lockUpdates(): Promise<AsyncDisposable | undefined> {
    return await this.#engine.lockUpdates();
  }

  async snapshot(visit: DocumentVisitor): Promise<void> {
    await this.documents.visit(visit);
  }

  async load(read: (write: DocumentVisitor) => Promise<void>): Promise<void> {
    await this.documents.transaction(async (all) => {
      for (const kind of KINDS) {
        if (kind === "world" || (await all.ids(kind)).length === 0) continue;
        throw new ConfigurationError(
          `Cannot move data to ${this.#engine.address}: it has sites, licences or orders already. Move them to an empty one`,
        );
      }
      await read((kind, drafts) => all.put(kind, drafts));
    });
  }

  async close(): Promise<void> {
    await this.#engine.close();
  }
}
