import { assert, assertEquals, assertMatch } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import axe from "axe-core";
import { operations } from "../../../src/api/operations/operations.ts";
import { FAILED_ATTEMPTS } from "../../../src/service/limits/login_throttle.ts";
import { listErrorStatements, listParameterStatements } from "../../../src/service/pages/pages.ts";
import { listServiceLimits } from "../../../src/service/pages/service_limits.ts";
import { type ServedSample, serveSample } from "../_sample.ts";
import { Browser, CHROMIUM } from "./_browser.ts";
import { foreignRequests, overflowing } from "./_start_page.ts";

describe("what the contract says of limits", () => {
  it("names every parameter of every operation once, with its source", () => {
    const said = listParameterStatements();
    for (const { id, parameters } of operations) {
      for (const { name, tag } of parameters) {
        const found = said.filter((one) => one.name === name && one.where.includes(id));
        assertEquals(found.map((one) => one.tag), [tag], `${id} ${name}`);
      }
    }
  });

  it("names every error status of every operation once, with its source", () => {
    const said = listErrorStatements();
    for (const { id, errors } of operations) {
      for (const { status, condition, tag } of errors) {
        const found = said.filter((one) =>
          one.name === String(status) && one.says === condition && one.where.includes(id)
        );
        assertEquals(found.map((one) => one.tag), [tag], `${id} ${status}`);
      }
    }
  });
});

describe("listServiceLimits()", () => {
  it("shows the limits as they are enforced", () => {
    const allowed = listServiceLimits().map(({ allowed }) => allowed);
    assertEquals(allowed.slice(0, 4), [
      `${FAILED_ATTEMPTS} within a minute`,
      "4",
      "150 km",
      "7 days",
    ]);
  });

  it("R6: says that a customer's oldest key ends with the eleventh", () => {
    const keys = listServiceLimits().filter(({ what }) => what.includes("Keys"));
    assertEquals(keys.map(({ allowed, beyond }) => [allowed, beyond]), [
      ["10", "the oldest of them ends"],
    ]);
  });

  it("shows those that a service was started with", () => {
    const [attempts] = listServiceLimits({ failedAttempts: 3 });
    assertEquals(attempts.allowed, "3 within a minute");
    assertEquals(listServiceLimits({ failedAttempts: Infinity })[0].allowed, "not limited");
  });
});

(CHROMIUM ? describe : describe.ignore)("the limits page", () => {
  let sample: ServedSample;
  let browser: Browser;
  beforeAll(async () => {
    sample = await serveSample({ failedAttempts: 7, contact: "wind & <b>co</b>" });
    browser = await Browser.start();
  });
  afterAll(async () => {
    await browser.close();
    await sample.close();
  });

  for (const width of [1280, 360]) {
    it(`is read at ${width} px, and loads nothing from elsewhere`, async () => {
      const page = await browser.page({ width });
      await page.open(`${sample.url}/limits`);
      assertEquals(await overflowing(page), []);
      assertEquals([page.console, foreignRequests(page, sample.url)], [[], []]);
      await page.value(`${axe.source}; 0`);
      const barriers = `axe.run().then(({ violations }) => violations.map(({ id }) => id))`;
      assertEquals(await page.value(barriers), []);
    });
  }

  it("says what this service was started with", async () => {
    const { text } = await sample.ask("/limits");
    assertMatch(text, /7 within a minute/);
    assert(text.includes("contact wind &amp; &lt;b&gt;co&lt;/b&gt; for a license"));
  });
});
