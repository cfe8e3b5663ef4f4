import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { ArgumentError } from "../../../src/api/errors.ts";
import type { Chart } from "../../../src/plots/drawing/chart.ts";
import { plotFleetIndices } from "../../../src/plots/index/fleet_indices.ts";
import { plotIndexCalendar } from "../../../src/plots/index/index_calendar.ts";
import { plotMonthlyIndices } from "../../../src/plots/index/monthly_indices.ts";
import { buildIndicesFrame } from "../_frames.ts";
import { assertSnapshot } from "../_snapshot.ts";
import { listViews } from "../_views.ts";

type Row = Record<string, string | number | null>;

function readRows(chart: Chart): Row[] {
  const views = listViews<Row>(chart);
  return views.find((view) => view.data.values.length > 1)!.data.values;
}

function removeMonth(frame: DataFrame, month: string): DataFrame {
  return frame.filter(pl.col("month").cast(pl.Utf8).neq(pl.lit(month)));
}

describe("plotMonthlyIndices()", () => {
  it("shows title, axis titles with units, and the source", async () => {
    const svg = await plotMonthlyIndices(buildIndicesFrame()).svg();
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
    const chart = plotMonthlyIndices(buildIndicesFrame({ world: "sample" }));
    const svg = await chart.svg();
    assertStringIncludes(svg, "SYNTHETIC: invented figures, not real data</text>");
    assertStringIncludes(svg, ">SYNTHETIC</text>");
    assert(chart.altText.startsWith("SYNTHETIC"));
  });

  it("marks months without data, and preliminary ones", () => {
    const rows = readRows(plotMonthlyIndices(buildIndicesFrame()));
    assertEquals(rows.length, 24);
    assertEquals(rows[9].state, "No data");
    assertEquals(rows[9].value, null);
    assertEquals(rows.slice(-3).every((row) => String(row.state).endsWith("preliminary")), true);
    assertEquals(rows[0].state, Number(rows[0].value) >= 100 ? "Above 100 %" : "Below 100 %");
  });

  it("AN7 draws the turbines of a page on one scale", () => {
    const domainOf = (turbine: string, range?: readonly number[]) => {
      const frame = buildIndicesFrame({ turbines: [turbine] });
      const { spec } = plotMonthlyIndices(frame, range ? { range } : {});
      return /"y":\{"field":"value","scale":\{"domain":(\[[^\]]*\])/.exec(JSON.stringify(spec))![1];
    };
    assertEquals(domainOf("T1", [20, 240]), "[20,240]");
    assertEquals(domainOf("T2", [20, 240]), domainOf("T1", [20, 240]));
    assertEquals(domainOf("T1", [100]), domainOf("T1"));
  });

  it("shows a month that is missing in the frame as one without data", () => {
    const rows = readRows(plotMonthlyIndices(removeMonth(buildIndicesFrame(), "2023-03-01")));
    assertEquals(rows.length, 24);
    assertEquals(rows[14].month, "2023-03");
    assertEquals(rows[14].state, "No data");
  });

  it("M1: keeps the source of a derived frame, and takes the source of a joined one from the option", async () => {
    const frame = buildIndicesFrame({ world: "sample" });
    const derived = removeMonth(frame, "2022-01-01");
    const line = "Source: monthly_indices from SYNTHETIC";
    assertStringIncludes(await plotMonthlyIndices(derived).svg(), line);
    const joined = pl.concat([derived, pl.DataFrame()], { how: "diagonal" });
    const bare = await plotMonthlyIndices(joined).svg();
    assertStringIncludes(bare, "Source: not stated. SYNTHETIC figures");
    assertStringIncludes(bare, ">SYNTHETIC</text>");
    assertStringIncludes(await plotMonthlyIndices(joined, { source: frame }).svg(), line);
  });

  it("gives each of several turbines a row", async () => {
    const chart = plotMonthlyIndices(
      buildIndicesFrame({ turbines: ["T1", "T2"], months: 6, gaps: [] }),
    );
    assertEquals(readRows(chart).length, 12);
    const svg = await chart.svg();
    assertStringIncludes(svg, ">T1<");
    assertStringIncludes(svg, ">T2<");
    assertStringIncludes(chart.altText, "T2: January 2022 to June 2022");
  });

  it("plots a frame without turbine, status and last twelve months", async () => {
    const frame = buildIndicesFrame().select("month", "month_index");
    assertStringIncludes(
      await plotMonthlyIndices(frame).svg(),
      ">Month index of T1, 2022 to 2023<",
    );
  });

  it("refuses a frame that lacks a column, has no rows or repeats a month", () => {
    const frame = buildIndicesFrame();
    const error = assertThrows(
      () => plotMonthlyIndices(frame.drop("month_index")),
      ArgumentError,
      `no column "month_index"`,
    );
    assertStringIncludes(error.message, "monthlyIndices()");
    assertThrows(() => plotMonthlyIndices(frame.head(0)), ArgumentError, "no rows");
    assertThrows(() => plotMonthlyIndices(frame.vstack(frame)), ArgumentError, "is duplicated");
    const texts = frame.withColumn(pl.col("month").cast(pl.Utf8));
    assertThrows(() => plotMonthlyIndices(texts), ArgumentError, "strptime");
  });

  it("F26 draws a turbine with a hostile id harmlessly", async () => {
    const turbines = ["<script>alert(1)</script>", `"'&\u0000\ud800`];
    const chart = plotMonthlyIndices(buildIndicesFrame({ turbines, months: 3, gaps: [] }));
    const svg = await chart.svg();
    assert(!svg.includes("<script"));
    assertStringIncludes(svg, "&lt;script&gt;");
    assert(!svg.includes("\u0000"));
    assert((await chart.png()).length > 1000);
  });

  it("draws bars in the requested size", async () => {
    const small = await plotMonthlyIndices(buildIndicesFrame(), { width: 300, height: 100 }).svg();
    assert(Number(/width="(\d+)"/.exec(small)?.[1]) < 640);
  });

  it("draws the same in every time zone", async () => {
    await assertSnapshot("monthly_indices", () => plotMonthlyIndices(buildIndicesFrame()));
  });

  it("refuses texts in place of numbers, and more than 60 turbines", () => {
    const texts = buildIndicesFrame().withColumns(pl.col("month_index").cast(pl.Utf8));
    assertThrows(() => plotMonthlyIndices(texts), ArgumentError, "contains String, not numbers");
    const turbines = Array.from({ length: 61 }, (_, i) => `T${i}`);
    const many = buildIndicesFrame({ turbines, months: 1, gaps: [] });
    assertThrows(() => plotMonthlyIndices(many), ArgumentError, "at most 60");
  });

  it("refuses shares: an index is in %", () => {
    const shares = buildIndicesFrame().withColumns(
      pl.col("month_index").div(100),
      pl.col("month_abnormality_index").div(100),
    );
    const plots = [plotMonthlyIndices, plotFleetIndices, plotIndexCalendar];
    for (const plot of plots) assertThrows(() => plot(shares), ArgumentError, ".mul(100)");
    const still = buildIndicesFrame().withColumns(pl.lit(0).alias("month_index"));
    assertEquals(readRows(plotMonthlyIndices(still))[0].value, 0);
  });

  it("reads decimals as numbers", () => {
    const decimals = buildIndicesFrame()
      .withColumns(pl.col("month_index").round(2).cast(pl.Decimal(10, 2)));
    assertEquals(readRows(plotMonthlyIndices(decimals))[0].value, 137);
  });

  it("has the figures of the first five turbines in its alternative text, and the number of others", () => {
    const turbines = Array.from({ length: 60 }, (_, i) => `T${i}`);
    const { altText } = plotMonthlyIndices(buildIndicesFrame({ turbines, months: 2, gaps: [] }));
    assert(altText.endsWith("55 more turbines."));
    assert(altText.length < 800);
  });

  it("V15: shortens ids of any length in the middle, and numbers those with the same short text", () => {
    const long = "x".repeat(100_000);
    const chart = plotMonthlyIndices(
      buildIndicesFrame({ turbines: [`${long}1`, `${long}2`, `x${long}2`], months: 1, gaps: [] }),
    );
    const names = readRows(chart).map(({ turbine }) => turbine);
    const start = `${"x".repeat(29)}\u2026${"x".repeat(29)}`;
    assertEquals(names, [`${start}1`, `${start}2`, `${start}2 (2)`]);
    assert(JSON.stringify(chart.spec).length < 20_000);
  });
});
