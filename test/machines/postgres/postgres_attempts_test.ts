import { assert, assertEquals, assertMatch } from "@std/assert";
import { afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { ATTEMPT_PERIOD } from "../../../src/storage/store/attempts.ts";
import { PostgresAttempts } from "../../../src/machines/postgres/postgres_store.ts";
import { PostgresDatabase } from "../../../src/machines/postgres/postgres_database.ts";
import { migratePostgres } from "../../../src/machines/postgres/postgres_schema.ts";
import { describeWithPostgres } from "../../_postgres.ts";
import { loginThrottleSuite } from "../../service/limits/_login_throttle_suite.ts";

describeWithPostgres("attempts in PostgreSQL", (server) => {
  let address: string;
  let database: PostgresDatabase;

  beforeAll(async () => {
    address = await server().createDatabase();
    await migratePostgres(address);
  });
  beforeEach(async () => {
    database = await PostgresDatabase.open(address);
    await database.run("DELETE FROM vindkit.attempts");
  });
  afterEach(() => database.close());

  loginThrottleSuite("PostgresAttempts", (now) => new PostgresAttempts(database, { now }));

  describe("PostgresAttempts", () => {
    const countRows = async () =>
      (await database.all("SELECT count(*) AS rows FROM vindkit.attempts"))[0].rows;

    it("count by the clock of the database, at several servers together", async () => {
      const servers = [1, 2, 3].map(() => new PostgresAttempts(database));
      const counted = await Promise.all(
        Array.from({ length: 60 }, (_, i) => servers[i % 3].count("a", 10)),
      );
      const pauses = counted.map(({ pause }) => pause).filter((pause) => pause > 0);
      assertEquals(pauses.length, 50);
      assert(pauses.every((pause) => pause <= ATTEMPT_PERIOD));
    });

    it("store no name in the database, only its hash", async () => {
      await new PostgresAttempts(database).count("key from 192.0.2.1", 10);
      const [{ who }] = await database.all("SELECT who FROM vindkit.attempts");
      assertMatch(String(who), /^[0-9a-f]{64}$/);
    });

    it("remove the rows of names whose attempts have expired or were taken back", async () => {
      let time = 1e6;
      const attempts = new PostgresAttempts(database, { now: () => time });
      for (let i = 0; i < 5; i++) await attempts.count(`name ${i}`, 10);
      await (await attempts.count("taken back", 10)).takeBack();
      time += ATTEMPT_PERIOD - 1;
      await attempts.count("name 4", 10);
      assertEquals(await countRows(), 6);
      time += 1;
      await attempts.count("another", 10);
      assertEquals(await countRows(), 2); // that one, and name 4
    });

    it("have a bounded number of rows: names longest without an attempt are removed first", async () => {
      let time = 1e6;
      const attempts = new PostgresAttempts(database, { capacity: 50, now: () => time++ });
      let most = 0;
      for (let i = 0; i < 200; i++) {
        await attempts.count(`name ${i}`, 1);
        most = Math.max(most, Number(await countRows()));
      }
      assertEquals(most, 54); // counts the names on every fifth attempt
      assert((await attempts.count("name 199", 1)).pause > 0);
      assertEquals((await attempts.count("name 0", 1)).pause, 0);
    });
  });
});
