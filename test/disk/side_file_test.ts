import { assertEquals, assertRejects } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { ConfigurationError } from "../../src/api/errors.ts";
import { SideFile } from "../../src/disk/side_file.ts";

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

  it("is seen under its name when it is committed, whole and its owner's alone", async () => {
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

  it("can be given up twice", async () => {
    const file = await SideFile.create(path);
    await file[Symbol.asyncDispose]();
    await file[Symbol.asyncDispose]();
    assertEquals(names(), []);
  });

  it("is its own for each of several writers", async () => {
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

  it("U5: cannot be begun if the folder is missing", async () => {
    await assertRejects(() => SideFile.create(`${folder}/no/a`), ConfigurationError);
  });
});
