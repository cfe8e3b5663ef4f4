import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { ArgumentError } from "../../src/api/errors.ts";
import type { Chart } from "../../src/plots/chart.ts";
import { plotMonthlyIndices } from "../../src/plots/monthly_indices.ts";
import { indicesFrame } from "./_frames.ts";

type Row = Record<string, string | number | null>;

function rowsOf(chart: Chart): Row[] {
  const views = chart.spec.vconcat as { data: { values: Row[] } }[];
  return views.find((view) => view.data.values.length > 1)!.data.values;
}

function without(frame: DataFrame, month: string): DataFrame {
  return frame.filter(pl.col("month").cast(pl.Utf8).neq(pl.lit(month)));
}

describe("plotMonthlyIndices()", () => {
  it("shows title, axis titles with units, and the source", async () => {
    const svg = await plotMonthlyIndices(indicesFrame()).svg();
    for (
      const text of [
        "Month index of T1",
        "Month index (%)",
        ">Month<",
        "Last 12 months index",
        "monthly_indices from own data, 2024-02-01",
        "Contains modified Copernicus Climate Change Service",
      ]
    ) assertStringIncludes(svg, text);
    assert(!svg.includes("SYNTHETIC"));
  });

  it("says SYNTHETIC in the picture of the sample", async () => {
    const chart = plotMonthlyIndices(indicesFrame({ world: "sample" }));
    const svg = await chart.svg();
    assertStringIncludes(svg, "SYNTHETIC: invented figures, not real data</text>");
    assertStringIncludes(svg, ">SYNTHETIC</text>");
    assert(chart.altText.startsWith("SYNTHETIC"));
  });

  it("marks months without data, and preliminary ones", () => {
    const rows = rowsOf(plotMonthlyIndices(indicesFrame()));
    assertEquals(rows.length, 24);
    assertEquals(rows[9].state, "No data");
    assertEquals(rows[9].value, null);
    assertEquals(rows.slice(-3).every((row) => String(row.state).endsWith("preliminary")), true);
    assertEquals(rows[0].state, Number(rows[0].value) >= 100 ? "Above 100 %" : "Below 100 %");
  });

  it("shows a month that the frame leaves out as one without data", () => {
    const rows = rowsOf(plotMonthlyIndices(without(indicesFrame(), "2023-03-01")));
    assertEquals(rows.length, 24);
    assertEquals(rows[14].month, "2023-03");
    assertEquals(rows[14].state, "No data");
  });

  it("takes the source of a derived frame from its option", async () => {
    const frame = indicesFrame({ world: "sample" });
    const derived = without(frame, "2022-01-01");
    assertStringIncludes(await plotMonthlyIndices(derived).svg(), "Source: not stated");
    assertStringIncludes(await plotMonthlyIndices(derived, { source: frame }).svg(), "SYNTHETIC");
  });

  it("gives each of several turbines a row", async () => {
    const chart = plotMonthlyIndices(indicesFrame({ turbines: ["T1", "T2"], months: 6, gaps: [] }));
    assertEquals(rowsOf(chart).length, 12);
    const svg = await chart.svg();
    assertStringIncludes(svg, ">T1<");
    assertStringIncludes(svg, ">T2<");
    assertStringIncludes(chart.altText, "T2: January 2022 to June 2022");
  });

  it("plots a frame without turbine, status and last twelve months", async () => {
    const frame = indicesFrame().select("month", "month_index");
    assertStringIncludes(await plotMonthlyIndices(frame).svg(), ">Month index<");
  });

  it("refuses a frame that lacks a column, has no rows or repeats a month", () => {
    const frame = indicesFrame();
    const error = assertThrows(
      () => plotMonthlyIndices(frame.drop("month_index")),
      ArgumentError,
      `no column "month_index"`,
    );
    assertStringIncludes(error.message, "monthlyIndices()");
    assertThrows(() => plotMonthlyIndices(frame.head(0)), ArgumentError, "no rows");
    assertThrows(() => plotMonthlyIndices(frame.vstack(frame)), ArgumentError, "stands twice");
    const texts = frame.withColumn(pl.col("month").cast(pl.Utf8));
    assertThrows(() => plotMonthlyIndices(texts), ArgumentError, "strptime");
  });

  it("F26 draws a turbine with a hostile id harmlessly", async () => {
    const turbines = ["<script>alert(1)</script>", `"'&\u0000\ud800`];
    const chart = plotMonthlyIndices(indicesFrame({ turbines, months: 3, gaps: [] }));
    const svg = await chart.svg();
    assert(!svg.includes("<script"));
    assertStringIncludes(svg, "&lt;script&gt;");
    assert(!svg.includes("\u0000"));
    assert((await chart.png()).length > 1000);
  });

  it("draws bars in the size asked for", async () => {
    const small = await plotMonthlyIndices(indicesFrame(), { width: 300, height: 100 }).svg();
    assert(Number(/width="(\d+)"/.exec(small)?.[1]) < 640);
  });
});
