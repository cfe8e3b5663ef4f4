/**
 * Imports into a shared storage without workers, or with a database that is unavailable for a while.
 *
 * @module
 */
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { it } from "@std/testing/bdd";
import { readSiteFile } from "../../../src/sites/declaration/site.ts";
import type { FetchEra5 } from "../../../src/sites/climate/fetch_reanalyses.ts";
import { importSite } from "../../../src/sites/import_site.ts";
import { JobQueue } from "../../../src/machines/queue/job_queue.ts";
import { openQueueWorker } from "../../../src/machines/open_queue_worker.ts";
import { type Machines, shareStorage } from "../../../src/machines/shared_storage.ts";
import { PassingError } from "../../../src/storage/failures/is_passing.ts";
import { migratePostgres } from "../../../src/machines/postgres/postgres_schema.ts";
import { migrateQueue } from "../../../src/machines/queue/open_boss.ts";
import { describeWithPostgres, type Postgres } from "../../_postgres.ts";
import { withSite } from "../_site.ts";
import { defineSourced, fetchFrom, withSource } from "../_sourced_site.ts";
import { sitesOf } from "../../../src/sites/keep/sites.ts";

/** Creates an empty shared storage with its files in a folder. */
async function makeStorage(server: Postgres, files: string): Promise<Machines> {
  const database = await server.createDatabase();
  await migratePostgres(database);
  await migrateQueue(database);
  return shareStorage({ database, files });
}

/** Passes each line printed on standard error while the body runs to a function. */
async function listening<T>(hear: (line: string) => void, body: () => Promise<T>): Promise<T> {
  const { error } = console;
  console.error = (...words) => hear(words.join(" "));
  try {
    return await body();
  } finally {
    console.error = error;
  }
}

async function readQueue<T>(database: string, read: (queue: JobQueue) => Promise<T>): Promise<T> {
  const queue = await JobQueue.open(database);
  try {
    return await read(queue);
  } finally {
    await queue.close();
  }
}

describeWithPostgres("an import into a shared storage", (server) => {
  it("R5: gives up without a running worker, with a remedy, and stores nothing; the next import continues", async () => {
    await withSite(async (site, folder) => {
      const data = await makeStorage(server(), `${folder}/files`);
      const load = async (patience?: number) =>
        await importSite(await readSiteFile(await site.siteFile()), {
          data,
          ...patience === undefined ? {} : { patience },
        });
      const lines: string[] = [];
      for (let i = 0; i < 2; i++) { // the second import waits for the same job
        const { message } = await listening(
          (line) => lines.push(line),
          () => assertRejects(() => load(200), PassingError),
        );
        assertStringIncludes(message, "No worker has been active for 0.2 s");
        assertMatch(message, /deno task work --database '?postgres:\/\/vindkit@/);
        assertStringIncludes(message, ` --files ${folder}/files`);
      }
      assertEquals(lines.length, 2);
      assert(lines.every((line) => line.startsWith("No worker runs the waiting jobs.")));
      const waiting = await readQueue(data.database, (queue) => queue.list());
      assertEquals(waiting.map(({ job, begun }) => [job.kind, begun]), [["compute_chunk", 0]]);
      const { store, close } = await data.open();
      assertEquals(await sitesOf(store).turbineIds(), []);
      await close();

      const worker = await openQueueWorker(data, 1);
      const account = await load();
      await worker.close();
      const direct = await importSite(await readSiteFile(await site.siteFile()), {
        data: `${folder}/own`,
      });
      assertEquals(account.text, direct.text);
      const left = await readQueue(data.database, (queue) => queue.count());
      assertEquals(left, { active: 0, waiting: 0, dead: 0 });
    });
  });

  it("SI8: imports a fleet despite a failing turbine, and tries that one again", async () => {
    await withSite(async (site, folder) => {
      const data = await makeStorage(server(), `${folder}/files`);
      const load = async () =>
        await importSite(await readSiteFile(await site.siteFile()), { data });
      const [first] = site.declared.turbines;
      const [entry] = first.production;
      const wrong = { ...first, id: "E2", production: [{ ...entry, unit: "MWh" as const }] };
      site.declared.turbines = [first, wrong];
      const worker = await openQueueWorker(data, 1);
      const accounts = [await load(), await load()];
      for (const { failures, unchanged } of accounts) {
        assertEquals([failures.map(({ id }) => id), unchanged], [["E2"], false]);
        assertStringIncludes(failures[0].message, "Cannot use the production of E2 in 2023-01");
      }
      site.declared.turbines = [first, { ...wrong, production: first.production }];
      assertEquals((await load()).failures, []);
      await worker.close();
      const { store, close } = await data.open();
      assertEquals(await sitesOf(store).turbineIds(), ["E1", "E2"]);
      await close();
    });
  });

  it("E8: waits for a database that is unavailable at the start, says so once, and can be stopped", async () => {
    await withSite(async (site, folder) => {
      const data = await makeStorage(server(), `${folder}/files`);
      const declared = await readSiteFile(await site.siteFile());
      await server().crash();
      const stop = new AbortController();
      await listening(
        () => stop.abort(new Error("Stopped")),
        () =>
          assertRejects(
            () => importSite(declared, { data, signal: stop.signal }),
            Error,
            "Stopped",
          ),
      );
      const lines: string[] = [];
      const worker = Promise.withResolvers<{ close(): Promise<void> }>();
      const { unchanged } = await listening(
        (line) => {
          lines.push(line);
          if (lines.length > 1) return;
          worker.resolve(server().start().then(() => openQueueWorker(data, 1)));
        },
        () => importSite(declared, { data }),
      );
      await (await worker.promise).close();
      assertEquals(unchanged, false);
      assertEquals(lines.length, 1, lines.join("\n"));
      assertStringIncludes(lines[0], "Cannot reach postgres://vindkit@");
      assertStringIncludes(lines[0], "; the import tries again");
    });
  });

  it("E8: waits for a database that dies after its files are read, and keeps fetched data", async () => {
    await withSource(async (site, source, folder) => {
      const data = await makeStorage(server(), `${folder}/files`);
      let fetched = 0;
      const era5: FetchEra5 = async (options) => {
        const climate = await fetchFrom(source)(options);
        if (fetched++ === 0) await server().crash();
        return climate;
      };
      const worker = Promise.withResolvers<{ close(): Promise<void> }>();
      const account = await listening(
        (line) => {
          if (!line.endsWith("the import tries again")) return;
          worker.resolve(server().start().then(() => openQueueWorker(data, 1)));
        },
        () => importSite(defineSourced(site), { data, era5 }),
      );
      await (await worker.promise).close();
      assertEquals([account.unchanged, fetched], [false, 2]);
    });
  });

  it("E8: does not retry if a retry cannot help", async () => {
    await withSite(async (site, folder) => {
      const data = await makeStorage(server(), `${folder}/files`);
      const declared = await readSiteFile(await site.siteFile());
      const other = data.database.replace(/\w+$/, "none");
      const wrong = shareStorage({ ...data, database: other });
      const lines: string[] = [];
      await listening(
        (line) => lines.push(line),
        () =>
          assertRejects(() => importSite(declared, { data: wrong }), Error, "Cannot connect to"),
      );
      assertEquals(lines, []);
    });
  });
});
