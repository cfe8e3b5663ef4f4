import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import { readNotebook } from "../../../src/notebook/document/notebook_document.ts";
import { insertParameters } from "../../../src/notebook/document/parameters.ts";
import { type CellOf, notebookText } from "../_folder.ts";

const buildNotebook = (...cells: CellOf[]) => readNotebook(notebookText(cells), "n.ipynb");
const declaring = (code: string) => buildNotebook("1", { code, tags: ["parameters"] }, "2");

/** Pseudo-random numbers, the same in every run. */
function* numbers(seed: number): Generator<number> {
  while (true) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    yield seed;
  }
}

describe("insertParameters()", () => {
  it("puts the values after the cell that declares them, and replaces those of an earlier run", () => {
    const once = insertParameters(
      declaring("let a = 1;\nlet b: string = 'x';"),
      { a: 2 },
      "n.ipynb",
    );
    const again = insertParameters(once, { a: 3, b: "y" }, "n.ipynb");
    assertEquals(again.cells.map(({ source }) => source), [
      "1",
      "let a = 1;\nlet b: string = 'x';",
      'let a = 3;\nlet b = "y";',
      "2",
    ]);
    assertEquals(again.cells[2].metadata, { tags: ["injected-parameters"] });
    assertEquals(insertParameters(again, {}, "n.ipynb").cells.length, 3);
  });

  it("reads a value as text if the default is a text, else as JSON", () => {
    const cell = declaring("let n = 1;\nlet t = `x`;\nconst l: string[] = [];\nvar f = true;");
    const { cells } = insertParameters(cell, { n: "2.5", t: "2.5", l: '["a"]', f: "false" }, "n");
    assertEquals(cells[2].source, 'let n = 2.5;\nlet t = "2.5";\nconst l = ["a"];\nvar f = false;');
    assertThrows(
      () => insertParameters(cell, { n: "many" }, "n"),
      ArgumentError,
      'Cannot set the parameter n to "many": its default is not a string, so the value must be JSON',
    );
  });

  it("distinguishes values that are equal in JSON, and refuses code", () => {
    const cell = declaring("let a = 1;\nlet b = 1;\nlet c = 1;\nlet d = 1;");
    const values = { a: NaN, b: -Infinity, c: undefined, d: 2n };
    const { cells } = insertParameters(cell, values, "n");
    assertEquals(
      cells[2].source,
      "let a = NaN;\nlet b = -Infinity;\nlet c = undefined;\nlet d = 2n;",
    );
    const refused = () => insertParameters(cell, { a: () => 1 }, "n");
    assertThrows(
      refused,
      ArgumentError,
      "Cannot set the parameter a: JSON cannot represent a function",
    );
  });

  it("refuses undeclared names, and lists the declared ones", () => {
    assertThrows(
      () =>
        insertParameters(
          declaring("let a = 1;\nlet b = 2;\nfoo.c = 3;"),
          { c: 1, d: 1 },
          "n.ipynb",
        ),
      ArgumentError,
      'Cannot set "c", "d" in n.ipynb: the tagged cell declares a, b',
    );
    assertThrows(
      () => insertParameters(buildNotebook("let a = 1;"), { a: 1 }, "n.ipynb"),
      ArgumentError,
      'the notebook has no cell with the tag "parameters"',
    );
  });

  it("writes every value as code that evaluates to it", () => {
    const pick = numbers(42);
    const next = () => pick.next().value as number;
    const value = (depth: number): unknown => {
      switch (next() % (depth > 2 ? 4 : 6)) {
        case 0:
          return next() / 1000 - 2_000_000;
        case 1:
          return next() % 2 === 0;
        case 2:
          return null;
        case 3:
          return String.fromCharCode(...Array.from({ length: next() % 8 }, () => next() % 0x3000));
        case 4:
          return Array.from({ length: next() % 4 }, () => value(depth + 1));
        default:
          return Object.fromEntries(
            Array.from({ length: next() % 4 }, (_, i) => [`k${i}"\n`, value(depth + 1)]),
          );
      }
    };
    for (let i = 0; i < 300; i++) {
      const given = value(0);
      const text = typeof given === "string";
      const notebook = declaring(text ? "let p = '';" : "let p = 0;");
      const { source } = insertParameters(notebook, { p: given }, "n").cells[2];
      assertEquals(new Function(`${source}\nreturn p;`)(), given);
    }
  });
});
