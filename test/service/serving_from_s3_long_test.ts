/**
 * The same service with its files in a folder and in an object store: every download is the same, byte by byte.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { afterAll, beforeAll, it } from "@std/testing/bdd";
import { operationOf } from "../../src/api/operations/operations.ts";
import { backUp } from "../../src/service/backup.ts";
import { openStorage, type Storage } from "../../src/storage/storage.ts";
import { openBucket } from "../../src/machines/s3/open_bucket.ts";
import { S3Files } from "../../src/machines/s3/s3_files.ts";
import { Orders } from "../../src/service/fulfilment/orders.ts";
import { createApp } from "../../src/service/routing/app.ts";
import { describeWithS3 } from "../_s3.ts";
import { type FaultyS3, startFaultyS3 } from "../machines/s3/_faulty_s3.ts";
import { inlineJobs } from "./_inline_orders.ts";
import { buildPath, serveSample, SHARED_SAMPLE, validValues } from "./_sample.ts";
import { sitesOf } from "../../src/sites/keep/sites.ts";
import { wantedFiles } from "../../src/sites/keep/named_files.ts";

/** Lets other work continue. */
const yieldOnce = () => new Promise((resolve) => setTimeout(resolve));

/** A service in this process. */
interface Served extends Storage {
  ask(path: string, headers?: Record<string, string>, method?: string): Promise<Response>;
  close(): Promise<void>;
}

function serveDirectory({ store, files }: Storage): Served {
  const jobs = inlineJobs(store, files);
  const orders = new Orders(store, jobs);
  const app = createApp({ store, files, jobs, orders }, { trusted: true });
  return {
    store,
    files,
    ask: (path, headers = {}, method = "GET") =>
      app(new Request(`http://wind.test${path}`, { headers, method })),
    close: async () => {
      await orders.close();
      await store.close();
      files.close();
    },
  };
}

