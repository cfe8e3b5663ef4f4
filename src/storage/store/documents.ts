import { DamagedFileError } from "../../disk/files.ts";
import { sha256 } from "../../disk/hashes.ts";
import {
  DocumentCache,
  type Entry,
  type Kind,
  KINDS,
  type Labels,
  type List,
  MAX_ENTRIES,
} from "./document_cache.ts";
import { insertRows, type Selection, selectRows, splitValues } from "./document_rows.ts";
import type { Engine, StoredRow, StoredValue } from "./engine.ts";

/** A document to store. */
export interface Draft extends Partial<Labels> {
  readonly id: string;
  /** Its content, in parts that can be read separately. */
  readonly parts: readonly unknown[];
}

/** Receives documents of a kind in batches; the next batch follows when the promise resolves. */
export type DocumentVisitor = (kind: Kind, documents: readonly Draft[]) => Promise<void>;

/**
 * Characters in the hash of a row, and in the hash of a content part, which is also its cache key: enough to detect
 * accidental damage.
 */
const [ROW_HASH, PART_HASH] = [16, 32];

/** Most documents read or written at once: a turbine's document has 100 kB. */
const MAX_BATCH = 100;

/** Pause after comparing a list, in multiples of its duration, so lookups of missing keys stay cheap. */
const PAUSE_RATIO = 20;

/** A document with parts of its content. */
export interface Document<T> {
  readonly entry: Entry;
  readonly contents: readonly T[];
}

const hashPart = (text: string) => sha256(text).slice(0, PART_HASH);

function hashRow(kind: unknown, { id, owner, state, search, parts }: Entry): string {
  const values = [kind, id, owner, state, search, parts.join(" ")];
  return sha256(JSON.stringify(values)).slice(0, ROW_HASH);
}

/** A row's share in the XOR sum of its list: 52 bits are exact as a number everywhere. */
const numberOf = (hash: string) => BigInt(`0x${hash.slice(0, 13)}`);

/** All stored documents, each with a hash, in lists with a checksum each. */
export class Documents {
  readonly engine: Engine;
  readonly #cache: DocumentCache;
  /** Whether this is inside a transaction, which must read its own writes, past the caches. */
  readonly #inside: boolean;
  readonly #begun = new Set<Kind>();
  #looked: Promise<ReadonlyMap<Kind, List>> | undefined;
  readonly #looksOnce: boolean;

  constructor(
    engine: Engine,
    cache: DocumentCache = new DocumentCache(),
    { inside = false, looksOnce = false } = {},
  ) {
    this.engine = engine;
    this.#cache = cache;
    this.#inside = inside;
    this.#looksOnce = looksOnce;
  }

  /** Returns a view for one request: it reads the state at the request's first read or later. */
  forRequest(): Documents {
    return this.#inside ? this : new Documents(this.engine, this.#cache, { looksOnce: true });
  }

