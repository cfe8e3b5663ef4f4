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
  chartsShown,
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

/** Problems that axe finds in a page. */
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
    it(`W1: has a mark for each place, without overlaps, as wide as the page (${width} px)`, async () => {
      const page = await fleetOn({ width });
      const picture = Deno.env.get("VINDKIT_PICTURES");
      if (picture) await Deno.writeFile(`${picture}/map_${width}.png`, await page.picture());
      const marks = await page.value<[string, number, number][]>(
        `[...document.querySelectorAll("#map a")].map((it) => {
          const { x, y, width, height } = it.querySelector("path").getBoundingClientRect();
          return [it.getAttribute("aria-label"), x + width / 2, y + height / 2];
        })`,
      );
      const counts = marks.map(([label]) => Number(/^(\d+) turbines/.exec(label)?.[1] ?? 1));
      assertEquals(counts.reduce((sum, count) => sum + count), 8);
      marks.forEach(([label, x, y], i) => {
        for (const [other, u, v] of marks.slice(i + 1)) {
          assert(Math.hypot(u - x, v - y) >= 8, `${label} is over ${other}`);
        }
      });
      const [map, frame] = await page.value<number[]>(
        `["#map svg", "#map .map-frame"].map((it) => document.querySelector(it).clientWidth)`,
      );
      assert(map <= frame && map > 0.85 * frame, `${map} px in ${frame} px`);
    });
  }

  for (
    const [kind, options] of [
      ["on a wide screen", {}],
      ["on a phone", { width: 360, height: 740 }],
      ["in the dark", { media: { "prefers-color-scheme": "dark" } }],
    ] as const
  ) {
    it(`shows the turbines ${kind}, and loads nothing from other hosts`, async () => {
      const page = await fleetOn(options);
      assertEquals(await readTexts(page, "h3"), [
        "Valdecierzo 5",
        "Hedegaarden",
        "Karumpatti 14",
        "Braidlaw Muir 3",
        "Graagrund park",
        "Vesterklit Rev 1",
        "Hohenfelder Moor 2",
        "Granhult 1",
      ]);
      assertEquals(page.console, []);
      assertEquals(foreignRequests(page, sample.url), []);
      assertEquals(await overflowing(page), []);
      assertEquals(await barriers(page), []);
    });
  }

  it("has no overflow if all figures are open on a phone", async () => {
    const page = await fleetOn({ width: 360, height: 740 });
    await page.until(chartsShown(7));
    await page.value(`document.querySelectorAll("details").forEach((it) => it.open = true)`);
    assertEquals(await overflowing(page), []);
  });

  it("shows the figures of the API", async () => {
    const page = await fleetOn();
    const { text } = await sample.ask("/wind-index/calibrated/wind_indices/T1/2025/12/", {
      key: sample.keys.full,
    });
    const { monthIndex, month_abnormality_index, last12_month_index: last12 } = JSON.parse(text);
    const [headline] = await readTexts(page, "#turbine-1 .headline");
    assertEquals(
      headline,
      `${Math.round(month_abnormality_index)}\u00a0%of a normal December, in 2025`,
    );
    const [, label] = (await page.value<string[]>(
      `[...document.querySelectorAll("#turbine-1 dl")].map((it) => it.textContent)`,
    ))[0].match(/Last 12 months index\s*(\d+)/)!;
    assertEquals(label, String(Math.round(last12)));
    const facts = (await readTexts(page, "#turbine-1 dl div")).map((text) =>
      text.replaceAll(/\n\s*/g, "")
    );
    assert(facts.includes(`Month index${Math.round(monthIndex)}\u00a0%`), facts.join());
  });

  it("V2: compares the turbines' month with its season, on the map and in a sentence", async () => {
    const page = await fleetOn();
    const headlines = await readTexts(page, ".headline strong");
    const shares = headlines.map(parseFloat);
    const labels = await page.value<string[]>(
      `[...document.querySelectorAll("#map a")].map((it) => it.getAttribute("aria-label"))`,
    );
    const [, mark] = labels.flatMap((label) => /2025: (\d+\s%) of a/.exec(label) ?? []);
    assert(headlines.includes(mark), `${mark} is not of ${headlines}`);
    assertMatch(
      (await readTexts(page, "#summary"))[0],
      new RegExp(
        `7 of them had between ${Math.min(...shares)}\\s% and ${
          Math.max(...shares)
        }\\s% of the energy of a normal December`,
      ),
    );
  });

  it("AN7 sorts the cards by the latest month, the weakest first, on one scale", async () => {
    const page = await fleetOn({ height: 3000 });
    const shares = (await readTexts(page, ".headline strong")).map(parseFloat);
    assertEquals(shares, shares.toSorted((a, b) => a - b));
    assertEquals((await readTexts(page, ".card:last-child .headline")).length, 0);
    await page.until(chartsShown(7));
    const scales = await page.value<string[]>(
      `[...document.querySelectorAll(".chart-space svg")].map((it) =>
        [...it.querySelectorAll(".role-axis")].at(-1).textContent.replaceAll(/[^\\d ]/g, ""))`,
    );
    assertEquals(new Set(scales).size, 1, scales.join("; "));
    assert(scales[0].length > 5, scales[0]);
  });

  it("AN7 has the figure of each mark as its label, and prints it if there is room", async () => {
    for (const width of [1280, 390]) {
      const page = await fleetOn({ width });
      const labels = await page.value<string[]>(
        `[...document.querySelectorAll("#map a")].map((it) => it.getAttribute("aria-label"))`,
      );
      for (const label of labels) assertMatch(label, /\d\s% (of a normal|and \d+\s%)|No index yet/);
      assert((await readTexts(page, "#map svg text")).includes("Valdecierzo 5: 67 %"));
    }
  });

  it("says SYNTHETIC on the page, on the map and in each chart", async () => {
    const page = await fleetOn();
    assertMatch((await readTexts(page, ".synthetic"))[0], /^SYNTHETIC/);
    await page.until(chartsShown(7));
    const pictures = await readTexts(page, "#map svg, .chart-space svg");
    assertEquals(pictures.filter((text) => !text.includes("SYNTHETIC")), []);
    assertEquals(pictures.length, 8);
  });

  it("has other colours in dark mode", async () => {
    const ground = `getComputedStyle(document.body).backgroundColor`;
    const light = await browser.page({ media: { "prefers-color-scheme": "light" } });
    const dark = await browser.page({ media: { "prefers-color-scheme": "dark" } });
    for (const page of [light, dark]) await page.open(`${sample.url}/`);
    assert(await light.value<string>(ground) !== await dark.value<string>(ground));
  });

  it("works with the keyboard only: key, map, turbine and back", async () => {
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

    await page.tabTo(`it.closest("#map a")`);
    const label = `document.activeElement.getAttribute("aria-label")`;
    assertMatch(await page.value<string>(label), /turbines: Vesterklit.*Show them separately/);
    await page.press("End", "ArrowLeft");
    assertMatch(
      await page.value<string>(label),
      /^Valdecierzo 5: /,
    );
    await page.press("ArrowLeft");
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
    await page.until(`${label}?.startsWith("Karumpatti 14: ")`);
    await page.press("Escape");
    assertEquals(await page.value(`document.querySelector(".map-foot button").hidden`), true);
  });

  it("shows turbines apart that cover each other on the map", async () => {
    const page = await fleetOn();
    await page.tabTo(`it.closest("#map a")`);
    await page.press("Enter");
    await page.until(`!document.querySelector(".map-foot button").hidden`);
    const labels = await page.value<string[]>(
      `[...document.querySelectorAll("#map a")].map((it) => it.getAttribute("aria-label"))`,
    );
    assertEquals(labels.length, 3);
    assert(
      labels.some((label) => label.startsWith("Hedegaarden: December 2025: ")),
      labels.join("\n"),
    );
  });

  it("explains what is wrong with a key, and accepts the next one", async () => {
    const page = await browser.page();
    await enterKey(page, sample.url, sample.keys.unknown);
    await page.until(`document.querySelector("#key-problem").textContent`);
    assertMatch(
      (await readTexts(page, "#key-problem"))[0],
      /does not know this key.*ask the operator/,
    );
    assertEquals(await page.value(`document.activeElement.id`), "key");
    assertEquals(await page.value(`document.querySelector("#key").ariaInvalid`), "true");
    await page.value(`document.querySelector("#key").value = ""`);
    await page.type(sample.keys.t2);
    await page.press("Enter");
    await page.until(`document.querySelector(".headline")`);
    assertEquals(await readTexts(page, "#fleet-title"), ["1 turbine"]);
    assertEquals(await readTexts(page, "h3"), ["Hedegaarden"]);
  });

  it("reports that a licence covers no turbine", async () => {
    const page = await browser.page();
    await enterKey(page, sample.url, sample.keys.nothing);
    await page.until(`document.querySelector("#key-problem").textContent`);
    assertMatch((await readTexts(page, "#key-problem"))[0], /does not cover any turbine/);
  });

  it("reports that the service does not answer", async () => {
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

  it("reports that an answer is not from the service, for the fleet and for a chart", async () => {
    for (const [part, says] of [["/fleet?", "#key-problem"], ["/fleet/turbines/", ".card"]]) {
      const page = await browser.page();
      await page.open(`${sample.url}/`);
      // some addresses get other answers, as from a login page in between
      await page.value(`(() => {
        const honest = fetch;
        globalThis.fetch = async (address, how) =>
          String(address).includes(${JSON.stringify(part)})
            ? new Response("<!DOCTYPE html>\\n<p>Sign in</p>")
            : await honest(address, how);
      })()`);
      await page.until(FORM_SHOWN);
      await page.tabTo(`it.id === "key"`);
      await page.type(sample.keys.t2);
      await page.press("Enter");
      await page.until(`document.querySelector(${JSON.stringify(says)})?.textContent
        .includes("is not from this service")`);
      if (says === ".card") await page.until(`document.querySelector(".chart-space button")`);
      assertEquals(page.console, [], part);
    }
  });

  it("sends the key only in its header, and stores it nowhere", async () => {
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
    assertEquals(await readTexts(page, "#fleet"), [""]);
  });
});
