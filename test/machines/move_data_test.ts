import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { afterEach, beforeEach, it } from "@std/testing/bdd";
import { ConfigurationError } from "../../src/api/errors.ts";
import { DamagedFileError } from "../../src/disk/files.ts";
import { FolderFiles } from "../../src/storage/files/folder/folder_files.ts";
import { moveData } from "../../src/machines/move_data.ts";
import { openStorage, type StorageHandle } from "../../src/storage/storage.ts";
import { PostgresDatabase } from "../../src/machines/postgres/postgres_database.ts";
import { describeWithPostgres } from "../_postgres.ts";
import { describeWithS3 } from "../_s3.ts";
import { openShared } from "../service/_movable_data.ts";
import { makeSmallData } from "../service/_small_data.ts";
import { readDocuments } from "../storage/store/_contents.ts";

/** Files of the data directory. */
const FILES = 12;

/** Files of a folder, with a callback for each read. */
class WatchedFiles extends FolderFiles {
  readonly #onRead: () => unknown;

  constructor(folder: string, onRead: () => unknown) {
    super(folder);
    this.#onRead = onRead;
  }

  override async read(name: string): Promise<Uint8Array<ArrayBuffer>> {
    await this.#onRead();
    return await super.read(name);
  }
}

describeWithPostgres("moveData()", (postgres) => {
  describeWithS3("to a shared storage", (s3) => {
    let data: string;
    let database: string;
    let source: StorageHandle;
    let target: StorageHandle;
    let prefixes = 0;

    /** Stores a file that an order names. */
    async function addFile(i: number): Promise<string> {
      const file = await source.files.put(new Uint8Array(1000).fill(i), "csv");
      await source.store.orders.place({
        ...{ id: `o${i}`, serialNumber: "local", serviceId: "era5", parameters: { i }, file },
        ...{ state: "complete", token: `t${i}`, expires: Date.now() + 1e9 },
      }, Date.now());
      return file;
    }

    beforeEach(async () => {
      data = await Deno.makeTempDir();
      await makeSmallData(data);
      source = await openStorage(data);
      for (let i = 0; i < FILES; i++) await addFile(i);
      database = await postgres().createDatabase();
      target = await openShared(database, `${s3().address}/${++prefixes}`, s3());
    });
    afterEach(async () => {
      await source.close();
      await target.close();
      await Deno.remove(data, { recursive: true });
    });

    const rowsThere = async () => Object.keys(await readDocuments(target.store));
    const watched = (onRead: () => unknown) => ({
      store: source.store,
      files: new WatchedFiles(`${data}/files`, onRead),
    });

    it("reports the moved data, which equal the source", async () => {
      const rows = await readDocuments(source.store);
      const account = await moveData(source, target);
      assertEquals([account.files, account.bytes], [FILES, FILES * 1000]);
      assertEquals([account.rows.turbine, account.rows.order], [2, FILES]);
      assertEquals(await readDocuments(target.store), rows);
      assertEquals((await target.files.names()).sort(), (await source.files.names()).sort());
    });

    it("refuses a target with data, before a file goes there", async () => {
      await target.store.licences.put({
        ...{ serialNumber: "S-1", email: "a@example.com", expires: null },
        ...{ turbines: null, datasets: null },
      });
      const before = await readDocuments(target.store);
      const { message } = await assertRejects(() => moveData(source, target), ConfigurationError);
      assertStringIncludes(message, "this database already has sites, licences or orders");
      assertEquals(await readDocuments(target.store), before);
      assertEquals(await target.files.names(), []);
    });

    it("names all missing or damaged files, and moves no row; a repetition then moves all", async () => {
      const [missing, damaged] = (await source.files.names()).sort();
      const bytes = await source.files.read(damaged);
      await Deno.remove(source.files.path(missing));
      await Deno.writeFile(source.files.path(damaged), new Uint8Array(1000).fill(255));
      const { message } = await assertRejects(() => moveData(source, target), ConfigurationError);
      assertEquals(message.split("\n"), [
        "Cannot move the data: 2 files are missing or damaged, so no row was moved. Restore each listed file from a backup, or import its " +
        "site again. The next download of an order rebuilds the order's file. The files:",
        `  ${source.files.path(missing)}, the file of an order`,
        `  ${source.files.path(damaged)}, the file of an order`,
      ]);
      assertEquals(await rowsThere(), ["world"]);
      assertEquals((await target.files.names()).length, FILES - 2);
      await Deno.writeFile(source.files.path(damaged), bytes);
      for (let i = 0; i < FILES; i++) await source.files.put(new Uint8Array(1000).fill(i), "csv");
      assertEquals((await moveData(source, target)).files, FILES);
    });

    it("names the first ten of many damaged files", async () => {
      for (const name of await source.files.names()) await Deno.remove(source.files.path(name));
      const { message } = await assertRejects(() => moveData(source, target), ConfigurationError);
      assertEquals(message.split("\n").length, 12);
      assertStringIncludes(message, "\n  and 2 more");
    });

    for (const [moment, reads] of [["files", 1], ["rows", FILES]] as const) {
      it(`leaves no row if it is stopped before its ${moment} are moved`, async () => {
        const stop = new AbortController();
        let readsLeft: number = reads;
        const stopped = watched(() => --readsLeft === 0 && stop.abort(new Error("Stopped")));
        await assertRejects(
          () => moveData(stopped, target, { signal: stop.signal }),
          Error,
          "Stopped",
        );
        assertEquals(await rowsThere(), ["world"]);
        assert((await target.files.names()).length > 0);
        assertEquals((await moveData(source, target)).files, FILES);
      });
    }

    it("moves nothing if the source names another file meanwhile", async () => {
      let added: Promise<string> | undefined;
      const changed = watched(() => added ??= addFile(99));
      const { message } = await assertRejects(() => moveData(changed, target), ConfigurationError);
      assertStringIncludes(message, "another process changed them meanwhile, so no row was moved");
      assertEquals(await rowsThere(), ["world"]);
    });

    it("does not confirm data that the database did not store", async () => {
      const all = await PostgresDatabase.open(database);
      await all.run(`CREATE FUNCTION take_nothing() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN RETURN CASE WHEN NEW.kind = ''turbine'' THEN NULL ELSE NEW END; END'`);
      await all.run(`CREATE TRIGGER take_nothing BEFORE INSERT ON vindkit.documents
        FOR EACH ROW EXECUTE FUNCTION take_nothing()`);
      await all.close();
      const { message } = await assertRejects(() => moveData(source, target), DamagedFileError);
      assertStringIncludes(message, "the list of turbine is damaged");
    });
  });
});
