import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DamagedFileError } from "../../../src/disk/files.ts";
import type { Files } from "../../../src/storage/files/files.ts";
import { FolderFiles } from "../../../src/storage/files/folder/folder_files.ts";
import { putValue, readValue } from "../../../src/storage/files/value_file.ts";

async function withFiles(body: (files: Files) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await body(new FolderFiles(folder));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const series = Float64Array.of(0.1 + 0.2, -0, NaN, Infinity, 5e-324);

describe("a value in a file", () => {
  it("is read back bit by bit", async () => {
    await withFiles(async (files) => {
      const value = {
        series,
        part: series.subarray(1, 3),
        flags: Uint8Array.of(0, 1),
        numbers: [0.1 + 0.2, -0, NaN, null, undefined],
        named: new Map([[1, { text: "høj" }]]),
      };
      const read = await readValue(files, await putValue(files, value));
      assertEquals(read, value);
      const bits = ({ series }: typeof value) => new BigUint64Array(series.slice().buffer);
      assertEquals(bits(read as typeof value), bits(value));
    });
  });

  it("stores repeated parts once, and only the used part of a buffer", async () => {
    await withFiles(async (files) => {
      const large = crypto.getRandomValues(new Uint8Array(60_000));
      const size = async (value: unknown) =>
        (await files.read(await putValue(files, value))).length;
      const [one, two] = [await size([large]), await size([large, large])];
      assert(two - one < 100);
      assert(await size([large.subarray(0, 10)]) < 200);
      const [a, b] = await readValue(files, await putValue(files, [large, large])) as unknown[];
      assert(a === b);
    });
  });

  it("is one file if stored twice", async () => {
    await withFiles(async (files) => {
      const name = await putValue(files, { series });
      assertEquals(await putValue(files, { series }), name);
      assertEquals(await files.names(), [name]);
    });
  });

  it("is rejected if missing or damaged", async () => {
    await withFiles(async (files) => {
      const name = await putValue(files, { series });
      await Deno.truncate(files.path(name), 20);
      for (const bad of [name, `${"0".repeat(64)}.value`]) {
        await assertRejects(() => readValue(files, bad), DamagedFileError);
      }
    });
  });
});
