/**
 * The same data on one machine and on a shared storage: after moves there and back, and a restored backup, every answer
 * is the same, byte by byte.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { afterAll, beforeAll, it } from "@std/testing/bdd";
import { KEY_HEADER, operations } from "../../src/api/operations/operations.ts";
import { moveData } from "../../src/machines/move_data.ts";
import { removeOrphanFiles, wantedFiles } from "../../src/sites/keep/named_files.ts";
import { openStorage, type StorageHandle } from "../../src/storage/storage.ts";
import { describeWithPostgres } from "../_postgres.ts";
import { describeWithS3 } from "../_s3.ts";
import { buildPath, ORDERED } from "./_answers.ts";
import { runTaskWith } from "../cli/_task.ts";
import {
  importSite,
  makeMovableData,
  type MovableKeys,
  openShared,
  ORDERS,
  type Place,
  servePlace,
} from "./_movable_data.ts";
import { hashesBelow } from "../sites/_site.ts";

/** Milliseconds. */
const DAY = 24 * 3_600_000;

/** Name of a database. */
const nameOf = (address: string) => new URL(address).pathname.slice(1);

describeWithPostgres("data that are moved", (postgres) => {
  describeWithS3("from a data directory to PostgreSQL and an object store, and back", (s3) => {
    let folder: string;
    let data: string;
    let keys: MovableKeys;
    let prefixes = 0;

    const newShared = async () =>
      await openShared(await postgres().createDatabase(), `${s3().address}/${++prefixes}`, s3());

    beforeAll(async () => {
      folder = await Deno.makeTempDir();
      data = `${folder}/data`;
      keys = await makeMovableData(data);
    });
    afterAll(() => Deno.remove(folder, { recursive: true }));

    it("gives the same answers to all operations at all three places", async () => {
      const before = await hashesBelow(data);
      const back = `${folder}/back`;
      const places: StorageHandle[] = [
        await openStorage(data),
        await newShared(),
        await openStorage(back, { create: true }),
      ];
      const moved = await moveData(places[0], places[1]);
      assertEquals(await moveData(places[1], places[2]), moved);
      const { rows } = moved;
      assert(Object.values(rows).every((count) => count > 0), JSON.stringify(rows));
      assertEquals(rows.order, ORDERS);
      const modes = ["", "/vindkit.sqlite", "/files"]
        .map((path) => Deno.statSync(back + path).mode! & 0o777);
      assertEquals(modes, [0o700, 0o600, 0o700]);
      assertEquals((await places[2].files.names()).length, moved.files);
      await places[0].close();
      assertEquals(await hashesBelow(data), before);

      places[0] = await openStorage(data);
      const services = await Promise.all(places.map(servePlace));
      const [first, ...others] = await Promise.all(services.map((one) => one.answers(keys)));
      const statuses = Map.groupBy(Object.values(first), (answer) => answer.slice(0, 3));
      for (const status of ["200", "206", "400", "401", "403", "404", "405", "422"]) {
        assert(statuses.has(status), `no answer has status ${status}`);
      }
      for (const { path } of operations) {
        assert(Object.keys(first).some((question) => question.includes(path.split("{")[0])), path);
      }
      for (const answers of others) {
        for (const question of Object.keys(first)) {
          assertEquals(answers[question], first[question], question);
        }
      }
      await compareNewNames(services);
      for (const service of services) await service.close();
    });

    /** New keys and orders always differ: the test compares everything but their names, and each must work at its place. */
    async function compareNewNames(services: readonly Place[]): Promise<void> {
      const customer = { serial_number: "S-all", email: "S-all@example.com" };
      const results = await Promise.all(services.map(async ({ ask }) => {
        const issued = await ask(buildPath("api_key", customer));
        const { api_key, ...rest } = await issued.json();
        assertMatch(api_key, /^[0-9a-f]{64}$/);
        const keyHeaders = { [KEY_HEADER]: api_key };
        const placed = await ask(buildPath("place_order", { ...ORDERED, lat: 55.6 }), keyHeaders);
        const id = await placed.json();
        assertMatch(id, /^[\w-]{20,}$/);
        const status = await ask(buildPath("order_status", { order_id: id }), keyHeaders);
        const heads = [issued, placed, status].map((one) => [one.status, ...one.headers]);
        return [...heads, rest, await status.text()];
      }));
      for (const other of results) assertEquals(other, results[0]);
    }

    it("is restored from a dump and a copy of the bucket 23 hours later, as it was at the dump", async () => {
      const [database, prefix] = [await postgres().createDatabase(), ++prefixes];
      const files = `${s3().address}/${prefix}`;
      const live = await openShared(database, files, s3());
      {
        await using source = await openStorage(data);
        await moveData(source, live);
      }
      const service = await servePlace(live);
      const answers = await service.answers(keys);
      const bucket = `${s3().folder}/${prefix}`;
      const monthAgo = new Date(Date.now() - 30 * DAY);
      for (const { name } of Deno.readDirSync(bucket)) {
        await Deno.utime(`${bucket}/${name}`, monthAgo, monthAgo);
      }
      const dump = await postgres().run("pg_dump", "--format=custom", nameOf(database));

      await importSite(live, "coast", "E1", 0.8);
      const words = ["shared", "licence", "revoke", "S-some"];
      const revoked = await runTaskWith(
        s3().environment,
        ...[...words, "--database", database, "--files", files],
      );
      assertEquals([revoked.code, revoked.error], [0, ""]);
      const changed = await service.answers(keys);
      assert(Object.keys(answers).some((question) => changed[question] !== answers[question]));
      await removeOrphanFiles(live.store, live.files, Date.now() + 23 * DAY / 24);
      const copy = `${s3().folder}/${++prefixes}`;
      await Deno.mkdir(copy);
      for (const { name } of Deno.readDirSync(bucket)) {
        await Deno.copyFile(`${bucket}/${name}`, `${copy}/${name}`);
      }
      await service.close();

      const restored = await postgres().createDatabase();
      await Deno.chmod(folder, 0o755); // the programs of PostgreSQL run as another user
      await Deno.writeFile(`${folder}/wind.dump`, dump);
      await postgres().run("pg_restore", `--dbname=${nameOf(restored)}`, `${folder}/wind.dump`);
      const storage = await openShared(restored, `${s3().address}/${prefixes}`, s3());
      for (const name of await wantedFiles(storage.store, Date.now())) {
        assert(await storage.files.isSound(name), name);
      }
      const again = await servePlace(storage);
      const answersAgain = await again.answers(keys);
      for (const question of Object.keys(answers)) {
        assertEquals(answersAgain[question], answers[question], question);
      }
      await again.close();
    });
  });
});
