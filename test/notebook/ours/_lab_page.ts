/**
 * A notebook open in JupyterLab: the actions of a person, and the content of the page.
 *
 * @module
 */
import type { Page } from "../../service/pages/_browser.ts";
import type { JupyterLab } from "./_jupyterlab.ts";

/** A chart drawn by the front end. */
export interface DrawnChart {
  /** Width and height in the page, px. */
  readonly size: readonly [number, number];
  /** Number of lines, areas and texts; an empty picture has none. */
  readonly parts: number;
  /** Visible colour of its background. */
  readonly background: string;
}

/** Content of the page. */
export interface ShownOutputs {
  /** The charts. */
  readonly charts: readonly DrawnChart[];
  /** Tables in outputs: height in px, number of rows, and whether there is a head; the facts of an answer have none. */
  readonly tables: readonly {
    readonly height: number;
    readonly rows: number;
    readonly head: boolean;
  }[];
  /** Texts of errors and of stderr. */
  readonly errors: readonly string[];
  /** Code cells that have not run. */
  readonly notRun: number;
}

const WIDGET = "window.jupyterapp?.shell.currentWidget";
const CHARTS = "[...document.querySelectorAll('.jp-RenderedVegaCommon5')]";

/** Opens a notebook, and waits for its kernel. */
export async function openNotebook(page: Page, lab: JupyterLab, name: string): Promise<void> {
  await page.open(lab.address(name));
  const kernel = `${WIDGET}?.sessionContext?.session?.kernel`;
  await page.until(`${kernel}?.connectionStatus === "connected" && ${kernel}.status === "idle"`);
}

/** Does the same as "Run All Cells" in the menu, and waits until all cells have run and are drawn. */
export async function runAllCells(page: Page): Promise<void> {
  await page.value(`jupyterapp.commands.execute("notebook:run-all-cells").then(() => true)`);
  await page.until(`${CHARTS}.every((it) => it.querySelector("svg.marks"))`);
}

/** Content of the page. */
export async function shownOutputs(page: Page): Promise<ShownOutputs> {
  return await page.value<ShownOutputs>(`(() => {
    const all = (selector) => [...document.querySelectorAll(selector)];
    return {
      charts: ${CHARTS}.map((it) => {
        const svg = it.querySelector("svg.marks");
        const { width, height } = svg.getBoundingClientRect();
        return {
          size: [Math.round(width), Math.round(height)],
          parts: svg.querySelectorAll("path[fill], path[stroke], line, text").length,
          background: getComputedStyle(svg).backgroundColor,
        };
      }),
      tables: all(".jp-OutputArea-output table").map((it) => ({ height: it.offsetHeight, rows: it.rows.length, head: it.tHead !== null })),
      errors: all('[data-mime-type="application/vnd.jupyter.error"], [data-mime-type="application/vnd.jupyter.stderr"]')
        .map((it) => it.textContent),
      notRun: all(".jp-CodeCell").filter((it) =>
        !/\\[\\d+\\]/.test(it.querySelector(".jp-InputPrompt").textContent)
      ).length,
    };
  })()`);
}