describeWithS3("a service with its files in an object store", (server) => {
  const model = (dates = {}) =>
    buildPath(operationOf("model_data"), { turbine_id: "T1", ...dates });
  let folder: string;
  let network: FaultyS3;
  let local: Served;
  let remote: Served;

  beforeAll(async () => {
    const sample = await serveSample();
    await sample.ask(model(), { key: sample.keys.full }); // makes the site
    await sample.close();
    folder = await Deno.makeTempDir();
    await backUp(SHARED_SAMPLE, `${folder}/own`);
    await backUp(SHARED_SAMPLE, `${folder}/remote`);
    network = startFaultyS3(server().endpoint);
    const variables = { ...server().environment, AWS_ENDPOINT_URL: network.endpoint };
    const patience = { attempt: 500, whole: 1000 };
    const files = new S3Files(
      await openBucket(
        server().address,
        (name) => (variables as Record<string, string>)[name],
        patience,
      ),
    );
    const [one, other] = await Promise.all(
      ["own", "remote"].map((name) => openStorage(`${folder}/${name}`)),
    );
    for (const name of await wantedFiles(other.store, Date.now())) {
      await files.put(await other.files.read(name), name.slice(name.indexOf(".") + 1));
    }
    local = serveDirectory(one);
    remote = serveDirectory({ store: other.store, files });
  });
  afterAll(async () => {
    await local.close();
    await remote.close();
    await network[Symbol.asyncDispose]();
    await Deno.remove(folder, { recursive: true });
  });

  /** Sends requests to both, and compares all answers. */
  async function askBoth(
    paths: string | readonly [own: string, remote: string],
    headers: Record<string, string> = {},
    method = "GET",
  ): Promise<Response> {
    const [first, second] = typeof paths === "string" ? [paths, paths] : paths;
    const expected = await local.ask(first, headers, method);
    const answer = await remote.ask(second, headers, method);
    assertEquals(answer.status, expected.status);
    assertEquals([...answer.headers], [...expected.headers]);
    const bytes = await answer.bytes();
    assert(bytes.toHex() === (await expected.bytes()).toHex(), "other bytes");
    const length = answer.headers.get("content-length");
    if (length !== null && method !== "HEAD") assertEquals(bytes.length, Number(length));
    return answer;
  }

  it("answers model_data: whole, by days, gzipped, unchanged, without a body", async () => {
    const { headers } = await askBoth(model());
    const etag = headers.get("etag")!;
    await askBoth(model(), {}, "HEAD");
    await askBoth(model({ start_date: "2024-01-01", end_date: "2024-02-01" }));
    assertEquals((await askBoth(model(), { "if-none-match": etag })).status, 304);
    for (let time = 0; time < 2; time++) { // rendered first, then stored
      const gzipped = await askBoth(model(), { "accept-encoding": "gzip" });
      assertEquals(gzipped.headers.get("content-encoding"), "gzip");
    }
  });

  for (const filetype of ["csv", "zipcsv", "zipraw"]) {
    it(`answers download_climate as ${filetype}, built and found`, async () => {
      const values = { ...validValues.download_climate, filetype };
      const path = buildPath(operationOf("download_climate"), values);
      const { headers } = await askBoth(path);
      await askBoth(path);
      await askBoth(path, {}, "HEAD");
      assertEquals((await askBoth(path, { "if-none-match": headers.get("etag")! })).status, 304);
    });
  }

  it("answers the file of an order: whole, in parts, unchanged, without a body", async () => {
    const addresses = await Promise.all([local, remote].map(async ({ ask }) => {
      const placed = await ask(buildPath(operationOf("place_order"), validValues.place_order));
      const id = await placed.json();
      for (let word = "";; await yieldOnce()) {
        word = await (await ask(buildPath(operationOf("order_status"), { order_id: id }))).json();
        if (word.startsWith("http")) return new URL(word).pathname;
        assert(["placed", "approved", "complete"].includes(word), word);
      }
    })) as [string, string];
    const { headers } = await askBoth(addresses, {}, "HEAD");
    const etag = headers.get("etag")!;
    const size = Number(headers.get("content-length"));
    for (
      const [range, status] of [
        ["bytes=0-9", 206],
        ["bytes=262140-262150", 206],
        ["bytes=-5", 206],
        ["bytes=1000-", 206],
        [`bytes=${size}-`, 416],
        ["bytes=0-1,5-6", 200],
      ] as const
    ) {
      assertEquals((await askBoth(addresses, { range })).status, status);
      assertEquals((await askBoth(addresses, { range, "if-range": etag })).status, status);
    }
    const other = await askBoth(addresses, { range: "bytes=0-9", "if-range": '"other"' });
    assertEquals(other.status, 200);
    assertEquals((await askBoth(addresses, { "if-none-match": etag })).status, 304);
  });

  const readyStatus = async () => {
    const answer = await remote.ask("/readyz");
    await answer.body?.cancel();
    await yieldOnce();
    return answer.status;
  };

  it("is ready once all files are verified, and is not if one is damaged", async () => {
    while (await readyStatus() !== 200); // some files at a time are compared
    const { modelFile } = (await sitesOf(remote.store).turbine("T1"))!;
    const path = `${server().folder}/${modelFile}`;
    const bytes = await Deno.readFile(path);
    await Deno.writeFile(path, bytes.map((byte, i) => i === 5000 ? byte ^ 1 : byte));
    let times = 0;
    while (await readyStatus() !== 503) assert(times++ < 1000, "it is not found");
    await Deno.writeFile(path, bytes);
  });

  it("answers 503 while the object store is away, and as before after its return", async () => {
    for (const on of ["HEAD", "GET"] as const) {
      network.faults.push({ on, what: "busy", always: true });
    }
    const answer = await remote.ask(model());
    assertEquals(answer.status, 503);
    assert(answer.headers.has("retry-after"));
    await answer.body?.cancel();
    network.faults.length = 0;
    await askBoth(model());
  });
});
