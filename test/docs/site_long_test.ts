/**
 * The site as people meet it: built by its task, opened from the disk, in the light and in the dark, on a phone and on
 * paper; and the page in which the engine runs, beside the same engine in Deno.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import axe from "axe-core";
import { connect, monthlyIndices } from "../../mod.ts";
import { LearningTurbine, type Settings } from "../../site/learn/model.ts";
import { readPdfText } from "../_pdf_text.ts";
import { Browser, CHROMIUM, type Page, type PageOptions } from "../service/pages/_browser.ts";
import { readTexts } from "../service/pages/_start_page.ts";

const ROOT = new URL("../../", import.meta.url);
const SITE = new URL("out/site/", ROOT);

/** Most bytes of the site. */
const MAX_SIZE = 15e6;

/** Files of the site that have an ending. */
function filesBelow(folder: URL, ending: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory
      ? filesBelow(new URL(`${name}/`, folder), ending)
      : name.endsWith(ending)
      ? [new URL(name, folder).href.slice(SITE.href.length)]
      : []
  ).sort();
}

const KINDS: Readonly<Record<string, PageOptions>> = {
  "at 1440 px, in the light": { width: 1440, height: 900 },
  "at 390 px, in the dark": {
    width: 390,
    height: 844,
    media: { "prefers-color-scheme": "dark" },
  },
};

/** A page of each kind. */
const PAGES = [
  "index.html",
  "docs/frames.html",
  "notebooks/1_first_look.html",
  "api/cli.html",
  "src/cli/answers/check_questions.ts.html",
  "learn.html",
];

const COMPUTED = `document.querySelector("#figures td")`;

async function open(page: Page, path: string): Promise<void> {
  await page.open(new URL(path, SITE).href);
  if (path === "learn.html") await page.until(COMPUTED);
}

async function findBarriers(page: Page): Promise<string[]> {
  await page.value(`${axe.source}; 0`);
  // Its preload asks for the style sheets again, which the policy of the pages refuses.
  return await page.value<string[]>(
    `axe.run({ preload: false }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + " " + nodes[0].html))`,
  );
}

describe("the site", () => {
  let said: string;

  beforeAll(async () => {
    const { success, stdout, stderr } = await new Deno.Command("deno", {
      args: ["task", "-q", "site"],
      cwd: ROOT,
      env: { NO_COLOR: "1" },
    }).output();
    assert(success, new TextDecoder().decode(stderr));
    said = new TextDecoder().decode(stdout);
  });

  it("is built by its task, with the permissions that it has, and stays small", () => {
    assertMatch(said, /^\d+ pages with \d+ links, [\d.]+ MB, written: out\/site\/index\.html\n$/);
    const sizes = filesBelow(SITE, "").map((path) => Deno.statSync(new URL(path, SITE)).size);
    const size = sizes.reduce((sum, each) => sum + each, 0);
    assert(size < MAX_SIZE, `${size} bytes`);
  });

  it("has a page for every page of the docs, every notebook, every entry of the package", () => {
    const pages = filesBelow(SITE, ".html");
    const docs = filesBelow(new URL("docs/", ROOT), ".md");
    const { exports } = JSON.parse(Deno.readTextFileSync(new URL("deno.json", ROOT)));
    assertEquals(pages.filter((path) => path.startsWith("docs/")).length, docs.length);
    assertEquals(pages.filter((path) => path.startsWith("notebooks/")).length, 8);
    assertEquals(
      pages.filter((path) => path.startsWith("api/")).length,
      Object.keys(exports).length,
    );
  });

  it("has no link that leads nowhere, as its files are on the disk", () => {
    const texts = new Map(
      filesBelow(SITE, "").map((path) => [path, Deno.readTextFileSync(new URL(path, SITE))]),
    );
    const broken = [...texts].filter(([path]) => path.endsWith(".html")).flatMap(([path, text]) =>
      [...text.matchAll(/\s(?:href|src)="([^"]+)"/g)].map(([, address]) =>
        new URL(address, new URL(path, SITE))
      )
        .filter(({ protocol }) => protocol === "file:")
        .filter((target) => {
          const html = texts.get(decodeURI(target.href.split("#")[0].slice(SITE.href.length)));
          const part = decodeURI(target.hash.slice(1));
          return html === undefined || part !== "" && !html.includes(`id="${part}"`);
        }).map((target) => `${path}: ${target.href}`)
    );
    assertEquals(broken, []);
  });
});

