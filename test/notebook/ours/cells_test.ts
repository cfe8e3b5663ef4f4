/** Checks of the notebooks that need no run. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readNotebookFile } from "../../../src/notebook/document/notebook_document.ts";
import { notebookNames, notebookPath } from "./_notebooks.ts";

/** Most lines of code in a cell; longer code belongs into a function of the library, or another cell. */
const MAX_LINES = 12;

/** Most characters of a line. */
const MAX_WIDTH = 100;

/** Lines that are neither empty nor only comments. */
function listCodeLines(source: string): string[] {
  return source.split("\n").filter((line) => line.trim() !== "" && !line.trim().startsWith("//"));
}

describe("the code of the notebooks", () => {
  for (const name of notebookNames) {
    it(`V17: ${name} has no cell with more than ${MAX_LINES} lines or too long lines`, async () => {
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
    it(`${name} begins with its question and ends with an exercise`, async () => {
      const { cells } = await readNotebookFile(notebookPath(name));
      const prose = cells.filter(({ cell_type }) => cell_type === "markdown");
      assert(prose[0].source.includes("?"), prose[0].source);
      const headings = prose.flatMap(({ source }) => source.match(/^## .*$/gm) ?? []);
      assertEquals(headings.at(-1), "## Now you");
    });
  }
});
