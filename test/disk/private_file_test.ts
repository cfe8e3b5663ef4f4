import { assertEquals, assertStringIncludes } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { preparePrivateFile } from "../../src/disk/private_file.ts";

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

  it("takes the rights of others away from an existing one, and leaves its content", () => {
    Deno.writeTextFileSync(`${home}/x`, "content");
    Deno.chmodSync(`${home}/x`, 0o664);
    assertEquals(preparePrivateFile(home, "x"), null);
    assertEquals([modeOf(`${home}/x`), Deno.readTextFileSync(`${home}/x`)], [0o600, "content"]);
  });

  for (const target of ["there", "nowhere"]) {
    it(`refuses a link to ${target}, and does not touch what it leads to`, () => {
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
    it(`refuses a folder of mode ${mode.toString(8)}, in which others could replace it`, () => {
      Deno.chmodSync(home, mode);
      assertStringIncludes(preparePrivateFile(home, "x")!, `chmod 700 ${home}`);
      assertEquals([modeOf(home), [...Deno.readDirSync(home)]], [mode, []]);
    });
  }
});