const described = CHROMIUM ? describe : describe.ignore;
if (!CHROMIUM) console.log("No Chromium on this machine: the site is not opened in a browser");

described("the site, from the disk", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await Browser.start();
  });
  afterAll(() => browser.close());

  for (const path of PAGES) {
    it(`is read at 1440 and 390 px, in the light and in the dark, without barriers: ${path}`, async () => {
      const page = await browser.page();
      await open(page, path);
      for (const [kind, options] of Object.entries(KINDS)) {
        await page.show(options);
        assertEquals(await findBarriers(page), [], kind);
        const fits = `((it) => it.scrollWidth <= it.clientWidth)(document.documentElement)`;
        assert(await page.value(fits), `it scrolls sideways ${kind}`);
      }
      assertEquals(page.console, []);
    });
  }

  it("says nothing on the console and asks for nothing elsewhere, on any page", async () => {
    const page = await browser.page();
    for (const path of filesBelow(SITE, ".html")) await page.open(new URL(path, SITE).href);
    assertEquals(page.console, []);
    assertEquals(page.requests.filter((address) => !address.startsWith(SITE.href)), []);
  });

  it("has no text below 7 pt on paper, and no list of pages", async () => {
    const page = await browser.page({ media: { "prefers-color-scheme": "dark" } });
    for (const path of ["index.html", "learn.html"]) {
      await open(page, path);
      const { data } = await page.send("Page.printToPDF", { preferCSSPageSize: true });
      const { texts } = readPdfText(Uint8Array.fromBase64(data as string));
      assert(texts.length > 0);
      assertEquals(texts.filter(({ size }) => size < 7), [], path);
      await page.send("Emulation.setEmulatedMedia", { media: "print" });
      const shown = `getComputedStyle(document.querySelector("nav")).display`;
      assertEquals(await page.value(shown), "none");
    }
  });

  it("is searched by keyboard, without a server", async () => {
    const page = await browser.page();
    await open(page, "docs/decisions/README.html");
    await page.tabTo(`it.id === "search"`);
    await page.type("wind shear");
    await page.until(`document.querySelector("#results a")`);
    assertMatch((await readTexts(page, "#found"))[0], /^\d+ found$/);
    await page.type("zzqq");
    await page.until(`document.querySelector("#found").textContent === "Nothing found"`);
    await page.value(`document.querySelector("#search").value = ""; 0`);
    await page.type("monthlyIndices");
    await page.until(
      `document.querySelector('#results a[href="../../api/mod.html#monthlyIndices"]')`,
    );
    await page.press("Escape");
    assertEquals(await page.value(`document.querySelector("#results").hidden`), true);
    assertEquals(page.console, []);
  });
});

/** Figures of the page in full, by their names. */
type Shown = Readonly<Record<string, number | null>>;

