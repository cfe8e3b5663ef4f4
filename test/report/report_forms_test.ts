import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { marked } from "marked";
import { figures } from "../../src/api/columns/columns.ts";
import { buildReport, extractText, fleet, turbine } from "./_report.ts";

describe("the report as JSON", () => {
  it("has figures as numbers, units once, and null for what is missing", async () => {
    const report = turbine();
    const files = await buildReport([report], { month: "2023-01" });
    const json = JSON.parse(files["turbines/T1.json"]);
    const row = report.indices.toRecords()[12];
    for (const { name } of figures) {
      assertEquals(json.figures[name], row[name], name);
      assert(json.units[name] === "%" || json.units[name] === "MWh");
      assert(name in json.definitions && name in json.sentences);
    }
    assertEquals(json.month, "2023-01");
    assertEquals(json.figures.last12_month_index, null);
    assertEquals(json.figures.predicted_production_low, row.predicted_production_low);
    assertEquals(json.months.length, 24);
    const gap = json.months.find(({ month }: { month: string }) => month === "2022-10");
    assertEquals([gap.month_index, gap.compared, gap.completeness], [null, null, 0.4]);
    assertEquals([json.form, gap.verdict], [3, null]);
    assertEquals(json.verdict, json.months.at(-1).verdict);
    assertEquals(json.units.wind, "MWh");
    assertEquals(json.months[0].month_index, null); // before the first month of the frame
    assertEquals(json.turbine.hub_height, 68.5);
    assertEquals(json.sources[0].origin[0].sha256.length, 1);
    assertEquals(json.notice, undefined);
  });

  it("has the turbines of a fleet with paths of their files", async () => {
    const files = await buildReport([...fleet(2), { turbineId: "X", reason: "not ready" }]);
    const { turbines, figures, months } = JSON.parse(files["index.json"]);
    assertEquals(turbines.length, 3);
    assertEquals(turbines.map(({ file }: { file: string | null }) => file), [
      "turbines/W1.json",
      "turbines/W2.json",
      null,
    ]);
    assert("turbines/W1.json" in files);
    assertEquals(turbines[2].figures, null);
    assertEquals(turbines[2].reason, "not ready");
    assertEquals(figures.turbines, 2);
    assertEquals(months.length, 24);
  });

  it("never has NaN, and numbers are never texts", async () => {
    const files = await buildReport(fleet(2), { month: "2022-10" });
    for (const name of ["index.json", "turbines/W1.json"]) {
      assert(!/NaN|Infinity|undefined/.test(files[name]));
      JSON.parse(files[name], (key, value) => {
        if (figures.some((column) => column.name === key)) {
          assert(typeof value !== "string" || key in JSON.parse(files[name]).definitions);
        }
        return value;
      });
    }
  });
});

describe("the report as Markdown", () => {
  it("has the content of the page", async () => {
    const files = await buildReport(fleet(2));
    for (const [html, md] of [["turbines/W1.html", "turbines/W1.md"], ["index.html", "index.md"]]) {
      const page = extractText(files[html]);
      const text = extractText(await marked(files[md]));
      const sentences = text.match(/[A-Z][^.|]*?(?:energy|normal|model)[^|]*?\.(?= )/g)!;
      assert(sentences.length > 4);
      const json = JSON.parse(files[html.replace(".html", ".json")]);
      const pageSentences = Array.isArray(json.sentences)
        ? json.sentences
        : Object.values<string>(json.sentences);
      for (const sentence of pageSentences) {
        assertStringIncludes(page, sentence);
        assertStringIncludes(text, sentence);
      }
    }
  });

  it("has valid Markdown tables, with a dash for a missing value", async () => {
    const { "turbines/W1.md": text } = await buildReport(fleet(1), { month: "2022-10" });
    const html = await marked(text);
    assertEquals(html.match(/<table>/g)?.length, 2);
    const columns = html.match(/<th[ >]/g)!.length;
    assertEquals(columns, 3 + 10);
    assertStringIncludes(text, "| October 2022 | – | – | – | – | – | – | – | – | – |");
    const { details, indices } = turbine();
    const { "turbines/T1.md": bare } = await buildReport([{ details, indices }], {
      month: "2022-10",
    });
    assertStringIncludes(
      bare,
      "| October 2022 | – | – | – | – | – | – | – | 40.0 % | final |",
    );
    assert(!/October 2022.*\b0\.0\b/.test(text + bare));
  });
});