  /** Runs a body, and commits all of its changes or none. */
  async transaction<T>(body: (documents: Documents) => Promise<T>): Promise<T> {
    if (this.#inside) return await this.engine.transaction(() => body(this));
    return await this.engine.transaction((engine) =>
      body(new Documents(engine, this.#cache, { inside: true }))
    );
  }

  /** Makes later reads at least as new as this call. */
  renew(): void {
    this.#looked = undefined;
  }

  /** Version of a list. */
  async version(kind: Kind): Promise<string> {
    return (await this.#look()).get(kind)?.version ?? this.#refuse(`the list of ${kind}`);
  }

  /** Finds a document without its content. */
  async find(kind: Kind, id: string): Promise<Entry | undefined> {
    if (id.includes("\0")) return undefined; // PostgreSQL rejects such text in queries
    const version = this.#inside ? undefined : await this.version(kind);
    const name = `${kind} ${id}`;
    const known = this.#cache.entries.get(name);
    if (version !== undefined && known?.version === version) return known.entry;
    const [entry] = await this.select(kind, { ids: [id] });
    if (!entry) return await this.compareWhereMissing(kind, id);
    if (version === undefined) return entry;
    if (this.#cache.entries.size >= MAX_ENTRIES) this.#cache.entries.clear();
    this.#cache.entries.set(name, { version, entry });
    return entry;
  }

  /** Reads a part of the content of a document. */
  async get<T>(kind: Kind, id: string, part = 0): Promise<T | undefined> {
    const hash = (await this.find(kind, id))?.parts[part];
    if (hash === undefined) return undefined;
    const kept = this.#cache.get(hash) as T | undefined;
    if (kept !== undefined) return kept;
    const [document] = await this.read<T>(kind, { ids: [id] }, part);
    return document?.contents[0];
  }

  /** Selects documents of a kind without their contents, ordered by identifier. */
  async select(kind: Kind, selection: Selection = {}): Promise<Entry[]> {
    return (await selectRows(this.engine, kind, selection, "", "")).map((row) =>
      this.#open(kind, row)
    );
  }

  /** Reads documents of a kind with parts of their contents, ordered by identifier; all parts by default. */
  async read<T>(kind: Kind, selection: Selection = {}, ...parts: number[]): Promise<Document<T>[]> {
    const rows = await selectRows(
      this.engine,
      kind,
      selection,
      ", c.part, c.body",
      `LEFT JOIN ${this.engine.schema}contents AS c ON c.kind = d.kind AND c.id = d.id` +
        (parts.length > 0 ? ` AND c.part IN (${parts.join(", ")})` : ""),
    );
    const groups = [...Map.groupBy(rows, ({ id }) => id).values()];
    const keeps = groups.length <= MAX_BATCH;
    return groups.map((group) => {
      const entry = this.#open(kind, group[0]);
      const bodies = new Map(group.map(({ part, body }) => [Number(part), body as string | null]));
      const wanted = parts.length > 0 ? parts : entry.parts.keys();
      const contents = [...wanted].map((part) => this.#parse<T>(kind, entry, part, bodies, keeps));
      return { entry, contents };
    });
  }

  /** Reads all documents of a kind with all of their contents, ordered by identifier. */
  async readAll<T>(kind: Kind): Promise<Document<T>[]> {
    const documents = await this.read<T>(kind);
    if (documents.length !== (await this.ids(kind)).length) await this.compare(kind);
    return documents;
  }

  /**
   * Lists the identifiers of all documents of a kind, in order.
   *
   * @throws {DamagedFileError} If one is missing, or was reverted to an older state
   */
  async ids(kind: Kind): Promise<readonly string[]> {
    const known = this.#inside ? undefined : this.#cache.lists.get(kind);
    if (known && known.version === await this.version(kind)) return known.ids;
    const { schema } = this.engine;
    const rows = await this.engine.all(
      `SELECT d.*, l.version, l.number, l.sum FROM ${schema}lists AS l
       LEFT JOIN ${schema}documents AS d ON d.kind = l.kind WHERE l.kind = $1 ORDER BY d.id`,
      kind,
    );
    const list = rows.length > 0 ? toList(rows[0]) : this.#refuse(`the list of ${kind}`);
    const all = rows.filter(({ id }) => id !== null);
    const ids = all.map((row) => this.#open(kind, row).id);
    const sum = all.reduce((sum, { hash }) => sum ^ numberOf(String(hash)), 0n);
    if (all.length !== list.number || Number(sum) !== list.sum) this.#refuse(`the list of ${kind}`);
    if (!this.#inside) this.#cache.lists.set(kind, { version: list.version, ids });
    return ids;
  }

  /** Stores documents, replacing those with the same identifier. Needs a transaction. */
  async put(kind: Kind, drafts: readonly Draft[]): Promise<void> {
    await this.begin(kind);
    for (let i = 0; i < drafts.length; i += MAX_BATCH) {
      await this.#putBatch(kind, drafts.slice(i, i + MAX_BATCH));
    }
  }

  /** Removes documents of a kind, and returns their number. Needs a transaction. */
  async remove(kind: Kind, selection: Selection): Promise<number> {
    await this.begin(kind);
    const entries = await this.select(kind, selection);
    for (const ids of splitValues(entries.map(({ id }) => id))) {
      const marks = ids.map((_, i) => `$${i + 2}`).join(", ");
      for (const table of ["documents", "contents"]) {
        const sql =
          `DELETE FROM ${this.engine.schema}${table} WHERE kind = $1 AND id IN (${marks})`;
        await this.engine.run(sql, kind, ...ids);
      }
    }
    await this.#count(kind, -entries.length, entries);
    return entries.length;
  }

  /**
   * Compares everything with its hashes, past all caches, except contents of turbines, which are compared on reading.
   *
   * @throws {DamagedFileError} If something is damaged
   */
  async verify(): Promise<void> {
    await this.#visitAll(() => Promise.resolve(), (kind) => kind !== "turbine");
  }

  /** Reads all documents as they are at one moment, past all caches. */
  async visit(visit: DocumentVisitor): Promise<void> {
    await this.#visitAll(visit, () => true);
  }

  async #visitAll(visit: DocumentVisitor, isRead: (kind: Kind) => boolean): Promise<void> {
    await this.engine.transaction(async (engine) => {
      await engine.verify();
      const all = new Documents(engine, new DocumentCache(), { inside: true });
      for (const kind of KINDS) {
        await all.ids(kind);
        if (isRead(kind)) await all.#visitKind(kind, visit);
      }
    }, true);
  }

  async #visitKind(kind: Kind, visit: DocumentVisitor): Promise<void> {
    for (let after = "", full = true; full;) {
      const documents = await this.read<unknown>(kind, { after, limit: MAX_BATCH });
      const drafts = documents.map(({ entry, contents }) => ({ ...entry, parts: contents }));
      full = drafts.length === MAX_BATCH;
      after = drafts.at(-1)?.id ?? "";
      if (drafts.length > 0) await visit(kind, drafts);
    }
  }

  async #putBatch(kind: Kind, drafts: readonly Draft[]): Promise<void> {
    const ids = drafts.map(({ id }) => id);
    const known = new Map((await this.select(kind, { ids })).map((entry) => [entry.id, entry]));
    const { schema } = this.engine;
    const rows: StoredValue[][] = [];
    const contents: StoredValue[][] = [];
    const changed: Entry[] = [];
    for (const { id, owner = "", state = "", search = "", parts } of drafts) {
      const texts = parts.map((part) => JSON.stringify(part));
      const entry = { id, owner, state, search, parts: texts.map(hashPart) };
      const before = known.get(id);
      const hash = hashRow(kind, entry);
      if (before && hashRow(kind, before) === hash) continue;
      rows.push([kind, id, owner, state, search, entry.parts.join(" "), hash]);
      texts.forEach((text, i) => {
        if (before?.parts[i] !== entry.parts[i]) contents.push([kind, id, i, text]);
      });
      changed.push(entry, ...before ? [before] : []);
      if (before && before.parts.length > texts.length) {
        const sql = `DELETE FROM ${schema}contents WHERE kind = $1 AND id = $2 AND part >= $3`;
        await this.engine.run(sql, kind, id, texts.length);
      }
    }
    const update = ["owner", "state", "search", "parts", "hash"];
    await insertRows(this.engine, "documents", ["kind", "id"], update, rows);
    await insertRows(this.engine, "contents", ["kind", "id", "part"], ["body"], contents);
    await this.#count(kind, 2 * rows.length - changed.length, changed);
  }

  /** Starts changing documents of a kind: holds the write lock until the transaction ends. */
  async begin(kind: Kind): Promise<void> {
    if (!this.#inside) throw new Error(`Cannot change ${kind} outside of a transaction`);
    if (this.#begun.has(kind)) return;
    this.#begun.add(kind);
    const sql = `UPDATE ${this.engine.schema}lists SET version = version + 1 WHERE kind = $1`;
    if (await this.engine.run(sql, kind) === 0) this.#refuse(`the list of ${kind}`);
  }

  /** Starts changing documents of a kind, and returns a number that grows with each transaction. */
  async next(kind: Kind): Promise<number> {
    await this.begin(kind);
    return parseInt(await this.version(kind));
  }

  /** Adds entries to the XOR sum of a list, or removes them: both are the same operation. */
  async #count(kind: Kind, more: number, entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return;
    const sum = entries.reduce((sum, entry) => sum ^ numberOf(hashRow(kind, entry)), 0n);
    await this.engine.run(
      // SQLite has no XOR operator.
      `UPDATE ${this.engine.schema}lists SET number = number + $2,
       sum = (sum | CAST($3 AS BIGINT)) - (sum & CAST($3 AS BIGINT)) WHERE kind = $1`,
      kind,
      more,
      Number(sum),
    );
  }

  /** Parses a row and compares it with its hash. */
  #open(kind: Kind, row: StoredRow): Entry {
    const text = (name: string) => String(row[name]);
    const entry = {
      id: text("id"),
      owner: text("owner"),
      state: text("state"),
      search: text("search"),
      parts: text("parts").split(" "),
    };
    return row.hash === hashRow(kind, entry) ? entry : this.#refuse(`a row of ${kind}`);
  }

  #parse<T>(
    kind: Kind,
    entry: Entry,
    part: number,
    bodies: ReadonlyMap<number, string | null>,
    keeps: boolean,
  ): T {
    const hash = entry.parts[part];
    const kept = this.#cache.get(hash) as T | undefined;
    if (kept !== undefined) return kept;
    const text = bodies.get(part);
    if (typeof text !== "string" || hashPart(text) !== hash) {
      return this.#refuse(`the ${kind} ${entry.id}`);
    }
    const value = JSON.parse(text) as T;
    if (keeps) this.#cache.set(hash, value, text.length);
    return value;
  }

  /**
   * Checks whether a document was not found because of damage. Pauses between comparisons keep lookups of missing keys
   * cheap; transactions skip the check.
   *
   * @param id Identifier of the missing document, if known
   * @throws {DamagedFileError} If the list is damaged
   */
  async compareWhereMissing(kind: Kind, id?: string): Promise<undefined> {
    if (this.#inside) return;
    const list = this.#cache.lists.get(kind);
    if (list && id !== undefined && list.version === await this.version(kind)) {
      if (list.ids.includes(id)) await this.compare(kind);
      return;
    }
    const begun = performance.now();
    if (begun < (this.#cache.pauses.get(kind) ?? 0)) return;
    await this.compare(kind);
    const end = performance.now();
    this.#cache.pauses.set(kind, end + PAUSE_RATIO * (end - begun));
  }

  /**
   * Compares the current list with its checksum.
   *
   * @throws {DamagedFileError} If a document is missing, or was reverted to an older state
   */
  async compare(kind: Kind): Promise<void> {
    this.#cache.lists.delete(kind);
    await this.ids(kind);
  }

  /** Reads all lists as they are now; callers during a running query share the next one, which begins after they called. */
  async #look(): Promise<ReadonlyMap<Kind, List>> {
    if (this.#inside) return await this.#readLists();
    if (this.#looked) return await this.#looked;
    const cache = this.#cache;
    const stamp = this.engine.stamp();
    const isSame = stamp !== undefined && stamp === cache.stamp;
    const looked = isSame && cache.running || (cache.next ??= this.#lookNext());
    if (this.#looksOnce) this.#looked = looked;
    return await looked;
  }

  async #lookNext(): Promise<ReadonlyMap<Kind, List>> {
    const cache = this.#cache;
    await cache.running?.catch(() => {}); // its callers got the error
    cache.next = undefined;
    cache.stamp = this.engine.stamp();
    return await (cache.running = this.#readLists());
  }

  async #readLists(): Promise<ReadonlyMap<Kind, List>> {
    const rows = await this.engine.all(`SELECT * FROM ${this.engine.schema}lists`);
    return new Map(rows.map((row) => [row.kind as Kind, toList(row)]));
  }

  #refuse(what: string): never {
    throw new DamagedFileError(this.engine.address, `${what} is damaged. ${this.engine.remedy}`);
  }
}

function toList({ version, number, sum }: StoredRow): List {
  return {
    version: `${version} ${number} ${sum}`,
    number: Number(number),
    sum: Number(sum),
  };
}
