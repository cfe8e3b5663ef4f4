/**
 * AN3 and AN8: what a report is on paper agrees with its other forms, and is laid out so that it can be read. The data of the
 * real sites are no part of the project: without them these tests are ignored, and say so.
 *
 * @module
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { type FleetReport, fleetReport, type Paper, savePdf } from "../../src/report/mod.ts";
import { CHROMIUM } from "../service/pages/_browser.ts";
import { dataPresent } from "../validate/_site_data.ts";
import { reportOnKelmarsh, reportOnMeasured, reportOnSample, reportOnYears } from "./_fleets.ts";
import {
  collectJson,
  type Figures,
  findDifferences,
  type Forms,
  listSentences,
  readFigure,
  readForms,
  squeeze,
} from "./_forms.ts";
import { findRow, PDFTOTEXT, readSheets, type Sheet } from "./_paper.ts";
import { fleet, MONTH } from "./_report.ts";

const isReady = CHROMIUM !== undefined && PDFTOTEXT;
const described = isReady ? describe : describe.ignore;
if (!isReady) console.log("No Chromium or no pdftotext on this machine: no report is printed");

/** Fewest words of a sheet, and points between two cells. */
const [MIN_WORDS, MIN_GAP] = [40, 2];

const PAPERS: readonly Paper[] = ["A4", "Letter"];

let folder: string;

/** Prints a report and reads its sheets. */
async function print(
  report: Parameters<typeof savePdf>[0],
  paper: Paper,
): Promise<readonly Sheet[]> {
  const path = `${folder}/${crypto.randomUUID()}.pdf`;
  await savePdf(report, path, { paper });
  return await readSheets(path);
}

const textOf = (sheets: readonly Sheet[]) =>
  squeeze(sheets.flatMap(({ words }) => words.map(({ text }) => text)).join(""));

/** The sheets of each page: of a turbine those from its title on. */
function splitSheets(sheets: readonly Sheet[], json: Forms["json"]): Map<string, Sheet[]> {
  const titles = [...json].filter(([path]) => path !== "index");
  const pages = new Map<string, Sheet[]>([["index", []]]);
  let own = "index";
  for (const sheet of sheets) {
    const [first] = sheet.lines;
    const title = first.map(({ text }) => text).join(" ");
    own = titles.find(([, { title: name }]) => name === title)?.[0] ?? own;
    if (!pages.has(own)) pages.set(own, []);
    pages.get(own)!.push(sheet);
  }
  return pages;
}

/** Asserts that no sheet is nearly empty, and that each turbine has one. */
function assertSheets(pages: ReadonlyMap<string, readonly Sheet[]>, turbines: number): void {
  assertEquals(pages.size, 1 + turbines);
  for (const [path, sheets] of pages) {
    if (path !== "index") assertEquals(sheets.length, 1, `${path} has ${sheets.length} sheets`);
    sheets.forEach(({ words }, i) =>
      assert(words.length >= MIN_WORDS, `${path}: ${words.length} words on sheet ${i + 1}`)
    );
  }
}

/** Reads the figures of a report on paper: each row that its pages show must be there, its cells apart. */
function readPaper(pages: ReadonlyMap<string, readonly Sheet[]>, { html }: Forms): Figures {
  const found: Figures = new Map();
  for (const [path, sheets] of pages) {
    const text = textOf(sheets);
    for (const [name, { heads, rows }] of html.get(path)!.tables) {
      for (const row of rows) {
        const keyOf = (i: number) => `${path} / ${name} / ${row[0]} / ${heads[i]}`;
        if (["headline", "sentences", "strip"].includes(name)) {
          // A label and its figure: what stands between them are the lines of the label itself.
          const label = name === "headline" ? "" : squeeze(row[0]);
          assertStringIncludes(text, label + squeeze(row[1]), keyOf(1));
          found.set(keyOf(1), readFigure(row[1]));
          continue;
        }
        const shown = row.map((cell, i) => heads[i] === "12 months" && cell !== "–" ? "" : cell);
        const printed = findRow(sheets, shown);
        assert(printed, `${path}, ${name}: the row of ${row[0]} is not on paper: ${shown}`);
        const narrow = printed.gaps.filter((gap) => gap < MIN_GAP);
        assertEquals(narrow, [], `${path}, ${name}: cells of ${row[0]} touch`);
        const places = [...row.keys()].filter((i) => i > 0 && shown[i] !== "");
        places.forEach((i, j) => {
          const cell = printed.cells[j + 1];
          if (heads[i] === "12 months") return;
          if (heads[i] !== "90 % interval") return void found.set(keyOf(i), readFigure(cell));
          const ends = cell.split(" to ");
          found.set(`${keyOf(i)}, from`, readFigure(ends[0]));
          found.set(`${keyOf(i)}, to`, readFigure(ends.at(-1)!));
        });
      }
    }
  }
  return found;
}

/** Compares a report on paper with its data. */
async function comparePaper(name: string, report: FleetReport, paper: Paper): Promise<number> {
  const forms = await readForms(report);
  const pages = splitSheets(await print(report, paper), forms.json);
  assertSheets(pages, report.turbines.length);
  const { compared: figures, differ } = findDifferences(
    readPaper(pages, forms),
    collectJson(forms.json),
  );
  assertEquals(differ, []);
  let compared = figures;
  for (const [path, page] of forms.json) {
    const text = textOf(pages.get(path)!);
    for (const sentence of listSentences(page)) {
      assertStringIncludes(text, squeeze(sentence), path);
      compared += sentence.match(/\d[\d.,]*/g)?.length ?? 0;
    }
  }
  console.log(`AN3, ${name}: ${compared} figures compared on ${paper}`);
  return compared;
}

const check = dataPresent() ? it : it.ignore;
const named = (name: string) =>
  dataPresent() ? name : `${name} (skipped: ../shared/data is not here)`;

described("AN3, AN8: a report on paper", () => {
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
  });
  afterAll(async () => await Deno.remove(folder, { recursive: true }));

  it("agrees on the sample with the other forms, a turbine on a sheet", async () => {
    for (const paper of PAPERS) {
      assert(await comparePaper("the sample", await reportOnSample(), paper) > 1100);
    }
    const measured = await reportOnMeasured();
    assert(await comparePaper("turbines with production", measured, "A4") > 1000);
  });

  check(named("agrees on Kelmarsh"), async () => {
    for (const paper of PAPERS) {
      assert(await comparePaper("Kelmarsh", await reportOnKelmarsh(), paper) > 600);
    }
  });

  check(named("agrees on Horns Rev"), async () => {
    assert(await comparePaper("Horns Rev", await reportOnYears(), "A4") > 150);
  });

  for (const paper of PAPERS) {
    it(`has no sheet with nearly nothing on ${paper}, whatever the number of turbines`, async () => {
      for (const count of [1, 2, 5, 9, 13, 21, 24, 60]) {
        const sheets = await print(fleetReport(fleet(count), { month: MONTH }), paper);
        const few = sheets.map(({ words }) => words.length).filter((words) => words < MIN_WORDS);
        assertEquals(few, [], `${count} turbines`);
        const titles = sheets.filter(({ lines }) =>
          /^Park [A-Z] \d+$/.test(lines[0].map(({ text }) => text).join(" "))
        );
        assertEquals(titles.length, count);
        const first = sheets.indexOf(titles[0]);
        assertEquals(sheets.length - first, count, "a turbine takes more than a sheet");
      }
    });
  }
});
