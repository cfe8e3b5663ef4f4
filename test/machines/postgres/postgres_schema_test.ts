import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import { ConfigurationError } from "../../../src/api/errors.ts";
import { PostgresDatabase } from "../../../src/machines/postgres/postgres_database.ts";
import { migratePostgres } from "../../../src/machines/postgres/postgres_schema.ts";
import { PostgresStore } from "../../../src/machines/postgres/postgres_store.ts";
import { describeWithPostgres } from "../../_postgres.ts";

/** The version of today. */
const VERSION = 2;

/** Migrations that a database of today has behind it. */
const EARLIER: readonly string[] = Array(VERSION - 1).fill("SELECT");

describeWithPostgres("the schema of a PostgreSQL store", (server) => {
  async function setVersion(address: string, version: number): Promise<void> {
    const database = await PostgresDatabase.open(address);
    const set = "UPDATE vindkit.about SET value = $1 WHERE name = 'schema_version'";
    await database.run(set, String(version));
    await database.close();
  }

  it("is missing until it is made: a store is not opened before, and makes nothing", async () => {
    const address = await server().createDatabase();
    for (let i = 0; i < 2; i++) {
      const { message } = await assertRejects(
        () => PostgresStore.open(address),
        ConfigurationError,
      );
      assertMatch(
        message,
        /^Cannot open postgres:\/\/vindkit@127\.0\.0\.1:\d+\/test_\d+: it has no tables of Vindkit\. Run: vindkit migrate --database postgres:\/\/vindkit@/,
      );
    }
    assertEquals(await migratePostgres(address), { from: 0, to: VERSION });
    await (await PostgresStore.open(address)).close();
  });

  it("is made once by several processes at once, and stays as it is afterwards", async () => {
    const address = await server().createDatabase();
    const made = await Promise.all(
      Array.from({ length: 4 }, () => migratePostgres(address, "sample")),
    );
    assertEquals(made.map(({ from }) => from).sort(), [0, VERSION, VERSION, VERSION]);
    assertEquals(await migratePostgres(address, "own"), { from: VERSION, to: VERSION });
    const store = await PostgresStore.open(address);
    assertEquals(await store.world(), "sample");
    await store.close();
  });

  it("is refused where another version has made it, and not changed", async () => {
    const address = await server().createDatabase();
    await migratePostgres(address);
    await setVersion(address, VERSION + 1);
    for (const open of [() => PostgresStore.open(address), () => migratePostgres(address)]) {
      await assertRejects(
        open,
        ConfigurationError,
        `its schema has version ${
          VERSION + 1
        }, this version reads ${VERSION}. Use the version that migrated it`,
      );
    }
  });

  it("is migrated forward once by several processes at once, whose older ones then do not start", async () => {
    const address = await server().createDatabase();
    await migratePostgres(address);
    const migrations = [
      ...EARLIER,
      "CREATE TABLE vindkit.later (word text); INSERT INTO vindkit.later VALUES ('first')",
      "INSERT INTO vindkit.later VALUES ('second')",
    ];
    const migrate = () => migratePostgres(address, "own", migrations);
    const migrated = await Promise.all(Array.from({ length: 4 }, migrate));
    assertEquals(migrated.map(({ from }) => from).sort(), [VERSION, ...Array(3).fill(VERSION + 2)]);
    const database = await PostgresDatabase.open(address);
    const rows = await database.all("SELECT word FROM vindkit.later");
    assertEquals(rows.map(({ word }) => word), ["first", "second"]);
    await database.close();
    await assertRejects(
      () => PostgresStore.open(address),
      ConfigurationError,
      `has version ${VERSION + 2}`,
    );
  });

  it("stays as it was where a migration fails", async () => {
    const address = await server().createDatabase();
    await migratePostgres(address);
    const migrations = [...EARLIER, "CREATE TABLE vindkit.later (word text)", "SELECT nothing"];
    await assertRejects(() => migratePostgres(address, "own", migrations), Error, "nothing");
    const database = await PostgresDatabase.open(address);
    assertEquals((await database.get("SELECT to_regclass('vindkit.later') AS it"))!.it, null);
    await database.close();
    await (await PostgresStore.open(address)).close();
  });

  it("R6: of version 1 has keys of which is not known when and how they were issued, which stay valid", async () => {
    const address = await server().createDatabase();
    await migratePostgres(address);
    const old = await PostgresDatabase.open(address);
    await old.run("ALTER TABLE vindkit.api_keys DROP COLUMN issued, DROP COLUMN way");
    await old.run("INSERT INTO vindkit.licences VALUES ('S-1', 'a@example.com')");
    await old.run("INSERT INTO vindkit.api_keys VALUES ('0c', 'S-1')");
    await old.close();
    await setVersion(address, 1);
    await assertRejects(() => PostgresStore.open(address), ConfigurationError, "has version 1");
    assertEquals(await migratePostgres(address), { from: 1, to: VERSION });
    const store = await PostgresStore.open(address);
    const { licences } = store;
    await licences.addKey({ hash: "0d", serialNumber: "S-1", expires: null, way: "request" });
    const keys = await licences.keys("S-1");
    assertEquals(keys.map(({ hash, way }) => [hash, way]), [["0c", null], ["0d", "request"]]);
    assertEquals([keys[0].issued, (await licences.all())[0].keys], [null, 2]);
    await store.close();
  });
});
