import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { afterEach, beforeAll, beforeEach, it } from "@std/testing/bdd";
import { ConfigurationError } from "../../../src/api/errors.ts";
import { DamagedFileError } from "../../../src/disk/files.ts";
import { isPassing } from "../../../src/storage/failures/is_passing.ts";
import { PostgresDatabase } from "../../../src/machines/postgres/postgres_database.ts";
import { describeWithPostgres } from "../../_postgres.ts";

describeWithPostgres("PostgresDatabase", (server) => {
  let address: string;
  let database: PostgresDatabase;

  beforeAll(async () => {
    address = await server().createDatabase();
  });
  beforeEach(async () => {
    database = await PostgresDatabase.open(address);
    await database.run("DROP TABLE IF EXISTS numbers");
    await database.run("CREATE TABLE numbers (name text PRIMARY KEY, value bigint NOT NULL)");
    await database.run("INSERT INTO numbers VALUES ('a', 1), ('b', 2)");
  });
  afterEach(() => database.close());

  const numbers = async () =>
    (await database.all("SELECT value FROM numbers ORDER BY name")).map(({ value }) => value);

  it("returns rows, with counts and sums as numbers", async () => {
    assertEquals(await database.all("SELECT count(*) AS n, sum(value) AS sum FROM numbers"), [{
      n: 2,
      sum: 3,
    }]);
    assertEquals(await database.run("UPDATE numbers SET value = $1", 2 ** 53 - 1), 2);
    assertEquals(await numbers(), [2 ** 53 - 1, 2 ** 53 - 1]);
    assertEquals(await database.all("SELECT 1 WHERE false"), []);
  });

  it("refuses a number that JavaScript cannot represent, and continues", async () => {
    await assertRejects(
      () => database.all("SELECT 9007199254740993::bigint"),
      RangeError,
      "9007199254740993",
    );
    await assertRejects(() => database.all("SELECT 0.5::numeric"), RangeError);
    assertEquals(await numbers(), [1, 2]);
  });

  it("commits a transaction with all its parts, or nothing", async () => {
    const set = (value: number, fails: boolean) =>
      database.transaction(async (all) => {
        await all.run("UPDATE numbers SET value = $1 WHERE name = 'a'", value);
        await all.transaction((part) =>
          part.run("UPDATE numbers SET value = $1 WHERE name = 'b'", value)
        );
        if (fails) throw new TypeError("no");
        return value;
      });
    assertEquals(await set(5, false), 5);
    assertEquals(await numbers(), [5, 5]);
    await assertRejects(() => set(6, true), TypeError, "no");
    assertEquals(await numbers(), [5, 5]);
  });

  it("commits nothing of a transaction that continues after a failure", async () => {
    const failures: ((part: () => Promise<unknown>) => Promise<unknown>)[] = [
      (part) => part(),
      (part) => part().then(() => Promise.reject(new TypeError("no"))),
    ];
    for (const fail of failures) {
      const isPart = fail === failures[1];
      await assertRejects(() =>
        database.transaction(async (all) => {
          await all.run("UPDATE numbers SET value = 7");
          await all.transaction((part) =>
            fail(() => part.run(isPart ? "SELECT 1" : "INSERT INTO numbers VALUES ('a', 1)"))
          ).catch(() => {});
        })
      );
      assertEquals(await numbers(), [1, 2]);
    }
  });

  it("runs concurrent statements of a transaction one after the other", async () => {
    const values = await database.transaction((all) =>
      Promise.all([1, 2, 3].map((value) => all.all("SELECT $1::int AS value", value)))
    );
    assertEquals(values.flat(), [{ value: 1 }, { value: 2 }, { value: 3 }]);
  });

  it("runs no statement after a failed one, when the transaction is rolled back", async () => {
    const statements = [
      "INSERT INTO numbers VALUES ('a', 1)", // already exists
      "SELECT 1",
      "INSERT INTO numbers VALUES ('c', 3)",
    ];
    await assertRejects(
      () => database.transaction((all) => Promise.all(statements.map((sql) => all.run(sql)))),
      Error,
      "duplicate key",
    );
    assertEquals(await numbers(), [1, 2]);
  });

  it("passes on other errors of a transaction", async () => {
    const damaged = new DamagedFileError("/data/a.parquet", "it is missing");
    const error = await assertRejects(() =>
      database.transaction(async (all) => {
        await all.run("UPDATE numbers SET value = 7");
        throw damaged;
      })
    );
    assertEquals(error, damaged);
    assertEquals(await numbers(), [1, 2]);
  });

  it("retries a transaction after a conflict with another one", async () => {
    const { promise: bothBegun, resolve } = Promise.withResolvers<void>();
    let attempts = 0;
    const count = (first: string, second: string) =>
      database.transaction(async (all) => {
        await all.run("UPDATE numbers SET value = value + 1 WHERE name = $1", first);
        if (++attempts === 2) resolve();
        await bothBegun;
        await all.run("UPDATE numbers SET value = value + 1 WHERE name = $1", second);
      });
    await Promise.all([count("a", "b"), count("b", "a")]); // each waits for the other: a deadlock
    assertEquals(await numbers(), [3, 4]);
    assertEquals(attempts, 3);
  });

  it("fails for a while after a crash of the server, even in a transaction, and works after its restart", async () => {
    assertEquals(await numbers(), [1, 2]);
    const error = await assertRejects(() =>
      database.transaction(async (all) => {
        await all.run("UPDATE numbers SET value = 9");
        await server().crash();
        await all.all("SELECT 1");
      })
    );
    assert(isPassing(error));
    const refused = await assertRejects(
      numbers,
      Error,
      "Cannot reach postgres://vindkit@127.0.0.1",
    );
    assert(isPassing(refused));
    await server().start();
    assertEquals(await numbers(), [1, 2]);
  });

  it("continues with another connection if an administrator ends one", async () => {
    const ownPid =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()";
    const error = await assertRejects(() => database.all(ownPid));
    assert(isPassing(error));
    assertMatch(
      (error as Error).message,
      /^Cannot use postgres:\/\/vindkit@127\.0\.0\.1:\d+\/test_\d+: .*Try again$/,
    );
    assertEquals(await numbers(), [1, 2]);
  });

  for (
    const [label, change, problem] of [
      ["a wrong password", { password: "secret" }, "password authentication failed"],
      ["an unknown user", { username: "nobody" }, "password authentication failed"],
      ["an unknown database", { pathname: "/nothing" }, 'database "nothing" does not exist'],
      ["TLS where the server has none", { search: "?sslmode=require" }, "does not support SSL"],
    ] as const
  ) {
    it(`reports ${label}, without the password`, async () => {
      const wrong = new URL(address);
      Object.assign(wrong, change);
      const other = await PostgresDatabase.open(wrong.href);
      try {
        const { message } = await assertRejects(
          () => other.all("SELECT 1"),
          ConfigurationError,
          problem,
        );
        assertMatch(message, /^Cannot connect to postgres:\/\//);
        for (const secret of ["secret", "p@ss", "p%40ss"]) assert(!message.includes(secret));
      } finally {
        await other.close();
      }
    });
  }

  it("fails for a while if no server answers at its address, or at any address of its name", async () => {
    for (const host of ["127.0.0.1", "localhost"]) {
      const other = await PostgresDatabase.open(`postgres://me:secret@${host}:1/n`);
      const error = await assertRejects(() => other.all("SELECT 1"), Error, "ECONNREFUSED");
      assert(isPassing(error));
      await other.close();
    }
  });

  it("refuses calls once it is closed", async () => {
    const other = await PostgresDatabase.open(address);
    await other.all("SELECT 1");
    await other.close();
    for (
      const ask of [() => other.all("SELECT 1"), () => other.transaction(() => Promise.resolve())]
    ) {
      await assertRejects(ask, Error, "is closed");
    }
  });
});
