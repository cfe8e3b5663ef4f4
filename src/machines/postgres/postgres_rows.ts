import { refuseToLoad } from "../../storage/store/refuse_to_load.ts";
import type { StoredRow } from "../../storage/store/stored_row.ts";
import {
  BATCH_ROWS,
  type RowVisitor,
  STORED_TABLES,
  type StoredTable,
  WORLD_ROW,
} from "../../storage/store/stored_tables.ts";
import { beginNaming } from "./naming_lock.ts";
import type { PostgresQueries } from "./postgres_queries.ts";

/** Types of lists: a row comes of one value of each. */
const LIST_TYPES = { text: "text[]", json: "json[]", integer: "bigint[]", real: "float8[]" };

/**
 * Inserts rows into a table by one statement.
 *
 * @param conflict What is done where a row of the same key is there, as SQL; else that is an error
 */
export async function insertRows(
  all: PostgresQueries,
  { name, columns }: StoredTable,
  rows: readonly StoredRow[],
  conflict: string = "",
): Promise<void> {
  if (rows.length === 0) return;
  const names = columns.map((column) => column.name).join(", ");
  const lists = columns.map(({ type }, i) => `$${i + 1}::${LIST_TYPES[type]}`).join(", ");
  await all.run(
    `INSERT INTO vindkit.${name} (${names}) SELECT * FROM unnest(${lists}) ${conflict}`,
    ...columns.map((column) => rows.map((row) => row[column.name])),
  );
}

/** Inserts rows into a table, in place of those that have their keys. */
export async function putRows(
  all: PostgresQueries,
  table: StoredTable,
  rows: readonly StoredRow[],
): Promise<void> {
  const others = table.columns.filter(({ name }) => !table.key.includes(name))
    .map(({ name }) => `${name} = excluded.${name}`);
  const conflict = `ON CONFLICT (${table.key.join(", ")}) DO UPDATE SET ${others.join(", ")}`;
  await insertRows(all, table, rows, conflict);
}

/** Reads all rows within a transaction that sees one moment: `Store.snapshot`. */
export async function visitRows(all: PostgresQueries, visit: RowVisitor): Promise<void> {
  for (const table of STORED_TABLES) {
    const names = table.columns.map(({ name }) => name).join(", ");
    const own = table.name === "about" ? `WHERE name = '${WORLD_ROW}'` : "";
    const order = table.inOrder ? "number" : table.key.join(", ");
    await all.run(
      `DECLARE moved NO SCROLL CURSOR FOR
       SELECT ${names} FROM vindkit.${table.name} ${own} ORDER BY ${order}`,
    );
    while (true) {
      const rows = await all.all(`FETCH ${BATCH_ROWS} FROM moved`);
      if (rows.length === 0) break;
      await visit(table, rows);
    }
    await all.run("CLOSE moved");
  }
}

/**
 * Fills empty tables within a transaction: `Store.load`.
 *
 * @param address Address of the database, for messages
 * @throws {ConfigurationError} If there are rows
 */
export async function loadRows(
  all: PostgresQueries,
  address: string,
  read: (write: RowVisitor) => Promise<void>,
): Promise<void> {
  // Nobody waits for an empty store; a source looks whether all that it has is whole first, 70 s for 100,000 turbines.
  await all.run("SET LOCAL idle_in_transaction_session_timeout = 0");
  await beginNaming(all);
  await all.run("UPDATE vindkit.about SET value = value::bigint + 1 WHERE name = 'imports'");
  for (const { name } of STORED_TABLES.filter((table) => table.name !== "about")) {
    if (await all.get(`SELECT FROM vindkit.${name} LIMIT 1`)) refuseToLoad(address);
  }
  await read((table, rows) => (table.name === "about" ? putRows : insertRows)(all, table, rows));
}
