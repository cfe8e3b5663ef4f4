import { assertEquals, assertRejects } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { sha256 } from "../../../../src/disk/hashes.ts";
import { FolderFiles } from "../../../../src/storage/files/folder/folder_files.ts";
import { lockFolder } from "../../../../src/disk/files.ts";
import { age, testFiles } from "../_files_suite.ts";

const bytes = new TextEncoder().encode("wind");

describe("FolderFiles", () => {
  let folder: string;
  let files: FolderFiles;

  beforeEach(async () => {
    folder = `${await Deno.makeTempDir()}/files`;
    files = new FolderFiles(folder);
  });
  afterEach(async () => await Deno.remove(folder.slice(0, -"/files".length), { recursive: true }));

  testFiles(() =>
    Promise.resolve({
      files,
      at: (name) => files.path(name),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    })
  );

  it("does not write an existing file again", async () => {
    const name = await files.put(bytes, "csv");
    const { ino } = await Deno.stat(files.path(name));
    await Deno.utime(files.path(name), 1, 1);
    await files.put(bytes, "csv");
    assertEquals((await Deno.stat(files.path(name))).ino, ino, "it was written again");
  });

  it("H1: hashes a file once per version", async () => {
    const name = await files.put(bytes, "csv");
    const copies = await Promise.all([files.find(name), files.find(name)]);
    assertEquals(copies.map((file) => file?.hash), [sha256(bytes), sha256(bytes)]);
    await Deno.writeTextFile(files.path(name), "other");
    assertEquals((await files.find(name))?.hash, sha256("other"));
  });

  it("N11: reads a file written by something else, and only once if its content is the same", async () => {
    const name = await files.put(bytes, "csv");
    const path = files.path(name);
    const { mtime } = await Deno.stat(path);
    await Deno.writeFile(path, bytes);
    assertEquals(await files.isUnchanged(name), true);
    const marked = (await Deno.stat(path)).mtime!;
    assertEquals(marked.getMilliseconds(), mtime!.getMilliseconds());
    await files.isUnchanged(name);
    assertEquals((await Deno.stat(path)).mtime, marked);
    await Deno.writeTextFile(path, "of another size"); // the disk's clock may not advance between two writes
    assertEquals(await files.isUnchanged(name), false);
    await age(path, 48);
    await files.renew(name);
    assertEquals(await files.isUnchanged(name), false); // a renewal does not compare the content
  });

  it("does not create its folder before the first file", async () => {
    assertEquals(await files.names(), []);
    await assertRejects(() => Deno.stat(folder), Deno.errors.NotFound);
  });

  it("is accessible only to its owner", async () => {
    const name = await files.put(bytes, "csv");
    if (Deno.build.os === "windows") return;
    assertEquals((await Deno.stat(folder)).mode! & 0o777, 0o700);
    assertEquals((await Deno.stat(files.path(name))).mode! & 0o777, 0o600);
  });

  it("leaves nothing behind if a file cannot be written", async () => {
    await Deno.writeTextFile(folder, ""); // a file instead of the folder
    await assertRejects(() => files.put(bytes, "csv"));
    assertEquals((await Deno.stat(folder)).size, 0);
    await Deno.remove(folder);
    assertEquals(await files.names(), []);
    const name = await files.put(bytes, "csv");
    assertEquals([...Deno.readDirSync(folder)].map((entry) => entry.name), [name]);
  });

  it("never returns a name whose file is removed at the same time", async () => {
    for (let round = 0; round < 20; round++) {
      const name = await files.put(bytes, "csv");
      await age(files.path(name), 48);
      await Promise.all([
        files.removeOlder(name, Date.now() - 24 * 3_600_000),
        files.put(bytes, "csv").then(() => files.assertPresent([name])),
      ]);
      assertEquals(await files.names(), [name]);
    }
  });

  it("waits for a removal in the folder before it renews a file", async () => {
    const name = await files.put(bytes, "csv");
    await Deno.utime(files.path(name), 1, 1);
    let renewed = false;
    const lock = await lockFolder(folder, true);
    const renewal = files.renew(name).then((result) => renewed = result);
    await files.names(); // takes longer than a renewal would
    assertEquals(renewed, false);
    lock?.[Symbol.dispose]();
    assertEquals(await renewal, true);
  });
});
