/** What the scripts that are made to be copied write with. */
import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { writeWhole } from "../../scripts/_files.ts";

describe("writeWhole()", () => {
  it("replaces a file, and leaves no part of one that it cannot put into place", async () => {
    const folder = await Deno.makeTempDir();
    for (const content of ["old", "new"]) await writeWhole(`${folder}/a.txt`, content);
    assertEquals(await Deno.readTextFile(`${folder}/a.txt`), "new");
    await Deno.mkdir(`${folder}/taken`);
    await assertRejects(() => writeWhole(`${folder}/taken`, "x"));
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), ["a.txt", "taken"]);
    await Deno.remove(folder, { recursive: true });
  });
});
