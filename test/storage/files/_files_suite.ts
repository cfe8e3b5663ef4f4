/**
 * The suite that every implementation of `Files` must pass.
 *
 * @module
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { afterEach, beforeEach, it } from "@std/testing/bdd";
import { DamagedFileError } from "../../../src/disk/files.ts";
import { sha256 } from "../../../src/disk/hashes.ts";
import { type Files, IDENTITY_FILE, type StoredFile } from "../../../src/storage/files/files.ts";
import { streamSlice } from "../../../src/service/responses/stream_slice.ts";
import { PassingError } from "../../../src/storage/failures/is_passing.ts";

/** An implementation of `Files`, with access to the files behind it. */
export interface FilesDrawer extends AsyncDisposable {
  readonly files: Files;
  /** Path of a file, for tests that damage it or make it older. */
  at(name: string): string;
}

const bytes = new TextEncoder().encode("wind");
const name = `${sha256(bytes)}.csv`;
const large = new Uint8Array(3_000_000).map((_, i) => i * i % 253);

/** Makes a file look as if it had been stored some hours ago. */
export async function age(path: string, hours: number): Promise<void> {
  const then = new Date(Date.now() - hours * 3_600_000);
  await Deno.utime(path, then, then);
}

async function readSlice(file: StoredFile, from: number, to: number): Promise<Uint8Array> {
  return await new Response(streamSlice(file, from, to)).bytes();
}

/**
 * Tests an implementation.
 *
 * @param open Opens an empty storage of files
 */
export function testFiles(open: () => Promise<FilesDrawer>): void {
  let drawer: FilesDrawer;
  let files: Files;

  beforeEach(async () => {
    drawer = await open();
    files = drawer.files;
  });
  afterEach(async () => await drawer[Symbol.asyncDispose]());

  it("names a file by the hash of its content, and returns the content", async () => {
    assertEquals(await files.put(bytes, "csv"), name);
    assertEquals(await files.names(), [name]);
    assertEquals(await files.read(name), bytes);
  });

  it("SV1: accepts an identity once, and does not list it", async () => {
    assertEquals(await files.identity(), undefined);
    const write = (text: string) => files.writeNew(IDENTITY_FILE, new TextEncoder().encode(text));
    assertEquals([await write("first\n"), await write("second\n")], [true, false]);
    assertEquals([await files.identity(), await files.names()], ["first", []]);
  });

  it("is empty before the first file", async () => {
    assertEquals(await files.names(), []);
    assertEquals(await files.find(name), undefined);
    assertEquals(await files.renew(name), false);
    assertEquals(await files.removeOlder(name, Date.now()), false);
  });

  it("stores a file without content", async () => {
    const empty = await files.put(new Uint8Array(), "csv");
    assertEquals(await files.read(empty), new Uint8Array());
    assertEquals(await readSlice((await files.find(empty))!, 0, 0), new Uint8Array());
  });

  it("states size, hash and time of a file", async () => {
    await files.put(bytes, "csv");
    const before = Date.now();
    const file = (await files.find(name))!;
    assertEquals([file.name, file.size, file.hash], [name, 4, sha256(bytes)]);
    assertEquals(file.path, files.path(name));
    assert(Math.abs(file.stored - before) < 60_000);
  });

  it("stores the same content once, and renews its time, so it is not removed", async () => {
    await files.put(bytes, "csv");
    await age(drawer.at(name), 30 * 24);
    const before = Date.now();
    assertEquals(await files.put(bytes, "csv"), name);
    assertEquals(await files.names(), [name]);
    assertEquals(await files.removeOlder(name, before - 2000), false);
    assertEquals(await files.removeOlder(name, before + 60_000), true);
    assertEquals(await files.names(), []);
  });

  it("stores the same content once if it is put many times at once", async () => {
    const put = await Promise.all(Array.from({ length: 20 }, () => files.put(bytes, "csv")));
    assertEquals(new Set(put).size, 1);
    assertEquals(await files.names(), [name]);
  });

  it("reports whether a file to be named is gone", async () => {
    await files.put(bytes, "csv");
    await files.assertPresent([name]);
    await Deno.remove(drawer.at(name));
    await assertRejects(() => files.assertPresent([name]), PassingError, "Try again");
  });

  for (
    const [label, damage] of [
      ["one bit of it flipped", (path: string) => Deno.writeTextFileSync(path, "wine")],
      ["it was emptied", (path: string) => Deno.truncateSync(path, 0)],
      ["it is missing", (path: string) => Deno.removeSync(path)],
    ] as const
  ) {
    it(`H1: does not read a file if ${label}, and stores it again`, async () => {
      await files.put(bytes, "csv");
      damage(drawer.at(name));
      assertEquals(await files.isSound(name), false);
      const error = await assertRejects(() => files.read(name), DamagedFileError);
      assertEquals(error.path, files.path(name));
      assertEquals(await files.put(bytes, "csv"), name);
      assertEquals(await files.read(name), bytes);
    });
  }

  it("N11: judges a file unchanged without reading it; only reading finds silent corruption", async () => {
    assertEquals(await files.isUnchanged(name), false);
    await files.put(bytes, "csv");
    assertEquals(await files.isUnchanged(name), true);
    const { mtime } = await Deno.stat(drawer.at(name));
    await Deno.writeTextFile(drawer.at(name), "wine");
    await Deno.utime(drawer.at(name), mtime!, mtime!);
    assertEquals(await files.isUnchanged(name), true);
    assertEquals(await files.isSound(name), false);
    await Deno.remove(drawer.at(name));
    assertEquals(await files.selectChanged([name]), [name]);
  });

  it("replaces a rendered file, and finds it with its hash", async () => {
    const rendered = `${name}.Etc-GMT+1.csv`;
    for (const text of ["one", "longer"]) {
      const content = new TextEncoder().encode(text);
      await files.write(rendered, content);
      const file = (await files.find(rendered))!;
      assertEquals([file.hash, file.size], [sha256(content), content.length]);
      assertEquals(await file.bytes(), content);
    }
    assertEquals(await files.names(), [rendered]);
    await age(drawer.at(rendered), 30 * 24);
    assertEquals(await files.renew(rendered), true);
    assertEquals(await files.removeOlder(rendered, Date.now() - 3_600_000), false);
  });

  for (const [from, to] of [[0, 3e6], [1, 3e6 - 1], [262_143, 262_145], [2_999_999, 3e6], [5, 5]]) {
    it(`sends the bytes from ${from} to before ${to}`, async () => {
      const file = (await files.find(await files.put(large, "bin")))!;
      assertEquals(await readSlice(file, from, to), large.slice(from, to));
    });
  }

  it("ends a response with an error if its file is removed before it is sent", async () => {
    const file = (await files.find(await files.put(large, "bin")))!;
    await Deno.remove(drawer.at(file.name));
    await assertRejects(() => readSlice(file, 0, file.size));
  });

  it("leaves nothing open if a reader goes away", async () => {
    const file = (await files.find(await files.put(large, "bin")))!;
    const reader = streamSlice(file, 0, file.size).getReader();
    await reader.read();
    await reader.cancel();
    const other = streamSlice(file, 0, file.size).getReader();
    const part = other.read();
    await other.cancel();
    await part.catch(() => {});
  });
}
