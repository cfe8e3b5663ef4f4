/**
 * The report of the sample's fleet in a headless Chromium: on a screen, on a phone and on paper.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import axe from "axe-core";
import pl from "nodejs-polars";
import { compareActual } from "../../src/analysis/compare_actual/compare_actual.ts";
import { connect } from "../../src/client/connection/connection.ts";
import { monthlyIndices } from "../../src/client/calls/monthly_indices.ts";
import { turbineDetails } from "../../src/client/calls/turbines.ts";
import { fleetReport, saveReport, type TurbineReport } from "../../src/report/mod.ts";
import { readPdfText } from "../_pdf_text.ts";
import { Browser, CHROMIUM, type Page } from "../service/pages/_browser.ts";
import { fleet, MONTH, turbine } from "./_report.ts";

const described = CHROMIUM ? describe : describe.ignore;
if (!CHROMIUM) console.log("No Chromium on this machine: the reports are not opened in a browser");

let folder: string;
let browser: Browser;

/** Writes a report on the sample's turbines in a month with production, including one without data. */
async function writeSample(to: string): Promise<void> {
  await using connection = connect({ sample: true });
  const month = "2024-12";
  const reports: TurbineReport[] = [];
  for (const id of ["T1", "T2", "T3", "T5", "T7"]) {
    const details = await turbineDetails(id, { connection });
    const indices = await monthlyIndices(id, { from: "2023-01", to: month, connection });
    const production = indices.select(
      pl.col("month"),
      pl.col("predicted_production").mul(pl.lit(0.93)).alias("energy"),
    );
    reports.push({ details, indices, comparison: compareActual(production, indices) });
  }
  const details = await turbineDetails("T8", { connection });
  const withoutData = { turbineId: "T8", details, reason: "its data are not ready" };
  const ownership = new Map([["T1", [{ owner: "A. Hansen", percent: 25 }]]]);
  const share = { owner: "A. Hansen", ownership };
  await saveReport(fleetReport([...reports, withoutData], { month, share }), to);
}

const KINDS = {
  "on a wide screen": { width: 1280 },
  "on a phone": { width: 390, height: 844 },
  "on paper": { width: 703, height: 1000 }, // A4 without its margins
  "in the dark": { media: { "prefers-color-scheme": "dark" } },
} as const;

const PAGES = {
  "the sample's fleet": "sample/index.html",
  "a turbine of the sample": "sample/turbines/T1.html",
  "a fleet in parks": "parks/index.html",
  "a turbine with gaps": "gaps/turbines/T1.html",
} as const;

async function opened(path: string, kind: keyof typeof KINDS): Promise<Page> {
  const page = await browser.page(KINDS[kind]);
  if (kind === "on paper") await page.send("Emulation.setEmulatedMedia", { media: "print" });
  await page.open(`file://${folder}/${path}`);
  return page;
}

/** Elements that exceed the page outside of a scrolling box. */
async function overflowing(page: Page, kind: keyof typeof KINDS): Promise<string[]> {
  const boxes = kind === "on paper" ? ".nothing" : ".box, figure";
  return await page.value<string[]>(`[...document.querySelectorAll("body *")]
    .filter((it) => !it.closest("svg") && !it.classList.contains("skip"))
    .filter((it) => !it.parentElement.closest("${boxes}"))
    .filter((it) => it.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .map((it) => it.outerHTML.slice(0, 100))`);
}

