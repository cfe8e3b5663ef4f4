/**
 * The start page in a headless Chromium, over a real service on the sample.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import axe from "axe-core";
import { KEY_HEADER } from "../../../src/api/operations/operations.ts";
import { type ServedSample, serveSample } from "../_sample.ts";
import { Browser, CHROMIUM, type Page } from "./_browser.ts";
import {
  ALL_LOADED,
  enterKey,
  foreignRequests,
  FORM_SHOWN,
  openFleet,
  overflowing,
  readTexts,
} from "./_start_page.ts";

const described = CHROMIUM ? describe : describe.ignore;
if (!CHROMIUM) console.log("No Chromium on this machine: the pages are not tested in a browser");

let sample: ServedSample;
let browser: Browser;

/** The sample's turbines on a page of this kind. */
async function fleetOn(options: Parameters<Browser["page"]>[0] = {}): Promise<Page> {
  const page = await browser.page(options);
  await openFleet(page, sample.url, sample.keys.full);
  return page;
}

/** What axe finds wrong with a page. */
async function barriers(page: Page): Promise<string[]> {
  await page.value(`${axe.source}; 0`);
  return await page.value<string[]>(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes[0].html))`,
  );
}

described("the start page", () => {
  beforeAll(async () => {
    sample = await serveSample();
    browser = await Browser.start();
  });
  afterAll(async () => {
    await browser.close();
    await sample.close();
  });

  for (const width of [1280, 800, 390]) {
    it(`W1: has each group of turbines at its middle, and a dot at each true place (${width} px)`, async () => {
      const page = await fleetOn({ width });
      const picture = Deno.env.get("VINDKIT_PICTURES");
      if (picture) await Deno.writeFile(`${picture}/map_${width}.png`, await page.picture());
      const [dots, markers] = await page.value<[[number, number][], [string, number, number][]]>(`[
        [...document.querySelectorAll("circle.place")].map((it) => {
          const { x, y, width, height } = it.getBoundingClientRect();
          return [x + width / 2, y + height / 2];
        }),
        [...document.querySelectorAll(".marker")].map((it) => {
          const { x, y, width, height } = it.getBoundingClientRect();
          return [it.textContent, x + width / 2, y + height / 2];
        }),
      ]`);
      assertEquals(dots.length, 8);
      const near = (x: number, y: number) =>
        Math.min(...dots.map(([u, v]) => Math.hypot(u - x, v - y)));
      const away = markers.filter(([text, x, y]) => !/turbines/.test(text) && near(x, y) > 2);
      assertEquals(away, []);
      for (const [text, x] of markers.filter(([text]) => /turbines/.test(text))) {
        const count = parseInt(text);
        const own = dots.map(([u]) => Math.abs(u - x)).sort((a, b) => a - b).slice(0, count);
        const mean = dots.map(([u]) => u).sort((a, b) => Math.abs(a - x) - Math.abs(b - x))
          .slice(0, count).reduce((sum, u) => sum + u, 0) / count;
        assert(Math.abs(mean - x) < 40, `${text} is ${mean - x} px beside the middle: ${own}`);
      }
    });
  }

  for (
    const [kind, options] of [
      ["on a wide screen", {}],
      ["on a phone", { width: 360, height: 740 }],
      ["in the dark", { media: { "prefers-color-scheme": "dark" } }],
    ] as const
  ) {
    it(`shows the turbines ${kind}, and loads nothing from elsewhere`, async () => {
      const page = await fleetOn(options);
      assertEquals(await readTexts(page, "h3"), [
        "Vesterklit Rev 1",
        "Hedegaarden",
        "Graagrund park",
        "Braidlaw Muir 3",
        "Hohenfelder Moor 2",
        "Karumpatti 14",
        "Valdecierzo 5",
        "Granhult 1",
      ]);
      assertEquals(page.console, []);
      assertEquals(foreignRequests(page, sample.url), []);
      assertEquals(await overflowing(page), []);
      assertEquals(await barriers(page), []);
    });
  }

  it("has no overflow where all figures are open on a phone", async () => {
    const page = await fleetOn({ width: 360, height: 740 });
    await page.value(`document.querySelectorAll("details").forEach((it) => it.open = true)`);
    await page.until(`document.querySelectorAll("#cards table").length === 7`);
    assertEquals(await overflowing(page), []);
  });

  it("shows the figures that the API gives", async () => {
    const page = await fleetOn();
    const { text } = await sample.ask("/wind-index/calibrated/wind_indices/T1/2025/12/", {
      key: sample.keys.full,
    });
    const { monthIndex, month_abnormality_index, last12_month_index: last12 } = JSON.parse(text);
    const [headline] = await readTexts(page, ".headline");
    assertEquals(
      headline,
      `${Math.round(month_abnormality_index)}\u00a0%of a normal December, in 2025`,
    );
    const [, label] = (await page.value<string[]>(
      `[...document.querySelectorAll(".card dl")].map((it) => it.textContent)`,
    ))[0].match(/Last 12 months index(\d+)/)!;
    assertEquals(label, String(Math.round(last12)));
    const facts = await readTexts(page, ".card:first-child dl div");
    assert(facts.includes(`Month index${Math.round(monthIndex)}\u00a0%`), facts.join());
  });

  it("V2: compares the turbines by the month against its season, on the map and in a sentence", async () => {
    const page = await fleetOn();
    const headlines = await readTexts(page, ".headline strong");
    const shares = headlines.map(parseFloat);
    const [marker] = (await readTexts(page, ".marker")).filter((text) => text.endsWith("%"));
    assert(headlines.includes(marker), `${marker} is not of ${headlines}`);
    assertMatch(
      (await readTexts(page, "#summary"))[0],
      new RegExp(
        `7 of them had between ${Math.min(...shares)}\\s% and ${
          Math.max(...shares)
        }\\s% of the energy of a normal December`,
      ),
    );
  });

  it("says SYNTHETIC on the page, on the map and in each chart", async () => {
    const page = await fleetOn();
    assertMatch((await readTexts(page, ".synthetic"))[0], /^SYNTHETIC/);
    assertEquals(await readTexts(page, "#map .stamp"), ["SYNTHETIC"]);
    await page.value(`document.querySelector(".chart-space").scrollIntoView()`);
    await page.until(`document.querySelector(".chart")`);
    assertEquals((await readTexts(page, ".chart .stamp"))[0], "SYNTHETIC");
  });

  it("is another colour in the dark", async () => {
    const ground = `getComputedStyle(document.body).backgroundColor`;
    const light = await browser.page({ media: { "prefers-color-scheme": "light" } });
    const dark = await browser.page({ media: { "prefers-color-scheme": "dark" } });
    for (const page of [light, dark]) await page.open(`${sample.url}/`);
    assert(await light.value<string>(ground) !== await dark.value<string>(ground));
  });

  it("is used with the keyboard only: key, map, turbine and back", async () => {
    const page = await browser.page();
    await page.open(`${sample.url}/`);
    await page.until(FORM_SHOWN);
    await page.tabTo(`it.className === "skip"`);
    await page.press("Enter", "Tab");
    assertEquals(await page.value(`document.activeElement.id`), "key");
    await page.type(sample.keys.full);
    await page.press("Enter");
    await page.until(ALL_LOADED);
    assertEquals(await page.value(`document.activeElement.id`), "fleet-title");

    await page.tabTo(`it.classList.contains("marker")`);
    const label = `document.activeElement.getAttribute("aria-label")`;
    await page.press("ArrowRight");
    assertMatch(await page.value<string>(label), /turbines: .*Braidlaw Muir 3.*Show them apart/);
    await page.press("End");
    assertMatch(
      await page.value<string>(label),
      /^Karumpatti 14: December 2025: \d+\s% of a normal December, /,
    );
    assertEquals(await readTexts(page, ".map-says"), [await page.value<string>(label)]);
    await page.press("Enter");
    assertEquals(await page.value(`document.activeElement.textContent`), "Karumpatti 14");

    await page.tabTo(`it.textContent === "On the map"`);
    assertMatch(await page.value<string>(label), /^Show Karumpatti 14 on the map$/);
    await page.press("Enter");
    assertMatch(await page.value<string>(label), /^Karumpatti 14: /);
    await page.press("Escape");
    assertEquals(await page.value(`document.querySelector(".map-foot button").hidden`), true);
  });

  it("shows turbines apart that cover each other on the map", async () => {
    const page = await fleetOn();
    await page.until(`document.querySelector(".marker.several")`);
    await page.tabTo(`it.classList.contains("marker")`);
    await page.press("ArrowRight", "Enter");
    assertEquals(await page.value(`document.querySelector(".map-foot button").hidden`), false);
    const labels = await page.value<string[]>(
      `[...document.querySelectorAll(".marker")].map((it) => it.getAttribute("aria-label"))`,
    );
    assert(
      labels.some((label) => label.startsWith("Braidlaw Muir 3: December 2025: ")),
      labels.join("\n"),
    );
  });

  it("says what is wrong with a key, and takes the next one", async () => {
    const page = await browser.page();
    await enterKey(page, sample.url, sample.keys.unknown);
    await page.until(`document.querySelector("#key-problem").textContent`);
    assertMatch((await readTexts(page, "#key-problem"))[0], /not accepted.*ask the operator/);
    assertEquals(await page.value(`document.activeElement.id`), "key");
    assertEquals(await page.value(`document.querySelector("#key").ariaInvalid`), "true");
    await page.value(`document.querySelector("#key").value = ""`);
    await page.type(sample.keys.t2);
    await page.press("Enter");
    await page.until(`document.querySelector(".headline")`);
    assertEquals(await readTexts(page, "#fleet-title"), ["1 turbine"]);
    assertEquals(await readTexts(page, "h3"), ["Hedegaarden"]);
  });

  it("says that a licence covers no turbine", async () => {
    const page = await browser.page();
    await enterKey(page, sample.url, sample.keys.nothing);
    await page.until(`document.querySelector("#key-problem").textContent`);
    assertMatch((await readTexts(page, "#key-problem"))[0], /covers no turbine/);
  });

  it("says that the service does not answer", async () => {
    const page = await browser.page();
    await page.open(`${sample.url}/`);
    await page.until(FORM_SHOWN);
    await page.send("Network.emulateNetworkConditions", {
      offline: true,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
    await page.tabTo(`it.id === "key"`);
    await page.type(sample.keys.full);
    await page.press("Enter");
    await page.until(`document.querySelector("#key-problem").textContent`);
    assertMatch((await readTexts(page, "#key-problem"))[0], /did not answer.*try again/);
  });

  it("says that the answer is not from the service, of the list and of a turbine", async () => {
    for (
      const [path, body] of [
        ["turbines", "{}"],
        ["turbines", "null"],
        ["turbines", '[{"id":1}]'],
        ["turbines", "<!DOCTYPE html>"],
        ["turbine_details", "null"],
        ["turbine_details", "[]"],
        ["wind_indices", "<!DOCTYPE html>\n<p>Sign in</p>\n"],
      ] as const
    ) {
      const page = await browser.page();
      const wrong = JSON.stringify({ [path]: body });
      await page.open(`${sample.url}/`);
      // As a page in between would do it: some operations get other answers.
      await page.value(`(() => {
        const { operations } = JSON.parse(document.querySelector("#contract").textContent);
        const wrong = ${wrong};
        const honest = fetch;
        globalThis.fetch = async (path, how) => {
          for (const [name, body] of Object.entries(wrong)) {
            const form = operations[name].path.replaceAll(/\\{[^}]*\\}/g, "[^/]+");
            if (new RegExp("^" + form + "$").test(path)) return new Response(body);
          }
          return await honest(path, how);
        };
      })()`);
      await page.until(FORM_SHOWN);
      await page.tabTo(`it.id === "key"`);
      await page.type(sample.keys.t2);
      await page.press("Enter");
      const says = path === "turbines" ? "#key-problem" : ".card";
      await page.until(`document.querySelector(${JSON.stringify(says)})?.textContent
        .includes("is not from this service")`);
      if (path !== "turbines") await page.until(`document.querySelector(".card button")`);
      assertEquals(page.console, [], `${path} ${body}`);
    }
  });

  it("sends the key in its header only, and stores it nowhere", async () => {
    const page = await fleetOn();
    const { full } = sample.keys;
    assert(page.sent.some(({ headers }) => headers[KEY_HEADER] === full));
    for (const { url, headers } of page.sent) {
      assert(!url.includes(full), "a key in an address");
      assert(headers[KEY_HEADER] === undefined || new URL(url).origin === sample.url);
    }
    assertEquals(await page.value(`localStorage.length + sessionStorage.length`), 0);
    assertEquals(await page.value(`document.cookie`), "");
    assert(!(await page.value<string>(`document.documentElement.outerHTML`)).includes(full));
    assertEquals(await page.value(`document.querySelector("#key").value`), "");
    await page.value(`document.querySelector("#forget").click()`);
    assertEquals(await readTexts(page, "#cards, #map"), ["", ""]);
  });
});
