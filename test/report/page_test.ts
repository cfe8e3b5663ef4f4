import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { actualAgainstPredicted } from "../../src/analysis/actual_against_predicted.ts";
import { ArgumentError } from "../../src/api/errors.ts";
import type { World } from "../../src/api/world.ts";
import { reportPage, type ReportPageOptions, type TurbineReport } from "../../src/report/mod.ts";
import { detailsOf, indicesFrame } from "../plots/_frames.ts";

const ATTRIBUTION = "Contains modified Copernicus Climate Change Service information 2024";

function options(changes: Partial<ReportPageOptions> = {}): ReportPageOptions {
  return {
    title: "Wind report",
    world: "own",
    attribution: [ATTRIBUTION],
    generatedAt: "2024-02-01T10:00:00Z",
    ...changes,
  };
}

function turbine(world: World = "own"): TurbineReport {
  const indices = indicesFrame({ world });
  const production = indices.select(
    pl.col("month"),
    pl.col("predicted_production").mul(pl.lit(0.95)).alias("energy"),
  );
  return {
    details: detailsOf(),
    indices,
    comparison: actualAgainstPredicted(production, indices),
  };
}

/** Text of a page as a reader sees it, charts left out. */
function wordsOf(page: string): string {
  return page.replace(/<style>.*?<\/style>|<svg .*?<\/svg>/gs, "").replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
}

