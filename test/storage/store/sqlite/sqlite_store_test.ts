import { assertEquals, assertRejects } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { DatabaseSync } from "node:sqlite";
import { ConfigurationError } from "../../../../src/api/errors.ts";
import {
  openSqliteStore,
  SCHEMA_VERSION,
} from "../../../../src/storage/store/sqlite/open_sqlite_store.ts";
import { storeSuite } from "../_store_suite.ts";

storeSuite(
  "a store in SQLite",
  (folder, world) => openSqliteStore(`${folder}/store.sqlite`, world),
);

describe("the file of a SqliteStore", () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await Deno.makeTempDir();
    path = `${folder}/store.sqlite`;
  });
  afterEach(async () => await Deno.remove(folder, { recursive: true }));

  function version(): number {
    const database = new DatabaseSync(path);
    try {
      return database.prepare("PRAGMA user_version").get()!.user_version as number;
    } finally {
      database.close();
    }
  }

  it("states the version of its schema", async () => {
    await (await openSqliteStore(path)).close();
    assertEquals(version(), SCHEMA_VERSION);
  });

  for (const other of [SCHEMA_VERSION + 1, SCHEMA_VERSION - 1, -1]) {
    it(`is rejected with version ${other} of the schema, and not changed`, async () => {
      const database = new DatabaseSync(path);
      database.exec(`CREATE TABLE other (x); PRAGMA user_version = ${other}`);
      database.close();
      const { message } = await assertRejects(() => openSqliteStore(path), ConfigurationError);
      assertEquals(
        message,
        `Cannot open ${path}: its schema has version ${other}, but this program reads version ${SCHEMA_VERSION}. ` +
          "Use the version of Vindkit that wrote it, or import the site files into another directory",
      );
      assertEquals(version(), other);
    });
  }

  it("F40 is rejected with its name if it is damaged or not a database", async () => {
    await Deno.writeTextFile(path, "This is a text, and long enough to be one. ".repeat(100));
    await assertRejects(() => openSqliteStore(path), ConfigurationError, path);
  });

  it("is a single file when closed, without a journal", async () => {
    await (await openSqliteStore(path)).close();
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["store.sqlite"]);
  });
});

describe("SQLite", () => {
  it("of the service is imported only by code that opens or backs up a storage", async () => {
    const root = new URL("../../../../src/", import.meta.url);
    const importers: string[] = [];
    async function search(folder: string): Promise<void> {
      for await (const { name, isDirectory } of Deno.readDir(new URL(folder, root))) {
        const path = folder + name;
        if (isDirectory) await search(`${path}/`);
        else if (path.endsWith(".ts") && !path.startsWith("./storage/store/sqlite/")) {
          const text = await Deno.readTextFile(new URL(path, root));
          if (/from "(node:sqlite|.*\/sqlite\/.*)"/.test(text)) importers.push(path);
        }
      }
    }
    for (const room of ["storage", "sites", "sample", "service", "machines"]) {
      await search(`./${room}/`);
    }
    assertEquals(importers.sort(), ["./service/backup.ts", "./storage/storage.ts"]);
  });
});
