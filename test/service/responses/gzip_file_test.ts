/**
 * Model data gzipped: made once, served to whom takes it, and never mixed up with the plain file.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { operationOf } from "../../../src/api/operations/operations.ts";
import { FileHashes } from "../../../src/disk/file_hashes.ts";
import { sha256 } from "../../../src/disk/sha256.ts";
import { acceptsGzip, findGzipped, gzipFile } from "../../../src/service/responses/gzip_file.ts";
import { buildPath, type ServedSample, serveSample } from "../_sample.ts";

async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await new Response(stream).text();
}

describe("acceptsGzip()", () => {
  for (
    const [header, accepted] of [
      [null, false],
      ["", false],
      ["identity", false],
      ["gzip", true],
      ["GZIP", true],
      ["br, gzip;q=0.5", true],
      ["gzip; q=1.000", true],
      ["gzip;q=0", false],
      ["gzip;q=0, *", false],
      ["*", true],
      ["*;q=0", false],
      ["br, identity;q=0.1", false],
      ["gzip;q=much", false],
      ["x-gzip", false],
    ] as const
  ) {
    it(`${accepted ? "takes" : "does not take"} ${JSON.stringify(header)} for gzip`, () => {
      assertEquals(acceptsGzip(header), accepted);
    });
  }
});

describe("gzipFile()", () => {
  const text = "1,2\n".repeat(1000);
  let folder: string;
  let path: string;
  let hashes: FileHashes;

  beforeEach(async () => {
    folder = await Deno.makeTempDir();
    path = `${folder}/rows.csv`;
    hashes = new FileHashes();
    await Deno.writeTextFile(path, text);
  });
  afterEach(async () => await Deno.remove(folder, { recursive: true }));

  const find = () => findGzipped(path, sha256(text), hashes);

  it("makes the file beside the other, also where two processes do, and leaves no part", async () => {
    assertEquals(await find(), undefined);
    await Promise.all([1, 2, 3].map(() => gzipFile(path)));
    const bytes = await Deno.readFile(`${path}.gz`);
    assertEquals(await find(), { path: `${path}.gz`, hash: sha256(bytes) });
    assertEquals([...Deno.readDirSync(folder)].length, 3); // with the note of its hashes
    assertEquals(await unpacked(bytes), text);
  });

  for (
    const [what, damage] of [
      ["is cut", () => Deno.truncateSync(`${path}.gz`, 20)],
      ["is empty", () => Deno.truncateSync(`${path}.gz`, 0)],
      ["is missing", () => Deno.removeSync(`${path}.gz`)],
      ["has no note", () => Deno.removeSync(`${path}.gz.sha256`)],
      [
        "has the note of another file",
        () => Deno.writeTextFileSync(`${path}.gz.sha256`, `${sha256("x")} ${sha256("y")}\n`),
      ],
    ] as const
  ) {
    it(`H1: is not found where it ${what}, and made again`, async () => {
      await gzipFile(path);
      const made = await find();
      damage();
      assertEquals(await find(), undefined);
      await gzipFile(path);
      assertEquals(await find(), made);
      assertEquals(await unpacked(await Deno.readFile(made!.path)), text);
    });
  }
});

describe("model_data", () => {
  const path = buildPath(operationOf("model_data"), { turbine_id: "T1" });
  let sample: ServedSample;

  const ask = (headers: Record<string, string>, at = path) =>
    sample.ask(at, { key: sample.keys.full, headers });

  beforeAll(async () => {
    sample = await serveSample();
    await ask({}); // renders
  });
  afterAll(async () => await sample.close());

  it("is gzipped for whom takes it, and unpacks to the plain one", async () => {
    const plain = await ask({ "accept-encoding": "identity" });
    const packed = await ask({ "accept-encoding": "gzip" });
    assertEquals(plain.headers.get("content-encoding"), null);
    assertEquals([plain.headers.get("vary"), packed.headers.get("vary")], [
      "accept-encoding",
      "accept-encoding",
    ]);
    assertEquals(packed.headers.get("content-encoding"), "gzip");
    // Whether fetch has unpacked it is its own affair.
    const text = packed.bytes[0] === 0x1f ? await unpacked(packed.bytes) : packed.text;
    assert(text === plain.text, "another text");
  });

  it("has another strong tag where it is gzipped, and 304 for either", async () => {
    const plain = (await ask({ "accept-encoding": "identity" })).headers.get("etag")!;
    const packed = (await ask({ "accept-encoding": "gzip" })).headers.get("etag")!;
    assert(plain !== packed && plain.startsWith('"') && packed.startsWith('"'), packed);
    for (const tag of [plain, packed]) {
      const again = await ask({ "accept-encoding": "gzip", "if-none-match": tag });
      assertEquals([again.status, again.headers.get("etag")], [304, tag]);
    }
    const other = await ask({ "accept-encoding": "identity", "if-none-match": packed });
    assertEquals(other.status, 200); // a client without gzip gets the plain one
  });

  it("is plain where only some days are requested", async () => {
    const some = buildPath(operationOf("model_data"), {
      turbine_id: "T1",
      start_date: "2024-01-01",
      end_date: "2024-02-01",
    });
    const { headers, text } = await ask({ "accept-encoding": "gzip" }, some);
    assertEquals(headers.get("content-encoding"), null);
    assertEquals(text.trimEnd().split("\n").length, 1 + 31 * 24);
  });
});
