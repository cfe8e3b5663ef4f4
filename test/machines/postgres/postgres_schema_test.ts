import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import { ConfigurationError } from "../../../src/api/errors.ts";
import { PostgresDatabase } from "../../../src/machines/postgres/postgres_database.ts";
import { migratePostgres } from "../../../src/machines/postgres/postgres_schema.ts";
import { PostgresStore } from "../../../src/machines/postgres/postgres_store.ts";
import { describeWithPostgres } from "../../_postgres.ts";

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
    assertEquals(await migratePostgres(address), { from: 0, to: 1 });
    await (await PostgresStore.open(address)).close();
  });

  it("is made once by several processes at once, and stays as it is afterwards", async () => {
    const address = await server().createDatabase();
    const made = await Promise.all(
      Array.from({ length: 4 }, () => migratePostgres(address, "sample")),
    );
    assertEquals(made.map(({ from }) => from).sort(), [0, 1, 1, 1]);
    assertEquals(await migratePostgres(address, "own"), { from: 1, to: 1 });
    const store = await PostgresStore.open(address);
    assertEquals(await store.world(), "sample");
    await store.close();
  });

  it("is refused where another version has made it, and not changed", async () => {
    const address = await server().createDatabase();
    await migratePostgres(address);
    await setVersion(address, 2);
    for (const open of [() => PostgresStore.open(address), () => migratePostgres(address)]) {
      await assertRejects(
        open,
        ConfigurationError,
        "its schema has version 2, this version reads 1. Use the version that migrated it",
      );
    }
  });

  it("is migrated forward once by several processes at once, whose older ones then do not start", async () => {
    const address = await server().createDatabase();
    await migratePostgres(address);
    const migrations = [
      "CREATE TABLE vindkit.later (word text); INSERT INTO vindkit.later VALUES ('first')",
      "INSERT INTO vindkit.later VALUES ('second')",
    ];
    const migrate = () => migratePostgres(address, "own", migrations);
    const migrated = await Promise.all(Array.from({ length: 4 }, migrate));
    assertEquals(migrated.map(({ from }) => from).sort(), [1, 3, 3, 3]);
    const database = await PostgresDatabase.open(address);
    const rows = await database.all("SELECT word FROM vindkit.later");
    assertEquals(rows.map(({ word }) => word), ["first", "second"]);
    await database.close();
    await assertRejects(() => PostgresStore.open(address), ConfigurationError, "has version 3");
  });

  it("stays as it was where a migration fails", async () => {
    const address = await server().createDatabase();
    await migratePostgres(address);
    const migrations = ["CREATE TABLE vindkit.later (word text)", "SELECT nothing"];
    await assertRejects(() => migratePostgres(address, "own", migrations), Error, "nothing");
    const database = await PostgresDatabase.open(address);
    assertEquals((await database.get("SELECT to_regclass('vindkit.later') AS it"))!.it, null);
    await database.close();
    await (await PostgresStore.open(address)).close();
  });
});
