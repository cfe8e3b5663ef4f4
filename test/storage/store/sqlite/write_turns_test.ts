import { assertEquals, assertRejects } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { takeTurn } from "../../../../src/storage/store/sqlite/sqlite_engine.ts";

describe("takeTurn()", () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await Deno.makeTempDir();
    path = `${folder}/a.sqlite`;
    await Deno.writeTextFile(path, "");
  });
  afterEach(() => Deno.remove(folder, { recursive: true }));

  it("makes others wait by any path of the same database, but not those of other databases", async () => {
    await Deno.symlink(path, `${folder}/link`);
    await Deno.writeTextFile(`${folder}/b.sqlite`, "");
    const done: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = takeTurn(path, async () => {
      await promise;
      done.push("first");
    });
    const others = [
      takeTurn(`${folder}/link`, () => Promise.resolve(done.push("write"))),
      takeTurn(path, () => Promise.resolve(done.push("second"))),
      takeTurn(`${folder}/./a.sqlite`, () => Promise.resolve(done.push("third"))),
    ];
    await takeTurn(`${folder}/b.sqlite`, () => Promise.resolve(done.push("another database")));
    assertEquals(done, ["another database"]);
    resolve();
    await Promise.all([first, ...others]);
    assertEquals(done, ["another database", "first", "write", "second", "third"]);
  });

  it("runs at once if none else runs, and lets the next one proceed after a failure", async () => {
    let ran = false;
    const write = takeTurn(path, () => Promise.resolve(ran = true));
    assertEquals(ran, true);
    await write;
    const fail = () => takeTurn(path, () => Promise.reject(new TypeError("no")));
    await assertRejects(fail, TypeError, "no");
    assertEquals(await takeTurn(path, () => Promise.resolve(1)), 1);
  });
});
