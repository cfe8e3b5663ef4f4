/**
 * Queries of a database for documents: if many machines share it, each query slows all of them.
 *
 * @module
 */
import { assertEquals, assertRejects } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { Documents } from "../../../src/storage/store/documents.ts";
import type { Engine, StoredRow, StoredValue } from "../../../src/storage/store/engine.ts";
import { openSqliteStore } from "../../../src/storage/store/sqlite/open_sqlite_store.ts";
import type { Store } from "../../../src/storage/store/store.ts";

describe("Documents of a database without a change stamp", () => {
  let folder: string;
  let store: Store;
  let documents: Documents;
  /** The queried tables, in order. */
  let queried: string[];

  beforeEach(async () => {
    folder = await Deno.makeTempDir();
    store = await openSqliteStore(`${folder}/store.sqlite`);
    const { engine } = store.documents;
    queried = [];
    const counting: Engine = Object.assign(Object.create(engine), {
      stamp: () => undefined, // PostgreSQL has none
      all: (sql: string, ...values: StoredValue[]): Promise<StoredRow[]> => {
        queried.push(/FROM (\w+)/.exec(sql)![1]);
        return engine.all(sql, ...values);
      },
    });
    documents = new Documents(counting);
    await put("a", 1);
    queried = [];
  });
  afterEach(async () => {
    await store.close();
    await Deno.remove(folder, { recursive: true });
  });

  /** Stores a document as if from another machine. */
  const put = (id: string, value: unknown) =>
    store.documents.transaction((all) => all.put("licence", [{ id, parts: [value] }]));

  it("query the lists once for all concurrent requests, and again for later ones", async () => {
    const values = await Promise.all(
      Array.from({ length: 20 }, () => documents.forRequest().get("licence", "a")),
    );
    assertEquals(values, Array(20).fill(1));
    assertEquals(queried.filter((table) => table === "lists").length, 1);
    await documents.forRequest().get("licence", "a");
    assertEquals(queried.filter((table) => table === "lists").length, 2);
  });

  it("query once in a request, and again after it renews them", async () => {
    const request = documents.forRequest();
    assertEquals(await request.get("licence", "a"), 1);
    await put("a", 2);
    assertEquals(await request.get("licence", "a"), 1);
    request.renew();
    assertEquals(await request.get("licence", "a"), 2);
    assertEquals(await documents.forRequest().get("licence", "a"), 2);
  });

  it("read a document once, and again only after its kind has changed", async () => {
    const read = () => documents.forRequest().get("licence", "a");
    await read();
    queried = [];
    await read();
    await store.documents.transaction((all) => all.put("site", [{ id: "other", parts: [0] }]));
    await read();
    assertEquals(queried, ["lists", "lists"]);
    await put("b", 1);
    await read();
    assertEquals(queried.length, 4);
  });

  it("write nothing for an unchanged document", async () => {
    const { engine } = store.documents;
    await engine.run("UPDATE contents SET body = '1 ' WHERE kind = 'licence'"); // a write would repair it
    await put("a", 1);
    const [{ body }] = await engine.all("SELECT body FROM contents WHERE kind = 'licence'");
    assertEquals(body, "1 ");
  });

  it("are not changed outside of a transaction", async () => {
    await assertRejects(
      () => documents.put("licence", [{ id: "a", parts: [0] }]),
      Error,
      "outside",
    );
  });
});
