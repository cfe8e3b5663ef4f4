/**
 * AN3 and AN8: the forms of a report agree on the sample and on real sites, also on paper, whose layout must be legible.
 * Each report is made and read once. The data of the real sites are not part of the project; without them these tests are
 * skipped, and their names say why.
 *
 * Kelmarsh wind farm data, CC-BY-4.0, doi 10.5281/zenodo.5841833; Horns Rev 1: Danish register of wind turbines,
 * Energistyrelsen; ERA5: contains modified Copernicus Climate Change Service information.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { type FleetReport, fleetReport, type Paper, savePdf } from "../../src/report/mod.ts";
import { CHROMIUM } from "../service/pages/_browser.ts";
import { dataPresent } from "../validate/_site_data.ts";
import { assertSameOnBothPages, compareForms, sum } from "./_compare_forms.ts";
import {
  reportOnKelmarsh,
  reportOnLaterMonths,
  reportOnMeasured,
  reportOnSample,
  reportOnYears,
} from "./_fleets.ts";
import {
  collectJson,
  type Figures,
  findDifferences,
  type Forms,
  type Json,
  listSentences,
  readFigure,
  readForms,
  squeeze,
} from "./_forms.ts";
import { findRow, PDFTOTEXT, readSheets, type Sheet } from "./_paper.ts";
import { fleet, MONTH } from "./_report.ts";

const isReady = CHROMIUM !== undefined && PDFTOTEXT;
const described = isReady ? describe : describe.ignore;
const printed = isReady ? it : it.ignore;
if (!isReady) console.log("No Chromium or no pdftotext on this machine: no report is printed");

/** Fewest words of a sheet, and smallest gap between two cells, points. */
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

/** The sheets of each page; a turbine's start at its title. */
function splitSheets(sheets: readonly Sheet[], json: Forms["json"]): Map<string, Sheet[]> {
  const titles = [...json].filter(([path]) => path !== "index");
  const pages = new Map<string, Sheet[]>([["index", []]]);
  let path = "index";
  for (const sheet of sheets) {
    const [first] = sheet.lines;
    const title = first.map(({ text }) => text).join(" ");
    path = titles.find(([, { title: name }]) => name === title)?.[0] ?? path;
    if (!pages.has(path)) pages.set(path, []);
    pages.get(path)!.push(sheet);
  }
  return pages;
}

/** Asserts that no sheet is nearly empty, and that each turbine has one sheet. */
function assertSheets(pages: ReadonlyMap<string, readonly Sheet[]>, turbines: number): void {
  assertEquals(pages.size, 1 + turbines);
  for (const [path, sheets] of pages) {
    if (path !== "index") assertEquals(sheets.length, 1, `${path} has ${sheets.length} sheets`);
    sheets.forEach(({ words }, i) =>
      assert(words.length >= MIN_WORDS, `${path}: ${words.length} words on sheet ${i + 1}`)
    );
  }
}

/** Reads the figures of a report on paper: each row of its pages must be there, with separate cells. */
function readPaper(pages: ReadonlyMap<string, readonly Sheet[]>, { html }: Forms): Figures {
  const figures: Figures = new Map();
  for (const [path, sheets] of pages) {
    const text = textOf(sheets);
    for (const [name, { heads, rows }] of html.get(path)!.tables) {
      for (const row of rows) {
        const keyOf = (i: number) => `${path} / ${name} / ${row[0]} / ${heads[i]}`;
        if (["headline", "sentences", "strip"].includes(name)) {
          // A label and its figure: the words between them are further lines of the label.
          const label = name === "headline" ? "" : squeeze(row[0]);
          assertStringIncludes(text, label + squeeze(row[1]), keyOf(1));
          figures.set(keyOf(1), readFigure(row[1]));
          continue;
        }
        const visible = row.map((cell, i) => heads[i] === "12 months" && cell !== "–" ? "" : cell);
        const printed = findRow(sheets, visible);
        assert(printed, `${path}, ${name}: the row of ${row[0]} is not on paper: ${visible}`);
        const narrow = printed.gaps.filter((gap) => gap < MIN_GAP);
        assertEquals(narrow, [], `${path}, ${name}: cells of ${row[0]} touch`);
        const places = [...row.keys()].filter((i) => i > 0 && visible[i] !== "");
        places.forEach((i, j) => {
          const cell = printed.cells[j + 1];
          if (heads[i] === "12 months") return;
          if (heads[i] !== "90 % interval") return void figures.set(keyOf(i), readFigure(cell));
          const ends = cell.split(" to ");
          figures.set(`${keyOf(i)}, from`, readFigure(ends[0]));
          figures.set(`${keyOf(i)}, to`, readFigure(ends.at(-1)!));
        });
      }
    }
  }
  return figures;
}

/** Compares a report on paper with its data. */
async function comparePaper(
  name: string,
  report: FleetReport,
  forms: Forms,
  paper: Paper,
): Promise<number> {
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

const named = (name: string) =>
  dataPresent() ? name : `${name} (skipped: ../shared/data is not here)`;
const inFolder = () => {
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
  });
  afterAll(async () => await Deno.remove(folder, { recursive: true }));
};

