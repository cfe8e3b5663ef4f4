/** Colours of a chart in JupyterLab, in the light and in the dark theme. */
import { assertEquals } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { plotFleetIndices } from "../../../src/plots/index/fleet_indices.ts";
import { JUPYTER_DISPLAY } from "../../../src/show/jupyter.ts";
import { whyWithout } from "../../peers/_venv.ts";
import { buildIndicesFrame } from "../../plots/_frames.ts";
import { Browser, CHROMIUM } from "../../service/pages/_browser.ts";
import { JupyterLab, type Theme } from "./_jupyterlab.ts";
import { NotebookCopies } from "./_notebooks.ts";

const why = CHROMIUM ? whyWithout("jupyterlab") : "there is no Chromium";
const group = why ? describe.ignore : describe;

const SVG = `document.querySelector(".jp-RenderedVegaCommon5 svg.marks")`;

/** Writes a notebook with a chart from an earlier run. */
async function writeNotebook(path: string): Promise<void> {
  const chart = plotFleetIndices(buildIndicesFrame({ turbines: ["T1", "T2"], world: "sample" }));
  const output = {
    output_type: "display_data",
    metadata: {},
    data: await chart[JUPYTER_DISPLAY](),
  };
  const cell = {
    cell_type: "code",
    id: "chart",
    execution_count: 1,
    metadata: {},
    source: "",
    outputs: [output],
  };
  const notebook = { nbformat: 4, nbformat_minor: 5, metadata: {}, cells: [cell] };
  await Deno.writeTextFile(path, JSON.stringify(notebook));
}

group(why ? `a chart in JupyterLab (${why})` : "a chart in JupyterLab", () => {
  let copies: NotebookCopies;
  let browser: Browser;

  beforeAll(async () => {
    [copies, browser] = await Promise.all([NotebookCopies.make(), Browser.start()]);
    await writeNotebook(`${copies.folder}/chart.ipynb`);
  });
  afterAll(async () => {
    await browser.close();
    await copies[Symbol.asyncDispose]();
  });

  const papers: Readonly<Record<Theme, readonly number[]>> = {
    "JupyterLab Light": [255, 255, 255],
    "JupyterLab Dark": [20, 23, 26],
  };
  for (const [theme, paper] of Object.entries(papers)) {
    it(`V16: has the colours of ${theme}`, async () => {
      await using lab = await JupyterLab.start(copies, theme as Theme);
      const page = await browser.page();
      await page.open(lab.address("chart.ipynb"));
      await page.until(SVG);
      const background = await page.value<string>(`getComputedStyle(${SVG}).backgroundColor`);
      const shares = background.match(/[\d.]+/g)!.map((share) => Math.round(255 * Number(share)));
      assertEquals(shares.slice(0, 3), paper);
      assertEquals(page.console.filter((line) => /error|warn/i.test(line)), []);
    });
  }
});
