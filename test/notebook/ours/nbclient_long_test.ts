/** Jupyter's own runner without a front end (nbclient), compared with ours. */
import { assertEquals } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { compareOutputs, differenceText } from "../../../src/notebook/document/compare_outputs.ts";
import { readNotebookFile } from "../../../src/notebook/document/notebook_document.ts";
import { runPeer, whyWithout } from "../../peers/_venv.ts";
import { NotebookCopies, notebookNames, notebookPath } from "./_notebooks.ts";

/** Every fourth notebook: our runner runs all of them, and the kernel is the same. */
const names = notebookNames.filter((_, i) => i % 4 === 0);

const why = whyWithout("nbclient", "jupyter_core");
const group = why ? describe.ignore : describe;

group(why ? `jupyter execute (${why})` : "jupyter execute", () => {
  let copies: NotebookCopies;

  beforeAll(async () => {
    copies = await NotebookCopies.make();
    // Each call runs its notebooks one after the other, so two calls use two cores.
    const halves = [0, 1].map((half) => names.filter((_, i) => i % 2 === half));
    await Promise.all(halves.map(async (names) => {
      const { code, err } = await runPeer("jupyter", {
        args: ["execute", "--inplace", ...names],
        cwd: copies.folder,
        env: copies.env,
      });
      assertEquals(code, 0, err.slice(-3000));
    }));
  });
  afterAll(() => copies[Symbol.asyncDispose]());

  for (const name of names) {
    it(`gives ${name} the same outputs as our runner`, async () => {
      const ours = await readNotebookFile(notebookPath(name));
      const theirs = await readNotebookFile(copies.path(name));
      assertEquals(compareOutputs(ours, theirs).map(differenceText), []);
    });
  }
});
