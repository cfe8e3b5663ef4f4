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

/** A document that is to be stored. */
export interface Draft extends Partial<Labels> {
  readonly id: string;
  /** Its content in parts that are read by themselves. */
  readonly parts: readonly unknown[];
}

/** Gets documents of a kind, a batch at a time; the next one comes when its promise is fulfilled. */
export type DocumentVisitor = (kind: Kind, documents: readonly Draft[]) => Promise<void>;

/**
 * Characters of the hash of a row, and of a part of a content, which is also its key: enough to find accidental damage.
 */
const [ROW_HASH, PART_HASH] = [16, 32];

/** Documents that are read or written at once: that of a turbine has 100 kB. */
const MAX_BATCH = 100;

/** Pause after comparing a list, in multiples of the time it took: requests for what is missing keep nobody waiting. */
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

/** What a row adds to the sum of its list, an "exclusive or": 52 bits are an exact number everywhere. */
const numberOf = (hash: string) => BigInt(`0x${hash.slice(0, 13)}`);

/** All that is stored: documents, each with a hash, in lists that have a hash of their own. */
export class Documents {
  readonly engine: Engine;
  readonly #cache: DocumentCache;
  /** Within a transaction: what it reads is as new as what it has written. */
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

  /** The same for one request, which has what was stored when it came or later. */
  forRequest(): Documents {
    return this.#inside ? this : new Documents(this.engine, this.#cache, { looksOnce: true });
  }

  /** Runs a body whose changes are committed together or not at all. */
  async transaction<T>(body: (documents: Documents) => Promise<T>): Promise<T> {
    if (this.#inside) return await this.engine.transaction(() => body(this));
    return await this.engine.transaction((engine) =>
      body(new Documents(engine, this.#cache, { inside: true }))
    );
  }

  /** Makes what is read afterwards as new as this call. */
  renew(): void {
    this.#looked = undefined;
  }

  /** The version of a list. */
  async version(kind: Kind): Promise<string> {
    return (await this.#look()).get(kind)?.version ?? this.#refuse(`the list of ${kind}`);
  }

  /** A document without its content. */
  async find(kind: Kind, id: string): Promise<Entry | undefined> {
    if (id.includes("\0")) return undefined; // PostgreSQL has no such text, and refuses to look for it
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

  /** A part of the content of a document. */
  async get<T>(kind: Kind, id: string, part = 0): Promise<T | undefined> {
    const hash = (await this.find(kind, id))?.parts[part];
    if (hash === undefined) return undefined;
    const kept = this.#cache.get(hash) as T | undefined;
    if (kept !== undefined) return kept;
    const [document] = await this.read<T>(kind, { ids: [id] }, part);
    return document?.contents[0];
  }

  /** Documents of a kind without their contents, by identifier. */
  async select(kind: Kind, selection: Selection = {}): Promise<Entry[]> {
    return (await selectRows(this.engine, kind, selection, "", "")).map((row) =>
      this.#open(kind, row)
    );
  }

  /** Documents of a kind with parts of their contents, by identifier; all parts unless some are named. */
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
    return groups.map((own) => {
      const entry = this.#open(kind, own[0]);
      const bodies = new Map(own.map(({ part, body }) => [Number(part), body as string | null]));
      const wanted = parts.length > 0 ? parts : entry.parts.keys();
      const contents = [...wanted].map((part) => this.#parse<T>(kind, entry, part, bodies, keeps));
      return { entry, contents };
    });
  }

  /** All documents of a kind with all of their contents, by identifier. */
  async readAll<T>(kind: Kind): Promise<Document<T>[]> {
    const documents = await this.read<T>(kind);
    if (documents.length !== (await this.ids(kind)).length) await this.compare(kind);
    return documents;
  }

  /**
   * Identifiers of all documents of a kind, in their order.
   *
   * @throws {DamagedFileError} If one is missing, or was set back to what it was before
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
    const own = rows.filter(({ id }) => id !== null);
    const ids = own.map((row) => this.#open(kind, row).id);
    const sum = own.reduce((sum, { hash }) => sum ^ numberOf(String(hash)), 0n);
    if (own.length !== list.number || Number(sum) !== list.sum) this.#refuse(`the list of ${kind}`);
    if (!this.#inside) this.#cache.lists.set(kind, { version: list.version, ids });
    return ids;
  }

  /** Stores documents, each in place of the one that has its identifier: within a transaction. */
  async put(kind: Kind, drafts: readonly Draft[]): Promise<void> {
    await this.begin(kind);
    for (let i = 0; i < drafts.length; i += MAX_BATCH) {
      await this.#putBatch(kind, drafts.slice(i, i + MAX_BATCH));
    }
  }

  /** Removes documents of a kind: within a transaction; returns how many there were. */
  async remove(kind: Kind, selection: Selection): Promise<number> {
    await this.begin(kind);
    const entries = await this.select(kind, selection);
    for (const ids of splitValues(entries.map(({ id }) => id))) {
      const these = ids.map((_, i) => `$${i + 2}`).join(", ");
      for (const table of ["documents", "contents"]) {
        const sql =
          `DELETE FROM ${this.engine.schema}${table} WHERE kind = $1 AND id IN (${these})`;
        await this.engine.run(sql, kind, ...ids);
      }
    }
    await this.#count(kind, -entries.length, entries);
    return entries.length;
  }

  /**
   * Compares everything with its hashes, past all caches, but for contents of turbines: they are compared when they are read.
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

  /** Begins to change documents of a kind, within a transaction: nobody else does until that ends. */
  async begin(kind: Kind): Promise<void> {
    if (!this.#inside) throw new Error(`Cannot change ${kind} outside of a transaction`);
    if (this.#begun.has(kind)) return;
    this.#begun.add(kind);
    const sql = `UPDATE ${this.engine.schema}lists SET version = version + 1 WHERE kind = $1`;
    if (await this.engine.run(sql, kind) === 0) this.#refuse(`the list of ${kind}`);
  }

  /** Begins to change documents of a kind; returns a number that is greater each time. */
  async next(kind: Kind): Promise<number> {
    await this.begin(kind);
    return parseInt(await this.version(kind));
  }

  /** Adds entries to the sum of a list, or takes them off: that is the same. */
  async #count(kind: Kind, more: number, entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return;
    const sum = entries.reduce((sum, entry) => sum ^ numberOf(hashRow(kind, entry)), 0n);
    await this.engine.run(
      // SQLite has no "exclusive or".
      `UPDATE ${this.engine.schema}lists SET number = number + $2,
       sum = (sum | CAST($3 AS BIGINT)) - (sum & CAST($3 AS BIGINT)) WHERE kind = $1`,
      kind,
      more,
      Number(sum),
    );
  }

  /** A row of a kind, compared with its hash. */
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
   * Checks whether something was not found because of damage. Repeated requests for what is missing keep nobody
   * waiting, and no transaction is kept waiting either.
   *
   * @param id What was not found, if that is known
   * @throws {DamagedFileError} If it is
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
   * Compares a list as it is now.
   *
   * @throws {DamagedFileError} If a document of it is missing, or was set back to what it was before
   */
  async compare(kind: Kind): Promise<void> {
    this.#cache.lists.delete(kind);
    await this.ids(kind);
  }

  /** All lists as they are now; those who ask while a query runs share the next one, which begins after all of them. */
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
    await cache.running?.catch(() => {}); // who asked for that has been told
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
