/** Our kernelspec and our runner, compared with Jupyter's own. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { installKernelspec } from "../../../src/notebook/kernel/kernelspec.ts";
import { readNotebookFile } from "../../../src/notebook/document/notebook_document.ts";
import { runNotebook } from "../../../src/notebook/run/run_notebook.ts";
import { jupyterCommand } from "./_jupyter.ts";
import { Folder } from "../_folder.ts";

const jupyter = await jupyterCommand();
const where = jupyter ? describe : describe.ignore;

async function execute(folder: Folder, path: string): Promise<{ code: number; err: string }> {
  await installKernelspec(`${folder.path}/jupyter`);
  const { code, stderr } = await new Deno.Command(jupyter!, {
    args: ["execute", "--kernel_name=vindkit", "--inplace", path],
    env: { JUPYTER_DATA_DIR: `${folder.path}/jupyter`, NO_COLOR: "1" },
    stdout: "null",
  }).output();
  return { code, err: new TextDecoder().decode(stderr) };
}

where(
  `jupyter execute${jupyter ? "" : " (left out: VINDKIT_PEERS names no environment with Jupyter)"}`,
  () => {
    it("runs a notebook in another folder with our kernel, with the same outputs as our runner", async () => {
      await using folder = await Folder.make();
      await folder.write("near.ts", "export const near = 7;");
      const path = await folder.notebook("n", [
        'import { near } from "./near.ts";\nimport { table } from "@vindkit/vindkit";\nnear',
        "console.log(typeof table, Deno.readTextFileSync('near.ts').length);",
      ]);
      const ours = await runNotebook(path);
      const { code, err } = await execute(folder, path);
      assertEquals(code, 0, err);
      const theirs = await readNotebookFile(path);
      assertEquals(
        theirs.cells.map(({ outputs }) => outputs),
        ours.notebook.cells.map((cell) => cell.outputs),
      );
    });

    it("accepts a result that cannot be shown, which fails in our runner", async () => {
      await using folder = await Folder.make();
      const path = await folder.notebook("n", [
        `({ [Symbol.for("Jupyter.display")]() { throw new Error("cannot be drawn"); } })`,
      ]);
      const { code, err } = await execute(folder, path);
      assertEquals(code, 0, err);
      const { faults } = await runNotebook(path);
      assertEquals(faults.length, 1);
      assertStringIncludes(faults[0].message, "cannot be drawn");
      assert(faults[0].code);
    });
  },
);
