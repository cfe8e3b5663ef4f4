import { assertEquals } from "@std/assert";
import { afterEach, beforeEach, it } from "@std/testing/bdd";
import { createFreshRecords, type Records } from "../../../src/machines/postgres/fresh_records.ts";
import { KeptRecords } from "../../../src/machines/postgres/kept_records.ts";
import { createLooks, lookOnce, type Looks } from "../../../src/machines/postgres/looks.ts";
import type { PostgresDatabase } from "../../../src/machines/postgres/postgres_database.ts";
import { describeWithPostgres } from "../../_postgres.ts";
import { type CountedQueries, countQueries, openMigrated } from "./_counted_queries.ts";

describeWithPostgres("createFreshRecords()", (server) => {
  let database: PostgresDatabase;
  let counted: CountedQueries;
  let looks: Looks;
  let kept: KeptRecords;
  let reads: number;

  beforeEach(async () => {
    database = await openMigrated(server());
    counted = countQueries(database);
    looks = createLooks(counted);
    kept = new KeptRecords(10);
    reads = 0;
  });
  afterEach(() => database.close());

  const count = (records: Records) => records.get("count", () => Promise.resolve(++reads));
  const countImport = () =>
    database.run("UPDATE vindkit.about SET value = value::bigint + 1 WHERE name = 'imports'");

  it("are read once, and again after an import", async () => {
    const records = createFreshRecords(looks, kept);
    assertEquals([await count(records), await count(records)], [1, 1]);
    await countImport();
    assertEquals([await count(records), await count(records)], [2, 2]);
    assertEquals(counted.asked.length, 4);
  });

  it("of a request are looked at once, and again where it renews them", async () => {
    const request = createFreshRecords(lookOnce(looks), kept);
    assertEquals([await count(request), await count(request)], [1, 1]);
    await countImport();
    assertEquals([await count(request), counted.asked.length], [1, 1]);
    assertEquals(await count(createFreshRecords(looks, kept)), 2);
    await request.renew();
    assertEquals([await count(request), counted.asked.length], [2, 3]);
  });
});
