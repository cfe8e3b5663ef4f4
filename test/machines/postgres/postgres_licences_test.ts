import { assertEquals } from "@std/assert";
import { afterEach, beforeEach, it } from "@std/testing/bdd";
import { KeptRecords } from "../../../src/machines/postgres/kept_records.ts";
import { createLooks } from "../../../src/machines/postgres/looks.ts";
import type { PostgresDatabase } from "../../../src/machines/postgres/postgres_database.ts";
import { PostgresLicences } from "../../../src/machines/postgres/postgres_licences.ts";
import { describeWithPostgres } from "../../_postgres.ts";
import { licence } from "../../storage/store/_records.ts";
import { type CountedQueries, countQueries, openMigrated } from "./_counted_queries.ts";

describeWithPostgres("PostgresLicences", (server) => {
  let database: PostgresDatabase;
  let counted: CountedQueries;
  let licences: PostgresLicences;
  /** Those of another server. */
  let others: PostgresLicences;

  beforeEach(async () => {
    database = await openMigrated(server());
    counted = countQueries(database);
    licences = new PostgresLicences(counted, createLooks(counted), new KeptRecords(10));
    others = new PostgresLicences(database, createLooks(database), new KeptRecords(10));
    await others.put(licence);
    await others.addKey({ hash: "1a", serialNumber: licence.serialNumber, expires: null });
  });
  afterEach(() => database.close());

  const find = async () => (await licences.findByKey("1a"))?.licence;

  it("read a licence once, and look at it for each request", async () => {
    const found = await Promise.all([find(), find(), find()]);
    assertEquals(found, [licence, licence, licence]);
    assertEquals(counted.asked.length, 2);
    assertEquals(await find(), licence);
    assertEquals(counted.asked.length, 3);
  });

  it("follow each change at the next request", async () => {
    for (let i = 0; i < 5; i++) {
      const changed = { ...licence, turbines: [`T${i}`], expires: `203${i}-12-31` };
      await others.put(changed);
      assertEquals(await find(), changed);
    }
    await others.remove(licence.serialNumber);
    assertEquals(await find(), undefined);
    await others.put(licence);
    await others.addKey({ hash: "1a", serialNumber: licence.serialNumber, expires: null });
    assertEquals(await find(), licence);
  });

  it("know no licence that is revoked after it was looked at", async () => {
    const looks = createLooks(database);
    const again = looks.again.bind(looks);
    looks.again = async (hash) => {
      const look = await again(hash);
      await others.remove(licence.serialNumber);
      return look;
    };
    const late = new PostgresLicences(database, looks, new KeptRecords(10));
    assertEquals(await late.findByKey("1a"), undefined);
  });
});
