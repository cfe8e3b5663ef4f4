/**
 * Answers of a service whose data directory has damaged files: the cases that `deno task soak damage` found, and earlier ones.
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
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { ConfigurationError } from "../../src/api/errors.ts";
import { backUp } from "../../src/service/backup.ts";
import { openStorage } from "../../src/storage/storage.ts";
import { addLicence } from "../../src/service/licences/licence_book.ts";
import { openService, type Service } from "../../src/service/running/service.ts";
import { startServeTask } from "../cli/_serve_task.ts";
import { canMount, nameMounting, SmallDisk } from "./_small_disk.ts";
import { buildPath, ORDERED } from "./_answers.ts";
import { importFile, makeSite, type TestSite } from "../sites/_site.ts";
import { sitesOf } from "../../src/sites/keep/sites.ts";

let site: TestSite;
let pristine: string;
let key: string;

const model = buildPath("model_data", { turbine_id: "E1" });
const index = buildPath("monthly_index", { turbine_id: "E1", year: 2023, month: 5 });
const climate = buildPath("download_climate", ORDERED);

/** Flips a bit in the middle of a file. */
function flip(path: string): void {
  const bytes = Deno.readFileSync(path);
  bytes[bytes.length >> 1] ^= 1;
  Deno.writeFileSync(path, bytes);
}

