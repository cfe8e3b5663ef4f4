/**
 * The pages with Swagger UI in a headless Chromium, over a real service on the sample.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import axe from "axe-core";
import { KEY_HEADER, operations } from "../../../src/api/operations/operations.ts";
import { UI_PAGES } from "../../../src/service/pages/addresses.ts";
import { type ServedSample, serveSample } from "../_sample.ts";
import { Browser, CHROMIUM } from "./_browser.ts";
import { foreignRequests, overflowing, readTexts } from "./_start_page.ts";

const described = CHROMIUM ? describe : describe.ignore;

const SHOWN = `document.querySelector(".opblock")`;

let sample: ServedSample;
let browser: Browser;

described("a page with Swagger UI", () => {
  beforeAll(async () => {
    sample = await serveSample();
    browser = await Browser.start();
  });
  afterAll(async () => {
    await browser.close();
    await sample.close();
  });

  for (const { path, groups } of UI_PAGES) {
    for (const scheme of groups.includes("wind-index") ? ["light", "dark"] : ["light"]) {
      it(`shows the operations of ${groups.join(" and ")} in ${scheme} colours`, async () => {
        const page = await browser.page({ media: { "prefers-color-scheme": scheme } });
        await page.open(sample.url + path);
        await page.until(SHOWN);
        const expected = operations.filter(({ group }) => groups.includes(group));
        const listed = await page.value<string[]>(
          `[...document.querySelectorAll(".opblock-summary [data-path]")].map((it) => it.dataset.path)`,
        );
        assertEquals(listed, expected.map((operation) => operation.path));
        assertEquals([page.console, foreignRequests(page, sample.url)], [[], []]);
        await page.value(`${axe.source}; 0`);
        const barriers = await page.value<string[]>(
          `axe.run().then(({ violations }) => violations.map(({ id }) => id))`,
        );
        assertEquals(barriers, []);
      });
    }

    it(`has no overflow on a phone: ${path}`, async () => {
      const page = await browser.page({ width: 360, height: 740 });
      await page.open(sample.url + path);
      await page.until(SHOWN);
      assertEquals(await overflowing(page), []);
    });
  }

  it("W15: explains errors, and marks no operation as deprecated if all are", async () => {
    const page = await browser.page();
    await page.open(`${sample.url}/climate-data/ui/`);
    await page.until(SHOWN);
    assertEquals(await page.value(`document.querySelectorAll(".opblock-deprecated").length`), 0);
    await page.value(`document.querySelector(".opblock .opblock-summary-control").click()`);
    await page.until(`document.querySelector(".responses-table .response-col_status")`);
    const rows = await readTexts(page, ".responses-table tr.response");
    assert(rows.some((row) => /^401license or token expired/.test(row)), rows.join("\n"));
    assertEquals(rows.filter((row) => /^[45].*(Example|Media type)/s.test(row)), []);
    assertMatch((await readTexts(page, "main .help"))[0], /RFC 9457/);
  });

  it("answers every operation on one of them", () => {
    const shownGroups = new Set(UI_PAGES.flatMap(({ groups }) => groups));
    assertEquals(operations.filter(({ group }) => !shownGroups.has(group)), []);
  });

  it("sends a request with the entered key, and stores the key nowhere", async () => {
    const page = await browser.page();
    await page.open(`${sample.url}/wind-index/ui/`);
    await page.until(SHOWN);
    await page.value(`document.querySelector(".btn.authorize").click()`);
    await page.until(`document.querySelector(".modal-ux input")`);
    await page.value(`document.querySelector(".modal-ux input").focus()`);
    await page.type(sample.keys.t2);
    await page.press("Enter");
    await page.until(`document.querySelector(".modal-ux .btn-done")`);
    await page.value(`document.querySelector(".modal-ux .btn-done").click()`);
    await page.value(`document.querySelector(".opblock .opblock-summary-control").click()`);
    await page.until(`document.querySelector(".try-out__btn")`);
    await page.value(`document.querySelector(".try-out__btn").click()`);
    await page.until(`document.querySelector(".execute")`);
    await page.value(`document.querySelector(".execute").click()`);
    await page.until(`document.querySelector(".live-responses-table .response-col_status")`);
    const [answer] = await readTexts(page, ".live-responses-table");
    assertMatch(answer, /"turbine_id": "T2"/);
    const sent = page.sent.filter(({ headers }) => headers[KEY_HEADER] === sample.keys.t2);
    assertEquals(sent.map(({ url }) => url), [`${sample.url}/wind-index/calibrated/`]);
    assertEquals([page.console, foreignRequests(page, sample.url)], [[], []]);
    const stored = await page.value<string>(
      `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])`,
    );
    assert(!stored.includes(sample.keys.t2), stored);
  });
});
