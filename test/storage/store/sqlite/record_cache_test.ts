import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { writeLists } from "../../../../src/storage/store/sqlite/contents.ts";
import { RecordCache } from "../../../../src/storage/store/sqlite/record_cache.ts";
import { prepareSchema } from "../../../../src/storage/store/sqlite/schema.ts";
import { SqliteDatabase } from "../../../../src/storage/store/sqlite/sqlite_database.ts";

/** The database of a store and a table of one row in it, opened twice. */
async function withTwo(
  body: (own: SqliteDatabase, other: SqliteDatabase) => void,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/records.sqlite`;
  const databases = [new SqliteDatabase(path), new SqliteDatabase(path)] as const;
  try {
    prepareSchema(databases[0], path, "sample");
    databases[0].exec("CREATE TABLE numbers (value INTEGER)");
    databases[0].run("INSERT INTO numbers VALUES (1)");
    body(...databases);
  } finally {
    for (const database of databases) database.close();
    await Deno.remove(folder, { recursive: true });
  }
}

describe("RecordCache", () => {
  it("reads once, and again after another connection has imported", async () => {
    await withTwo((own, other) => {
      let reads = 0;
      const records = new RecordCache(own);
      const value = () =>
        records.get("number", () => {
          reads++;
          return own.get("SELECT value FROM numbers")!.value as number;
        });
      assertEquals([value(), value(), reads], [1, 1, 1]);
      other.transaction(() => {
        other.run("UPDATE numbers SET value = 2");
        writeLists(other);
      });
      assertEquals([value(), value(), reads], [2, 2, 2]);
    });
  });

  it("H4: keeps what it has read while another connection finishes orders", async () => {
    await withTwo((own, other) => {
      let reads = 0;
      const records = new RecordCache(own);
      const count = () => records.get("count", () => ++reads);
      for (const id of ["a", "b", "c"]) {
        assertEquals(count(), 1);
        other.run(
          "INSERT INTO orders (id, serial_number, service_id, parameters, state) VALUES (?, '1', 'era5', '{}', 'approved')",
          id,
        );
      }
      assertEquals(count(), 1);
    });
  });

  it("reads again what its own connection has written, after forget()", async () => {
    await withTwo((own) => {
      const records = new RecordCache(own);
      const value = () => records.get("number", () => own.get("SELECT value FROM numbers")!.value);
      assertEquals(value(), 1);
      records.forget();
      own.run("UPDATE numbers SET value = 3");
      assertEquals(value(), 3);
    });
  });

  it("runs a check once, and again after an import and after it failed", async () => {
    await withTwo((own, other) => {
      const records = new RecordCache(own);
      let runs = 0;
      const check = (problem?: string) =>
        records.checkOnce("list", () => {
          runs++;
          if (problem) throw new Error(problem);
        });
      assertThrows(() => check("damaged"), Error, "damaged");
      check();
      check("not looked at again");
      assertEquals(runs, 2);
      other.transaction(() => writeLists(other));
      assertThrows(() => check("damaged since"), Error, "damaged since");
    });
  });

  it("asks again for what was not there", async () => {
    await withTwo((own) => {
      const records = new RecordCache(own);
      assertEquals(records.get<string>("name", () => undefined), undefined);
      assertEquals(records.get("name", () => "there"), "there");
    });
  });
});
