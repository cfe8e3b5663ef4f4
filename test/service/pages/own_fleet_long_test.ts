/**
 * The start page on a user's own data: names that are markup, missing or preliminary months, and a fleet of two hundred.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { Browser, CHROMIUM } from "./_browser.ts";
import { type Fleet, serveFleet } from "./_fleet.ts";
import { chartsShown, foreignRequests, openFleet, overflowing, readTexts } from "./_start_page.ts";

const described = CHROMIUM ? describe : describe.ignore;

const MARKUP = `</script><script>alert(1)</script><img src=x onerror="alert(2)">`;

let browser: Browser;
let fleet: Fleet;

described("the start page on data of one's own", () => {
  beforeAll(async () => {
    browser = await Browser.start();
    fleet = await serveFleet([
      {
        id: "K 1/<b>",
        name: MARKUP,
        latitude: 52.4,
        longitude: -0.94,
        absent: ["2025-03"],
        empty: ["2024-11"],
        preliminary: ["2025-11", "2025-12"],
      },
      { id: "K2", name: "Kelmarsh 2", latitude: 52.402, longitude: -0.947 },
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await fleet.close();
  });

  it("shows a name that is markup as text everywhere", async () => {
    const page = await browser.page({ width: 360, height: 740 });
    await openFleet(page, fleet.url, fleet.key);
    assertEquals((await readTexts(page, "h3"))[0], MARKUP);
    assertEquals(await page.value(`document.querySelectorAll("img").length`), 0);
    assertEquals(await page.value(`document.querySelectorAll("script").length`), 1); // its own
    assertMatch((await readTexts(page, "#attribution"))[0], /Weather: <b>somebody<\/b>/);
    assertEquals([page.console, foreignRequests(page, fleet.url)], [[], []]);
    assertEquals(await overflowing(page), []);
  });

  it("leaves a gap for a missing month, and hatches preliminary ones", async () => {
    const page = await browser.page();
    await openFleet(page, fleet.url, fleet.key);
    await page.until(chartsShown(2));
    const chart = `document.querySelector(".card:first-child .chart-space svg")`;
    const says = await page.value<string>(`${chart}.getAttribute("aria-label")`);
    assertMatch(says, /2 of 36 months without data/);
    assertMatch(await page.value<string>(`${chart}.textContent`), /No data.*preliminary/);
    const rows = await readTexts(page, ".card:first-child tbody tr");
    assertEquals(rows.length, 36);
    assert(
      rows.includes("March 2025no\u00a0data".replace("\u00a0", " ") + "no datano data"),
      rows.join("\n"),
    );
    assert(rows.some((row) => row.startsWith("November 2025 (preliminary)")));
    assertMatch((await readTexts(page, ".headline"))[0], /preliminary\s*$/);
  });

  it("does not say SYNTHETIC", async () => {
    const page = await browser.page();
    await openFleet(page, fleet.url, fleet.key);
    assert(!(await page.value<string>(`document.body.innerText`)).includes("SYNTHETIC"));
  });
});

described("the start page of two hundred turbines", () => {
  it("draws only the charts in view, with a few requests at a time", async () => {
    const many = await serveFleet(
      Array.from({ length: 200 }, (_, i) => ({
        id: `W${i}`,
        name: `Windfeld ${i}`,
        latitude: 50 + (i % 20) * 0.3,
        longitude: 5 + Math.floor(i / 20) * 0.5,
      })),
    );
    const browser = await Browser.start();
    try {
      const page = await browser.page();
      await openFleet(page, many.url, many.key);
      assertEquals(await page.value(`document.querySelectorAll(".card").length`), 200);
      const drawn = await page.value<number>(
        `document.querySelectorAll(".chart-space svg").length`,
      );
      assert(drawn < 20, `${drawn} charts are drawn`);
      await page.value(`document.querySelector(".card:last-child").scrollIntoView()`);
      await page.until(`document.querySelector(".card:last-child .chart-space svg")`);
      assertEquals(page.console, []);
    } finally {
      await browser.close();
      await many.close();
    }
  });
});

described("the start page of more turbines than it shows", () => {
  it("shows the first of them, and states the total", async () => {
    const ids = Array.from({ length: 501 }, (_, i) => `W${String(i).padStart(3, "0")}`);
    const many = await serveFleet(
      ids.map((id, i) => ({ id, name: id, latitude: 50 + i / 500, longitude: 5 })),
    );
    const browser = await Browser.start();
    try {
      const page = await browser.page();
      await openFleet(page, many.url, many.key);
      assertEquals(await readTexts(page, "#fleet-title"), ["The first 500 of 501 turbines"]);
      assertEquals((await readTexts(page, "h3")).at(-1), "W499");
      assertEquals(page.requests.filter((address) => address.includes("W500")), []);
      assertEquals(page.console, []);
    } finally {
      await browser.close();
      await many.close();
    }
  });
});
