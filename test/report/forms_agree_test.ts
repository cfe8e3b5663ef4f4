/**
 * AN3: all forms of a report agree, figure by figure. The data of the real sites are no part of the project: without them
 * these tests are ignored, and say so.
 *
 * Kelmarsh wind farm data, CC-BY-4.0, doi 10.5281/zenodo.5841833; Horns Rev 1: Danish register of wind turbines,
 * Energistyrelsen; ERA5: contains modified Copernicus Climate Change Service information.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { beforeAll, describe, it } from "@std/testing/bdd";
import type { FleetReport } from "../../src/report/mod.ts";
import { formatShare } from "../../src/show/text/numbers.ts";
import { dataPresent } from "../validate/_site_data.ts";
import {
  reportOnKelmarsh,
  reportOnLaterMonths,
  reportOnMeasured,
  reportOnSample,
  reportOnYears,
} from "./_fleets.ts";
import {
  collectFigures,
  collectJson,
  collectSheets,
  type Figure,
  type Figures,
  findDifferences,
  type Forms,
  type Json,
  listSentences,
  pickRows,
  readForms,
  squeeze,
} from "./_forms.ts";

const VERDICT = ["Produced", "Normal", "Wind", "Stops", "Limits", "Rest"];
const ENERGIES = ["Predicted production", "90 % interval, from", "90 % interval, to"];

const numberOf = ({ value }: Figure) => typeof value === "number" ? value : 0;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Half of the last digit of everything that is added up. */
const halves = (figures: readonly Figure[]) => sum(figures.map(({ half }) => half)) + 1e-6;

/** Asserts that a number in a text is one of the data, as far as it is written. */
function assertWritten(text: string, form: RegExp, expected: number): number {
  const [, written] = form.exec(text) ?? [];
  assert(written !== undefined, `${form} is not in ${text}`);
  const decimals = /\.(\d+)/.exec(written)?.[1].length ?? 0;
  const value = Number(written.replaceAll(",", "").replace("−", "-"));
  assertAlmostEquals(value, expected, 0.5 * 10 ** -decimals + 1e-9, `${form} in ${text}`);
  return 1;
}

/** Asserts that rows add up to a total, column by column. */
function assertSums(figures: Figures, table: string, columns: readonly string[], total: RegExp) {
  const rows = pickRows(figures, table, columns);
  const name = [...rows.keys()].find((row) => total.test(row));
  if (name === undefined) return 0;
  const shown = rows.get(name)!;
  rows.delete(name);
  columns.forEach((column, i) => {
    // Those without production are shown below the sum, and are no part of it.
    const all = [...rows.values()].filter(([first]) => first.value !== null).map((row) => row[i]);
    const reach = halves([...all, shown[i]]);
    assertAlmostEquals(sum(all.map(numberOf)), numberOf(shown[i]), reach, `${table}: ${column}`);
  });
  return columns.length * rows.size;
}

/** Asserts that the steps of each row lead from the normal energy to what was produced. */
function assertSteps(figures: Figures, table: string): number {
  const rows = [...pickRows(figures, table, VERDICT)]
    .filter(([, [produced]]) => produced.value !== null);
  for (const [row, [produced, ...steps]] of rows) {
    const reach = halves([produced, ...steps]);
    assertAlmostEquals(sum(steps.map(numberOf)), numberOf(produced), reach, `${table}: ${row}`);
  }
  return rows.length * VERDICT.length;
}

