/** What the scripts that are made to be copied write with. */
import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { spreadsheetCsv, writeWhole } from "../../scripts/_files.ts";

describe("spreadsheetCsv()", () => {
  it("F27 puts an apostrophe before texts that would be run, and leaves numbers and all else alone", () => {
    const texts = ["=1+1", "+1", "-1", "@x", " =1", "\t=1", "a=1", "", null];
    const frame = pl.DataFrame({
      text: pl.Series("text", texts, pl.Utf8),
      number: texts.map(() => -1),
    });
    assertEquals(
      new TextDecoder().decode(spreadsheetCsv(frame)).split("\n").slice(1, -1).map((row) =>
        row.slice(0, row.lastIndexOf(","))
      ),
      ["'=1+1", "'+1", "'-1", "'@x", "' =1", "'\t=1", "a=1", '""', ""],
    );
  });
});

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
