import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError, DataFormatError } from "../../../src/api/errors.ts";
import { faultText } from "../../../src/notebook/run/check_cells.ts";
import { writeNotebook } from "../../../src/notebook/document/notebook_document.ts";
import { runNotebook } from "../../../src/notebook/run/run_notebook.ts";
import { goldenCells } from "./_golden.ts";
import { type CellOf, Folder } from "../_folder.ts";

/** Runs cells as a notebook, and returns its faults as text. */
async function findFaults(cells: readonly CellOf[], timeout?: number): Promise<string[]> {
  await using folder = await Folder.make();
  const run = await runNotebook(await folder.notebook("n", cells), { timeout });
  return run.faults.map(faultText);
}

const failing = `({ [Symbol.for("Jupyter.display")]() { throw new Error("cannot be drawn"); } })`;

describe("runNotebook()", () => {
  it("writes the same file in every run, equal to the golden file", async () => {
    await using folder = await Folder.make();
    const path = await folder.notebook("golden", goldenCells);
    const texts: string[] = [];
    for (let i = 0; i < 2; i++) {
      const run = await runNotebook(path, { parameters: { name: "Grace" } });
      assertEquals(run.faults, []);
      texts.push(writeNotebook(run.notebook));
    }
    assertEquals(texts[0], texts[1]);
    const golden = new URL("golden.ipynb", import.meta.url);
    assertEquals(texts[0], await Deno.readTextFile(golden));
  });

  it("updates a picture of an earlier cell in its position", async () => {
    await using folder = await Folder.make();
    const send = (type: string, text: string) =>
      `await Deno.jupyter.broadcast("${type}", { data: { "text/plain": "${text}" }, metadata: {},
        transient: { display_id: "one" } });`;
    const path = await folder.notebook("n", [
      send("display_data", "before"),
      send("update_display_data", "after"),
    ]);
    const { notebook } = await runNotebook(path);
    assertEquals(notebook.cells.map(({ outputs }) => outputs), [
      [{ output_type: "display_data", data: { "text/plain": "after" }, metadata: {} }],
      [],
    ]);
  });

  const failures: [string, CellOf[], string[]][] = [
    [
      "a cell that throws, with the line that was written",
      ["interface A {\n  a: number;\n}\n\n// why\nconst q: A = { a: 1 };\n\nthrow new Error(`at ${q.a}`);"],
      ["cell 1, line 8: Error: at 1\n    throw new Error(`at ${q.a}`);"],
    ],
    [
      "a function of an earlier cell, with the line that called it",
      [{ markdown: "text" }, "function f() {\n  throw new Error('deep');\n}", "\n\nf();"],
      ["cell 3, line 3: Error: deep\n    f();"],
    ],
    [
      "a cell that is not code, with line and column",
      ["1;\n\nconst = 3;"],
      [
        "cell 1, line 3: SyntaxError: Unexpected token `=`. Expected yield, an identifier, [ or { (column 7)\n    const = 3;",
      ],
    ],
    [
      "a name that cannot be declared again",
      ["const b = 1;", "var b = 2;"],
      ["cell 2, line 1: SyntaxError: Identifier 'b' has already been declared\n    var b = 2;"],
    ],
    [
      "a result that cannot be shown, although the kernel replies ok",
      [failing],
      [`cell 1, line 1: Error: cannot be drawn\n    ${failing}`],
    ],
    ["stderr", ["console.error('careful')"], ["cell 1: the cell wrote to stderr: careful"]],
    [
      "a promise that is not awaited",
      ["Promise.reject(new Error('lost'));\nawait new Promise((resolve) => setTimeout(resolve));"],
      [
        "cell 1: the cell wrote to stderr: Error in a promise without await: Error: lost\n    at <anonymous>:1:37",
      ],
    ],
    [
      "output without end",
      ["const line = 'x'.repeat(1e6);\nwhile (true) console.log(line);"],
      ["cell 1: the cell has more than 100 MB of output"],
    ],
    [
      "a kernel that dies",
      ["1", "Deno.exit(3)"],
      ["cell 2: The Deno kernel has ended: its process ended with code 3"],
    ],
  ];
  for (const [name, cells, faults] of failures) {
    it(`fails on ${name}`, async () => assertEquals(await findFaults(cells), faults));
  }

  it("fails on a timer that throws, in the cell running at that time", async () => {
    const [fault] = await findFaults([
      `const { promise, resolve: start } = Promise.withResolvers();
promise.then(() => setTimeout(() => { throw new Error("late"); }));
1;`,
      "start();\nawait promise;\nawait new Promise((resolve) => setTimeout(resolve));",
    ]);
    assert(fault.startsWith("cell 2: the cell wrote to stderr: Uncaught error: Error: late"));
  });

  it("keeps outputs of many megabytes and of many lines, in order", async () => {
    await using folder = await Folder.make();
    const big = `({ [Symbol.for("Jupyter.display")]: () => ({ "text/plain": "y".repeat(20e6) }) })`;
    const path = await folder.notebook("n", [
      `console.log("x".repeat(20e6));\nconsole.log("end");\n${big}`,
      "for (let i = 0; i < 2000; i++) console.log(i);",
      "1 + 1",
    ]);
    const { notebook, faults } = await runNotebook(path);
    assertEquals(faults, []);
    const texts = notebook.cells.map(({ outputs }) =>
      outputs.map((output) =>
        "data" in output ? output.data["text/plain"] : "text" in output && output.text
      )
    );
    assert(texts[0][0] === `${"x".repeat(20e6)}\nend\n` && texts[0][1] === "y".repeat(20e6));
    assertEquals(texts[1], [Array.from({ length: 2000 }, (_, i) => `${i}\n`).join("")]);
    assertEquals(texts[2], ["2"]);
  });

  it("fails on a cell that takes too long", async () => {
    const faults = await findFaults(["await new Promise((r) => setTimeout(r, 600_000))"], 200);
    assertEquals(faults, ["cell 1: the cell took longer than 0.2 s"]);
  });

  it("stops at the first failing cell, and stores no outputs of later cells", async () => {
    await using folder = await Folder.make();
    const path = await folder.notebook("n", ["1", "null.x", "3"]);
    const calls: string[] = [];
    const { notebook, cells } = await runNotebook(path, {
      onCell: ({ position, of, done }) => calls.push(`${position}/${of}${done ? " done" : ""}`),
    });
    assertEquals(cells.map(({ position }) => position), [1, 2]);
    assertEquals(notebook.cells.map(({ executionCount }) => executionCount), [1, 2, null]);
    assertEquals(calls, ["1/3", "1/3 done", "2/3", "2/3 done"]);
  });

  it("stops at once when its signal is aborted, also in a loop", async () => {
    await using folder = await Folder.make();
    const path = await folder.notebook("n", ["while (true);"]);
    const stopping = new AbortController();
    const running = runNotebook(path, {
      signal: stopping.signal,
      onCell: () => stopping.abort(new Error("enough")),
    });
    await assertRejects(() => running, Error, "enough");
  });

  it("explains the faults of a file", async () => {
    await using folder = await Folder.make();
    await assertRejects(
      () => runNotebook(`${folder.path}/none.ipynb`),
      ArgumentError,
      "none.ipynb",
    );
    const python = JSON.stringify({
      nbformat: 4,
      metadata: { kernelspec: { name: "python3", language: "python" } },
      cells: [],
    });
    const code = { cell_type: "code", source: "1" };
    const wrong = [
      null,
      { ...code, outputs: "x" },
      { ...code, outputs: [null] },
      { ...code, outputs: [{ output_type: "display_data" }] },
    ].map((cell) => JSON.stringify({ nbformat: 4, cells: [cell] }));
    for (const text of ["{", "[]", '{"nbformat":3,"worksheets":[]}', "null", python, ...wrong]) {
      const path = await folder.write("bad.ipynb", text);
      const error = await assertRejects(() => runNotebook(path), DataFormatError);
      assert(error.message.includes(path));
    }
  });
});