describe("damaged data", () => {
  beforeAll(async () => {
    site = await makeSite();
    pristine = await Deno.makeTempDir();
    await importFile(await site.siteFile(), `${pristine}/data`);
    const licence = { serialNumber: "S-1", email: "a@example.com" };
    key = (await addLicence(`${pristine}/data`, licence, { key: true })).key!;
  });
  afterAll(async () => {
    await Deno.remove(site.folder, { recursive: true });
    await Deno.remove(pristine, { recursive: true });
  });

  /** Overwrites the second half of a file with zeros. */
  async function overwriteHalf(path: string): Promise<void> {
    const { size } = await Deno.stat(path);
    using file = await Deno.open(path, { write: true });
    await file.seek(size >> 1, Deno.SeekMode.Start);
    await file.write(new Uint8Array(size >> 1));
  }

  describe("a service", () => {
    let folder: string;
    let data: string;
    let service: Service;
    let logged: string[];
    const { error } = console;

    beforeEach(async () => {
      folder = await Deno.makeTempDir();
      data = `${folder}/data`;
      await backUp(`${pristine}/data`, data);
      service = await openService(data, { trusted: true });
      logged = [];
      console.error = (...parts: unknown[]) => void logged.push(parts.join(" "));
    });
    afterEach(async () => {
      console.error = error;
      await service.close();
      await Deno.remove(folder, { recursive: true });
    });

    const ask = async (path: string) => {
      const response = await service.fetch(new Request(`http://x${path}`));
      return { status: response.status, text: await response.text() };
    };
    const seriesOf = async () => {
      const { store, files } = await openStorage(data);
      const [{ file }] = await sitesOf(store).points(ORDERED.service_id);
      const { modelFile } = (await sitesOf(store).turbine("E1"))!;
      await store.close();
      return { point: files.path(file), model: files.path(modelFile!) };
    };

    it("H1 F41: answers requests for a damaged series with 500 and one log line that names it, others as usual", async () => {
      const { model: path } = await seriesOf();
      flip(path);
      const answer = await ask(model);
      assertEquals([answer.status, logged.length], [500, 1]);
      assertStringIncludes(logged[0], `Cannot use ${path}: it is damaged`);
      assertStringIncludes(logged[0], "Restore it from a backup, or import its site again");
      assertEquals([(await ask(index)).status, (await ask(climate)).status], [200, 200]);
    });

    for (const workers of [0, 1]) {
      it(`H1 F41: names the damaged point of a download with ${workers} workers`, async () => {
        await service.close();
        service = await openService(data, { trusted: true, workers });
        const { point } = await seriesOf();
        flip(point);
        const { status, text } = await ask(climate);
        assertEquals([status, logged.length], [500, 1]);
        assertStringIncludes(text, "A stored file is damaged");
        assertStringIncludes(logged[0], `Cannot use ${point}: it is damaged`);
      });
    }

    it("H1: is repaired by importing the same site again", async () => {
      const { model: path, point } = await seriesOf();
      const before = await ask(climate);
      for (const one of [path, point]) flip(one);
      assertEquals((await importFile(await site.siteFile(), data)).unchanged, false);
      assertEquals([(await ask(model)).status, await ask(climate)], [200, before]);
      assertEquals((await importFile(await site.siteFile(), data)).unchanged, true);
    });

    it("H1: reports at /readyz what kind of thing is damaged, and names it only in the log", async () => {
      assertEquals(await ask("/readyz"), { status: 200, text: "ok\n" });
      const { point } = await seriesOf();
      flip(point);
      const ready = await ask("/readyz");
      assertEquals(ready.status, 503);
      assertMatch(
        ready.text,
        /1 stored files are missing or damaged; the log of the service names/,
      );
      assert(logged.some((line) => line.startsWith(point)), logged.join("\n"));
      await Deno.remove(point);
      assertEquals((await ask("/readyz")).status, 503);
    });

    it("H1 F43: is not ready if half of its database is overwritten", async () => {
      await overwriteHalf(`${data}/vindkit.sqlite`);
      const ready = await ask("/readyz");
      assertEquals(ready.status, 503);
      assertMatch(ready.text, /The database is damaged; the log of the service names the remedy/);
      assertEquals((await ask("/healthz")).status, 200);
    });

    it("F40: does not start on a damaged database, and explains how to restore a backup", async () => {
      await service.close();
      await overwriteHalf(`${data}/vindkit.sqlite`);
      const { message } = await assertRejects(() => openService(data), ConfigurationError);
      assertMatch(message, /Cannot (serve|open) \S+: .*copy the last backup to its place/);
      await assertRejects(() => backUp(data, `${folder}/backup`), ConfigurationError, "damaged");
      await Deno.copyFile(`${pristine}/data/vindkit.sqlite`, `${data}/vindkit.sqlite`);
      service = await openService(data, { trusted: true });
      assertEquals((await ask(index)).status, 200);
    });
  });

  describe("deno task serve", () => {
    it("H2 F44: renders model data again if its positions are empty, and ends at SIGTERM", async () => {
      const folder = await Deno.makeTempDir();
      const data = `${folder}/data`;
      await backUp(`${pristine}/data`, data);
      const service = await startServeTask(["--data", data]);
      const headers = { "X-Auth": key };
      const before = await (await fetch(service.url + model, { headers })).text();
      for (const { name } of Deno.readDirSync(`${data}/files`)) {
        if (name.endsWith(".rows")) Deno.truncateSync(`${data}/files/${name}`, 0);
      }
      const after = await fetch(service.url + model, { headers });
      assertEquals([after.status, await after.text()], [200, before]);
      assertEquals((await service.stop("SIGTERM")).code, 0);
      await Deno.remove(folder, { recursive: true });
    });
  });

  describe("deno task serve if a variable of the loader is set", () => {
    const answerWith = async (env: Record<string, string>) => {
      const folder = await Deno.makeTempDir();
      await backUp(`${pristine}/data`, `${folder}/data`); // without rendered files
      const service = await startServeTask(["--data", `${folder}/data`], { env });
      const answer = await fetch(service.url + climate, { headers: { "X-Auth": key } });
      await answer.body?.cancel();
      const { err } = await service.stop("SIGTERM");
      await Deno.remove(folder, { recursive: true });
      return { status: answer.status, err };
    };

    it("F47 still starts its workers", async () => {
      assertEquals(await answerWith({ LD_LIBRARY_PATH: "/nowhere" }), { status: 200, err: "" });
    });

    it("F47 does the jobs itself if another variable keeps Deno from starting workers", async () => {
      const { status, err } = await answerWith({ LD_BIND_NOW: "1" });
      assertEquals(status, 200);
      assertMatch(err, /^Cannot start workers: .*LD_BIND_NOW.*\n$/);
    });
  });

  describe("an import", () => {
    const check = canMount ? it : it.ignore;
    const title =
      "H11 F45: on a full disk names the cause and the file, and succeeds once there is space";
    check(nameMounting(title), async () => {
      await using disk = (await SmallDisk.mount("400k"))!;
      const mount = disk.folder;
      const file = await site.siteFile();
      const failed = await assertRejects(
        () => importFile(file, `${mount}/data`, { fresh: true }),
        Error,
      );
      assertMatch(
        failed.message,
        new RegExp(`Cannot (write|use) ${mount}/data/.*(No space|full)`),
      );
      assert(await disk.resize("50m"));
      assertEquals((await importFile(file, `${mount}/data`, { fresh: true })).unchanged, false);
      const originals = new Set(
        [...Deno.readDirSync(`${mount}/data/files`)].map(({ name }) => name),
      );
      const junk = `${mount}/junk`;
      const { error } = console;
      for (const workers of [0, 1]) {
        const service = await openService(`${mount}/data`, { trusted: true, workers });
        const ask = async (path: string) => {
          const response = await service.fetch(new Request(`http://x${path}`));
          await response.body?.cancel();
          return [response.status, response.headers.get("retry-after")];
        };
        await assertRejects(() => Deno.writeFile(junk, new Uint8Array(60_000_000)));
        const logged: string[] = [];
        console.error = (problem: string) => void logged.push(problem);
        assertEquals([await ask(model), await ask(index)], [[503, "10"], [200, null]]);
        console.error = error;
        assertMatch(
          logged.join(),
          new RegExp(`^Cannot write ${mount}/data/files/.*No space left`),
        );
        await Deno.remove(junk);
        assertEquals(await ask(model), [200, null]);

        // rendered files are sent uncompressed if they cannot be gzipped
        await assertRejects(() => Deno.writeFile(junk, new Uint8Array(60_000_000)));
        console.error = (problem: string) => void logged.push(problem);
        const headers = { "accept-encoding": "gzip" };
        const plain = await service.fetch(new Request(`http://x${model}`, { headers }));
        await plain.body?.cancel();
        console.error = error;
        assertEquals([plain.status, plain.headers.get("content-encoding")], [200, null]);
        assertMatch(logged.at(-1)!, /could not be gzipped and is sent uncompressed/);
        await Deno.remove(junk);
        await service.close();
        for (const { name } of Deno.readDirSync(`${mount}/data/files`)) {
          if (!originals.has(name)) Deno.removeSync(`${mount}/data/files/${name}`); // it is rendered again
        }
      }
    });
  });
});
