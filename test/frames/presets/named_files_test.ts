/** Selection of files from a list, a folder, a pattern and an archive. */
import { zipSync } from "fflate";
import { assertEquals, assertRejects } from "@std/assert";
import { afterAll, describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import {
  describeFiles,
  eachFile,
  type FileNames,
} from "../../../src/frames/presets/named_files.ts";
import { utf8 } from "../_text.ts";

const folder = await Deno.makeTempDir();

async function list(files: FileNames): Promise<string[]> {
  const names: string[] = [];
  await eachFile(files, { wanted: /\.csv$/i, operation: "test" }, ({ name }) => {
    names.push(name.split("/").at(-1)!);
    return Promise.resolve();
  });
  return names;
}

describe("eachFile()", () => {
  afterAll(() => Deno.remove(folder, { recursive: true }));

  it("L5: skips lock files of Excel and attribute files of macOS", async () => {
    for (const name of ["m1.csv", "._m1.csv", "~$m1.csv", ".hidden.csv"]) {
      await Deno.writeTextFile(`${folder}/${name}`, "a\n1\n");
    }
    const archive = zipSync({ "d/m2.csv": utf8("a\n"), "__MACOSX/d/._m2.csv": utf8("a\n") });
    await Deno.writeFile(`${folder}/all.zip`, archive);
    await Deno.writeFile(`${folder}/._all.zip`, utf8("attributes"));
    assertEquals(await list(folder), ["m2.csv", "m1.csv"]);
    assertEquals(await list(`${folder}/*.csv`), ["m1.csv"]);
    assertEquals(await list(`${folder}/all.zip`), ["m2.csv"]);
  });

  it("L11: refuses an address, and names a list by its first file", async () => {
    await assertRejects(
      () => list(new URL("http://example.org/y.csv")),
      ArgumentError,
      "Cannot read http://example.org/y.csv: it is not a local file",
    );
    assertEquals(describeFiles(["a.csv", "b.csv", "c.csv"]), "a.csv and 2 more");
    assertEquals(describeFiles(["a.csv"]), "a.csv");
  });
});
