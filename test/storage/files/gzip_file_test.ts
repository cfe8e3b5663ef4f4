/**
 * Gzipped model data: made once, served to clients that accept it, and never mixed up with the plain file.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { operationOf } from "../../../src/api/operations/operations.ts";
import { sha256 } from "../../../src/disk/hashes.ts";
import { FolderFiles } from "../../../src/storage/files/folder/folder_files.ts";
import { findGzipped, gzipFile } from "../../../src/storage/files/gzip_file.ts";
import { buildPath, type ServedSample, serveSample } from "../../service/_sample.ts";

async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await new Response(stream).text();
}

describe("gzipFile()", () => {
  const text = "1,2\n".repeat(1000);
  let folder: string;
  let path: string;
  let files: FolderFiles;

  beforeEach(async () => {
    folder = await Deno.makeTempDir();
    path = `${folder}/rows.csv`;
    files = new FolderFiles(folder);
    await Deno.writeTextFile(path, text);
  });
  afterEach(async () => await Deno.remove(folder, { recursive: true }));

  const find = async () => await findGzipped(files, (await files.find("rows.csv"))!);

  it("creates the file next to the plain one, even in two processes at once, without leftovers", async () => {
    assertEquals(await find(), undefined);
    await Promise.all([1, 2, 3].map(() => gzipFile(files, "rows.csv")));
    const bytes = await Deno.readFile(`${path}.gz`);
    const gzipped = await find();
    assertEquals([gzipped?.path, gzipped?.hash], [`${path}.gz`, sha256(bytes)]);
    assertEquals([...Deno.readDirSync(folder)].length, 3); // including the note with hashes
    assertEquals(await unpacked(bytes), text);
  });

  for (
    const [label, damage] of [
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
    it(`H1: is not found if it ${label}, and is made again`, async () => {
      await gzipFile(files, "rows.csv");
      const made = await find();
      damage();
      assertEquals(await find(), undefined);
      await gzipFile(files, "rows.csv");
      assertEquals((await find())?.hash, made?.hash);
      assertEquals(await unpacked(await made!.bytes()), text);
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

  it("is gzipped for clients that accept it, and unpacks to the plain file", async () => {
    const plain = await ask({ "accept-encoding": "identity" });
    const packed = await ask({ "accept-encoding": "gzip" });
    assertEquals(plain.headers.get("content-encoding"), null);
    assertEquals([plain.headers.get("vary"), packed.headers.get("vary")], [
      "accept-encoding",
      "accept-encoding",
    ]);
    assertEquals(packed.headers.get("content-encoding"), "gzip");
    // fetch may or may not have unpacked it.
    const text = packed.bytes[0] === 0x1f ? await unpacked(packed.bytes) : packed.text;
    assert(text === plain.text, "another text");
  });

  it("has another strong ETag if gzipped, and 304 for either", async () => {
    const plain = (await ask({ "accept-encoding": "identity" })).headers.get("etag")!;
    const packed = (await ask({ "accept-encoding": "gzip" })).headers.get("etag")!;
    assert(plain !== packed && plain.startsWith('"') && packed.startsWith('"'), packed);
    for (const tag of [plain, packed]) {
      const repeated = await ask({ "accept-encoding": "gzip", "if-none-match": tag });
      assertEquals([repeated.status, repeated.headers.get("etag")], [304, tag]);
    }
    const other = await ask({ "accept-encoding": "identity", "if-none-match": packed });
    assertEquals(other.status, 200); // a client without gzip gets the plain one
  });

  it("is plain if only some days are requested", async () => {
    const someDays = buildPath(operationOf("model_data"), {
      turbine_id: "T1",
      start_date: "2024-01-01",
      end_date: "2024-02-01",
    });
    const { headers, text } = await ask({ "accept-encoding": "gzip" }, someDays);
    assertEquals(headers.get("content-encoding"), null);
    assertEquals(text.trimEnd().split("\n").length, 1 + 31 * 24);
  });
});
