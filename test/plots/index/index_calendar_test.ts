import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { ArgumentError } from "../../../src/api/errors.ts";
import type { Chart } from "../../../src/plots/drawing/chart.ts";
import { plotIndexCalendar } from "../../../src/plots/index/index_calendar.ts";
import { buildIndicesFrame } from "../_frames.ts";
import { drawRandomGaps } from "../_gaps.ts";
import { assertSnapshot } from "../_snapshot.ts";
import { listViews } from "../_views.ts";

interface Cell {
  year: string;
  column: string;
  value: number | null;
  state: string;
}

function readCells(chart: Chart): Cell[] {
  const views = listViews<Cell>(chart);
  return views.find((view) => view.data.values[0].column !== undefined)!.data.values;
}

describe("plotIndexCalendar()", () => {
  it("draws the same picture as before, in every time zone", async () => {
    await assertSnapshot("index_calendar", () => plotIndexCalendar(buildIndicesFrame()));
  });

  it("shows title, unit and source, and a figure in each cell", async () => {
    const chart = plotIndexCalendar(buildIndicesFrame());
    const svg = await chart.svg();
    for (
      const text of [
        "Month abnormality index of T1",
        "Month abnormality index (%)",
        ">Jan<",
        ">2023<",
        ">Year<",
        "monthly_indices from own data, 2024-02-01",
      ]
    ) assertStringIncludes(svg, text);
    const figures = readCells(chart).flatMap((cell) => cell.value ?? []);
    for (const figure of figures) assertStringIncludes(svg, `>${figure.toFixed(0)}<`);
  });

  it("crosses out months without data, marks preliminary ones and leaves months outside the record blank", () => {
    const cells = readCells(plotIndexCalendar(buildIndicesFrame({ from: "2022-03", months: 20 })));
    const months = cells.filter((cell) => cell.column !== "Year");
    assertEquals(months.length, 20);
    assertEquals(months[0], { ...months[0], year: "2022", column: "03" });
    assertEquals(months[9].state, "No data");
    assertEquals(months.slice(-3).map((cell) => cell.state), Array(3).fill("Preliminary"));
  });

  it("shows complete calendar years if the frame has the last twelve months", () => {
    const years = readCells(plotIndexCalendar(buildIndicesFrame({ gaps: [] })))
      .filter((cell) => cell.column === "Year");
    assertEquals(years.map((cell) => cell.year), ["2022", "2023"]);
    const frame = buildIndicesFrame({ gaps: [] });
    const december = frame.getColumn("last12_month_index").toArray()[23];
    assertEquals(years[1].value, december);
    const bare = readCells(plotIndexCalendar(frame.select("month", "month_abnormality_index")));
    assert(bare.every((cell) => cell.column !== "Year"));
  });

  it("draws records with any gaps, one month, and months without any data", async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const gaps = drawRandomGaps(seed, 30);
      const chart = plotIndexCalendar(buildIndicesFrame({ months: 30, gaps }), { width: 360 });
      assert((await chart.svg()).startsWith("<svg"), `gaps at ${gaps}`);
    }
    for (const months of [1, 3]) {
      await plotIndexCalendar(buildIndicesFrame({ months, gaps: [] })).svg();
      const none = plotIndexCalendar(buildIndicesFrame({ months, gaps: [0, 1, 2] }));
      await none.svg();
      assertStringIncludes(none.altText, "no data");
    }
  });

  it("draws 86 years with a label for each year", async () => {
    const svg = await plotIndexCalendar(buildIndicesFrame({ from: "1940-01", months: 1032 })).svg();
    for (const year of [1940, 1977, 2025]) assertStringIncludes(svg, `>${year}<`);
  });

  it("leaves the figures out if there is no space for them", async () => {
    const figures = async (options: { height?: number; width?: number }) =>
      /class="mark-text role-mark concat_0[^"]*"[^>]*><text/.test(
        await plotIndexCalendar(buildIndicesFrame(), options).svg(),
      );
    assertEquals(await figures({}), true);
    assertEquals(await figures({ width: 360 }), true);
    assertEquals(await figures({ height: 16 }), false);
    assertEquals(await figures({ width: 200 }), false);
  });

  it("V15: says SYNTHETIC next to the cells of the sample, and keeps the tooltips on top", async () => {
    const chart = plotIndexCalendar(buildIndicesFrame({ months: 60, world: "sample" }));
    assertStringIncludes(await chart.svg(), ">SYNTHETIC</text>");
    const views = listViews(chart);
    const layers = views.find((view) => view.layer && view.layer.length > 3)!.layer!;
    assert(layers.findIndex((layer) => layer.mark.text === "SYNTHETIC") < layers.length - 1);
  });

  it("refuses several turbines, a repeated month, a missing column, no rows", () => {
    const several = buildIndicesFrame({ turbines: ["T1", "T2"] });
    const error = assertThrows(() => plotIndexCalendar(several), ArgumentError, "2 turbines");
    assertStringIncludes(error.message, "filter");
    assertStringIncludes(error.message, "plotFleetIndices()");
    const frame = buildIndicesFrame();
    assertThrows(() => plotIndexCalendar(frame.vstack(frame)), ArgumentError, "is duplicated");
    assertThrows(() => plotIndexCalendar(frame.head(0)), ArgumentError, "no rows");
    assertThrows(
      () => plotIndexCalendar(frame.drop("month_abnormality_index")),
      ArgumentError,
      `no column "month_abnormality_index"`,
    );
  });

  it("F26 draws a turbine with a hostile, long or strange name", async () => {
    for (const name of ["<script>alert(1)</script>", "\u{1f32c}".repeat(300), `"'&\u0000\ud800`]) {
      const frame = buildIndicesFrame({ turbines: [name] });
      const svg = await plotIndexCalendar(frame, { width: 300 }).svg();
      assert(!svg.includes("<script") && !svg.includes("\u0000"));
      assert(svg.isWellFormed());
    }
  });

  it("plots a frame without status and turbine", async () => {
    const frame = buildIndicesFrame().select("month", "month_index")
      .withColumn(pl.col("month_index").alias("month_abnormality_index"));
    assertStringIncludes(
      await plotIndexCalendar(frame).svg(),
      ">Month abnormality index of T1, 2022 to 2023<",
    );
  });
});
