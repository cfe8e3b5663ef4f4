import type { StoredKey } from "../../storage/store/licence.ts";
import { toKey } from "../../storage/store/licence_row.ts";
import type { StoredRow } from "../../storage/store/stored_row.ts";
import type { PostgresQueries } from "./postgres_queries.ts";

/**
 * Asks for many things at once: calls that come while a query runs are answered together by the next one, which begins after
 * all of them, so that each answer is as fresh as that of a query of its own.
 */
export class SharedQuery<T> {
  readonly #ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>;
  readonly #keys = new Set<string>();
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<ReadonlyMap<string, T>> | undefined;

  /** @param ask Runs one query for some keys; leaves out those of which there is nothing */
  constructor(ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>) {
    this.#ask = ask;
  }

  /** What there is of a key. */
  async get(key: string): Promise<T | undefined> {
    this.#keys.add(key);
    this.#next ??= this.#begin();
    return (await this.#next).get(key);
  }

  async #begin(): Promise<ReadonlyMap<string, T>> {
    await this.#running.catch(() => {}); // who asked for that has been told
    const keys = [...this.#keys];
    this.#keys.clear();
    this.#next = undefined;
    const answer = this.#ask(keys);
    this.#running = answer;
    return await answer;
  }
}

/** What one statement reads before an answer: all that decides whether what was read before still holds. */
export interface Look {
  /** Another one after each import, by whatever process. */
  readonly imports: string;
  /** The key that was asked for, and what is another one after each change of its licence; `undefined` where it is unknown. */
  readonly found: { readonly key: StoredKey; readonly licence: string } | undefined;
}

/** Looks at the database before what was read before is used. */
export interface Looks {
  /**
   * Looks anew.
   *
   * @param hash Hash of a key that is looked for as well
   */
  again(hash?: string): Promise<Look>;
  latest(): Promise<Look>;
}

/** No key has it. */
const NO_HASH = "";

/**
 * A row's transaction and place are other ones after each change, also within a transaction. A server that was set back, as
 * by a restored backup, counts from there again, and was started for it.
 *
 * Each key is found by the index: of a thousand, PostgreSQL would read all for any join. As JSON their number is unknown to
 * it: else it would plan the statement anew for each, which takes longer than the rest.
 */
const LOOK = `
  SELECT asked AS hash, serial_number, expires, issued, way, licence, (
    SELECT value || ' ' || pg_postmaster_start_time() FROM vindkit.about WHERE name = 'imports'
  ) AS imports
  FROM json_array_elements_text($1) AS asked LEFT JOIN LATERAL (
    SELECT serial_number, expires, issued, way, (
      SELECT concat_ws(' ', xmin, ctid, pg_postmaster_start_time()) FROM vindkit.licences
      WHERE licences.serial_number = api_keys.serial_number
    ) AS licence
    FROM vindkit.api_keys WHERE hash = asked LIMIT 1
  ) AS found ON true`;

function toLook(row: StoredRow): Look {
  const { imports, licence } = row;
  const found = licence === null ? undefined : { key: toKey(row), licence: String(licence) };
  return { imports: String(imports), found };
}

/** Looks anew each time; those who ask together share a statement. */
export function createLooks(database: PostgresQueries): Looks {
  const query = new SharedQuery<Look>(async (hashes) => {
    const rows = await database.all(LOOK, JSON.stringify(hashes));
    return new Map(rows.map((row) => [String(row.hash), toLook(row)]));
  });
  const again = async (hash: string = NO_HASH) => (await query.get(hash))!;
  return { again, latest: () => again() };
}

/** Looks once for a request, which has what was stored when it came or later, and again where it is told to. */
export function lookOnce(looks: Looks): Looks {
  let latest: Promise<Look> | undefined;
  const again = (hash?: string) => latest = looks.again(hash);
  return { again, latest: () => latest ?? again() };
}
