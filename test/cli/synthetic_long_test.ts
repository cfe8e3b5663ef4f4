/**
 * Every page and file that a task writes from the sample says SYNTHETIC, and so do responses with the sample's own files.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { runSuccessfully } from "./_task.ts";

/** Paths of the files below a folder. */
function listFiles(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? listFiles(`${folder}/${name}`) : [`${folder}/${name}`]
  ).sort();
}

/** Tables as bytes, which have the mark in a neighbouring file. */
const BINARY = /\.parquet$/;

const RUNS: Readonly<Record<string, readonly string[]>> = {
  report: ["--sample", "--turbines", "T1,T2", "--month", "2024-12"],
};

describe("the tasks on the sample", () => {
  for (const [task, words] of Object.entries(RUNS)) {
    it(`V5: deno task ${task} writes no file without SYNTHETIC`, async () => {
      const folder = await Deno.makeTempDir();
      try {
        await runSuccessfully(task, ...words, "--to", folder);
        const files = listFiles(folder);
        assert(files.length >= 3, files.join());
        const bare: string[] = [];
        for (const file of files) {
          const marked = BINARY.test(file) ? `${file}-metadata.json` : file;
          if (!(await Deno.readTextFile(marked)).includes("SYNTHETIC")) bare.push(file);
        }
        assertEquals(bare, []);
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    });
  }

  it("V5: deno task check writes no JSON without SYNTHETIC", async () => {
    const file = await Deno.makeTempFile({ suffix: ".json" });
    for (const words of [[], ["T1", "--question", "budget,long-term"]]) {
      await runSuccessfully("check", ...words, "--sample", "--json", file);
      assertStringIncludes(await Deno.readTextFile(file), "SYNTHETIC");
    }
    await Deno.remove(file);
  });

  it("V5: deno task demo writes pages that all say SYNTHETIC", async () => {
    await runSuccessfully("demo");
    const pages = listFiles(new URL("../../out/demo", import.meta.url).pathname)
      .filter((file) => /\.(html|svg|md)$/.test(file));
    assert(pages.length > 0);
    for (const page of pages) assertMatch(await Deno.readTextFile(page), /SYNTHETIC/, page);
  });
});
