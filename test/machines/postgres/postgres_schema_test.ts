import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import { ConfigurationError } from "../../../src/api/errors.ts";
import { PostgresDatabase } from "../../../src/machines/postgres/postgres_database.ts";
import { migratePostgres } from "../../../src/machines/postgres/postgres_schema.ts";
import { openPostgresStore } from "../../../src/machines/postgres/postgres_store.ts";
import { describeWithPostgres } from "../../_postgres.ts";
import { OLD_STORES, readOldAnswers } from "../../service/_old_data.ts";
import { readAnswers, toJson } from "../../storage/store/_contents.ts";

/** The version of today, and the last one with tables of its own for everything. */
const [VERSION, OLD_VERSION] = [3, 2];

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
        () => openPostgresStore(address),
        ConfigurationError,
      );
      assertMatch(
        message,
        /^Cannot open postgres:\/\/vindkit@127\.0\.0\.1:\d+\/test_\d+: it has no tables of Vindkit\. Run: vindkit migrate --database postgres:\/\/vindkit@/,
      );
    }
    assertEquals(await migratePostgres(address), { from: 0, to: VERSION });
    await (await openPostgresStore(address)).close();
  });

  it("is made once by several processes at once, and stays as it is afterwards", async () => {
    const address = await server().createDatabase();
    const made = await Promise.all(
      Array.from({ length: 4 }, () => migratePostgres(address, "sample")),
    );
    assertEquals(made.map(({ from }) => from).sort(), [0, VERSION, VERSION, VERSION]);
    assertEquals(await migratePostgres(address, "own"), { from: VERSION, to: VERSION });
    const store = await openPostgresStore(address);
    assertEquals(await store.world(), "sample");
    await store.close();
  });

  it("is refused where another version has made it, and not changed", async () => {
    const address = await server().createDatabase();
    await migratePostgres(address);
    await setVersion(address, VERSION + 1);
    for (const open of [() => openPostgresStore(address), () => migratePostgres(address)]) {
      await assertRejects(
        open,
        ConfigurationError,
        `its schema has version ${
          VERSION + 1
        }, this version reads ${VERSION}. Use the version that migrated it`,
      );
    }
  });

  /** A database as programs of version 2 left it, with other statements behind. */
  async function makeOld(more = "SELECT"): Promise<string> {
    const address = await server().createDatabase();
    const dump = await Deno.readTextFile(new URL("postgres_2.sql", OLD_STORES));
    const options = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1"];
    await server().run("psql", ...options, `--command=${dump}`, `--command=${more}`, address);
    return address;
  }

  it("of version 2 is migrated once by several processes at once, with the same answers as before", async () => {
    const address = await makeOld();
    await assertRejects(() => openPostgresStore(address), ConfigurationError, "has version 2");
    const migrated = await Promise.all(Array.from({ length: 4 }, () => migratePostgres(address)));
    assertEquals(migrated.map(({ from }) => from).sort(), [OLD_VERSION, VERSION, VERSION, VERSION]);
    const store = await openPostgresStore(address);
    await store.verify();
    assertEquals(toJson(await readAnswers(store)), await readOldAnswers());
    const tables = await store.documents.engine.all(
      "SELECT tablename FROM pg_tables WHERE schemaname = 'vindkit' ORDER BY 1",
    );
    assertEquals(tables.map(({ tablename }) => tablename), [
      "about",
      "attempts",
      "contents",
      "documents",
      "lists",
    ]);
    await store.close();
  });

  it("stays as it was where a migration fails", async () => {
    const address = await makeOld(
      "ALTER TABLE vindkit.datasets RENAME COLUMN record TO other",
    );
    await assertRejects(() => migratePostgres(address), Error);
    const database = await PostgresDatabase.open(address);
    const [{ it }] = await database.all("SELECT to_regclass('vindkit.documents') AS it");
    assertEquals(it, null);
    await database.run("ALTER TABLE vindkit.datasets RENAME COLUMN other TO record");
    await database.close();
    assertEquals(await migratePostgres(address), { from: OLD_VERSION, to: VERSION });
    await (await openPostgresStore(address)).close();
  });

  it("R6: of version 1 has keys of which is not known when and how they were issued, which stay valid", async () => {
    const address = await makeOld(
      "ALTER TABLE vindkit.api_keys DROP COLUMN issued, DROP COLUMN way",
    );
    await setVersion(address, 1);
    await assertRejects(() => openPostgresStore(address), ConfigurationError, "has version 1");
    assertEquals(await migratePostgres(address), { from: 1, to: VERSION });
    const store = await openPostgresStore(address);
    const [key] = await store.licences.keys("S-2");
    assertEquals([key.hash, key.issued, key.way], ["0d", null, null]);
    await store.close();
  });
});
