import { assertEquals, assertNotEquals } from "@std/assert";
import { afterEach, beforeEach, it } from "@std/testing/bdd";
import { createLooks, lookOnce, type Looks } from "../../../src/machines/postgres/looks.ts";
import type { PostgresDatabase } from "../../../src/machines/postgres/postgres_database.ts";
import { describeWithPostgres } from "../../_postgres.ts";
import { type CountedQueries, countQueries, openMigrated } from "./_counted_queries.ts";

describeWithPostgres("a look at the database", (server) => {
  let database: PostgresDatabase;
  let counted: CountedQueries;
  let looks: Looks;

  beforeEach(async () => {
    database = await openMigrated(server());
    counted = countQueries(database);
    looks = createLooks(counted);
    await database.run(
      "INSERT INTO vindkit.licences (serial_number, email) VALUES ('S-1', ''), ('S-2', '')",
    );
    await database.run(
      "INSERT INTO vindkit.api_keys VALUES ('1a', 'S-1', NULL, NULL, NULL), ('2a', 'S-2', '2030-12-31', 7, 'request')",
    );
  });
  afterEach(() => database.close());

  const countImport = () =>
    database.run("UPDATE vindkit.about SET value = value::bigint + 1 WHERE name = 'imports'");

  it("is one statement for all keys that are looked for together", async () => {
    const found = await Promise.all(
      ["1a", "2a", "1a", "3a", undefined].map((hash) => looks.again(hash)),
    );
    assertEquals(counted.asked.length, 1);
    assertEquals(found.map((look) => look.found?.key), [
      { hash: "1a", serialNumber: "S-1", expires: null, issued: null, way: null },
      { hash: "2a", serialNumber: "S-2", expires: "2030-12-31", issued: 7, way: "request" },
      { hash: "1a", serialNumber: "S-1", expires: null, issued: null, way: null },
      undefined,
      undefined,
    ]);
    assertEquals(new Set(found.map(({ imports }) => imports)).size, 1);
  });

  it("is one for a request, and as new as the question where that is asked anew", async () => {
    const request = lookOnce(looks);
    const first = await request.again("1a");
    await countImport();
    assertEquals(await request.latest(), first);
    assertEquals(counted.asked.length, 1);
    assertNotEquals((await request.again()).imports, first.imports);
    assertEquals((await request.latest()).imports, (await looks.latest()).imports);
  });

  it("tells a licence from what it was, also within a transaction, and from no other change", async () => {
    const look = async (at = looks) => (await at.again("1a")).found?.licence;
    const change = (all: { run: PostgresDatabase["run"] }, email: string) =>
      all.run("UPDATE vindkit.licences SET email = $1 WHERE serial_number = 'S-1'", email);
    const versions = [await look()];
    await countImport();
    await database.run("UPDATE vindkit.licences SET email = 'b' WHERE serial_number = 'S-2'");
    assertEquals(await look(), versions[0]);
    await database.transaction(async (all) => {
      const own = createLooks(all);
      for (const email of ["c", "d"]) {
        await change(all, email);
        versions.push(await look(own));
      }
      assertEquals(await look(), versions[0]);
    });
    assertEquals(await look(), versions[2]);
    await change(database, "d"); // as it was
    versions.push(await look());
    assertEquals(new Set(versions).size, 4);
  });

  it("is another one of a server that was started again", async () => {
    const before = await looks.again("1a");
    await server().crash();
    await server().start();
    await looks.again().catch(() => {}); // a connection that was lost
    const { imports, found } = await looks.again("1a");
    assertNotEquals(imports, before.imports);
    assertNotEquals(found!.licence, before.found!.licence);
    assertEquals(found!.key, before.found!.key);
  });
});
