import { assertEquals } from "@std/assert";
import { afterEach, beforeEach, it } from "@std/testing/bdd";
import { migratePostgres } from "../../../src/machines/postgres/postgres_schema.ts";
import { openPostgresStore } from "../../../src/machines/postgres/postgres_store.ts";
import { openSqliteStore } from "../../../src/storage/store/sqlite/open_sqlite_store.ts";
import { KINDS } from "../../../src/storage/store/document_cache.ts";
import { describeWithPostgres } from "../../_postgres.ts";
import { fillStore, readAnswers, readDocuments } from "./_contents.ts";

describeWithPostgres("a store that is moved from SQLite to PostgreSQL and back", (server) => {
  let folder: string;
  beforeEach(async () => {
    folder = await Deno.makeTempDir();
  });
  afterEach(() => Deno.remove(folder, { recursive: true }));

  it("has the same documents of every kind, and returns the same answers", async () => {
    const address = await server().createDatabase();
    await migratePostgres(address);
    const first = await openSqliteStore(`${folder}/first.sqlite`, "sample");
    const shared = await openPostgresStore(address);
    const last = await openSqliteStore(`${folder}/last.sqlite`);
    try {
      await fillStore(first);
      const expected = await readDocuments(first);
      assertEquals(Object.keys(expected), [...KINDS]);
      await shared.load((write) => first.snapshot(write));
      assertEquals(await readDocuments(shared), expected);
      await last.load((write) => shared.snapshot(write));
      await last.verify();
      assertEquals(await readDocuments(last), expected);
      const answers = await readAnswers(first);
      for (const store of [shared, last]) assertEquals(await readAnswers(store), answers);
    } finally {
      for (const store of [first, shared, last]) await store.close();
    }
  });
});
