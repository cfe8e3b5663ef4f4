/**
 * Pages of notebooks in a headless Chromium: light, dark, on a phone and on paper.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import axe from "axe-core";
import { type Output, readNotebook } from "../../../src/notebook/document/notebook_document.ts";
import { notebookPage } from "../../../src/notebook/page/notebook_page.ts";
import { readPdfText } from "../../_pdf_text.ts";
import { Browser, CHROMIUM, type Page, type PageOptions } from "../../service/pages/_browser.ts";
import { notebookText } from "../_folder.ts";

const described = CHROMIUM ? describe : describe.ignore;
if (!CHROMIUM) console.log("No Chromium on this machine: pages of notebooks are not opened");

const DARK = { "prefers-color-scheme": "dark" };

const KINDS: Readonly<Record<string, PageOptions & { print?: boolean }>> = {
  "in the light": {},
  "in the dark": { media: DARK },
  "at 390 px": { width: 390, height: 844 },
  "on paper": { width: 703, height: 1000, media: DARK, print: true },
};

/** A chart as wide as those of the toolbox, with the smallest letters allowed on paper. */
const CHART =
  `<svg xmlns="http://www.w3.org/2000/svg" width="700" height="200" viewBox="0 0 700 200">` +
  `<rect width="700" height="200" fill="white"/><text y="90" font-size="10">Energy</text></svg>`;

/** A table from `table()`: in a separate box, with inline styles. */
function renderTable(columns: number): string {
  const cells = Array.from({ length: columns }, (_, i) => `<td>column_number_${i}</td>`).join("");
  return `<div style="font-size:13px;overflow-x:auto;max-width:100%"><table><tbody>` +
    `<tr>${cells}</tr></tbody></table></div>`;
}

let folder: string;
let browser: Browser;

async function openPage({ print, ...options }: PageOptions & { print?: boolean }): Promise<Page> {
  const page = await browser.page(options);
  if (print) await page.send("Emulation.setEmulatedMedia", { media: "print" });
  await page.open(`file://${folder}/page.html`);
  return page;
}

described("the page of a notebook", () => {
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    const long = "const aVeryLongName = await someFunction(anArgument, anotherArgument); ".repeat(
      3,
    );
    const show = (data: Record<string, string>): Output => ({
      output_type: "display_data",
      data,
      metadata: {},
    });
    const { metadata, cells: [text, code, last] } = readNotebook(
      notebookText([{ markdown: `# Wind\n\n    ${long}` }, long, "1;"]),
      "n.ipynb",
    );
    const outputs: Output[] = [
      show({ "text/html": renderTable(20), "text/plain": "a table" }),
      show({ "image/svg+xml": CHART, "text/plain": "a chart" }),
      { output_type: "stream", name: "stdout", text: `${long}\n` },
    ];
    const page = await notebookPage({
      metadata,
      cells: [text, { ...code, outputs }, { ...last, outputs: [show({ "text/plain": "1" })] }],
    });
    await Deno.writeTextFile(`${folder}/page.html`, page);
    browser = await Browser.start();
  });
  afterAll(async () => {
    await browser.close();
    await Deno.remove(folder, { recursive: true });
  });

  for (const [kind, options] of Object.entries(KINDS)) {
    it(`V8 and V16: is accessible ${kind}, with nothing cut off`, async () => {
      const page = await openPage(options);
      const [width, room] = await page.value<[number, number]>(
        `[document.documentElement.scrollWidth, document.documentElement.clientWidth]`,
      );
      assert(width <= room, `${width} px in ${room} px`);
      assertEquals(
        await page.value(
          `[...document.querySelectorAll("pre.code, .text pre")].filter((it) => it.scrollWidth > it.clientWidth).length`,
        ),
        0,
      );
      const dark = "prefers-color-scheme" in (options.media ?? {}) && !options.print;
      assertEquals(
        await page.value(`getComputedStyle(document.body).backgroundColor`),
        dark ? "rgb(22, 24, 28)" : "rgb(255, 255, 255)",
      );
      await page.value(`${axe.source}; 0`);
      const barriers = await page.value<string[]>(
        `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes[0].html))`,
      );
      assertEquals([barriers, page.console], [[], []]);
    });
  }

  it("V8: shows at 390 px that an output continues, until its end is visible", async () => {
    const page = await openPage({ width: 390, height: 844 });
    const fades = `[...document.querySelectorAll(".outputs")].map((it) =>
      parseFloat(getComputedStyle(it).getPropertyValue("--fade")))`;
    await page.until(`(([wide, narrow]) => wide > 0 && narrow === 0)(${fades})`);
    await page.value(`document.querySelector(".outputs").scrollLeft = 10_000`);
    await page.until(`${fades}.every((fade) => fade === 0)`);
  });

  it("V8: prints no text below 7 pt", async () => {
    const page = await openPage({});
    const { data } = await page.send("Page.printToPDF", { preferCSSPageSize: true });
    const { texts } = readPdfText(Uint8Array.fromBase64(data as string));
    assert(texts.length > 10);
    assertEquals(texts.filter(({ size }) => size < 7), []);
  });
});
