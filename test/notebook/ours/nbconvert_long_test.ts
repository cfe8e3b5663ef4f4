/** The notebooks with their outputs in Jupyter's converter. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { readNotebookFile } from "../../../src/notebook/document/notebook_document.ts";
import { type PeerSaid, runPeer, whyWithout } from "../../peers/_venv.ts";
import { countOutputs, countTables, NotebookCopies, notebookNames } from "./_notebooks.ts";

const why = whyWithout("nbconvert", "jupyter_core");
const group = why ? describe.ignore : describe;

/** Start of terminal colours. */
const ESCAPE = "\u001b";

/**
 * Its HTML template has no place for the alt text of a picture of any format, so it warns of every one. Our pictures
 * contain their alt text. As `text/html` or `text/markdown` a chart could have one, but JupyterLab would then prefer that
 * to the chart.
 */
const NO_ALT = /^.*WARNING \| Alternative text is missing on \d+ image\(s\)\.\n/gm;

/** Number of matches of a pattern. */
function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}

group(why ? `nbconvert (${why})` : "nbconvert", () => {
  let copies: NotebookCopies;
  let runs: PeerSaid[];

  beforeAll(async () => {
    copies = await NotebookCopies.make();
    runs = await Promise.all(["html", "markdown"].map((format) =>
      runPeer("jupyter", {
        args: ["nbconvert", "--log-level=WARN", `--to=${format}`, ...notebookNames],
        cwd: copies.folder,
        env: copies.env,
      })
    ));
  });
  afterAll(() => copies[Symbol.asyncDispose]());

  it("gives no warnings", () => {
    assertEquals(runs.map(({ code, err }) => [code, err.replace(NO_ALT, "")]), [[0, ""], [0, ""]]);
  });

  for (const name of notebookNames) {
    const stem = name.replace(".ipynb", "");

    it(`makes an HTML page of ${stem} with all its charts and tables`, async () => {
      const notebook = await readNotebookFile(copies.path(name));
      const page = await Deno.readTextFile(copies.path(`${stem}.html`));
      const outputs = page.slice(page.indexOf("<main"));
      const pictures = [...outputs.matchAll(/src="data:image\/svg\+xml;base64,([^"]+)"/g)];
      assertEquals(pictures.length, countOutputs(notebook, "image/svg+xml"));
      for (const [, base64] of pictures) {
        assertMatch(atob(base64), /^<svg role="img" aria-label="./);
      }
      const written = count(notebook.cells.map(({ source }) => source).join("\n"), /^\| -+ \|/gm);
      assertEquals(count(outputs, /<table/g), countTables(notebook) + written);
      assert(!outputs.includes(ESCAPE) && !outputs.includes('class="ansi-'));
    });

    it(`makes Markdown of ${stem} with all its charts and tables`, async () => {
      const notebook = await readNotebookFile(copies.path(name));
      const text = await Deno.readTextFile(copies.path(`${stem}.md`));
      const pictures = [...text.matchAll(/!\[svg\]\(([^)]+)\)/g)].map((match) => match[1]);
      assertEquals(pictures.length, countOutputs(notebook, "image/svg+xml"));
      for (const picture of pictures) {
        assert((await Deno.readTextFile(copies.path(picture))).startsWith("<svg"), picture);
      }
      assertEquals(count(text, /<table/g), countTables(notebook));
      assert(!text.includes(ESCAPE));
    });
  }
});
