/**
 * Faults of SQLite files: flipped bits, a lost log, a full disk, another writing process.
 *
 * @module
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { DamagedFileError } from "../../../../src/disk/files.ts";
import { addLicence } from "../../../../src/service/licences/licence_book.ts";
import { findDatabase } from "../../../../src/storage/data_directory.ts";
import { isPassing } from "../../../../src/storage/failures/is_passing.ts";
import type { Store } from "../../../../src/storage/store/store.ts";
import { openSqliteStore } from "../../../../src/storage/store/sqlite/open_sqlite_store.ts";
import { SqliteEngine } from "../../../../src/storage/store/sqlite/sqlite_engine.ts";
import { importFile, makeSite } from "../../../sites/_site.ts";
import { fillStore } from "../_contents.ts";
import { damageSuite } from "../_damage_suite.ts";

damageSuite("a damaged store in SQLite", async () => {
  const path = `${await Deno.makeTempDir()}/store.sqlite`;
  const store = await openSqliteStore(path);
  await fillStore(store);
  await store.close();
  return () => openSqliteStore(path);
});

describe("a database", () => {
  let folder: string;
  let original: Uint8Array;
  let path: string;
  let store: Store;

  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    const site = await makeSite();
    await importFile(await site.siteFile(), folder);
    await Deno.remove(site.folder, { recursive: true });
    await addLicence(folder, { serialNumber: "S-1", email: "a@example.com" }, { key: true });
    path = findDatabase(folder);
    original = await Deno.readFile(path);
  });
  afterAll(async () => await Deno.remove(folder, { recursive: true }));
  beforeEach(async () => await Deno.writeFile(path, original));
  afterEach(async () => await store.close());

  it("H1 F42: finds a key or reports damage, wherever a bit is flipped", async () => {
    store = await openSqliteStore(path);
    const [{ hash }] = await store.licences.keys("S-1");
    await store.close();
    const text = new TextDecoder("latin1").decode(original);
    let refused = 0;
    for (let at = text.indexOf(hash); at !== -1; at = text.indexOf(hash, at + 1)) {
      const bytes = original.slice();
      bytes[at + 9] ^= 1;
      await Deno.writeFile(path, bytes);
      store = await openSqliteStore(path);
      const result = await store.licences.findByKey(hash).catch((error) => error);
      if (result instanceof DamagedFileError) refused++;
      else assertEquals(result?.key.hash, hash); // the right row: SQLite reads the key from the index
      await store.close();
    }
    assert(refused > 0, "no row was damaged");
    store = await openSqliteStore(path);
  });

  it("H1 F46: needs no log for committed data", async () => {
    store = await openSqliteStore(path);
    await store.licences.removeKeys("S-1");
    const copy = `${folder}/copy.sqlite`;
    await Deno.copyFile(path, copy); // without the log
    await store.close();
    store = await openSqliteStore(copy);
    assertEquals((await store.licences.all()).map(({ keys }) => keys).at(-1), 0);
    await store.verify();
  });

  it("H1: is whole after an import", async () => {
    store = await openSqliteStore(path);
    await store.check();
    await store.snapshot(() => Promise.resolve());
  });
});

describe("a transaction", () => {
  it("H11: on a full disk names the cause and the file, although SQLite rolled it back itself", async () => {
    const path = await Deno.makeTempFile();
    const engine = await SqliteEngine.open(path);
    await engine.run("CREATE TABLE t (x)");
    const error = await assertRejects(
      () =>
        engine.transaction(async (all) => {
          await all.run("PRAGMA max_page_count = 9");
          for (let i = 0; i < 99; i++) await all.run("INSERT INTO t VALUES (zeroblob(9000))");
        }),
      Error,
    );
    assertEquals(
      error.message,
      `Cannot use ${path}: database or disk is full. ` +
        "Check that the disk is connected and has free space",
    );
    assertEquals(isPassing(error), true);
    assertEquals(await engine.all("SELECT * FROM t"), []);
    await engine.transaction((all) => all.run("INSERT INTO t VALUES (1)"));
    await engine.close();
    await Deno.remove(path);
  });
});

describe("two connections", () => {
  it("H1: never mistake the other's writes for damage", async () => {
    const folder = await Deno.makeTempDir();
    const path = `${folder}/store.sqlite`;
    await (await openSqliteStore(path)).close();
    const code = `
      import { openSqliteStore } from "${new URL(
      "../../../../src/storage/store/sqlite/open_sqlite_store.ts",
      import.meta.url,
    )}";
      const store = await openSqliteStore("${path}");
      for (let i = 0; i < 300; i++) {
        const licence = { serialNumber: "S-" + i, email: "", expires: null, turbines: null, datasets: null };
        await store.licences.put(licence);
        await store.licences.addKey({ hash: "0" + i, serialNumber: "S-" + i, expires: null });
      }
      await store.close();
      self.postMessage("done");`;
    const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/typescript" })), {
      type: "module",
    });
    let done = false;
    const ended = new Promise<void>((resolve) => {
      worker.onmessage = () => {
        done = true;
        resolve();
      };
    });
    const store = await openSqliteStore(path);
    while (!done) {
      await store.licences.all();
      await store.licences.findByKey("absent");
      await new Promise((next) => setTimeout(next));
    }
    await ended;
    assertEquals((await store.licences.all()).length, 300);
    await store.close();
    worker.terminate();
    await Deno.remove(folder, { recursive: true });
  });
});
