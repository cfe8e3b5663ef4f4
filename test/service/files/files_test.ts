import { assert, assertEquals, assertRejects } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { DamagedFileError } from "../../../src/disk/damaged_file.ts";
import { sha256 } from "../../../src/disk/sha256.ts";
import { Files } from "../../../src/service/files/files.ts";

const bytes = new TextEncoder().encode("wind");

describe("Files", () => {
  let folder: string;
  let files: Files;

  beforeEach(async () => {
    folder = `${await Deno.makeTempDir()}/files`;
    files = new Files(folder);
  });
  afterEach(async () => await Deno.remove(folder.slice(0, -"/files".length), { recursive: true }));

  const names = () => [...Deno.readDirSync(folder)].map(({ name }) => name);

  it("names a file by the hash of its content, and gives the content back", async () => {
    const name = await files.put(bytes, "parquet");
    assertEquals(name, `${sha256(bytes)}.parquet`);
    assertEquals(names(), [name]);
    assertEquals(await files.read(name), bytes);
    assert((await files.names()).includes(name));
  });

  it("stores the same content once, and renews its time, so that it is not removed", async () => {
    const name = await files.put(bytes, "csv");
    const { ino } = await Deno.stat(files.path(name));
    await Deno.utime(files.path(name), 1, 1);
    const before = Date.now();
    assertEquals(await files.put(bytes, "csv"), name);
    assertEquals(names(), [name]);
    assertEquals((await Deno.stat(files.path(name))).ino, ino, "it was written again");
    assertEquals(await files.removeOlder(name, before - 1000), false);
  });

  it("stores the same content once where it is put many times at the same time", async () => {
    const put = await Promise.all(Array.from({ length: 20 }, () => files.put(bytes, "csv")));
    assertEquals(new Set(put).size, 1);
    assertEquals(names(), [put[0]]);
  });

  for (
    const [what, damage] of [
      ["one bit of it flipped", (path: string) => Deno.writeTextFileSync(path, "wine")],
      ["it was emptied", (path: string) => Deno.truncateSync(path, 0)],
      ["it is missing", (path: string) => Deno.removeSync(path)],
    ] as const
  ) {
    it(`H1: a file is not read where ${what}, and stored anew`, async () => {
      const name = await files.put(bytes, "csv");
      assert(await files.isSound(name));
      damage(files.path(name));
      assertEquals(await files.isSound(name), false);
      const error = await assertRejects(() => files.read(name), DamagedFileError);
      assertEquals(error.path, files.path(name));
      assertEquals(await files.put(bytes, "csv"), name);
      assertEquals(await files.read(name), bytes);
    });
  }

  it("H1: a file is hashed once for each version of it", async () => {
    const name = await files.put(bytes, "csv");
    const hashes = [files.hash(name), files.hash(name)];
    assertEquals(await Promise.all(hashes), [sha256(bytes), sha256(bytes)]);
    await Deno.writeTextFile(files.path(name), "other");
    assertEquals(await files.hash(name), sha256("other"));
  });

  it("has nothing before the first file, not even its folder", async () => {
    assertEquals((await files.names()).includes(`${sha256(bytes)}.csv`), false);
    await assertRejects(() => Deno.stat(folder), Deno.errors.NotFound);
  });

  it("is for its owner alone", async () => {
    const name = await files.put(bytes, "csv");
    if (Deno.build.os === "windows") return;
    assertEquals((await Deno.stat(folder)).mode! & 0o777, 0o700);
    assertEquals((await Deno.stat(files.path(name))).mode! & 0o777, 0o600);
  });

  it("leaves nothing behind where a file cannot be written", async () => {
    await Deno.writeTextFile(folder, ""); // a file in the place of the folder
    await assertRejects(() => files.put(bytes, "csv"));
    assertEquals((await Deno.stat(folder)).size, 0);
    await Deno.remove(folder);
    const name = await files.put(bytes, "csv");
    assertEquals(names(), [name]);
  });
});
