import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { preparePrivateFile, preparePrivateFolder } from "../../src/disk/private_path.ts";

describe("H12 preparePrivateFile()", () => {
  let home: string;
  beforeEach(async () => {
    home = await Deno.makeTempDir();
  });
  afterEach(async () => await Deno.remove(home, { recursive: true }));

  const modeOf = (path: string) => Deno.lstatSync(path).mode! & 0o777;

  it("makes a file that only its owner may read, and its folder", () => {
    assertEquals(preparePrivateFile(`${home}/a/b`, "x"), null);
    assertEquals(["a", "a/b", "a/b/x"].map((path) => modeOf(`${home}/${path}`)), [
      0o700,
      0o700,
      0o600,
    ]);
  });

  it("removes the rights of others from an existing file, and keeps its content", () => {
    Deno.writeTextFileSync(`${home}/x`, "content");
    Deno.chmodSync(`${home}/x`, 0o664);
    assertEquals(preparePrivateFile(home, "x"), null);
    assertEquals([modeOf(`${home}/x`), Deno.readTextFileSync(`${home}/x`)], [0o600, "content"]);
  });

  for (const target of ["there", "nowhere"]) {
    it(`refuses a link to ${target}, and does not touch its target`, () => {
      Deno.writeTextFileSync(`${home}/there`, "content");
      Deno.chmodSync(`${home}/there`, 0o644);
      Deno.symlinkSync(`${home}/${target}`, `${home}/x`);
      assertStringIncludes(preparePrivateFile(home, "x")!, "symbolic link");
      assertEquals([...Deno.readDirSync(home)].map(({ name }) => name).sort(), ["there", "x"]);
      assertEquals(modeOf(`${home}/there`), 0o644);
    });
  }

  it("refuses a folder in its place", () => {
    Deno.mkdirSync(`${home}/x`);
    assertEquals(preparePrivateFile(home, "x"), "it is not a file");
  });

  for (const mode of [0o777, 0o770, 0o720, 0o702]) {
    it(`refuses a folder with mode ${mode.toString(8)}, in which others could replace it`, () => {
      Deno.chmodSync(home, mode);
      assertStringIncludes(preparePrivateFile(home, "x")!, `chmod 700 ${home}`);
      assertEquals([modeOf(home), [...Deno.readDirSync(home)]], [mode, []]);
    });
  }
});

describe("preparePrivateFolder()", () => {
  let home: string;
  beforeEach(async () => {
    home = await Deno.makeTempDir();
  });
  afterEach(async () => await Deno.remove(home, { recursive: true }));

  it("makes a folder that only its owner may enter, with its parents", async () => {
    assertEquals(await preparePrivateFolder(`${home}/a/b`), null);
    for (const path of ["/a", "/a/b"]) {
      assertEquals((await Deno.stat(home + path)).mode! & 0o777, 0o700, path);
    }
  });

  it("accepts an existing folder, and keeps its content", async () => {
    await preparePrivateFolder(`${home}/a`);
    await Deno.writeTextFile(`${home}/a/x`, "x");
    assertEquals(await preparePrivateFolder(`${home}/a`), null);
    assertEquals(await Deno.readTextFile(`${home}/a/x`), "x");
  });

  for (const mode of [0o777, 0o770, 0o750, 0o740, 0o720, 0o710, 0o707, 0o704, 0o702, 0o701]) {
    it(`F29 refuses mode ${mode.toString(8)} with a remedy, and changes nothing`, async () => {
      await preparePrivateFolder(`${home}/a`);
      await Deno.chmod(`${home}/a`, mode);
      const problem = await preparePrivateFolder(`${home}/a`);
      assertStringIncludes(problem!, `mode ${mode.toString(8)}`);
      assertStringIncludes(problem!, `chmod 700 ${home}/a`);
      assertEquals((await Deno.stat(`${home}/a`)).mode! & 0o777, mode);
    });
  }

  it("F29 refuses a link, even to a private folder", async () => {
    await preparePrivateFolder(`${home}/a`);
    await Deno.symlink(`${home}/a`, `${home}/b`);
    assertStringIncludes((await preparePrivateFolder(`${home}/b`))!, "link");
  });

  it("F29 refuses a broken link, and a file", async () => {
    await Deno.symlink(`${home}/none`, `${home}/b`);
    await Deno.writeTextFile(`${home}/c`, "");
    for (const path of ["b", "c"]) {
      const problem = await preparePrivateFolder(`${home}/${path}`).catch((error) => error.message);
      assertEquals(typeof problem, "string");
    }
    await assertRejects(() => Deno.stat(`${home}/none`), Deno.errors.NotFound);
  });
});
