import { assertEquals, assertRejects } from "@std/assert";
import { afterEach, beforeEach, it } from "@std/testing/bdd";
import { nameByHash } from "../../../src/storage/files/files.ts";
import { openBucket } from "../../../src/machines/s3/open_bucket.ts";
import { MAX_PUTS, S3Files } from "../../../src/machines/s3/s3_files.ts";
import { PassingError } from "../../../src/storage/failures/is_passing.ts";
import { describeWithS3 } from "../../_s3.ts";
import { type FaultyS3, startFaultyS3 } from "./_faulty_s3.ts";

/** How long the store is waited for, ms. */
const PATIENCE = { attempt: 500, whole: 1000 };

/** A content, another for each number. */
const contentOf = (number: number) => new Uint8Array(1000).fill(number);

describeWithS3("StagedObjects", (server) => {
  let network: FaultyS3;
  let files: S3Files;
  let prefixes = 0;

  beforeEach(async () => {
    const { address, environment, endpoint } = server();
    network = startFaultyS3(endpoint);
    const variables = { ...environment, AWS_ENDPOINT_URL: network.endpoint };
    const prefix = `${address}/staged-${prefixes++}`;
    files = new S3Files(
      await openBucket(prefix, (name) => variables[name as keyof typeof variables], PATIENCE),
    );
  });
  afterEach(async () => {
    files.close();
    await network[Symbol.asyncDispose]();
  });

  const countPuts = () => network.requests.filter((method) => method === "PUT").length;

  it("are on their way a few at once, and all are there when they are committed", async () => {
    network.faults.push({ on: "PUT", what: "stall", always: true });
    await using staged = files.stage();
    const names: string[] = [];
    for (let i = 1; i < MAX_PUTS; i++) names.push(await staged.put(contentOf(i), "parquet"));
    const last = staged.put(contentOf(MAX_PUTS), "parquet");
    while (countPuts() < MAX_PUTS) await files.names();
    assertEquals(await files.names(), []); // the store has answered none
    network.faults.length = 0;
    names.push(await last, await staged.put(contentOf(0), "parquet"));
    await staged.commit();
    assertEquals((await files.names()).sort(), names.sort());
  });

  it("stop at the first that fails", async () => {
    network.faults.push({ on: "PUT", what: "reset", always: true });
    await using staged = files.stage();
    let put = 0;
    await assertRejects(async () => {
      while (true) await staged.put(contentOf(put++), "parquet");
    }, PassingError);
    assertEquals(put <= MAX_PUTS + 1, true);
    await assertRejects(() => staged.commit(), PassingError);
  });

  it("have their names at once, and one that is there already is not sent again", async () => {
    await using staged = files.stage();
    const name = await staged.put(contentOf(1), "parquet");
    assertEquals(name, nameByHash(contentOf(1), "parquet"));
    await staged.commit();
    await staged.put(contentOf(1), "parquet");
    await staged.commit();
    assertEquals(countPuts(), 1);
  });
});
