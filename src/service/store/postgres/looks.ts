import type { StoredKey } from "../licence.ts";
import { toKey } from "../licence_row.ts";
import type { StoredRow } from "../stored_row.ts";
import type { PostgresQueries } from "./postgres_queries.ts";
import { SharedQuery } from "./shared_query.ts";

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
  /** What was seen last. */
  latest(): Promise<Look>;
}

/** No key has it. */
const NO_HASH = "";

/**
 * A row's transaction and place are other ones after each change, also within a transaction. A server that was set back, as
 * by a restored backup, counts from there again, and was started for it.
 */
const LOOK = `
  SELECT about.value || ' ' || started AS imports, hash, serial_number, api_keys.expires,
    concat_ws(' ', licences.xmin, licences.ctid, started) AS licence
  FROM vindkit.about CROSS JOIN pg_postmaster_start_time() AS started
  LEFT JOIN (vindkit.api_keys JOIN vindkit.licences USING (serial_number)) ON hash = ANY($1)
  WHERE about.name = 'imports'`;

function toFound(row: StoredRow): Look["found"] {
  return { key: toKey(row), licence: String(row.licence) };
}

/** Looks anew each time; those who ask together share a statement. */
export class FreshLooks implements Looks {
  readonly #query: SharedQuery<Look>;

  /** @param database What is looked at */
  constructor(database: PostgresQueries) {
    this.#query = new SharedQuery(async (hashes) => {
      const rows = await database.all(LOOK, hashes);
      const imports = String(rows[0].imports);
      const found = new Map(rows.map((row) => [row.hash, toFound(row)]));
      return new Map(hashes.map((hash) => [hash, { imports, found: found.get(hash) }]));
    });
  }

  async again(hash: string = NO_HASH): Promise<Look> {
    return (await this.#query.get(hash))!;
  }

  latest(): Promise<Look> {
    return this.again();
  }
}

/** Looks once for a request, which has what was stored when it came or later, and again where it is told to. */
export class RequestLooks implements Looks {
  readonly #looks: Looks;
  #latest: Promise<Look> | undefined;

  /** @param looks Those that requests share */
  constructor(looks: Looks) {
    this.#looks = looks;
  }

  again(hash?: string): Promise<Look> {
    return this.#latest = this.#looks.again(hash);
  }

  latest(): Promise<Look> {
    return this.#latest ?? this.again();
  }
}
