/**
 * A database and its files: two databases on the same files, on a folder and on a bucket, and every way to open them.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { ConfigurationError } from "../../src/api/errors.ts";
import { openQueueWorker } from "../../src/machines/open_queue_worker.ts";
import { migratePostgres } from "../../src/machines/postgres/postgres_schema.ts";
import { openPostgresStore } from "../../src/machines/postgres/postgres_store.ts";
import { migrateQueue } from "../../src/machines/queue/open_boss.ts";
import { QueuedJobs } from "../../src/machines/queue/queued_jobs.ts";
import { openFiles, shareStorage } from "../../src/machines/shared_storage.ts";
import { claimFiles } from "../../src/sites/keep/named_files.ts";
import type { Files } from "../../src/storage/files/files.ts";
import { checkPair } from "../../src/storage/pair.ts";
import type { Store } from "../../src/storage/store/store.ts";
import { describeWithPostgres } from "../_postgres.ts";
import { describeWithS3 } from "../_s3.ts";
import { callCommand } from "../cli/_command.ts";
import { runTaskWith } from "../cli/_task.ts";
import { importSite } from "../service/_movable_data.ts";
import { importFile, makeSite } from "../sites/_site.ts";
import { age } from "../storage/files/_files_suite.ts";

const MARK = "vindkit-identity";

/** Place of files: their address, their folder, and the variables for access. */
interface Place {
  readonly address: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Turns them into leftovers of a version without identities. */
async function forget(store: Store, { folder }: Place): Promise<void> {
  await store.transaction((all) => all.documents.remove("world", { ids: ["identity"] }).then());
  await Deno.remove(`${folder}/${MARK}`);
}

async function listOld({ folder }: Place): Promise<string[]> {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => name !== MARK).sort();
  for (const name of names) await age(`${folder}/${name}`, 48);
  return names;
}

async function refuse(act: () => Promise<unknown>): Promise<string> {
  const { code, message } = await assertRejects(act, ConfigurationError);
  assertEquals(code, "other_files", message);
  return message;
}

