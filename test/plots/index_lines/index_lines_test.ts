import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { monthlyIndices } from "@vindkit/vindkit";
import {
  computeCumulativeDeviation,
  readIndexLineRows,
} from "../../../src/plots/index_lines/index_line_rows.ts";
import { ArgumentError } from "../../../src/api/errors.ts";
import type { Chart } from "../../../src/plots/drawing/chart.ts";
import { plotIndexLines } from "../../../src/plots/index_lines/index_lines.ts";
import { buildIndicesFrame } from "../_frames.ts";
import { drawRandomGaps } from "../_gaps.ts";
import { assertSnapshot } from "../_snapshot.ts";
import { listViews } from "../_views.ts";

interface Row {
  month: string;
  deviation: number | null;
  last12: number | null;
  state: string;
}

function readRows(chart: Chart): Row[] {
  const views = listViews<Row>(chart);
  return views.find((view) => view.data.values[0].month !== undefined)!.data.values;
}

describe("computeCumulativeDeviation()", () => {
  it("is after whole calendar years the sum of their indices minus 100 %", () => {
    const normals = [137, 121, 115, 92, 80, 72, 66, 73, 95, 112, 117, 120];
    const abnormality = (i: number) => 100 + 20 * Math.sin(i);
    const months = Array.from({ length: 24 }, (_, i) => ({
      month: `${2022 + Math.floor(i / 12)}-${String(i % 12 + 1).padStart(2, "0")}`,
      index: abnormality(i) * normals[i % 12] / 100,
      abnormality: abnormality(i),
    }));
    const deviation = computeCumulativeDeviation(months);
    const yearIndex = (from: number) =>
      months.slice(from, from + 12).reduce((sum, month) => sum + month.index, 0) / 12;
    assertAlmostEquals(deviation[11]!, yearIndex(0) - 100, 1e-9);
    assertAlmostEquals(deviation[23]!, yearIndex(0) + yearIndex(12) - 200, 1e-9);
  });

  it("counts a month without an index as normal, and one without any wind as lost", () => {
    const figures = (month: string, index: number | null, abnormality: number | null) => ({
      month,
      index,
      abnormality,
    });
    assertEquals(
      computeCumulativeDeviation([
        figures("2022-01", 120, 100),
        figures("2022-02", null, null),
        figures("2023-01", 0, 0),
      ]),
      [0, null, -10],
    );
    assertEquals(computeCumulativeDeviation([figures("2022-01", 0, 0)]), [null]);
  });
});

describe("plotIndexLines()", () => {
  it("W5: has the index of each year over that year", async () => {
    const indices = await monthlyIndices("T1", { from: "2020-06", to: "2022-12" });
    const { rows } = readIndexLineRows(indices, "index lines");
    const ofYear = (year: string) => {
      const own = rows.filter(({ month }) => month.startsWith(year)).map(({ lastYear }) =>
        lastYear
      );
      assertEquals(new Set(own).size, 1);
      return own[0];
    };
    const december = (year: number) =>
      indices.toRecords().find(({ month }) =>
        new Date(month as unknown as Date).toISOString().startsWith(`${year}-12`)
      )!.last_full_year_index as number;
    assertEquals(["2020", "2021", "2022"].map(ofYear), [2020, 2021, 2022].map(december));
  });

  it("draws the same picture as before, in every time zone", async () => {
    await assertSnapshot("index_lines", () => plotIndexLines(buildIndicesFrame({ months: 48 })));
  });

  it("shows both indices, and names the sum in the axis title", async () => {
    const svg = await plotIndexLines(buildIndicesFrame({ months: 36 })).svg();
    for (
      const text of [
        "Wind index of T1, 2022 to 2024",
        "Index (%)",
        "Last 12 months index",
        "Last full year index",
        "Energy against normal,",
        "summed (% of a normal",
        "1 month without data counts as a normal one in the sum",
        "from own data",
      ]
    ) assertStringIncludes(svg, text);
  });

  it("marks months without data and preliminary ones", () => {
    const rows = readRows(plotIndexLines(buildIndicesFrame()));
    assertEquals(rows[9], { ...rows[9], state: "No data", deviation: null });
    assertEquals(rows.slice(-3).every((row) => row.state === "Preliminary"), true);
  });

  it("draws records with any gaps, and a value between two of them as a point", async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const gaps = drawRandomGaps(seed, 40);
      await plotIndexLines(buildIndicesFrame({ months: 40, gaps }), { width: 360 }).svg();
    }
    const svg = await plotIndexLines(buildIndicesFrame({ months: 3, gaps: [0, 2] })).svg();
    assertEquals(svg.match(/class="mark-symbol role-mark[^>]*><path/g)?.length, 1);
  });

  it("draws one month, months without any data, and 86 years", async () => {
    await plotIndexLines(buildIndicesFrame({ months: 1, gaps: [] })).svg();
    const none = plotIndexLines(buildIndicesFrame({ months: 3, gaps: [0, 1, 2] }));
    await none.svg();
    assertStringIncludes(none.altText, "no twelve months in a row");
    const long = plotIndexLines(buildIndicesFrame({ from: "1940-01", months: 1032 }));
    assertStringIncludes(await long.svg(), ">1990<");
    assertStringIncludes(long.altText, "of a normal year by December 2025");
  });

  it("says SYNTHETIC in both plots of the sample", async () => {
    const svg = await plotIndexLines(buildIndicesFrame({ world: "sample" })).svg();
    assertEquals(svg.match(/>SYNTHETIC<\/text>/g)?.length, 2);
  });

  it("refuses several turbines, a missing column, no rows and a repeated month", () => {
    const frame = buildIndicesFrame();
    assertThrows(
      () => plotIndexLines(buildIndicesFrame({ turbines: ["T1", "T2"] })),
      ArgumentError,
      "plotFleetIndices()",
    );
    const error = assertThrows(
      () => plotIndexLines(frame.drop("last12_month_index")),
      ArgumentError,
      `no column "last12_month_index"`,
    );
    assertStringIncludes(error.message, "monthlyIndices()");
    assertThrows(() => plotIndexLines(frame.head(0)), ArgumentError, "no rows");
    assertThrows(() => plotIndexLines(frame.vstack(frame)), ArgumentError, "is duplicated");
  });

  it("F26 draws a turbine with a hostile name harmlessly", async () => {
    const svg = await plotIndexLines(buildIndicesFrame({ turbines: ["<script>\u0000\ud800"] }))
      .svg();
    assert(!svg.includes("<script") && !svg.includes("\u0000") && svg.isWellFormed());
  });
});
