/** JupyterLab 4 in a real browser: the view of a new user after "Run All Cells". */
import { assert, assertEquals } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { readNotebookFile } from "../../../src/notebook/document/notebook_document.ts";
import { whyWithout } from "../../peers/_venv.ts";
import { Browser, CHROMIUM, type Page } from "../../service/pages/_browser.ts";
import { JupyterLab } from "./_jupyterlab.ts";
import { openNotebook, runAllCells, type ShownOutputs, shownOutputs } from "./_lab_page.ts";
import { countOutputs, countTables, NotebookCopies, notebookPath } from "./_notebooks.ts";

const why = CHROMIUM ? whyWithout("jupyterlab") : "there is no Chromium";
const group = why ? describe.ignore : describe;

const VEGALITE = "application/vnd.vegalite.v5+json";

group(why ? `JupyterLab (${why})` : "JupyterLab", () => {
  let copies: NotebookCopies;
  let lab: JupyterLab;
  let browser: Browser;

  beforeAll(async () => {
    copies = await NotebookCopies.make();
    [lab, browser] = await Promise.all([JupyterLab.start(copies), Browser.start()]);
  });
  afterAll(async () => {
    await browser.close();
    await lab[Symbol.asyncDispose]();
    await copies[Symbol.asyncDispose]();
  });

  for (const name of ["1_first_look.ipynb", "2_the_wind_index_explained.ipynb"]) {
    describe(name, () => {
      let page: Page;
      let shown: ShownOutputs;

      beforeAll(async () => {
        page = await browser.page();
        await openNotebook(page, lab, name);
        await runAllCells(page);
        shown = await shownOutputs(page);
      });

      it("runs from top to bottom without an error", () => {
        assertEquals([shown.errors, shown.notRun], [[], 0]);
      });

      it("has every chart drawn as a picture", async () => {
        const notebook = await readNotebookFile(notebookPath(name));
        assertEquals(shown.charts.length, countOutputs(notebook, VEGALITE));
        for (const { size: [width, height], parts, background } of shown.charts) {
          assert(width > 500 && height > 200, `${width} x ${height}`);
          assert(parts > 30, `${parts} parts`);
          assertEquals(background, "color(srgb 1 1 1)");
        }
      });

      it("has every table visible", async () => {
        const notebook = await readNotebookFile(notebookPath(name));
        assertEquals(shown.tables.length, countTables(notebook));
        for (const { height, rows, head } of shown.tables) {
          assert(rows > 0 && height >= 15 * rows, `${rows} rows in ${height} px`);
          if (head) assert(height > 40, `a head and rows in ${height} px`);
        }
      });

      it("logs no message on the console, and sends no request to other hosts", () => {
        assertEquals(page.console.filter((line) => /error|warn|deprecat/i.test(line)), []);
        const others = page.requests.filter((url) => !/^(http|ws):\/\/127\.0\.0\.1:/.test(url));
        assertEquals(others.filter((url) => !url.startsWith("blob:")), []);
      });
    });
  }
});
