/**
 * What SQLite does not notice: values that changed, and rows that are gone.
 *
 * @module
 */
import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { DatabaseSync } from "node:sqlite";
import { DamagedFileError } from "../../../../src/disk/files.ts";
import { addLicence } from "../../../../src/service/licences/licence_book.ts";
import { findDatabase } from "../../../../src/storage/data_directory.ts";
import { isPassing } from "../../../../src/storage/failures/is_passing.ts";
import { SqliteDatabase } from "../../../../src/storage/store/sqlite/sqlite_database.ts";
import { SqliteStore } from "../../../../src/storage/store/sqlite/sqlite_store.ts";
import { importFile, makeSite } from "../../../sites/_site.ts";

describe("a database", () => {
  let folder: string;
  let whole: Uint8Array;
  let path: string;
  let store: SqliteStore;

  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    const site = await makeSite();
    await importFile(await site.siteFile(), folder);
    await Deno.remove(site.folder, { recursive: true });
    await addLicence(folder, { serialNumber: "S-1", email: "a@example.com" }, { key: true });
    path = findDatabase(folder);
    whole = await Deno.readFile(path);
  });
  afterAll(async () => await Deno.remove(folder, { recursive: true }));
  beforeEach(async () => await Deno.writeFile(path, whole));
  afterEach(async () => await store.close());

  /** Changes it behind the back of the program, and opens it. */
  function open(sql: string): void {
    using database = new DatabaseSync(path);
    database.exec(`PRAGMA foreign_keys = OFF; ${sql}`);
    store = new SqliteStore(path);
  }

  const first = async () => (await store.sites.datasets())[0].serviceId;
  const changes: Readonly<Record<string, [sql: string, ask: () => Promise<unknown>]>> = {
    "a figure of a month changed": [
      "UPDATE months SET month_index = month_index + 1e-9 WHERE year = 2023 AND month = 5",
      () => store.sites.month("E1", 2023, 5),
    ],
    "a month is gone": [
      "DELETE FROM months WHERE year = 2024 AND month = 2",
      () => store.sites.month("E1", 2024, 2),
    ],
    "all months are gone": ["DELETE FROM months", () => store.sites.months("E1")],
    "what must be there of a turbine is gone": [
      "DELETE FROM histories",
      () => store.sites.lastMonths(["E1"]),
    ],
    "a turbine changed": [
      "UPDATE turbines SET record = replace(record, 'E1', 'E2')",
      () => store.sites.turbine("E1"),
    ],
    "a turbine is gone": ["DELETE FROM turbines", () => store.sites.turbine("E1")],
    "a turbine is gone from the list": [
      "DELETE FROM turbines",
      () => store.sites.nextTurbineIds("", 9),
    ],
    "a turbine is gone from those of a licence": [
      "DELETE FROM turbines",
      () => store.sites.findTurbineIds(["E1"]),
    ],
    "a turbine is gone from several": ["DELETE FROM turbines", () => store.sites.turbines(["E1"])],
    "a figure of a month of a fleet changed": [
      "UPDATE months SET month_index = month_index + 1e-9 WHERE year = 2023 AND month = 5",
      () => store.sites.fleetMonths(["E1"]),
    ],
    "all months of a fleet are gone": [
      "DELETE FROM months",
      () => store.sites.fleetMonths(["E1"]),
    ],
    "a turbine has another name": [
      "UPDATE turbines SET turbine_id = 'E9'",
      () => store.sites.turbineIds(),
    ],
    "a calibration changed": [
      "UPDATE calibrations SET record = replace(record, '1', '2')",
      () => store.sites.calibration("E1", 1),
    ],
    "a calibration is gone": ["DELETE FROM calibrations", () => store.sites.calibration("E1", 1)],
    "a dataset is gone": ["DELETE FROM datasets", () => store.sites.dataset("example-climate")],
    "a point is gone": [
      "DELETE FROM points WHERE rowid = 1",
      async () => await store.sites.points(await first()),
    ],
    "a point names another file": [
      "UPDATE points SET record = json_set(record, '$.file', 'x') WHERE rowid = 1",
      () => store.wantedFiles(0),
    ],
    "a licence covers more": [
      "UPDATE licences SET expires = '2999-12-31'",
      () => store.licences.get("S-1"),
    ],
    "a key belongs to another licence": [
      "UPDATE api_keys SET serial_number = 'S-2'",
      async () => await store.licences.all().then(() => store.verify()),
    ],
    "its world changed": ["UPDATE about SET value = 'sample'", () => store.world()],
  };
  for (const [what, [sql, ask]] of Object.entries(changes)) {
    it(`H1: is refused by name where ${what}, by what needs that and by the check of all`, async () => {
      open(sql);
      for (const call of [ask, () => store.verify().then(ask), () => store.check().then(ask)]) {
        const { message } = await assertRejects(call, DamagedFileError);
        assertStringIncludes(message, `Cannot use ${path}: `);
        assertStringIncludes(message, "copy the last backup to its place");
      }
    });
  }

  it("H1 F42: knows a key, or says that it is damaged, wherever a bit of it is flipped", async () => {
    open("");
    const database = new DatabaseSync(path);
    const hash = String(database.prepare("SELECT hash FROM api_keys").get()!.hash);
    database.close();
    await store.close();
    const text = new TextDecoder("latin1").decode(whole);
    let refused = 0;
    for (let at = text.indexOf(hash); at !== -1; at = text.indexOf(hash, at + 1)) {
      const bytes = whole.slice();
      bytes[at + 9] ^= 1;
      await Deno.writeFile(path, bytes);
      store = new SqliteStore(path);
      const found = await store.licences.findByKey(hash).catch((error) => error);
      if (found instanceof DamagedFileError) refused++;
      else assertEquals(found?.key.hash, hash); // its row, whose key SQLite takes from the index
      await store.close();
    }
    assert(refused > 0, "the index was not damaged");
    store = new SqliteStore(path);
  });

  it("H1 F46: needs no log for what was committed", async () => {
    open("");
    await store.licences.removeKeys("S-1");
    const copy = `${folder}/copy.sqlite`;
    await Deno.copyFile(path, copy); // the log stays behind
    await store.close();
    store = new SqliteStore(copy);
    assertEquals((await store.licences.all()).map(({ keys }) => keys).at(-1), 0);
    await store.verify();
  });

  it("H1: is whole after an import, and answers without looks at absent rows twice", async () => {
    open("");
    await store.verify();
    await store.check();
    for (let i = 0; i < 2; i++) assertEquals(await store.licences.findByKey("absent"), undefined);
    assertEquals(await store.sites.turbine("absent"), undefined);
    assertEquals(await store.sites.points("absent"), []);
  });
});