/** Describes a report, made once, with its forms; on papers it must have at least some number of figures. */
function describeReport(
  name: string,
  make: () => Promise<FleetReport>,
  papers: readonly Paper[],
  least: { readonly forms: number; readonly paper: number },
  assertForms: (forms: Forms) => void,
): void {
  let [report, forms]: [FleetReport?, Forms?] = [];
  beforeAll(async () => {
    report = await make();
    forms = await readForms(report);
  });
  it("in JSON, HTML, Markdown and workbook", () => {
    assert(compareForms(name, forms!) > least.forms);
    assertForms(forms!);
  });
  for (const paper of papers) {
    printed(`on ${paper}, a turbine on a sheet`, async () => {
      assert(await comparePaper(name, report!, forms!, paper) > least.paper);
    });
  }
}

/** Asserts that each form of a report on Horns Rev explains why its production is not compared. */
function assertReason({ json, files, workbook }: Forms, why: string): void {
  const [fleet, turbine] = ["index", "turbines/HR1"].map((path) => json.get(path)!);
  assertEquals([fleet.figures.units, fleet.figures.units_measured], [80, 0]);
  assertEquals([turbine.verdict.produced, turbine.verdict.verdict], [null, "cannot be told"]);
  for (const [file, content] of files) {
    const words = squeeze(content.replace(/<[^>]*>|\\/g, ""));
    assertStringIncludes(words, squeeze(why), file);
    assert(!words.includes(squeeze("There is no production to compare")), file);
  }
  for (const [path, sheets] of workbook) {
    const words = squeeze(sheets.flatMap(({ rows }) => rows.flat()).join(" "));
    assertStringIncludes(words, squeeze(why), `${path} in the workbook`);
  }
}

describe("AN3, AN8: all forms of a report agree", () => {
  inFolder();

  describe("on the sample", () => {
    const least = { forms: 9000, paper: 1100 };
    describeReport("the sample", reportOnSample, PAPERS, least, ({ json }) => {
      assertSameOnBothPages(json);
    });
  });

  describe("on the turbines of the sample with production, and their sum", () => {
    const least = { forms: 8500, paper: 1000 };
    describeReport("turbines with production", reportOnMeasured, ["A4"], least, (forms) => {
      const { figures, turbines } = forms.json.get("index")!;
      assertEquals([figures.units_measured, turbines.length], [6, 7]);
      const produced = turbines.map(({ figures }: Json) => figures?.verdict.produced ?? 0);
      assertAlmostEquals(sum(produced), figures.verdict.produced, 1e-6);
      // AN4: the total covers most of the energy, and states its number of turbines.
      const labels = forms.html.get("index")!.tables.get("headline")!.rows.map(([label]) => label);
      assertEquals(labels.slice(0, 2), [
        "Produced, 6 of 7 turbines",
        "Against normal, 6 of 7 turbines",
      ]);
    });
  });

  const real = dataPresent() ? describe : describe.ignore;

  real(named("on Kelmarsh in a month with 69.7 % of its hours"), () => {
    const least = { forms: 5000, paper: 600 };
    describeReport("Kelmarsh", reportOnKelmarsh, PAPERS, least, (forms) => {
      assertSameOnBothPages(forms.json);
      const row = forms.html.get("turbines/KWF1")!.tables.get("months")!.rows.at(-1)!;
      assertEquals([row[0], row[1], row.at(-1)], ["October 2018", "333.8", "69.6 %"]);
      for (const { verdict, figures } of forms.json.values()) {
        const { completeness } = verdict ?? figures.verdict;
        assertAlmostEquals(completeness, 0.697, 5e-4);
      }
      // Hours with model data differ from compared hours.
      const [wind] = forms.html.get("index")!.tables.get("turbines")!.rows;
      assertEquals(wind.at(-2), "100.0 %");
    });
  });

  real(named("on Horns Rev, and say why its years are not compared"), () => {
    const least = { forms: 900, paper: 150 };
    describeReport("Horns Rev, years", reportOnYears, ["A4"], least, (forms) => {
      assertSameOnBothPages(forms.json);
      assertReason(forms, "the production is annual, but a report compares months");
    });
  });

  real(named("on Horns Rev, and say why months of later years are not compared"), () => {
    const least = { forms: 900, paper: 150 };
    const name = "Horns Rev, months of later years";
    describeReport(name, reportOnLaterMonths, [], least, (forms) => {
      assertSameOnBothPages(forms.json);
      assertReason(
        forms,
        "no hour or month is valid in both. The production covers 2015-01 to 2020-12, and the prediction covers 1997-01 to 2008-12",
      );
    });
  });
});

described("AN8: a report on paper", () => {
  inFolder();

  // Up to a park and more: a fleet of sixty has the same layout as one of 24.
  for (const [paper, counts] of [["A4", [1, 2, 5, 9, 13, 24]], ["Letter", [1, 9, 21]]] as const) {
    it(`has no nearly empty sheet on ${paper}, for any number of turbines`, async () => {
      for (const count of counts) {
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
