/**
 * Every page of the service as users see it: signed in by the printed address, in light and dark mode, on a phone and on
 * paper.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import axe from "axe-core";
import { KEY_HEADER, operationOf } from "../../../src/api/operations/operations.ts";
import { readPdfText } from "../../_pdf_text.ts";
import { type ServedSample, serveSample } from "../_sample.ts";
import { Browser, CHROMIUM, type Page, type PageOptions } from "./_browser.ts";
import {
  ALL_LOADED,
  chartsShown,
  foreignRequests,
  FORM_SHOWN,
  overflowing,
  readTexts,
} from "./_start_page.ts";

const described = CHROMIUM ? describe : describe.ignore;
if (!CHROMIUM) console.log("No Chromium on this machine: the pages are not opened in a browser");

/** The browser's own message about a page that is a refusal. */
const OWN_COMPLAINT = /^Failed to load resource: the server responded with a status of 4\d\d/;

const DARK = { "prefers-color-scheme": "dark" };

/** Pages, each with a condition that is true when it is ready. */
const PAGES = {
  "/": ALL_LOADED,
  "/wind-index/ui/": `document.querySelector(".opblock")`,
  "/climate-data/ui/": `document.querySelector(".opblock")`,
  "/user-access/ui/": `document.querySelector(".opblock")`,
  "/nothing": "true",
} as const;

const KINDS: Readonly<Record<string, PageOptions & { print?: boolean }>> = {
  "in the light": {},
  "in the dark": { media: DARK },
  "at 390 px": { width: 390, height: 844 },
  "on paper, though the reader prefers the dark": {
    width: 703,
    height: 1000,
    media: DARK,
    print: true,
  },
};

let sample: ServedSample;
let browser: Browser;

/** A page of a browser that is signed in. */
async function openSignedIn(path: keyof typeof PAGES, options: PageOptions = {}): Promise<Page> {
  const page = await browser.page(options);
  await page.open(sample.issueSignInUrl());
  if (path !== "/") await page.open(sample.url + path);
  await page.until(PAGES[path]);
  return page;
}

/** Opens another page in one that is signed in. */
async function reopen(page: Page, path: keyof typeof PAGES, options: PageOptions): Promise<void> {
  page.console.length = page.requests.length = 0;
  await page.show(options);
  await page.open(sample.url + path);
  await page.until(PAGES[path]);
}

