import type { SQLInputValue } from "node:sqlite";
import { refuseToLoad } from "../refuse_to_load.ts";
import type { StoredRow } from "../stored_row.ts";
import {
  BATCH_ROWS,
  type RowVisitor,
  STORED_TABLES,
  type StoredTable,
  WORLD_ROW,
} from "../stored_tables.ts";
import { sealAll, verifyMonths, verifyTables } from "./contents.ts";
import { SqliteDatabase } from "./sqlite_database.ts";

/**
 * Reads all rows of a database as they are at one moment: `Store.snapshot`.
 *
 * @throws {DamagedFileError} If one is damaged
 */
export async function visitRows(path: string, visit: RowVisitor): Promise<void> {
  using database = new SqliteDatabase(path, { readOnly: true });
  database.exec("BEGIN");
  verifyTables(database);
  verifyMonths(database);
  for (const table of STORED_TABLES) {
    const names = table.columns.map(({ name }) => name).join(", ");
    const own = table.name === "about" ? `WHERE name = '${WORLD_ROW}'` : "";
    const order = table.inOrder ? "rowid" : table.key.join(", ");
    let batch: StoredRow[] = [];
    for (
      const row of database.each(`SELECT ${names} FROM ${table.name} ${own} ORDER BY ${order}`)
    ) {
      batch.push(row);
      if (batch.length < BATCH_ROWS) continue;
      await visit(table, batch);
      batch = [];
    }
    if (batch.length > 0) await visit(table, batch);
  }
}

/**
 * Fills empty tables and seals them, within a transaction: `Store.load`.
 *
 * @throws {ConfigurationError} If there are rows
 */
export async function loadRows(
  database: SqliteDatabase,
  read: (write: RowVisitor) => Promise<void>,
): Promise<void> {
  for (const { name } of STORED_TABLES.filter((table) => table.name !== "about")) {
    if (database.get(`SELECT 1 FROM ${name} LIMIT 1`)) refuseToLoad(database.path);
  }
  await read((table, rows) =>
    Promise.resolve(rows.forEach((row) => insertRow(database, table, row)))
  );
  sealAll(database);
}

/** Writes a sealed row of a table, in place of the one that has its key. */
export function putRow(
  database: SqliteDatabase,
  { name, columns, key }: StoredTable,
  row: StoredRow,
): void {
  const names = columns.map((column) => column.name);
  const valuesOf = (some: readonly string[]) => some.map((one) => row[one] as SQLInputValue);
  const others = names.filter((one) => !key.includes(one)).map((one) => `${one} = excluded.${one}`);
  database.run(
    `INSERT INTO ${name} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})
     ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${others.join(", ")}`,
    ...valuesOf(names),
  );
  database.seal(name, key.map((one) => `${one} = ?`).join(" AND "), ...valuesOf(key));
}

/** Inserts a row into a table; it is sealed afterwards. */
export function insertRow(
  database: SqliteDatabase,
  { name, columns }: StoredTable,
  row: StoredRow,
): void {
  const names = columns.map((column) => column.name);
  const insert = name === "about" ? "INSERT OR REPLACE" : "INSERT"; // its world is there already
  database.run(
    `${insert} INTO ${name} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
    ...names.map((column) => row[column] as SQLInputValue),
  );
}
