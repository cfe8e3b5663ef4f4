/**
 * Reports made from identifiers, on the sample and on a service that fails.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import {
  ArgumentError,
  connect,
  exampleFile,
  explainBudget,
  monthlyIndices,
  NoDataError,
  planBudget,
  readProduction,
} from "../../mod.ts";
import { makeFleetReport, type MakeFleetReportOptions } from "../../src/report/mod.ts";
import { withService } from "../faults/_with_service.ts";

/** A report on the sample in a month. */
async function reportOn(ids: readonly string[], options: MakeFleetReportOptions = {}) {
  return await makeFleetReport(ids, { month: "2023-12", ...options });
}

describe("makeFleetReport()", () => {
  const connection = connect({ sample: true });
  const call = { connection };

  afterAll(() => connection.close());

  it("has the pages of all turbines, and says why some have none", async () => {
    const seen: string[] = [];
    const report = await reportOn(["T8", "T1", "T99"], {
      ...call,
      onTurbine: (turbine) =>
        seen.push("reason" in turbine ? turbine.turbineId : turbine.details.turbine_id),
    });
    assertEquals(seen, ["T8", "T1", "T99"]);
    assertEquals(report.turbines.map(({ details }) => details.turbine_id), ["T1"]);
    const [notReady, unknown] = report.withoutData;
    assertEquals(notReady.reason, "the service reports that the data are not ready");
    assertEquals(notReady.details?.turbine_id, "T8");
    assert(unknown.turbineId === "T99" && unknown.reason.includes("no turbine"), unknown.reason);
    const files = await Array.fromAsync(report);
    assertEquals(files.length, 6);
    const { notice, turbines } = JSON.parse(files.at(-1)!.content);
    assertEquals(notice.startsWith("SYNTHETIC"), true);
    assertEquals(turbines.length, 3);
    assertEquals(
      String(Object.keys(report)),
      "month,turbines,withoutData,unusedProduction,unusedAnswers",
    );
  });

  it("shows the last month of any turbine, with the months of two years", async () => {
    const report = await makeFleetReport("T1", call);
    assertEquals(report.month, "2025-12");
    const [{ indices }] = report.turbines;
    assertEquals(indices.height, 24);
  });

  it("has a section of sentences for each answer about a turbine, and its findings as data", async () => {
    const indices = await monthlyIndices("T1", call);
    const coming = planBudget(indices, { from: "2024-01" });
    const answers = new Map([["T1", [coming]], ["T99", [coming]]]);
    const report = await reportOn(["T1"], { ...call, answers });
    assertEquals(report.unusedAnswers, ["T99"]);
    const files = await Array.fromAsync(report);
    const [html, markdown, json] = ["html", "md", "json"].map((ending) =>
      files.find(({ name }) => name.startsWith("turbines/") && name.endsWith(`.${ending}`))!.content
    );
    const sentence = coming.summary[0];
    assert(html.includes("SYNTHETIC: Budget") && html.includes(sentence));
    assert(markdown.includes(sentence) && markdown.includes(coming.notes[0]));
    assertEquals(JSON.parse(json).answers, JSON.parse(JSON.stringify(coming.findings)));
  });

  it("draws the steps of an answer that has them, such as those from the budget to the production", async () => {
    const indices = await monthlyIndices("T1", call);
    const file = await exampleFile("production.csv");
    const meter = { resolution: "hour", unit: "kW", time: "time", column: "power" } as const;
    const production = await readProduction(file, meter);
    const coming = planBudget(indices, { from: "2024-01", level: 1 });
    const explained = explainBudget(coming, { production, indices });
    const report = await reportOn(["T1"], { ...call, answers: new Map([["T1", [explained]]]) });
    const html = (await Array.fromAsync(report))
      .find(({ name }) => name.startsWith("turbines/") && name.endsWith(".html"))!.content;
    assert(html.includes(explained.summary[0]) && html.includes("From budget to produced"));
  });

  it("gives the same files each time it is written", async () => {
    const report = await reportOn(["T1"], { ...call, generatedAt: "2024-01-01T00:00:00Z" });
    assertEquals(await Array.fromAsync(report), await Array.fromAsync(report));
  });

  describe("with production", () => {
    let production: Map<string, Awaited<ReturnType<typeof monthlyIndices>>>;

    beforeAll(async () => {
      const indices = await monthlyIndices("T1", { from: "2023-01", to: "2023-12", ...call });
      const energy = indices.select("month", "predicted_production")
        .rename({ predicted_production: "energy" });
      production = new Map([["T1", energy], ["T7", energy]]);
    });

    it("compares it, and names production of turbines that are not in the report", async () => {
      const report = await reportOn(["T1", "T2"], { ...call, production });
      const [first, second] = report.turbines;
      assertEquals([first.comparison?.height, second.comparison], [12, undefined]);
      assertEquals(first.performance?.frames.changes.height, 0);
      assertEquals(report.unusedProduction, ["T7"]);
    });

    it("keeps the page of a turbine whose production does not cover the month", async () => {
      const report = await reportOn(["T1"], { ...call, production, month: "2020-12" });
      const files = await Array.fromAsync(report);
      const why =
        "there is no production for December 2020; the last month with production is December 2023";
      const { verdict } = JSON.parse(
        files.find(({ name }) => name === "turbines/T1.json")!.content,
      );
      assertEquals([verdict.verdict, verdict.produced, verdict.reason], [
        "cannot be told",
        null,
        why,
      ]);
      for (const { name, content } of files) assert(content.includes(why), name);
    });

    it("explains for annual production that a report compares months, in every form", async () => {
      const annual = pl.DataFrame({ year: [2022, 2023], energy: [9000, 9100] });
      const report = await reportOn(["T1"], { ...call, production: new Map([["T1", annual]]) });
      const why = "the production is annual, but a report compares months";
      assertEquals(report.turbines[0].noComparison, why);
      for await (const { name, content } of report) assert(content.includes(why), name);
    });

    it("AN7: shows the last month with production unless you choose one", async () => {
      const report = await makeFleetReport(["T1", "T2"], { ...call, production });
      assertEquals(report.month, "2023-12");
      const start = Date.parse("2024-03-01T00:00:00Z");
      const hours = (count: number) =>
        pl.DataFrame([
          pl.Series("time", Array.from({ length: count }, (_, i) => new Date(start + i * 3.6e6))),
          pl.Series("power", Array(count).fill(900), pl.Float64),
        ]);
      // A month that has just begun cannot be judged.
      for (const [days, month] of [[31, "2024-03"], [31 + 10, "2024-03"], [31 + 29, "2024-04"]]) {
        const given = new Map([...production, ["T2", hours(24 * Number(days))]]);
        const { month: chosenMonth } = await makeFleetReport(["T1", "T2"], {
          ...call,
          production: given,
        });
        assertEquals(chosenMonth, month, `${days} days`);
      }
    });
  });

  it("refuses input that would not make a report", async () => {
    const cases: [readonly string[], MakeFleetReportOptions, typeof ArgumentError, string][] = [
      [[], {}, ArgumentError, "the list of turbines is empty"],
      [["T1", "T1"], {}, ArgumentError, '"T1" is listed twice'],
      [["T1"], { month: "2023-13" }, ArgumentError, "2023-13 has no month"],
      [["T98", "T99"], {}, NoDataError, 'no turbine "T98"'],
    ];
    for (const [ids, options, kind, words] of cases) {
      await assertRejects(() => reportOn(ids, { ...call, ...options }), kind, words);
    }
  });

  it("V4: refuses the future and a month without figures, and names the last month available", async () => {
    for (const month of ["2027-01", "1990-01"]) {
      await assertRejects(
        () => reportOn(["T1", "T8"], { ...call, month }),
        NoDataError,
        `Cannot report on ${month}: no turbine has figures for this month. The last month with figures is 2025-12`,
      );
    }
  });

  it("says why no turbine has figures for a month that the service has", async () => {
    await withService(async ({ connection }) => {
      const error = await assertRejects(() => reportOn(["T1", "T2"], { connection }), NoDataError);
      assertMatch(error.message, /no turbine has figures for this month\. T1: /);
      assert(!error.message.includes("last month"), error.message);
    }, { faults: [{ on: "wind_indices", act: { kind: "status", status: 404 }, times: 99 }] });
  });

  it("leaves out a turbine for which the service fails, and reports on the others", async () => {
    await withService(async ({ connection }) => {
      const report = await reportOn(["T1", "T2"], { connection });
      assertEquals(report.turbines.length + report.withoutData.length, 2);
      assertEquals(report.withoutData.length, 1);
    }, {
      faults: [{
        on: "wind_indices",
        act: { kind: "status", status: 404 },
        times: 1,
      }],
    });
  });

  it("stops when its signal is aborted", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await assertRejects(() => reportOn(["T1"], { ...call, signal }), Error, "enough");
  });
});
