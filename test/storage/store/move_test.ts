import { assertEquals } from "@std/assert";
import { afterEach, beforeEach, it } from "@std/testing/bdd";
import { migratePostgres } from "../../../src/machines/postgres/postgres_schema.ts";
import { PostgresStore } from "../../../src/machines/postgres/postgres_store.ts";
import { SqliteStore } from "../../../src/storage/store/sqlite/sqlite_store.ts";
import { STORED_TABLES } from "../../../src/storage/store/stored_tables.ts";
import { describeWithPostgres } from "../../_postgres.ts";
import { fillStore, readAnswers, readRows } from "./_contents.ts";

describeWithPostgres("a store that is moved from SQLite to PostgreSQL and back", (server) => {
  let folder: string;
  beforeEach(async () => {
    folder = await Deno.makeTempDir();
  });
  afterEach(() => Deno.remove(folder, { recursive: true }));

  it("has the same rows in every table, and gives the same answers", async () => {
    const address = await server().createDatabase();
    await migratePostgres(address);
    const first = new SqliteStore(`${folder}/first.sqlite`, "sample");
    const shared = await PostgresStore.open(address);
    const last = new SqliteStore(`${folder}/last.sqlite`);
    try {
      await fillStore(first);
      const expected = await readRows(first);
      assertEquals(Object.keys(expected), STORED_TABLES.map(({ name }) => name));
      await shared.load((write) => first.snapshot(write));
      assertEquals(await readRows(shared), expected);
      await last.load((write) => shared.snapshot(write));
      await last.verify();
      assertEquals(await readRows(last), expected);
      const answers = await readAnswers(first);
      for (const store of [shared, last]) assertEquals(await readAnswers(store), answers);
    } finally {
      for (const store of [first, shared, last]) await store.close();
    }
  });
});
