import type { World } from "../../api/world.ts";
import { KINDS } from "./document_cache.ts";
import { Documents } from "./documents.ts";
import type { Engine } from "./engine.ts";

/** The tables, in SQL that SQLite and PostgreSQL understand. */
const TABLES: readonly string[] = [
  `documents (
     kind TEXT NOT NULL, id TEXT NOT NULL, owner TEXT NOT NULL, state TEXT NOT NULL, search TEXT NOT NULL,
     parts TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (kind, id)
   )`,
  `contents (
     kind TEXT NOT NULL, id TEXT NOT NULL, part BIGINT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, id, part)
   )`,
  `lists (
     kind TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL, number BIGINT NOT NULL, sum BIGINT NOT NULL
   )`,
];

/** Indexed columns other than keys. */
const INDICES = ["owner", "state", "search"];

/**
 * Creates the tables of an empty database; call it within a transaction.
 *
 * @param text Attributes of text columns, such as a collation
 * @param world Where its figures come from
 */
export async function createTables(engine: Engine, text: string, world: World): Promise<void> {
  const { schema } = engine;
  for (const table of TABLES) {
    await engine.run(`CREATE TABLE ${schema}${table.replaceAll(" TEXT", ` TEXT ${text}`)}`);
  }
  for (const name of INDICES) {
    await engine.run(`CREATE INDEX documents_by_${name} ON ${schema}documents (kind, ${name})`);
  }
  for (const kind of KINDS) {
    await engine.run(`INSERT INTO ${schema}lists VALUES ($1, 0, 0, 0)`, kind);
  }
  const all = new Documents(engine, undefined, { inside: true });
  await all.put("world", [{ id: "world", parts: [world] }]);
}
