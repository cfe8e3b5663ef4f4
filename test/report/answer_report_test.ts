import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import {
  type Answer,
  ArgumentError,
  type Chart,
  checkPerformance,
  checkQuality,
  compareReferences,
  connect,
  type Connection,
  type DataFrame,
  estimateLongTerm,
  exampleFile,
  explainIndex,
  modelData,
  monthlyIndices,
  pl,
  planBudget,
  plotBudget,
  plotCompleteness,
  plotLongTerm,
  plotPerformance,
  plotReferences,
  readProduction,
  summarizeFleet,
  turbineDetails,
} from "../../mod.ts";
import { answerReport } from "../../src/report/mod.ts";
import { extractText } from "./_report.ts";

describe("the answer to every question", () => {
  let connection: Connection;
  const answers: Record<string, Answer> = {};
  const charts: (readonly [ofAnswer: Chart, ofFrame: Chart])[] = [];

  beforeAll(async () => {
    connection = connect({ sample: true });
    const details = await turbineDetails("T1", { connection });
    const model = await modelData("T1", { connection });
    const indices = await monthlyIndices("T1", { connection });
    const production = await readProduction(await exampleFile("production.csv"), {
      resolution: "hour",
      unit: "kW",
      time: "time",
      column: "power",
    });
    const quality = checkQuality(production, {
      ratedPower: details.rated_power!,
      predicted: model,
    });
    const performance = checkPerformance(production, { predicted: model, details, indices });
    const longTerm = estimateLongTerm(production, indices, { details });
    const budget = planBudget(indices, { from: "2026-01", production });
    const explained = explainIndex({ details, model, indices }, "2024-03");
    const references = compareReferences(production, { model });
    const fleet = summarizeFleet(indices, [details], { month: "2025-12" });
    Object.assign(
      answers,
      { quality, performance, longTerm, budget, explained, references, fleet },
    );
    const frames = {
      ...quality.frames,
      ...performance.frames,
      ...explained.frames,
    };
    charts.push(
      [plotCompleteness(quality), plotCompleteness(frames.completeness)],
      [plotPerformance(performance), plotPerformance(frames.comparison)],
      [plotLongTerm(longTerm), plotLongTerm(longTerm.frames.estimates)],
      [plotBudget(budget), plotBudget(budget.frames.months)],
      [plotReferences(references), plotReferences(references.frames.references)],
    );
  });
  afterAll(() => connection.close());

  it("has frames, findings, sentences and sources", () => {
    for (const [name, answer] of Object.entries(answers)) {
      const { frames, findings, summary, notes, provenance } = answer;
      const textsOf = (severity: string) =>
        findings.filter((one) => one.severity === severity).map(({ text }) => text);
      assertEquals(textsOf("result"), [...summary], name);
      assertEquals(textsOf("note").slice(0, notes.length), [...notes], name);
      assert(provenance.length > 0 && provenance.every(({ world }) => world === "sample"), name);
      for (const text of [...summary, ...notes]) assert(text.endsWith("."), text);
      assert(Object.values(frames).every((frame: DataFrame) => frame.width > 1), name);
    }
  });

  it("gives the same chart as its frame", () => {
    for (const [ofAnswer, ofFrame] of charts) assertEquals(ofAnswer.altText, ofFrame.altText);
  });

  it("is a page, a Markdown file and data", async () => {
    const generatedAt = "2026-01-05T10:00:00Z";
    for (const [name, answer] of Object.entries(answers)) {
      const files = await Array.fromAsync(answerReport(answer, { generatedAt, name }));
      assertEquals(files.map((file) => file.name), [`${name}.html`, `${name}.md`, `${name}.json`]);
      const [html, markdown, json] = files.map(({ content }) => content);
      assertStringIncludes(html, 'class="synthetic"', name);
      const words = extractText(html).replaceAll("&quot;", '"').replaceAll("&gt;", ">")
        .replaceAll("&lt;", "<").replaceAll("&amp;", "&");
      for (const text of [...answer.summary, ...answer.notes]) assertStringIncludes(words, text);
      assert(!/<dl[^>]*>\s*<\/dl>|<ul>\s*<\/ul>/.test(html), `${name} has an empty list`);
      assertEquals(markdown.split("\n").filter((line) => line.startsWith("# ")).length, 1, name);
      const data = JSON.parse(json);
      assertEquals(data.summary, answer.summary);
      assertEquals(
        Object.entries<DataFrame>(answer.frames).map((
          [frameName, { height }],
        ) => [frameName, height]),
        Object.entries<{ rows: unknown[] }>(data.frames).map((
          [frameName, { rows }],
        ) => [frameName, rows.length]),
      );
      assertEquals(data.generated_at, generatedAt);
    }
    const [, , json] = await Array.fromAsync(answerReport(answers.performance));
    const { units, rows: [first] } = JSON.parse(json.content).frames.outages;
    assertEquals(units.lost, "MWh");
    assert(/^\d{4}-\d\d-\d\dT\d\d:00:00Z$/.test(first.from) && first.lost > 0);
  });

  it("has its charts on the page, and hides no markup of a frame", async () => {
    const chart = plotBudget(answers.budget as ReturnType<typeof planBudget>);
    const [{ content }] = await Array.fromAsync(
      answerReport(answers.budget, { charts: [chart], title: "<b>2026</b>" }),
    );
    assertStringIncludes(content, "<h1>&lt;b&gt;2026&lt;/b&gt;</h1>");
    assertStringIncludes(content, "<svg");
  });

  it("refuses a value that is not an answer, before it makes a file", async () => {
    const refuse = (answer: unknown, text: string) =>
      assertRejects(() => Array.fromAsync(answerReport(answer as Answer)), ArgumentError, text);
    await refuse(
      pl.DataFrame({ a: [1] }),
      "not the answer of an analysis. Give an answer, such as the answer of planBudget()",
    );
    await refuse(undefined, "this is nothing");
    await refuse({ frames: {} }, "not the answer of an analysis");
  });
});