/** Accessibility faults of a page found by axe. */
async function barriers(page: Page): Promise<string[]> {
  await page.value(`${axe.source}; 0`);
  return await page.value<string[]>(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes[0].html))`,
  );
}

described("the pages of a report", () => {
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    await writeSample(`${folder}/sample`);
    await saveReport(fleetReport(fleet(65), { month: MONTH }), `${folder}/parks`);
    const gaps = turbine({}, { gaps: [3, 9, 12, 13, 20, 23] });
    await saveReport(fleetReport([gaps], { month: MONTH }), `${folder}/gaps`);
    browser = await Browser.start();
  });
  afterAll(async () => {
    await browser.close();
    await Deno.remove(folder, { recursive: true });
  });

  for (const [what, path] of Object.entries(PAGES)) {
    for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
      it(`show ${what} ${kind}: no message, nothing cut off, no barrier, nothing loaded`, async () => {
        const page = await opened(path, kind);
        assertEquals(await overflowing(page, kind), []);
        assert(
          await page.value<boolean>(
            `document.documentElement.scrollWidth <= document.documentElement.clientWidth`,
          ),
        );
        assertEquals(await barriers(page), []);
        assertEquals(page.console, []);
        assertEquals(page.requests, [`file://${folder}/${path}`]);
      });
    }
  }

  it("V16: are dark if the reader prefers it, including the charts, and light on paper", async () => {
    const page = await opened(PAGES["the sample's fleet"], "in the dark");
    const ground = (selector: string) =>
      page.value<string>(
        `getComputedStyle(document.querySelector("${selector}")).backgroundColor`,
      );
    const chart = () =>
      page.value<string>(`getComputedStyle(document.querySelector("figure svg rect")).fill`);
    const white = "rgb(255, 255, 255)";
    assertEquals([await ground("body"), await chart()], ["rgb(22, 24, 28)", "rgb(20, 23, 26)"]);
    await page.send("Emulation.setEmulatedMedia", {
      media: "print",
      features: [{ name: "prefers-color-scheme", value: "dark" }],
    });
    assertEquals([await ground("body"), await chart()], [white, white]);
    assertEquals(await barriers(page), []);
  });

  it("W4, AN8: show on a phone a card of at most four fields for each turbine, and separate charts", async () => {
    const page = await opened(PAGES["the sample's fleet"], "on a phone");
    const fields = await page.value<number[]>(
      `[...document.querySelectorAll(":is(.turbines, .verdicts) tbody tr")].map((row) =>
        [...row.querySelectorAll("td")].filter((it) => it.offsetHeight > 0).length)`,
    );
    assert(fields.length > 15, `${fields}`);
    assertEquals(fields.filter((number) => number < 1 || number > 4), [], `${fields}`);
    assertEquals(
      await page.value(`getComputedStyle(document.querySelector(".turbines tbody tr")).display`),
      "grid",
    );
    const [table, box] = await page.value<number[]>(
      `[".turbines", ".turbines table"].map((it) => document.querySelector(it).scrollWidth)`,
    );
    assert(table <= box, `${table} px in ${box} px`);
    for (
      const what of ["the sample's fleet", "a turbine of the sample", "a fleet in parks"] as const
    ) {
      const page = await opened(PAGES[what], "on a phone");
      /** Left and right edge of each visible chart and of all its texts; its first words are its title. */
      const charts = await page.value<[number, number, number, number, string][]>(
        `[...document.querySelectorAll("figure")].filter((it) => it.offsetWidth > 0).map((it) => {
          const { left, right } = it.querySelector("svg").getBoundingClientRect();
          const texts = [...it.querySelectorAll("text")].filter(({ textContent }) => textContent)
            .map((text) => text.getBoundingClientRect());
          const title = it.querySelector(".role-title-text").textContent;
          return [left, right, Math.min(...texts.map((box) => box.left)),
            Math.max(...texts.map((box) => box.right)), title];
        })`,
      );
      assert(charts.length >= 2, `${what}: ${charts.length} charts`);
      for (const [left, right, first, last, title] of charts) {
        assert(right - left <= 320.5, `${title}: ${right - left} px`);
        assert(left >= 0 && right <= 390, `${title}: from ${left} to ${right}`);
        assert(first >= left - 1 && last <= right + 1, `${title}: texts from ${first} to ${last}`);
        assert(title.length > 5);
      }
    }
  });

  it("V8: say on a phone that a table scrolls, and show that it continues", async () => {
    const page = await opened(PAGES["a turbine of the sample"], "on a phone");
    const hint = `document.querySelector(".months").previousElementSibling`;
    assertEquals(await page.value(`${hint}.innerText`), "Scroll sideways to see the whole table →");
    const fade = () =>
      page.value<string>(`getComputedStyle(document.querySelector(".months"))
        .getPropertyValue("--fade")`);
    assert(parseFloat(await fade()) > 0);
    await page.value(`new Promise((drawn) => {
      document.querySelector(".months").scrollLeft = 10_000;
      requestAnimationFrame(() => requestAnimationFrame(drawn));
    }).then(() => 0)`);
    assertEquals(parseFloat(await fade()), 0);
  });

  it("work with the keyboard: skip, turbine and back, with visible focus", async () => {
    const page = await opened(PAGES["the sample's fleet"], "on a wide screen");
    await page.tabTo(`it.className === "skip"`);
    assert(await page.value<boolean>(`document.activeElement.getBoundingClientRect().left >= 0`));
    await page.tabTo(`it.textContent === "Vesterklit Rev 1"`);
    const outline = `getComputedStyle(document.activeElement).outlineStyle`;
    assertEquals(await page.value(outline), "solid");
    const loaded = `document.readyState === "complete" && document.querySelector("h1").textContent`;
    await page.press("Enter");
    await page.until(`${loaded} === "Vesterklit Rev 1"`);
    await page.tabTo(`it.textContent === "All turbines in December 2024"`);
    await page.press("Enter");
    await page.until(`${loaded} === "Wind report, December 2024"`);
    await page.tabTo(`it.getAttribute("role") === "region"`);
    assertEquals(await page.value(outline), "solid");
  });

  it("print with the table head on each page, and without breaks inside rows or charts", async () => {
    const page = await opened(PAGES["a fleet in parks"], "on paper");
    const style = (selector: string, name: string) =>
      page.value<string>(`getComputedStyle(document.querySelector("${selector}")).${name}`);
    assertEquals(await style("thead", "display"), "table-header-group");
    for (const selector of ["tbody tr", "figure", ".headline"]) {
      assertEquals(await style(selector, "breakInside"), "avoid", selector);
    }
    assertEquals(await style(".box", "overflowX"), "visible");
    const highest = await page.value<number>(
      `Math.max(...[...document.querySelectorAll("tr, figure, .headline")].map((it) => it.offsetHeight))`,
    );
    assert(highest < 900, `${highest} px do not fit a page`);
  });

  it("V8, W8: print a fleet on three sheets, a turbine on two, with no text below 7 pt", async () => {
    for (
      const [path, most] of [["sample/index.html", 3], ["sample/turbines/T1.html", 2]] as const
    ) {
      const page = await opened(path, "on a wide screen");
      const { data } = await page.send("Page.printToPDF", { preferCSSPageSize: true });
      const { pages, texts } = readPdfText(Uint8Array.fromBase64(data as string));
      assert(pages <= most, `${path}: ${pages} pages`);
      assert(texts.length > 100);
      assertEquals(texts.filter(({ size }) => size < 6.995), [], path); // 7 pt in 1/64 px
    }
  });
});
