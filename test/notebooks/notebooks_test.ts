/** The notebooks themselves: what they say about each other, and that they run as they are committed. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { readNotebookFile } from "../../src/notebook/notebook_document.ts";
import { processNotebook } from "../../src/notebook/process_notebook.ts";
import { absoluteHome, notebookNames, notebookPath, NOTEBOOKS } from "./_notebooks.ts";

describe("the notebooks", () => {
  const home = Deno.env.get("VINDKIT_HOME");
  // Kernels start in the folder of their notebook, from where a relative home would be another one.
  beforeAll(() => Deno.env.set("VINDKIT_HOME", absoluteHome()));
  afterAll(() =>
    home === undefined ? Deno.env.delete("VINDKIT_HOME") : Deno.env.set("VINDKIT_HOME", home)
  );

  it("are eight, numbered from one", () => {
    assertEquals(notebookNames.map((name) => name[0]), [..."12345678"]);
  });

  for (const name of notebookNames) {
    it(`${name} runs, with its types and the outputs that are committed`, async () => {
      const { problems } = await processNotebook(notebookPath(name), { check: true });
      assertEquals(problems, []);
    });

    it(`${name} begins with prose, and has some before each cell of code`, async () => {
      const { cells } = await readNotebookFile(notebookPath(name));
      assertMatch(cells[0].source, new RegExp(`^# ${name[0]} · `));
      const bare = cells.filter(({ cell_type }, i) =>
        cell_type === "code" && cells[i - 1]?.cell_type !== "markdown"
      );
      assertEquals(bare.map(({ source }) => source), []);
    });

    it(`${name} links to files that exist`, async () => {
      const { cells } = await readNotebookFile(notebookPath(name));
      const prose = cells.filter(({ cell_type }) => cell_type === "markdown");
      const links = prose.flatMap(({ source }) =>
        [...source.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map((match) => match[1])
      );
      for (const link of links.filter((link) => !/^https?:/.test(link))) {
        assert((await Deno.stat(new URL(link, NOTEBOOKS))).isFile, link);
      }
    });

    it(`${name} shows nothing that only this machine has`, async () => {
      const text = await Deno.readTextFile(notebookPath(name));
      for (const own of ["\\u001b[", "/tmp/", "file:///", new URL("..", NOTEBOOKS).pathname]) {
        assert(!text.includes(own), `${own} in ${name}`);
      }
    });
  }
});
