import { assert, assertEquals, assertRejects } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { ConfigurationError } from "../../src/api/errors.ts";
import { SideFile, syncFolder, writeAtomically } from "../../src/disk/side_file.ts";

describe("syncFolder()", () => {
  it("accepts any folder, even an empty one", async () => {
    const folder = await Deno.makeTempDir();
    await syncFolder(folder);
    await Deno.remove(folder);
  });

  it("fails if the folder is missing", async () => {
    await assertRejects(() => syncFolder("/there/is/none"), Deno.errors.NotFound);
  });
});

const bytes = new TextEncoder().encode("content");

describe("SideFile", () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await Deno.makeTempDir();
    path = `${folder}/a.csv`;
  });
  afterEach(async () => await Deno.remove(folder, { recursive: true }));

  const names = () => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

  it("appears under its name when it is committed, complete and readable only for its owner", async () => {
    await using file = await SideFile.create(path);
    await file.write(bytes);
    await file.write(bytes);
    assertEquals(names().every((name) => /^a\.csv\.[0-9a-f-]{36}\.part$/.test(name)), true);
    await file.commit(path);
    assertEquals(await Deno.readTextFile(path), "contentcontent");
    assertEquals((await Deno.stat(path)).mode! & 0o777, 0o600);
    assertEquals(names(), ["a.csv"]);
  });

  it("remains after the end of its block if it was committed", async () => {
    {
      await using file = await SideFile.create(path);
      await file.commit(path);
    }
    assertEquals(names(), ["a.csv"]);
  });

  it("is removed if it was not committed, and leaves the old file", async () => {
    await Deno.writeTextFile(path, "old");
    {
      await using file = await SideFile.create(path);
      await file.write(bytes);
    }
    assertEquals(await Deno.readTextFile(path), "old");
    assertEquals(names(), ["a.csv"]);
  });

  it("is removed if it cannot be renamed", async () => {
    await Deno.mkdir(`${path}/full`, { recursive: true });
    {
      await using file = await SideFile.create(path);
      await assertRejects(() => file.commit(path));
    }
    assertEquals(names(), ["a.csv"]);
  });

  it("is renamed to a free name only if it must not replace a file", async () => {
    {
      await using file = await SideFile.create(path);
      await file.write(bytes);
      await file.commit(path, { overwrite: false });
    }
    {
      await using late = await SideFile.create(path);
      await assertRejects(
        () => late.commit(path, { overwrite: false }),
        Deno.errors.AlreadyExists,
      );
    }
    assertEquals(await Deno.readTextFile(path), "content");
    assertEquals(names(), ["a.csv"]);
  });

  it("can be disposed of twice", async () => {
    const file = await SideFile.create(path);
    await file[Symbol.asyncDispose]();
    await file[Symbol.asyncDispose]();
    assertEquals(names(), []);
  });

  it("is separate for each of several writers", async () => {
    await using a = await SideFile.create(path);
    await using b = await SideFile.create(path);
    assertEquals(names().length, 2);
    await a.write(bytes);
    await b.write(bytes.subarray(0, 3));
    await a.commit(path);
    await b.commit(path);
    assertEquals(await Deno.readTextFile(path), "con");
    assertEquals(names(), ["a.csv"]);
  });

  it("U5: cannot be created if the folder is missing", async () => {
    await assertRejects(() => SideFile.create(`${folder}/no/a`), ConfigurationError);
  });
});

const old = new TextEncoder().encode("old");
const fresh = new TextEncoder().encode("fresh");

/** Bytes with a failing read: the first part is written, then the write fails. */
class BrokenBytes extends Uint8Array {
  override subarray(begin?: number): Uint8Array<ArrayBuffer> {
    if (begin) throw new Error("the disk is full");
    return new Uint8Array(1);
  }
}

describe("writeAtomically()", () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await Deno.makeTempDir();
    path = `${folder}/a.csv`;
  });
  afterEach(async () => await Deno.remove(folder, { recursive: true }));

  const names = () => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

  it("writes a new file, and no other", async () => {
    await writeAtomically(path, fresh);
    assertEquals(await Deno.readFile(path), fresh);
    assertEquals(names(), ["a.csv"]);
  });

  it("replaces an old file", async () => {
    await Deno.writeFile(path, old);
    await writeAtomically(path, fresh);
    assertEquals(await Deno.readFile(path), fresh);
    assertEquals(names(), ["a.csv"]);
  });

  it("writes an empty file", async () => {
    await writeAtomically(path, new Uint8Array());
    assertEquals((await Deno.stat(path)).size, 0);
  });

  it("writes more bytes than fit into one part", async () => {
    const many = new Uint8Array(20_000_000).map((_, i) => i % 251);
    await writeAtomically(path, many);
    assertEquals(await Deno.readFile(path), many);
  });

  it("makes a file only for its owner", async () => {
    await writeAtomically(path, fresh);
    if (Deno.build.os !== "windows") assertEquals((await Deno.stat(path)).mode! & 0o777, 0o600);
  });

  it("makes a file with the given mode", async () => {
    await writeAtomically(path, fresh, { mode: 0o640, sync: false });
    if (Deno.build.os !== "windows") assertEquals((await Deno.stat(path)).mode! & 0o777, 0o640);
  });

  it("leaves the old file and no part if it cannot begin", async () => {
    const long = "x".repeat(240); // allowed as a name, but too long with the suffix of the part
    await Deno.writeFile(`${folder}/${long}`, old);
    await assertRejects(() => writeAtomically(`${folder}/${long}`, fresh));
    assertEquals(await Deno.readFile(`${folder}/${long}`), old);
    assertEquals(names(), [long]);
  });

  it("leaves the old file and no part if it fails halfway", async () => {
    await Deno.writeFile(path, old);
    await assertRejects(
      () => writeAtomically(path, new BrokenBytes(10)),
      Error,
      "the disk is full",
    );
    assertEquals(await Deno.readFile(path), old);
    assertEquals(names(), ["a.csv"]);
  });

  it("leaves no part if its path is a folder", async () => {
    await Deno.mkdir(path);
    await Deno.writeFile(`${path}/inside`, old);
    await assertRejects(() => writeAtomically(path, fresh));
    assertEquals(names(), ["a.csv"]);
    assertEquals(await Deno.readFile(`${path}/inside`), old);
  });

  it("fails if the folder is missing", async () => {
    await assertRejects(() => writeAtomically(`${folder}/no/a.csv`, fresh), ConfigurationError);
  });

  it("leaves one complete content if many write at the same time", async () => {
    const contents = Array.from({ length: 20 }, (_, i) => new Uint8Array(100_000).fill(i));
    await Promise.all(contents.map((content) => writeAtomically(path, content)));
    const bytes = await Deno.readFile(path);
    assert(contents.some((content) => content.every((byte, i) => byte === bytes[i])));
    assertEquals([bytes.length, names()], [100_000, ["a.csv"]]);
  });
});
