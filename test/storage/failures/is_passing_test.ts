import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DatabaseSync } from "node:sqlite";
import { DamagedFileError } from "../../../src/disk/files.ts";
import { isPassing } from "../../../src/storage/failures/is_passing.ts";

async function failureOf(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error("it does not fail");
}

describe("isPassing()", () => {
  it("H5: a full disk may pass", () => {
    const full = Object.assign(new Error("No space left on device"), { code: "ENOSPC" });
    assert(isPassing(full));
    assert(isPassing(new Error("Cannot write x", { cause: full })));
  });

  it("H5: a lock by another process passes", async () => {
    const folder = await Deno.makeTempDir();
    const [one, other] = [1, 2].map(() => new DatabaseSync(`${folder}/a.sqlite`, { timeout: 0 }));
    one.exec("CREATE TABLE t (x); BEGIN IMMEDIATE");
    const busy = [
      await failureOf(() => other.exec("BEGIN IMMEDIATE")),
      await failureOf(() => other.prepare("INSERT INTO t VALUES (1)").run()),
    ];
    assertEquals(busy.map(isPassing), [true, true]);
    one.close();
    other.close();
    await Deno.remove(folder, { recursive: true });
  });

  it("H5: no space in a database may pass", async () => {
    using database = new DatabaseSync(":memory:");
    database.exec("PRAGMA max_page_count = 2; CREATE TABLE t (x)");
    const insert = "INSERT INTO t VALUES (zeroblob(9000))";
    assert(isPassing(await failureOf(() => database.exec(insert))));
    assert(isPassing(await failureOf(() => database.prepare(insert).run())));
  });

  it("a database server that stops, starts, is full or lost a transaction may work again", () => {
    const coded = (code: string) => Object.assign(new Error("x"), { code });
    const passing = [
      "08006",
      "53300",
      "57P01",
      "57P03",
      "57014",
      "58030",
      "40001",
      "40P01",
      "XX001",
    ];
    assertEquals(passing.map((code) => isPassing(coded(code))), passing.map(() => true));
    const lasting = ["23505", "42P01", "28P01", "3D000", "22021"];
    assertEquals(lasting.map((code) => isPassing(coded(code))), lasting.map(() => false));
    for (const message of ["Connection terminated unexpectedly", "Query read timeout"]) {
      assert(isPassing(new Error("Cannot use x", { cause: new Error(message) })));
    }
  });

  it("a server whose name or socket is gone may restart, but a missing file does not pass", async () => {
    const failed = (syscall: string, code: string) =>
      Object.assign(new Error(`${syscall} ${code}`), { syscall, code });
    assert(isPassing(failed("getaddrinfo", "ENOTFOUND")));
    assert(isPassing(failed("connect", "ENOENT")));
    assertEquals(isPassing(await failureOf(() => Deno.readTextFileSync("nowhere"))), false);
  });

  it("H1: a damaged file may be restored", () => {
    assert(isPassing(new DamagedFileError("/data/a.parquet", "it is missing")));
  });

  it("wrong statements, wrong values and non-errors do not pass", async () => {
    using database = new DatabaseSync(":memory:");
    const failures = [await failureOf(() => database.exec("nonsense")), new TypeError("x"), "x"];
    assertEquals(failures.map(isPassing), [false, false, false]);
  });
});
