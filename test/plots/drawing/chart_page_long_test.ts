/** The page of a chart in a headless Chromium: in the dark, on a phone and on paper. */
import { assert, assertEquals } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { readPdfText } from "../../_pdf_text.ts";
import { Browser, CHROMIUM, type Page, type PageOptions } from "../../service/pages/_browser.ts";
import { buildEveryChart, edgeCases } from "../_edge_cases.ts";
import type { PlotOptions } from "../../../mod.ts";

const described = CHROMIUM ? describe : describe.ignore;
if (!CHROMIUM) console.log("No Chromium on this machine: the charts are not opened in a browser");

const NAMES = Object.keys(buildEveryChart(edgeCases.ordinary));

described("the page of a chart", () => {
  let folder: string;
  let browser: Browser;

  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    for (const [name, build] of Object.entries(buildEveryChart(edgeCases.ordinary))) {
      await build().save(`${folder}/${name}.html`);
    }
    browser = await Browser.start();
  });
  afterAll(async () => {
    await browser.close();
    await Deno.remove(folder, { recursive: true });
  });

  /** Opens a chart drawn with other options. */
  async function open(name: string, options: PageOptions, how: PlotOptions): Promise<Page> {
    const path = `${folder}/chart.html`;
    await buildEveryChart(edgeCases.ordinary, how)[name]().save(path);
    const page = await browser.page(options);
    await page.open(`file://${path}`);
    return page;
  }

  it("V8: scrolls in a window of 390 px, says so, loads nothing and logs no message", async () => {
    const hint = `getComputedStyle(document.querySelector(".hint")).display`;
    const page = await browser.page({ width: 390, height: 844 });
    for (const name of NAMES) {
      await page.open(`file://${folder}/${name}.html`);
      const { scrollWidth, clientWidth } = await page.value<Record<string, number>>(
        `(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }))(document.documentElement)`,
      );
      assert(scrollWidth <= clientWidth, `${name}: ${scrollWidth} of ${clientWidth} px`);
      assertEquals(await page.value(hint), "block", name);
      assertEquals([page.console, page.requests.splice(0).length], [[], 1], name);
    }
    const narrow = await open("plotMonthlyIndices", { width: 390, height: 844 }, { width: 240 });
    assertEquals(await narrow.value(hint), "none");
  });

  it("V8: prints every text with at least 7 pt on one sheet of A4", async () => {
    const page = await browser.page();
    for (const name of NAMES) {
      await page.open(`file://${folder}/${name}.html`);
      const { data } = await page.send("Page.printToPDF", { preferCSSPageSize: true });
      const { texts, pages } = readPdfText(Uint8Array.fromBase64(String(data)));
      assert(texts.length > 5, name);
      assertEquals(texts.filter(({ size }) => size < 7), [], name);
      assertEquals(pages, 1, name);
    }
  });

  it("V16: follows the colour scheme of the reader, unless a theme is given", async () => {
    const paper = `getComputedStyle(document.querySelector("svg > rect")).fill`;
    const dark = { media: { "prefers-color-scheme": "dark" } };
    const [white, black] = ["rgb(255, 255, 255)", "rgb(20, 23, 26)"];
    const name = "plotMonthlyIndices";
    assertEquals(await (await open(name, {}, {})).value(paper), white);
    assertEquals(await (await open(name, dark, {})).value(paper), black);
    assertEquals(await (await open(name, dark, { theme: "light" })).value(paper), white);
    assertEquals(await (await open(name, {}, { theme: "dark" })).value(paper), black);
  });
});
