import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError, ConfigurationError } from "../../src/api/errors.ts";
import { buildQueueArgs } from "../../src/machines/open_queue_worker.ts";
import { shareStorage } from "../../src/machines/shared_storage.ts";
import { buildWorkerArgs } from "../../src/service/running/open_jobs.ts";
import { openService } from "../../src/service/running/service.ts";
import { openStorage, type StorageAddress } from "../../src/storage/storage.ts";
import { migratePostgres } from "../../src/machines/postgres/postgres_schema.ts";
import { describeWithPostgres } from "../_postgres.ts";

const unreachable = { database: "postgres://me:secret@127.0.0.1:1/wind", files: "/mnt/wind" };

describe("openStorage()", () => {
  it("creates a data directory only on request", async () => {
    const folder = await Deno.makeTempDir();
    const data = `${folder}/data`;
    await assertRejects(() => openStorage(data), ConfigurationError, "vindkit.sqlite is missing");
    {
      await using storage = await openStorage(data, { create: true, world: "sample" });
      assertEquals(await storage.store.world(), "sample");
      await storage.files.put(new Uint8Array([1]), "bin");
    }
    assertEquals([...Deno.readDirSync(`${data}/files`)].length, 1);
    await Deno.remove(folder, { recursive: true });
  });

  it("rejects an invalid address, and names a shared storage that cannot be reached", async () => {
    const wrong = { database: "postgres:///wind" } as unknown as StorageAddress;
    await assertRejects(
      () => openStorage(wrong),
      ArgumentError,
      "Give the path of a data directory",
    );
    const error = await assertRejects(
      () => openStorage(shareStorage(unreachable)),
      Error,
      "Cannot reach",
    );
    assert(!error.message.includes("secret"));
  });
});

describe("a worker of a shared storage", () => {
  it("has no password in its command line, which all users of the machine can see", () => {
    const args = buildQueueArgs(unreachable);
    assert(!args.some((arg) => arg.includes("secret")));
    assert(args.includes("--allow-net"));
    assert(!buildWorkerArgs("/data").includes("--allow-net"));
  });

  it("may write to its files and to temporary pieces of exports", () => {
    const temporary = Deno.env.get("TMPDIR") ?? "/tmp";
    assert(buildQueueArgs(unreachable).includes(`--allow-write=${temporary},/mnt/wind`));
    const bucket = buildQueueArgs({ ...unreachable, files: "s3://bucket" });
    assert(bucket.includes(`--allow-write=${temporary}`));
  });
});

describeWithPostgres("a shared storage", (postgres) => {
  it("is a database and a folder", async () => {
    const [database, files] = [await postgres().createDatabase(), await Deno.makeTempDir()];
    await migratePostgres(database);
    const name = await (async () => {
      await using storage = await openStorage(shareStorage({ database, files }));
      await storage.store.licences.put({
        serialNumber: "S-1",
        email: "a@example.com",
        expires: null,
        turbines: null,
        datasets: null,
      });
      return await storage.files.put(new Uint8Array([1]), "bin");
    })();
    await using reopened = await openStorage(shareStorage({ database, files }));
    assertEquals((await reopened.store.licences.get("S-1"))?.email, "a@example.com");
    assertEquals(await reopened.files.read(name), new Uint8Array([1]));
    await Deno.remove(files, { recursive: true });
  });

  it("leaves no connection open if its files cannot be opened", async () => {
    const database = await postgres().createDatabase();
    await migratePostgres(database);
    const keys = shareStorage({ database, files: "s3://KEY:secret@bucket" });
    const { message } = await assertRejects(() => openStorage(keys), ConfigurationError);
    assertStringIncludes(message, "s3://bucket/prefix");
    assert(!message.includes("secret"));
  });

  it("is not served before an import; the message names the command, without a password", async () => {
    const [database, files] = [await postgres().createDatabase(), "/mnt/wind"];
    await migratePostgres(database);
    const { message } = await assertRejects(
      () => openService(shareStorage({ database, files })),
      ConfigurationError,
      "deno task shared import SITE.json --database postgres://vindkit@127.0.0.1:",
    );
    assert(!message.includes(new URL(database).password));
  });
});
