import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { preparePrivateFolder } from "../../src/disk/private_folder.ts";

describe("preparePrivateFolder()", () => {
  let home: string;
  beforeEach(async () => {
    home = await Deno.makeTempDir();
  });
  afterEach(async () => await Deno.remove(home, { recursive: true }));

  it("makes a folder that only its owner may enter, with those above it", async () => {
    assertEquals(await preparePrivateFolder(`${home}/a/b`), null);
    for (const path of ["/a", "/a/b"]) {
      assertEquals((await Deno.stat(home + path)).mode! & 0o777, 0o700, path);
    }
  });

  it("accepts an existing folder, and leaves its content", async () => {
    await preparePrivateFolder(`${home}/a`);
    await Deno.writeTextFile(`${home}/a/x`, "x");
    assertEquals(await preparePrivateFolder(`${home}/a`), null);
    assertEquals(await Deno.readTextFile(`${home}/a/x`), "x");
  });

  for (const mode of [0o777, 0o770, 0o750, 0o740, 0o720, 0o710, 0o707, 0o704, 0o702, 0o701]) {
    it(`F29 refuses mode ${mode.toString(8)}, says what to do, and changes nothing`, async () => {
      await preparePrivateFolder(`${home}/a`);
      await Deno.chmod(`${home}/a`, mode);
      const problem = await preparePrivateFolder(`${home}/a`);
      assertStringIncludes(problem!, `mode ${mode.toString(8)}`);
      assertStringIncludes(problem!, `chmod 700 ${home}/a`);
      assertEquals((await Deno.stat(`${home}/a`)).mode! & 0o777, mode);
    });
  }

  it("F29 refuses a link, also to a private folder", async () => {
    await preparePrivateFolder(`${home}/a`);
    await Deno.symlink(`${home}/a`, `${home}/b`);
    assertStringIncludes((await preparePrivateFolder(`${home}/b`))!, "link");
  });

  it("F29 refuses a link that leads nowhere, and a file", async () => {
    await Deno.symlink(`${home}/none`, `${home}/b`);
    await Deno.writeTextFile(`${home}/c`, "");
    for (const path of ["b", "c"]) {
      const found = await preparePrivateFolder(`${home}/${path}`).catch((error) => error.message);
      assertEquals(typeof found, "string");
    }
    await assertRejects(() => Deno.stat(`${home}/none`), Deno.errors.NotFound);
  });
});