describeWithPostgres("a database and its files", (postgres) => {
  let original: string | undefined;
  let open: Store[];

  async function createDatabase(): Promise<string> {
    if (original === undefined) {
      const database = await postgres().createDatabase();
      await migratePostgres(database);
      await migrateQueue(database);
      original = database;
    }
    return await postgres().createDatabase(original);
  }

  async function openStore(address?: string): Promise<Store> {
    const store = await openPostgresStore(address ?? await createDatabase());
    open.push(store);
    return store;
  }

  beforeEach(() => {
    open = [];
  });
  afterEach(async () => {
    for (const store of open) await store.close();
  });

  function testPlace(makePlace: () => Promise<Place>): void {
    let place: Place;
    let files: Files;

    beforeEach(async () => {
      place = await makePlace();
      files = await openFiles(place.address, (name) => place.environment[name]);
    });
    afterEach(async () => {
      files.close();
      await Deno.remove(place.folder, { recursive: true }).catch(() => {}); // nothing was stored
    });

    it("SV1: a second database is refused, and no file of the first one is removed", async () => {
      const [first, second] = [await openStore(), await openStore()];
      await importSite({ store: first, files }, "coast", "E1", 1);
      const names = await listOld(place);
      const message = await refuse(() => importSite({ store: second, files }, "hill", "E2", 0.9));
      assertMatch(
        message,
        /^Cannot use postgres:\/\/.*: they belong to another database \(.* not set yet\)\. Name a /,
      );
      assert(!message.includes("p%40ss"), message);
      assertEquals((await files.names()).sort(), names);
      await importSite({ store: first, files }, "coast", "E1", 0.95);
    });

    it("SV1: data from before identities are paired by their next import, and readable until then", async () => {
      const store = await openStore();
      await importSite({ store, files }, "coast", "E1", 1);
      await forget(store, place);
      await checkPair(store, files);
      assertEquals([await store.identity(), await files.identity()], [undefined, undefined]);
      await importSite({ store, files }, "coast", "E1", 1);
      assertEquals(await store.identity(), { id: (await files.identity())!, pending: false });
    });

    it("SV1: a new database refuses files without an identity, until a person confirms that they belong to it", async () => {
      const [first, second] = [await openStore(), await openStore()];
      await importSite({ store: first, files }, "coast", "E1", 1);
      await forget(first, place);
      const names = await listOld(place);
      const act = () => importSite({ store: second, files }, "hill", "E2", 0.9);
      const message = await refuse(act);
      assertEquals((await files.names()).sort(), names);
      const [, id, path] = /for example from an old backup, write (\S+) to (\S+)$/.exec(message)!;
      assertEquals(path, files.path(MARK));
      await Deno.writeTextFile(`${place.folder}/${MARK}`, `${id}\n`);
      await act();
    });

    it("SV1: a database whose files have lost their identity is refused, even with an empty place", async () => {
      const store = await openStore();
      await importSite({ store, files }, "coast", "E1", 1);
      const { id } = (await store.identity())!;
      await Deno.remove(`${place.folder}/${MARK}`);
      const message = await refuse(() => checkPair(store, files));
      assertEquals(await refuse(() => importSite({ store, files }, "coast", "E1", 1)), message);
      assertMatch(message, new RegExp(`they have no identity.*write ${id} to `));
      await Deno.writeTextFile(`${place.folder}/${MARK}`, id);
      await checkPair(store, files);
    });

    it("SV1: a damaged identity is reported without its bytes, and can be written again", async () => {
      const store = await openStore();
      await importSite({ store, files }, "coast", "E1", 1);
      const { id } = (await store.identity())!;
      await Deno.writeTextFile(`${place.folder}/${MARK}`, `${id.slice(0, 20)}\u000e;\ufffd`);
      const message = await refuse(() => checkPair(store, files));
      assertMatch(message, new RegExp(`the file with their identity is damaged.*write ${id} to `));
      assert(!message.includes("\u000e"), message);
      await Deno.writeTextFile(`${place.folder}/${MARK}`, id);
      await checkPair(store, files);
    });

    it("SV1: an older copy of the database works once a person has removed the identity", async () => {
      const store = await openStore();
      await importSite({ store, files }, "coast", "E1", 1);
      const mark = await files.identity();
      await forget(store, place);
      await files.writeNew(MARK, new TextEncoder().encode(mark));
      const act = () => importSite({ store, files }, "coast", "E1", 1);
      const [, path] = /If no other database uses these files, remove (\S+) and import again$/
        .exec(await refuse(act))!;
      assertEquals(path, files.path(MARK));
      await Deno.remove(`${place.folder}/${MARK}`);
      await act();
      await checkPair(store, files);
    });

    it("SV1: an import completes what a killed one began", async () => {
      const store = await openStore();
      const identity = await store.beginIdentity();
      assertEquals(await store.beginIdentity(), identity);
      await checkPair(store, files);
      await claimFiles(store, files);
      assertEquals([await store.identity(), await files.identity()], [
        { id: identity.id, pending: false },
        identity.id,
      ]);
    });

    it("SV1: one of two databases that begin concurrently on one empty place gets it", async () => {
      const stores = [await openStore(), await openStore()];
      const results = await Promise.allSettled(stores.map((store) => claimFiles(store, files)));
      assertEquals(results.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
      const id = await files.identity();
      for (const [i, { status }] of results.entries()) {
        const known = await stores[i].identity();
        assertEquals([known?.id === id, known?.pending], [
          status === "fulfilled",
          status !== "fulfilled",
        ]);
      }
    });
  }

  describe("in a folder", () => {
    testPlace(async () => {
      const folder = await Deno.makeTempDir();
      return { address: folder, folder, environment: {} };
    });
  });

  describeWithS3("in a bucket", (s3) => {
    let prefixes = 0;

    testPlace(() => {
      const { address, folder, environment } = s3();
      const prefix = `pair-${++prefixes}`;
      return Promise.resolve({
        address: `${address}/${prefix}`,
        folder: `${folder}/${prefix}`,
        environment,
      });
    });

    it("SV1: tasks on another bucket end with 78 in the words of the library", async () => {
      const [database, { environment, address }] = [await createDatabase(), s3()];
      const reach = (prefix: string) =>
        openFiles(`${address}/${prefix}`, (name) => environment[name]);
      const [right, wrong] = [await reach("right"), await reach("wrong")];
      const [store, other] = [await openStore(database), await openStore()];
      await importSite({ store, files: right }, "coast", "E1", 1);
      await claimFiles(other, wrong);
      const message = await refuse(() => checkPair(store, wrong));
      const variables = {
        ...environment,
        VINDKIT_DATABASE: database,
        VINDKIT_FILES: `${address}/wrong`,
      };
      for (const words of [["shared", "verify"], ["work"]]) {
        const { code, out, error } = await runTaskWith(variables, ...words);
        assertEquals([code, out, error], [78, "", `${message}\n`]);
      }
      for (const one of [right, wrong]) one.close();
    });
  });

  describe("in the commands", () => {
    let folder: string;
    let database: string;

    beforeEach(async () => {
      folder = await Deno.makeTempDir();
      database = await createDatabase();
      await using storage = await shareStorage({ database, files: `${folder}/files` }).open();
      await importSite(storage, "coast", "E1", 1);
    });
    afterEach(async () => await Deno.remove(folder, { recursive: true }));

    it("SV1: all end with 78 in the same words if the files or the database belong to another pair", async () => {
      const site = await makeSite();
      const commands = [
        ["serve", "--port", "0"],
        ["work"],
        ["import", await site.siteFile()],
        ["update"],
        ["verify"],
        ["licence", "list"],
        ["export", "--what", "indices", "--to", `${folder}/export`],
      ];
      const wrong = [
        [database, `${folder}/empty`, /they have no identity/],
        [await createDatabase(), `${folder}/files`, /they belong to another database/],
      ] as const;
      for (const [url, files, words] of wrong) {
        const where = ["--database", url, "--files", files];
        const message = await refuse(() => shareStorage({ database: url, files }).open());
        assertMatch(message, words);
        for (const command of commands) {
          const { code, out, error } = await callCommand(...command, ...where);
          assertEquals([code, out, error], [78, "", message]);
        }
        const to = `${folder}/moved`;
        const from = ["--from-database", url, "--from-files", files, "--data", to];
        const { code, error } = await callCommand("migrate", ...from);
        assertEquals([code, error], [78, message]);
      }
      await Deno.remove(site.folder, { recursive: true });
    });

    it("SV1: a worker that began before the first import ends, and the job goes back to the queue", async () => {
      const early = await createDatabase();
      const worker = await openQueueWorker(
        shareStorage({ database: early, files: `${folder}/wrong` }),
        1,
      );
      const jobs = await QueuedJobs.open(early);
      try {
        await using storage = await shareStorage({ database: early, files: `${folder}/right` })
          .open();
        await claimFiles(storage.store, storage.files);
        const done = jobs.run({ kind: "remove_orphans", parameters: {}, turn: "", urgent: false });
        assertMatch(await refuse(() => worker.refused), /they have no identity/);
        await worker.close();
        assertEquals(await jobs.isIdle(), true);
        const right = await openQueueWorker(
          shareStorage({ database: early, files: `${folder}/right` }),
          1,
        );
        await done;
        await right.close();
      } finally {
        await jobs.close();
      }
    });

    it("SV1: moved data have a new identity, and no files of their source", async () => {
      const site = await makeSite();
      const data = `${folder}/data`;
      await importFile(await site.siteFile(), data);
      const to = await createDatabase();
      const move = (files: string) =>
        callCommand("migrate", "--from", data, "--database", to, "--files", files);
      const refused = await move(`${data}/files`);
      assertEquals(refused.code, 78, refused.error);
      assertMatch(refused.error, /they belong to another database/);
      const moved = await move(`${folder}/moved`);
      assertEquals([moved.code, moved.error], [0, ""]);
      const marks = await Promise.all(
        [`${data}/files`, `${folder}/moved`].map((one) => Deno.readTextFile(`${one}/${MARK}`)),
      );
      assertEquals(new Set(marks).size, 2);
      const verified = await callCommand("verify", "--database", to, "--files", `${folder}/moved`);
      assertEquals(verified.code, 0, verified.error);
      await Deno.remove(site.folder, { recursive: true });
    });

    it("SV1: a backup keeps the identity, and files of another data directory are refused", async () => {
      const site = await makeSite();
      const [data, other] = [`${folder}/data`, `${folder}/other`];
      for (const one of [data, other]) {
        await importFile(await site.siteFile(), one, { fresh: true });
      }
      const back = await callCommand("backup", "--data", data, "--to", `${folder}/backup`);
      assertEquals(back.code, 0, back.error);
      const verified = await callCommand("verify", "--data", `${folder}/backup`);
      assertEquals([verified.code, verified.error], [0, ""]);
      await Deno.remove(`${data}/files`, { recursive: true });
      await Deno.rename(`${other}/files`, `${data}/files`);
      const { error } = await callCommand("verify", "--data", data);
      for (
        const words of [
          ["backup", "--data", data, "--to", `${folder}/again`],
          ["import", await site.siteFile(), "--data", data],
          ["serve", "--port", "0", "--data", data],
        ]
      ) {
        const ended = await callCommand(...words);
        assertEquals([ended.code, ended.error], [78, error]);
      }
      assertMatch(
        error,
        /vindkit\.sqlite with the files in .*\/data\/files: they belong to another/,
      );
      await Deno.remove(`${data}/vindkit.sqlite`);
      const fresh = await callCommand("import", await site.siteFile(), "--data", data);
      assertEquals(fresh.code, 78, fresh.error);
      await Deno.remove(site.folder, { recursive: true });
    });
  });
});
