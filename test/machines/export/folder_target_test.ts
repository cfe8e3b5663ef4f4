import { assertEquals, assertRejects } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import { FolderTarget, openTarget } from "../../../src/machines/export/open_target.ts";
import { testTarget } from "./_target_suite.ts";

describe("FolderTarget", () => {
  testTarget(async () => {
    const folder = await Deno.makeTempDir();
    return {
      open: () => openTarget(`${folder}/lake/`),
      folder: `${folder}/lake`,
      [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
    };
  });

  let folder: string;

  beforeEach(async () => {
    folder = await Deno.makeTempDir();
  });
  afterEach(async () => await Deno.remove(folder, { recursive: true }));

  it("lets only one of several writers replace a text that all have read", async () => {
    const target = new FolderTarget(`${folder}/lake`);
    const texts = Array.from({ length: 20 }, (_, i) => `${i}`);
    for (let version: string | undefined, round = 0; round < 5; round++) {
      const done = await Promise.all(
        texts.map((text) =>
          new FolderTarget(`${folder}/lake`).replace("a.json", `${round} ${text}`, version)
        ),
      );
      const current = await target.read("a.json");
      assertEquals(done.filter(Boolean).length, 1);
      assertEquals(current?.text, `${round} ${done.indexOf(true)}`);
      version = current?.version;
    }
  });

  it("lets other users read the files, as far as the folder allows", async () => {
    const target = new FolderTarget(`${folder}/lake`);
    await target.write("hours/a", new Uint8Array(1));
    await Deno.writeFile(`${folder}/open`, new Uint8Array(1), { mode: 0o644 }); // the mode after the umask
    const modes = ["lake/hours/a", "open"].map((name) => Deno.statSync(`${folder}/${name}`).mode);
    assertEquals(modes[0], modes[1]);
  });
});

describe("openTarget", () => {
  it("treats a path as a folder, and refuses other kinds of addresses without showing secrets", async () => {
    assertEquals((await openTarget("/lake/")).address, "/lake");
    assertEquals((await openTarget("/")).address, "/");
    const error = await assertRejects(
      () => openTarget("https://me:secret@example.org/lake"),
      ArgumentError,
    );
    assertEquals(
      error.message,
      "Cannot export to an address that begins with https://: Vindkit supports only folders and S3. " +
        "Name a folder, or an object store as s3://bucket/prefix",
    );
  });
});