described("the page in which the engine runs", () => {
  let browser: Browser;
  let page: Page;
  const model = new LearningTurbine();

  beforeAll(async () => {
    browser = await Browser.start();
    page = await browser.page({ width: 390, height: 844 });
    await open(page, "learn.html");
  });
  afterAll(() => browser.close());

  const readSettings = async (): Promise<Settings> =>
    JSON.parse(await page.value(`document.querySelector("#settings").dataset.settings`));

  const readShown = () =>
    page.value<Shown>(`Object.fromEntries([...document.querySelectorAll("#figures td[id]")]
      .map((cell) => [cell.id, Number(cell.dataset.value)]))`);

  /** Sees that the figures of the page are those of Deno, to the last digit. */
  async function assertSame(): Promise<void> {
    const { months, normals, modelledShare } = model.compute(await readSettings());
    const [year, month] = await page.value<number[]>(
      `["year", "month"].map((id) => Number(document.getElementById(id).value))`,
    );
    const shownMonth = months.find((each) => each.year === year && each.month === month)!;
    assertEquals(await readShown(), {
      month_index: shownMonth.month_index,
      month_abnormality_index: shownMonth.month_abnormality_index,
      last12_month_index: shownMonth.last12_month_index,
      predicted_production: shownMonth.predicted_production,
      normal_year: normals.year / 1000,
      modelled_share: modelledShare,
    });
  }

  /** Does something and waits until the page has computed with other settings. */
  async function change(act: () => Promise<unknown>): Promise<Settings> {
    const before = JSON.stringify(await readSettings());
    await act();
    await page.until(
      `document.querySelector("#settings").dataset.settings !== ${JSON.stringify(before)}`,
    );
    return readSettings();
  }

  it("begins with the figures that the sample has of T2", async () => {
    await assertSame();
    const figures = model.compute(model.start());
    await using connection = connect({ sample: true });
    const served = await monthlyIndices("T2", { connection });
    const column = (name: string) => served.getColumn(name).toArray() as number[];
    for (const name of ["month_index", "last12_month_index", "predicted_production"] as const) {
      const computed = figures.months.map((month) => month[name]);
      const places = name === "predicted_production" ? 3 : 2;
      const rounded = (values: readonly (number | null)[]) =>
        values.map((value) => value === null ? null : value.toFixed(places));
      assertEquals(rounded(computed).slice(-column(name).length), rounded(column(name)), name);
    }
  });

  it("AN10 explains a month near 87 % with the figures of the table", async () => {
    const [sentence] = await readTexts(page, "#sentence");
    assertMatch(sentence, /^In \w+ \d{4} the wind offered [\d.]+ MWh\. .* = (86|87)\.\d %\. /);
    const { month_index, month_abnormality_index } = await readShown();
    const shares = [...sentence.matchAll(/([\d.]+) \/ ([\d.]+) = ([\d.]+) %/g)].map(([, ...all]) =>
      all
    );
    assertEquals(shares.map(([, , share]) => share), [
      month_index!.toFixed(1),
      month_abnormality_index!.toFixed(1),
    ]);
    for (const [energy, normal, share] of shares.map((all) => all.map(Number))) {
      assert(Math.abs(100 * energy / normal - share) < 0.1, `${energy} / ${normal} = ${share} %`);
    }
    assertStringIncludes((await readTexts(page, "#answer"))[0], "Index of ");
  });

  for (const id of ["k", "smoothing", "hubHeight", "density"] as const) {
    it(`computes as Deno does when the arrow keys move ${id}`, async () => {
      const before = (await readSettings())[id];
      const line = await page.value(`document.querySelector("#curve-chart").innerHTML`);
      const after = await change(async () => {
        await page.value(`document.getElementById("${id}").focus(); 0`);
        await page.press("ArrowLeft");
      });
      assert(after[id] < before, `${after[id]} < ${before}`);
      await assertSame();
      const moved = await page.value(`document.querySelector("#curve-chart").innerHTML`);
      assertEquals(moved === line, id === "k", "k changes the wind, not the curve");
    });
  }

  it("computes as Deno does when power control and reference period change", async () => {
    const pitch = await change(() =>
      page.value(`document.querySelector("input[value=pcPitch]").click()`)
    );
    assertEquals(pitch.powerControl, "pcPitch");
    const choose = (id: string, year: number) => () =>
      page.value(`(() => { const field = document.getElementById("${id}"); field.value = "${year}";
        field.dispatchEvent(new Event("change")); })()`);
    const [from, to] = [await change(choose("from", 2019)), await change(choose("to", 2023))];
    assertEquals([from.from, to.to], [2019, 2023]);
    await assertSame();
    const swapped = await change(choose("from", 2025));
    assertEquals([swapped.from, swapped.to], [2025, 2025], "a period never ends before it begins");
    await assertSame();
  });

  it("is moved by touch", async () => {
    await page.send("Emulation.setTouchEmulationEnabled", { enabled: true });
    const [x, y] = await page.value<number[]>(`(() => {
      const slider = document.querySelector("#hubHeight");
      slider.scrollIntoView({ block: "center" });
      const { left, width, top, height } = slider.getBoundingClientRect();
      return [left + 0.75 * width, top + height / 2, height];
    })()`);
    const { hubHeight } = await change(() =>
      page.send("Input.synthesizeTapGesture", {
        x: Math.round(x),
        y: Math.round(y),
        gestureSourceType: "touch",
      })
    );
    assert(hubHeight > 100 && hubHeight < 120, `${hubHeight} m`);
    await assertSame();
  });

  it("calibrates as Deno does, and goes back to the start", async () => {
    const press = (id: string) => () => page.value(`document.getElementById("${id}").click()`);
    const fitted = await change(press("fit"));
    assertEquals(model.fit(fitted).k, fitted.k);
    await assertSame();
    assertEquals(await change(press("reset")), model.start());
    await assertSame();
    assertEquals(page.console, []);
    assertEquals(page.requests.filter((address) => !address.startsWith(SITE.href)), []);
  });
});