described("V14, V16 and V8: every page", () => {
  beforeAll(async () => {
    sample = await serveSample();
    browser = await Browser.start();
  });
  afterAll(async () => {
    await browser.close();
    await sample.close();
  });

  let signedIn: Page;

  beforeAll(async () => {
    signedIn = await openSignedIn("/");
  });

  for (const path of Object.keys(PAGES) as (keyof typeof PAGES)[]) {
    for (const [kind, { print, ...options }] of Object.entries(KINDS)) {
      it(`is read ${kind}: ${path}`, async () => {
        const page = signedIn;
        await reopen(page, path, options);
        if (print) {
          await page.send("Emulation.setEmulatedMedia", {
            media: "print",
            features: [{ name: "prefers-color-scheme", value: "dark" }],
          });
          const ground = await page.value(`getComputedStyle(document.body).backgroundColor`);
          assertEquals(ground, "rgb(255, 255, 255)");
          // Colours of Swagger UI change slowly; axe would read one in between.
          await page.value(`document.getAnimations().forEach((it) => it.finish())`);
        }
        assertEquals(await overflowing(page), []);
        await page.value(`${axe.source}; 0`);
        const barriers = await page.value<string[]>(
          `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes[0].html))`,
        );
        assertEquals(barriers, []);
        assertEquals(page.console.filter((it) => !OWN_COMPLAINT.test(it)), []);
        assertEquals(foreignRequests(page, sample.url), []);
      });
    }

    it(`has no text below 7 pt on paper: ${path}`, async () => {
      const page = signedIn;
      await reopen(page, path, {});
      const { data } = await page.send("Page.printToPDF", { preferCSSPageSize: true });
      const { texts } = readPdfText(Uint8Array.fromBase64(data as string));
      assert(texts.length > 0);
      assertEquals(texts.filter(({ size }) => size < 7), []);
    });
  }

  it("loads all charts of the start page for paper, even unseen ones", async () => {
    const page = await openSignedIn("/", { width: 390, height: 400 });
    await page.until(chartsShown(7));
  });

  it("opens signed in from the printed address, and stores the token nowhere", async () => {
    const page = await browser.page();
    const address = sample.issueSignInUrl();
    await page.open(address);
    await page.until(ALL_LOADED);
    assertEquals(await page.value(`location.href`), `${sample.url}/`);
    assertEquals(await page.value(`document.cookie`), "");
    assertEquals(await page.value(`localStorage.length + sessionStorage.length`), 0);
    const later = page.sent.filter(({ url }) => url !== address);
    assert(later.length > 10);
    const token = new URL(address).searchParams.get("token")!;
    for (const { url, headers } of later) {
      assert(!JSON.stringify([url, headers]).includes(token), url);
      assertEquals(headers[KEY_HEADER], undefined);
    }
  });

  it("tries an operation without typing a key", async () => {
    const page = await openSignedIn("/wind-index/ui/");
    assertMatch((await readTexts(page, "#signed-in:not([hidden])"))[0], /^You are signed in/);
    await page.value(`document.querySelector(".opblock .opblock-summary-control").click()`);
    for (const button of [".try-out__btn", ".execute"]) {
      await page.until(`document.querySelector("${button}")`);
      await page.value(`document.querySelector("${button}").click()`);
    }
    await page.until(`document.querySelector(".live-responses-table .response-col_status")`);
    assertMatch((await readTexts(page, ".live-responses-table"))[0], /"turbine_id": "T1"/);
  });

  it("W15: shows an order as a page, with its file once it is built", async () => {
    const page = await openSignedIn("/");
    const [order, status] = ["place_order", "order_status"].map((id) =>
      operationOf(id as "place_order").path
    );
    const query = "lat=55.5&lon=7.75&start_year=2023&end_year=2023&filetype=csv";
    const id = await page.value<string>(
      `fetch(${JSON.stringify(order.replace("{service_id}", "era5") + "?" + query)})
        .then((answer) => answer.json())`,
    );
    const address = sample.url + status.replace("{order_id}", id);
    await page.open(address);
    assertEquals(await readTexts(page, "h1"), ["Climate data order"]);
    for (let looks = 0; looks < 100; looks++) {
      await page.open(address);
      if ((await readTexts(page, "main a")).includes("Download the file")) break;
      assert(looks < 99, "the order is never ready");
    }
    assertEquals(page.console, []);
  });

  it("signs out: removes the turbines, and asks for a key", async () => {
    const page = await openSignedIn("/");
    assertEquals(await readTexts(page, "#forget"), ["Sign out"]);
    await page.value(`document.querySelector("#forget").click()`);
    await page.until(`document.querySelector("#progress").textContent === "You are signed out."`);
    assertEquals(await readTexts(page, "#fleet"), [""]);
    await page.open(`${sample.url}/`);
    await page.until(FORM_SHOWN);
  });

  it("removes the turbines and reports it if signing out fails", async () => {
    const page = await openSignedIn("/");
    await page.value(`fetch = () => Promise.reject(new TypeError("offline")); 0`);
    await page.value(`document.querySelector("#forget").click(); 0`);
    await page.until(`document.querySelector("#key-problem").textContent`);
    assertMatch((await readTexts(page, "#key-problem"))[0], /^You are still signed in/);
    assertEquals(await page.value("document.querySelector('#shown').hidden"), true);
  });

  it("links from a used address to the sign-in", async () => {
    const page = await browser.page();
    const address = sample.issueSignInUrl();
    await (await fetch(address)).body?.cancel();
    await page.open(address);
    assertMatch((await readTexts(page, ".notice"))[0], /used before/);
    await page.follow("main a");
    await page.until(`document.querySelector("#access") && ${FORM_SHOWN}`);
  });
});
