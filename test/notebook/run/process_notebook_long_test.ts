import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import { readNotebookFile } from "../../../src/notebook/document/notebook_document.ts";
import { processNotebook } from "../../../src/notebook/run/run_notebook.ts";
import { Folder } from "../_folder.ts";

describe("processNotebook()", () => {
  it("refuses a read-only file before the run", async () => {
    await using folder = await Folder.make();
    const path = await folder.notebook("n", ['Deno.writeTextFileSync("ran", "");']);
    const before = await Deno.readTextFile(path);
    await Deno.chmod(path, 0o444);
    await assertRejects(
      () => processNotebook(path, { write: true }),
      ArgumentError,
      `Cannot write outputs to ${path}: it is read-only. Make it writable`,
    );
    assertEquals(await Deno.readTextFile(path), before);
    assertEquals([...Deno.readDirSync(folder.path)].map(({ name }) => name), ["n.ipynb"]);
    assertEquals((await processNotebook(path)).problems, []);
    await Deno.chmod(path, 0o644); // as the message advises
    assertEquals((await processNotebook(path, { write: true })).written, [path]);
  });

  it("gives each cell a unique id, which stays the same in the next run", async () => {
    await using folder = await Folder.make();
    const cell = { cell_type: "code", metadata: {}, source: "1", outputs: [] };
    const cells = [cell, { ...cell, id: "a" }, { ...cell, id: "a" }, { ...cell, id: "cell-1" }];
    const text = JSON.stringify({ nbformat: 4, nbformat_minor: 0, metadata: {}, cells });
    const path = await folder.write("n.ipynb", text);
    assertEquals((await processNotebook(path, { write: true })).written, [path]);
    const ids = (await readNotebookFile(path)).cells.map(({ id }) => id);
    assertEquals(ids, ["cell-1", "a", "a-2", "cell-1-2"]);
    assertEquals((await processNotebook(path, { write: true, check: true })).written, []);
  });
});
