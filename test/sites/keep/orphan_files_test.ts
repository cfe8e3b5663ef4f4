import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { openFiles } from "../../../src/machines/shared_storage.ts";
import { FolderFiles } from "../../../src/storage/files/folder/folder_files.ts";
import { claimFiles, removeOrphanFiles } from "../../../src/sites/keep/named_files.ts";
import { migratePostgres } from "../../../src/machines/postgres/postgres_schema.ts";
import { openPostgresStore } from "../../../src/machines/postgres/postgres_store.ts";
import { describeWithPostgres } from "../../_postgres.ts";
import { describeWithS3 } from "../../_s3.ts";
import { withOrderData } from "../../service/fulfilment/_order_data.ts";
import { age } from "../../storage/files/_files_suite.ts";
import { testOrphans } from "./_orphans_suite.ts";

/** The session that prevents others from naming files. */
const LOCKS = `FROM pg_locks WHERE locktype = 'advisory'
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

describe("orphan files in a folder", () => {
  testOrphans(async () => {
    const folder = await Deno.makeTempDir();
    const files = new FolderFiles(folder);
    return {
      files,
      at: (name) => files.path(name),
      [Symbol.asyncDispose]: async () => await Deno.remove(folder, { recursive: true }),
    };
  });

  it("are not searched if no file was ever stored", async () => {
    await withOrderData(async ({ store, files, folder }) => {
      await Deno.remove(`${folder}/files`, { recursive: true });
      assertEquals(await removeOrphanFiles(store, files), []);
    });
  });
});

describeWithS3("orphan files in an object store", (server) => {
  let prefixes = 0;

  testOrphans(async () => {
    const prefix = `orphans-${prefixes++}`;
    const { address, environment, folder } = server();
    const files = await openFiles(`${address}/${prefix}`, (name) => environment[name]);
    return {
      files,
      at: (name) => `${folder}/${prefix}/${name}`,
      [Symbol.asyncDispose]: () => Promise.resolve(files.close()),
    };
  });
});

describeWithPostgres("orphan files of a shared store", (server) => {
  it("are no longer removed once the session that prevents naming them has ended", async () => {
    const address = await server().createDatabase();
    await migratePostgres(address);
    const folder = await Deno.makeTempDir();
    const [store, other] = [await openPostgresStore(address), await openPostgresStore(address)];
    const { engine } = other.documents;
    const files = new FolderFiles(folder);
    try {
      await claimFiles(store, files);
      for (const content of [1, 2, 3]) {
        await age(files.path(await files.put(new Uint8Array([content]), "csv")), 48);
      }
      const { removeOlder } = files;
      files.removeOlder = async (...file) => {
        const removed = await removeOlder.apply(files, file);
        await engine.run(`SELECT pg_terminate_backend(pid) ${LOCKS}`);
        while ((await engine.all(`SELECT ${LOCKS}`)).length > 0);
        return removed;
      };
      await assertRejects(() => removeOrphanFiles(store, files), Error, "Cannot use postgres://");
      assertEquals((await files.names()).length, 2);
    } finally {
      files.close();
      for (const one of [store, other]) await one.close();
      await Deno.remove(folder, { recursive: true });
    }
  });
});