/** Asserts that the sentence of a verdict has the figures of its row. */
function assertVerdict({ text, produced, normal, deviation, completeness, ...steps }: Json) {
  if (produced === null) return 0;
  let count = assertWritten(text, /([\d.,]+) MWh produced/, produced) +
    assertWritten(text, /than (?:[\d.]+ % of )?a normal \w+ \(([\d.,]+) MWh/, normal) +
    assertWritten(text, /([\d.,]+) MWh \([\d.,]+ %\) (?:less|more) than/, Math.abs(deviation)) +
    assertWritten(
      text,
      /MWh \(([\d.,]+) %\) (?:less|more) than/,
      Math.abs(100 * deviation / normal),
    );
  const isPart = completeness !== null && completeness < 0.9995;
  assertEquals(/produced in [\d.]+ % of the hours/.test(text), isPart, text);
  if (isPart) {
    count += assertWritten(text, /in ([\d.]+) % of the hours/, Number(formatShare(completeness)));
  }
  if (/stops cost/.test(text)) {
    count += assertWritten(text, /stops cost ([\d.,]+) MWh/, -steps.stops);
  }
  return count;
}

/** Asserts that the charts of a page of a turbine have the figures of its month. */
function assertCharts(html: string, { verdict, months }: Json): number {
  const alts = [...html.matchAll(/<svg role="img" aria-label="([^"]*)"/g)].map(([, alt]) => alt);
  const steps = alts.find((alt) => alt.includes("Waterfall chart."));
  let count = 0;
  assertEquals(steps !== undefined, verdict?.produced != null);
  if (steps) {
    count += assertWritten(steps, /Produced ([\d.,]+) MWh/, verdict.produced) +
      assertWritten(steps, / of ([\d.,]+) MWh normal/, verdict.normal) +
      assertWritten(steps, /Wind [+−]?([\d.,]+) MWh/, Math.abs(verdict.wind)) +
      assertWritten(
        steps,
        /(?:R|and r)est [+−]?([\d.,]+) MWh/,
        Math.abs(verdict.rest),
      );
    if (verdict.stops) {
      count += assertWritten(steps, /Stops [+−]?([\d.,]+) MWh/, Math.abs(verdict.stops));
    }
  }
  const comparison = alts.find((alt) => alt.includes("marks of predicted energy"));
  const made = months.filter(({ compared }: Json) => compared !== null);
  assertEquals(comparison !== undefined, made.length > 0);
  if (comparison) {
    const add = (name: string) => sum(made.map(({ compared }: Json) => compared[name]));
    const [produced, predicted] = [add("produced"), add("predicted")];
    count += assertWritten(comparison, /Produced ([\d.,]+) of/, produced) +
      assertWritten(comparison, / of ([\d.,]+) MWh predicted/, predicted) +
      assertWritten(comparison, /predicted: ([\d.,]+) %/, 100 * produced / predicted) +
      assertWritten(comparison, / over (\d+) months/, made.length);
  }
  return count;
}

/** Compares each form of a report with each other, and sums with what is added up. */
function compareForms(name: string, { json, html, markdown, workbook, files }: Forms): number {
  const forms: Readonly<Record<string, Figures>> = {
    JSON: collectJson(json),
    HTML: collectFigures(html),
    Markdown: collectFigures(markdown),
    workbook: collectSheets(workbook),
  };
  /** What a form leaves out on purpose: pages with verdicts the wind of the months, texts the tiles and strips. */
  const isLeftOut = (form: string, key: string) => {
    const [path, table] = key.split(" / ");
    const hasVerdicts = [...forms.JSON.keys()].some((one) => one.startsWith(`${path} / months`));
    return (table === "indices" && hasVerdicts && /HTML|Markdown/.test(form)) ||
      (table === "headline" && form === "Markdown") ||
      (table === "strip" && /Markdown|workbook/.test(form));
  };
  let compared = 0;
  for (const [form, figures] of Object.entries(forms)) {
    const missing = [...forms.JSON].filter(([key, { value }]) =>
      !figures.has(key) && !isLeftOut(form, key) &&
      (value !== null || form !== "workbook") // where nothing is shown
    );
    assertEquals(missing.map(([key]) => key), [], `${form} lacks figures`);
    const more = [...figures].filter(([key, { value }]) => value !== null && !forms.JSON.has(key));
    assertEquals(more.map(([key]) => key), [], `${form} has other figures`);
    for (const [other, others] of Object.entries(forms)) {
      if (other <= form) continue;
      const found = findDifferences(figures, others);
      assertEquals(found.differ, [], `${form}, ${other}`);
      compared += found.compared;
    }
    compared += assertSums(figures, "index / verdicts", VERDICT, /^Sum of /) +
      assertSums(figures, "index / turbines", ENERGIES, /^All turbines$/) +
      assertSteps(figures, "index / verdicts");
    for (const path of json.keys()) compared += assertSteps(figures, `${path} / months`);
  }
  for (const [path, page] of json) {
    const cells = workbook.get(path)!.flatMap(({ rows }) => rows.flat()).map(String).map(squeeze);
    for (const sentence of listSentences(page).map(squeeze)) {
      assertStringIncludes(html.get(path)!.text, sentence);
      assertStringIncludes(markdown.get(path)!.text, sentence);
      assert(cells.includes(sentence), `${sentence} is not in the workbook`);
      compared += 3 * (sentence.match(/\d[\d.,]*/g)?.length ?? 0);
    }
    const verdicts = path === "index"
      ? [page.figures.verdict, ...page.turbines.map(({ figures }: Json) => figures?.verdict)]
      : page.months.map(({ verdict }: Json) => verdict);
    for (const verdict of verdicts) if (verdict) compared += assertVerdict(verdict);
    if (path !== "index") compared += assertCharts(files.get(`${path}.html`)!, page);
  }
  console.log(`AN3, ${name}: ${compared} figures compared in JSON, HTML, Markdown and workbook`);
  return compared;
}

/** The figures of each turbine on its own page are those on the page of the fleet. */
function assertSameOnBothPages(json: Forms["json"]): void {
  for (const { file, units, figures } of json.get("index")!.turbines) {
    if (file === null) continue;
    const { verdict, figures: own } = json.get(file.replace(".json", ""))!;
    assertEquals(figures.month_abnormality_index, own.month_abnormality_index);
    assertAlmostEquals(figures.predicted_production, units * own.predicted_production, 1e-6);
    if (verdict.produced === null) continue;
    assertAlmostEquals(figures.verdict.produced, units * verdict.produced, 1e-6);
    assertAlmostEquals(figures.verdict.rest, units * verdict.rest, 1e-6);
  }
}

const check = dataPresent() ? it : it.ignore;
const named = (name: string) =>
  dataPresent() ? name : `${name} (skipped: ../shared/data is not here)`;
const read = async (report: Promise<FleetReport>) => await readForms(await report);

describe("AN3: all forms of a report agree", () => {
  describe("on the sample", () => {
    let forms: Forms;
    beforeAll(async () => {
      forms = await read(reportOnSample());
    });

    it("figure by figure", () => {
      assert(compareForms("the sample", forms) > 9000);
      assertSameOnBothPages(forms.json);
    });

    it("AN4: without a total of less than half of the energy", () => {
      const { figures, turbines } = forms.json.get("index")!;
      assertEquals([figures.units, figures.units_measured, figures.verdict.produced], [
        26,
        6,
        null,
      ]);
      const known = turbines.filter(({ figures }: Json) => figures?.verdict?.produced != null);
      assertEquals(known.length, 6);
      const { tables } = forms.html.get("index")!;
      const labels = tables.get("headline")!.rows.map(([label]) => label);
      assertEquals(labels.filter((label) => /Produced|Against/.test(label)), []);
      assert(labels.includes("Predicted production, 26 of 27 turbines"), `${labels}`);
      assert(!tables.get("verdicts")!.rows.some(([name]) => name.startsWith("Sum")));
      const all = forms.html.get("index")!.text;
      assertStringIncludes(all, squeeze("production is known of 6 of 26 turbines"));
    });

    it("AN2: without a share of hours that readers take for the availability", () => {
      const { verdict } = forms.json.get("turbines/T1")!;
      assertEquals([verdict.verdict, verdict.completeness], ["stops", 1]);
      for (const [name, content] of forms.files) {
        if (!/turbines\/T1\.|index/.test(name)) continue;
        const words = squeeze(content.replace(/<[^>]*>/g, ""));
        assert(!/in100\.0%of(the)?(month's)?hours/i.test(words), name);
        assert(!/inthe100\.0%/.test(words), name);
        assertStringIncludes(words, squeeze("It was the turbine: stops cost 214.1 MWh"));
      }
    });
  });

  it("on the turbines of the sample with production, and their sum", async () => {
    const forms = await read(reportOnMeasured());
    assert(compareForms("turbines of the sample with production", forms) > 8500);
    const { figures, turbines } = forms.json.get("index")!;
    assertEquals([figures.units_measured, turbines.length], [6, 7]);
    const produced = turbines.map(({ figures }: Json) => figures?.verdict.produced ?? 0);
    assertAlmostEquals(sum(produced), figures.verdict.produced, 1e-6);
    // AN4: a total of most of the energy, with the number of its turbines.
    const labels = forms.html.get("index")!.tables.get("headline")!.rows.map(([label]) => label);
    assertEquals(labels.slice(0, 2), [
      "Produced, 6 of 7 turbines",
      "Against normal, 6 of 7 turbines",
    ]);
  });

  check(named("on Kelmarsh in a month with 69.7 % of its hours"), async () => {
    const forms = await read(reportOnKelmarsh());
    assert(compareForms("Kelmarsh", forms) > 5000);
    assertSameOnBothPages(forms.json);
    const shown = forms.html.get("turbines/KWF1")!.tables.get("months")!.rows.at(-1)!;
    assertEquals([shown[0], shown[1], shown.at(-1)], ["October 2018", "333.8", "69.6 %"]);
    for (const { verdict, figures } of forms.json.values()) {
      const { completeness } = verdict ?? figures.verdict;
      assertAlmostEquals(completeness, 0.697, 5e-4);
    }
    // Hours with a model are others than hours compared.
    const [wind] = forms.html.get("index")!.tables.get("turbines")!.rows;
    assertEquals(wind.at(-2), "100.0 %");
  });

  check(
    named("on Horns Rev, and say why its years and later months are not compared"),
    async () => {
      const reasons = {
        "Horns Rev, years": [
          reportOnYears,
          "the production is of whole years, and a report compares months",
        ],
        "Horns Rev, months of later years": [
          reportOnLaterMonths,
          "nothing is valid in both. The production covers 2015-01 to 2020-12, the prediction 1997-01 to 2008-12",
        ],
      } as const;
      for (const [name, [report, why]] of Object.entries(reasons)) {
        const forms = await read(report());
        assert(compareForms(name, forms) > 900);
        assertSameOnBothPages(forms.json);
        const [fleet, turbine] = ["index", "turbines/HR1"].map((path) => forms.json.get(path)!);
        assertEquals([fleet.figures.units, fleet.figures.units_measured], [80, 0]);
        assertEquals([turbine.verdict.produced, turbine.verdict.verdict], [null, "cannot be told"]);
        for (const [file, content] of forms.files) {
          const words = squeeze(content.replace(/<[^>]*>|\\/g, ""));
          assertStringIncludes(words, squeeze(why), `${name}: ${file}`);
          assert(!words.includes(squeeze("No production was given")), `${name}: ${file}`);
        }
        for (const [path, sheets] of forms.workbook) {
          const words = squeeze(sheets.flatMap(({ rows }) => rows.flat()).join(" "));
          assertStringIncludes(words, squeeze(why), `${name}: ${path} in the workbook`);
        }
      }
    },
  );
});
