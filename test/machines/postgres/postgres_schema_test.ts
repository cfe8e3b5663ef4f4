import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import { ConfigurationError } from "../../../src/api/errors.ts";
import { PostgresDatabase } from "../../../src/machines/postgres/postgres_database.ts";
import { migratePostgres } from "../../../src/machines/postgres/postgres_schema.ts";
import { openPostgresStore } from "../../../src/machines/postgres/postgres_store.ts";
import { describeWithPostgres } from "../../_postgres.ts";

const VERSION = 3;

describeWithPostgres("the schema of a PostgreSQL store", (server) => {
  async function setVersion(address: string, version: number): Promise<void> {
    const database = await PostgresDatabase.open(address);
    const set = "UPDATE vindkit.about SET value = $1 WHERE name = 'schema_version'";
    await database.run(set, String(version));
    await database.close();
  }

  it("must exist before a store is opened, which does not create it", async () => {
    const address = await server().createDatabase();
    for (let i = 0; i < 2; i++) {
      const { message } = await assertRejects(
        () => openPostgresStore(address),
        ConfigurationError,
      );
      assertMatch(
        message,
        /^Cannot open postgres:\/\/vindkit@127\.0\.0\.1:\d+\/test_\d+: it has no Vindkit tables\. Run: vindkit migrate --database postgres:\/\/vindkit@/,
      );
    }
    assertEquals(await migratePostgres(address), { from: 0, to: VERSION });
    await (await openPostgresStore(address)).close();
  });

  it("is made once by several concurrent processes, and then stays unchanged", async () => {
    const address = await server().createDatabase();
    const versions = await Promise.all(
      Array.from({ length: 4 }, () => migratePostgres(address, "sample")),
    );
    assertEquals(versions.map(({ from }) => from).sort(), [0, VERSION, VERSION, VERSION]);
    assertEquals(await migratePostgres(address, "own"), { from: VERSION, to: VERSION });
    const store = await openPostgresStore(address);
    assertEquals(await store.world(), "sample");
    await store.close();
  });

  it("is refused if another version has made it, and stays unchanged", async () => {
    const address = await server().createDatabase();
    await migratePostgres(address);
    for (const version of [VERSION + 1, VERSION - 1]) {
      await setVersion(address, version);
      for (const open of [() => openPostgresStore(address), () => migratePostgres(address)]) {
        await assertRejects(
          open,
          ConfigurationError,
          `its schema has version ${version}, but this program reads version ${VERSION}. Use the version of Vindkit that created it`,
        );
      }
    }
  });
});
