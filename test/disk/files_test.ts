import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ignoreMissing, isPattern, matchFiles } from "../../src/disk/files.ts";

describe("ignoreMissing()", () => {
  it("returns undefined for a missing file, the result of another call, and passes on other errors", async () => {
    assertEquals(await ignoreMissing(Deno.readTextFile("/no/such/file")), undefined);
    assertEquals(await ignoreMissing(Promise.resolve(1)), 1);
    await assertRejects(() => ignoreMissing(Deno.readTextFile(".")), Deno.errors.IsADirectory);
  });
});

describe("matchFiles()", () => {
  it("lists the files of a folder whose names match, sorted, without folders", async () => {
    const folder = await Deno.makeTempDir();
    for (const name of ["b.csv", "a.csv", "a.csv.gz", "ab(1).csv", "c\nd.csv"]) {
      await Deno.writeTextFile(`${folder}/${name}`, "");
    }
    await Deno.mkdir(`${folder}/z.csv`);
    const names = async (pattern: string) =>
      (await matchFiles(`${folder}/${pattern}`)).map((path) => path.slice(folder.length + 1));
    assertEquals(await names("*.csv"), ["a.csv", "ab(1).csv", "b.csv", "c\nd.csv"]);
    assertEquals(await names("?.csv"), ["a.csv", "b.csv"]);
    assertEquals(await names("*(1)*"), ["ab(1).csv"]);
    assertEquals(await names("*.txt"), []);
    await Deno.remove(folder, { recursive: true });
    assertEquals(await names("*.csv"), [], "there is no such folder");
  });

  it("treats * and ? as a pattern only in the name", () => {
    assertEquals(["a/*.csv", "?", "a*/b.csv", "a.csv"].map(isPattern), [true, true, false, false]);
  });
});
