import { assertEquals } from "@std/assert";
import { afterEach, beforeEach, it } from "@std/testing/bdd";
import { FreshRecords } from "../../../../src/service/store/postgres/fresh_records.ts";
import { PostgresDatabase } from "../../../../src/service/store/postgres/postgres_database.ts";
import { migratePostgres } from "../../../../src/service/store/postgres/postgres_schema.ts";
import { describeWithPostgres } from "../../../_postgres.ts";

describeWithPostgres("FreshRecords", (server) => {
  let database: PostgresDatabase;
  let records: FreshRecords;
  let reads: number;

  beforeEach(async () => {
    const address = await server().createDatabase();
    await migratePostgres(address);
    database = await PostgresDatabase.open(address);
    records = new FreshRecords(database);
    reads = 0;
  });
  afterEach(() => database.close());

  const count = (name = "count") => records.get(name, () => Promise.resolve(++reads));
  const countImport = () =>
    database.run("UPDATE vindkit.about SET value = value::bigint + 1 WHERE name = 'imports'");

  it("reads once, and again after an import", async () => {
    assertEquals([await count(), await count()], [1, 1]);
    await countImport();
    assertEquals([await count(), await count()], [2, 2]);
  });

  it("keeps nothing that was read before an import which was noticed meanwhile", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const slow = records.get("count", async () => {
      begun.resolve();
      await promise;
      return -1;
    });
    await begun.promise;
    await countImport();
    await count("another");
    resolve();
    assertEquals(await slow, -1);
    assertEquals(await count(), 2);
  });

  it("asks again for what was not there, and keeps what was used last", async () => {
    assertEquals(await records.get("none", () => Promise.resolve(undefined)), undefined);
    assertEquals(await count("none"), 1);
    await count("first");
    for (let i = 0; i < 998; i++) await count(`${i}`);
    assertEquals(await count("first"), 2);
    await count("one too many"); // "none" was used before all others
    assertEquals(await count("first"), 2);
    assertEquals(await count("none"), 1002);
  });
});
