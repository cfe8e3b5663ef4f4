/**
 * Compares the forms of a report with each other, figure by figure, and sums with their summands.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { formatShare } from "../../src/show/text/numbers.ts";
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
  squeeze,
} from "./_forms.ts";

const VERDICT = ["Produced", "Normal", "Wind", "Stops", "Curtailment", "Rest"];
const ENERGIES = ["Predicted production", "90 % interval, from", "90 % interval, to"];

const numberOf = ({ value }: Figure) => typeof value === "number" ? value : 0;
/** Adds numbers. */
export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Half of the last digit of each summand. */
const halves = (figures: readonly Figure[]) => sum(figures.map(({ half }) => half)) + 1e-6;

/** Asserts that a number in a text equals a figure of the data, at the precision of the text. */
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
  const sumRow = rows.get(name)!;
  rows.delete(name);
  columns.forEach((column, i) => {
    // Turbines without production are listed below the sum and are not part of it.
    const all = [...rows.values()].filter(([first]) => first.value !== null).map((row) => row[i]);
    const reach = halves([...all, sumRow[i]]);
    assertAlmostEquals(sum(all.map(numberOf)), numberOf(sumRow[i]), reach, `${table}: ${column}`);
  });
  return columns.length * rows.size;
}

/** Asserts that the steps of each row lead from the normal energy to the production. */
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
  const comparison = alts.find((alt) => alt.includes("marks show predicted energy"));
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

/** Compares each form of a report with each other, and sums with their summands. */
export function compareForms(
  name: string,
  { json, html, markdown, workbook, files }: Forms,
): number {
  const forms: Readonly<Record<string, Figures>> = {
    JSON: collectJson(json),
    HTML: collectFigures(html),
    Markdown: collectFigures(markdown),
    workbook: collectSheets(workbook),
  };
  /** Figures that a form omits on purpose: pages with verdicts omit the wind of the months, texts the tiles and strips. */
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
      (value !== null || form !== "workbook") // which leaves missing values empty
    );
    assertEquals(missing.map(([key]) => key), [], `${form} lacks figures`);
    const more = [...figures].filter(([key, { value }]) => value !== null && !forms.JSON.has(key));
    assertEquals(more.map(([key]) => key), [], `${form} has other figures`);
    for (const [other, others] of Object.entries(forms)) {
      if (other <= form) continue;
      const differences = findDifferences(figures, others);
      assertEquals(differences.differ, [], `${form}, ${other}`);
      compared += differences.compared;
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

/** Asserts that the figures of each turbine agree between its page and the fleet's page. */
export function assertSameOnBothPages(json: Forms["json"]): void {
  for (const { file, units, figures } of json.get("index")!.turbines) {
    if (file === null) continue;
    const { verdict, figures: pageFigures } = json.get(file.replace(".json", ""))!;
    assertEquals(figures.month_abnormality_index, pageFigures.month_abnormality_index);
    assertAlmostEquals(
      figures.predicted_production,
      units * pageFigures.predicted_production,
      1e-6,
    );
    if (verdict.produced === null) continue;
    assertAlmostEquals(figures.verdict.produced, units * verdict.produced, 1e-6);
    assertAlmostEquals(figures.verdict.rest, units * verdict.rest, 1e-6);
  }
}
