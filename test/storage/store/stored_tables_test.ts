import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { prepareSchema } from "../../../src/storage/store/sqlite/schema.ts";
import { SqliteDatabase } from "../../../src/storage/store/sqlite/sqlite_database.ts";
import { STORED_TABLES } from "../../../src/storage/store/stored_tables.ts";

const TYPES = { text: "TEXT", json: "TEXT", integer: "INTEGER", real: "REAL" };

/** Seals, and what follows from the months of a turbine. */
const OWN_COLUMN = "seal";
const OWN_TABLE = "histories";

describe("STORED_TABLES", () => {
  it("are the tables and columns of SQLite besides its seals, each after those that it names", async () => {
    const path = await Deno.makeTempFile();
    {
      using database = new SqliteDatabase(path);
      prepareSchema(database, path, "own");
      const found = database.all("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1")
        .map(({ name }) => String(name)).filter((name) => name !== OWN_TABLE);
      assertEquals(found, STORED_TABLES.map(({ name }) => name).sort());
      const before = new Set<string>();
      for (const { name, columns, key } of STORED_TABLES) {
        const info = database.all(
          'SELECT name, type, "notnull", pk FROM pragma_table_info(?) WHERE name <> ?',
          name,
          OWN_COLUMN,
        );
        assertEquals(
          info.map((row) => [row.name, row.type, row.notnull === 1 || row.pk !== 0]).sort(),
          columns.map(({ name, type, nullable = false }) => [name, TYPES[type], !nullable]).sort(),
          name,
        );
        const inKey = info.filter(({ pk }) => pk !== 0).sort((a, b) => Number(a.pk) - Number(b.pk));
        assertEquals(inKey.map((row) => row.name), [...key]);
        for (const { references = name } of columns) {
          assertEquals(references === name || before.has(references), true, name);
        }
        before.add(name);
      }
    }
    await Deno.remove(path);
  });
});