describe("reportPage()", () => {
  it("has head, fleet table, facts, charts, months, definitions and sources", async () => {
    const page = await reportPage([turbine()], options());
    const words = wordsOf(page);
    for (
      const text of [
        "Wind report December 2023 · 1 turbine · made 2024-02-01",
        "All turbines in December 2023",
        "Hub height 68.5 m",
        "Rated power 2,000 kW",
        "55.4910° N, 7.8400° W",
        "2019-01-01 to 2021-12-31",
        "Last index December 2023",
        "of a normal December.",
        "95.0 % of what the model predicts.",
        "The figures of this month are preliminary",
        "Month abnormality index (%)",
        "Modelled energy of the month over that of a normal month of the same name.",
        "monthly_indices(turbine_id=T1), world own, fetched 2024-02-01T10:00:00Z, sha256 0123456789abcdef",
        ATTRIBUTION,
      ]
    ) assertStringIncludes(words, text);
    assertEquals(page.match(/<figure><svg role="img" aria-label="[^"]{40,}"/g)?.length, 3);
    assertEquals(page.match(/<th scope="row">[A-Z][a-z]+ 2023<\/th>/g)?.length, 12);
    assert(!page.includes("SYNTHETIC"));
  });

  it("is one file that needs no network and no script", async () => {
    const page = await reportPage([turbine()], options());
    assert(page.startsWith("<!doctype html>"));
    assertStringIncludes(page, `<html lang="en">`);
    assertStringIncludes(
      page,
      `content="default-src 'none'; style-src 'unsafe-inline'; img-src data:;`,
    );
    assertEquals(page.match(/<script|<link|<img|\son\w+=|url\(|@import|(?:src|href)=/g), null);
    assertEquals(page.match(/https?:\/\/(?!www\.w3\.org\/)/g), null);
  });

  it("has headings in order and no id twice", async () => {
    const page = await reportPage([turbine(), turbine()], options());
    const levels = [...page.matchAll(/<h(\d)/g)].map((match) => Number(match[1]));
    assertEquals(levels.filter((level) => level === 1).length, 1);
    levels.forEach((level, i) => assert(i === 0 || level <= levels[i - 1] + 1));
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map((match) => match[1]);
    assertEquals(ids.length, new Set(ids).size);
  });

  it("says SYNTHETIC for the sample: on the page and in each chart", async () => {
    const page = await reportPage([turbine("sample")], options({ world: "sample" }));
    assertStringIncludes(page, `<p class="synthetic" role="note">SYNTHETIC:`);
    const charts = page.match(/<svg .*?<\/svg>/gs)!;
    assertEquals(charts.length, 3);
    for (const chart of charts) assertStringIncludes(chart, ">SYNTHETIC</text>");
  });

  it("says SYNTHETIC when only a frame knows, or only the options", async () => {
    const frame = await reportPage([turbine("sample")], options({ world: "own" }));
    assertStringIncludes(frame, `role="note">SYNTHETIC:`);
    const page = await reportPage([turbine("own")], options({ world: "sample" }));
    for (const chart of page.match(/<svg .*?<\/svg>/gs)!) assertStringIncludes(chart, "SYNTHETIC");
  });

  it("reports the month asked for, and nothing after it", async () => {
    const page = await reportPage([turbine()], options({ month: "2023-05" }));
    assertStringIncludes(wordsOf(page), "In May 2023 the wind at Example 1 would have given");
    assertEquals(
      page.match(/<th scope="row">[A-Z][a-z]+ 202\d<\/th>/g)?.[11],
      `<th scope="row">May 2023</th>`,
    );
    assertStringIncludes(page, "January 2022 to May 2023");
    assert(!page.includes("June 2023"));
    assert(!page.includes("to December 2023"));
    await assertRejects(
      () => reportPage([turbine()], options({ month: "2023-13" })),
      ArgumentError,
      "month is 13",
    );
  });

  it("shows months without data as such", async () => {
    const words = wordsOf(await reportPage([turbine()], options({ month: "2022-10" })));
    assertStringIncludes(words, "There are no figures of Example 1 for October 2022.");
    assertStringIncludes(words, "October 2022 – – – – – – – – final");
  });

  it("picks the rows of each turbine, and the last month with figures", async () => {
    const indices = indicesFrame({ turbines: ["T1", "T2"], gaps: [23] });
    const parts = ["T1", "T2"].map((id) => ({
      details: detailsOf({ turbine_id: id, name: id }),
      indices,
    }));
    const page = await reportPage(parts, options());
    const words = wordsOf(page);
    assertStringIncludes(words, "November 2023 · 2 turbines");
    assertEquals(
      page.match(/aria-label="Bar chart\. Month index of T\d\. January 2022 to/g)?.length,
      2,
    );
    assertStringIncludes(words, "No production was given");
    const other = [{ details: detailsOf({ turbine_id: "T3" }), indices }];
    await assertRejects(() => reportPage(other, options()), ArgumentError, "no row of it");
  });

  it("does without what is not known", async () => {
    const details = detailsOf({
      name: "",
      latitude: null,
      hub_height: null,
      rated_power: null,
      training_end: null,
      last_wind_index: null,
      power_curve: null,
      data_ready: false,
    });
    const indices = indicesFrame().filter(pl.lit(true));
    const words = wordsOf(await reportPage([{ details, indices }], options()));
    assertStringIncludes(words, "Hub height not known");
    assertStringIncludes(words, "2019-01-01 to not known");
    assertStringIncludes(words, "hold no power curve");
    assertStringIncludes(words, "are not ready");
    assertStringIncludes(words, "Indices of T1: source not stated");
  });

  it("F26 escapes whatever comes from outside", async () => {
    const attack = `"><script>alert(1)</script><img src=x onerror=alert(2)>`;
    const indices = indicesFrame({ turbines: [attack] });
    const hostile = {
      details: detailsOf({ turbine_id: attack, name: attack, time_zone: attack }),
      indices: indices.withColumn(pl.lit(attack).alias("status")),
    };
    const page = await reportPage(
      [hostile],
      options({ title: attack, attribution: [attack], generatedAt: attack }),
    );
    assert(!page.includes("<script"));
    assert(!page.includes("<img"));
    assertStringIncludes(page, "&lt;script&gt;alert(1)&lt;/script&gt;");
  });

  it("gives the same page for the same input", async () => {
    assertEquals(
      await reportPage([turbine()], options()),
      await reportPage([turbine()], options()),
    );
  });

  it("refuses a report without turbines or with a frame of another kind", async () => {
    await assertRejects(() => reportPage([], options()), ArgumentError, "no turbine");
    const wrong = { details: detailsOf(), indices: pl.DataFrame({ month: [1] }) };
    await assertRejects(() => reportPage([wrong], options()), ArgumentError, "lack the columns");
  });
});
