/** What can be said of the notebooks without running them. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readNotebookFile } from "../../../src/notebook/document/notebook_document.ts";
import { notebookNames, notebookPath } from "./_notebooks.ts";

/** Lines of code of a cell; more need a function of the library, or another cell. */
const MAX_LINES = 12;

/** Characters of a line. */
const MAX_WIDTH = 100;

/** Lines that are neither empty nor only a comment. */
function listCodeLines(source: string): string[] {
  return source.split("\n").filter((line) => line.trim() !== "" && !line.trim().startsWith("//"));
}

describe("the code of the notebooks", () => {
  for (const name of notebookNames) {
    it(`V17: ${name} has no cell of more than ${MAX_LINES} lines, and none that is too wide`, async () => {
      const { cells } = await readNotebookFile(notebookPath(name));
      const code = cells.filter(({ cell_type }) => cell_type === "code")
        .map(({ source }) => listCodeLines(source));
      assertEquals(code.filter(({ length }) => length > MAX_LINES), []);
      assertEquals(code.flat().filter(({ length }) => length > MAX_WIDTH), []);
    });
  }
});

describe("the notebooks as a course", () => {
  for (const name of notebookNames) {
    it(`${name} begins with its question and ends with something to do`, async () => {
      const { cells } = await readNotebookFile(notebookPath(name));
      const prose = cells.filter(({ cell_type }) => cell_type === "markdown");
      assert(prose[0].source.includes("?"), prose[0].source);
      const headings = prose.flatMap(({ source }) => source.match(/^## .*$/gm) ?? []);
      assertEquals(headings.at(-1), "## Now you");
    });
  }
});