describe("a transaction", () => {
  it("H11: on a full disk names the cause and the file, although SQLite has ended it itself", async () => {
    const path = await Deno.makeTempFile();
    using database = new SqliteDatabase(path);
    database.exec("CREATE TABLE t (x); PRAGMA max_page_count = 9");
    const fill = () => {
      for (let i = 0; i < 99; i++) database.run("INSERT INTO t VALUES (zeroblob(9000))");
    };
    const error = assertThrows(() => database.transaction(fill), Error);
    assertEquals(
      error.message,
      `Cannot use ${path}: database or disk is full. ` +
        "Look at its disk: free space, and whether the file is whole",
    );
    assertEquals(isPassing(error), true);
    assertEquals(database.all("SELECT * FROM t"), []);
    database.transaction(() => database.run("INSERT INTO t VALUES (1)"));
    await Deno.remove(path);
  });
});

describe("two connections", () => {
  it("H1: never take what the other is writing for damage", async () => {
    const folder = await Deno.makeTempDir();
    const path = `${folder}/store.sqlite`;
    await new SqliteStore(path).close();
    const code = `
      import { SqliteStore } from "${new URL(
      "../../../../src/storage/store/sqlite/sqlite_store.ts",
      import.meta.url,
    )}";
      const store = new SqliteStore("${path}");
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
    const store = new SqliteStore(path);
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
