import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { ArgumentError } from "../../../src/api/errors.ts";
import { computeDensity } from "../../../src/plots/comparison/pair_layers.ts";
import { fitLine } from "../../../src/stats/regression.ts";
import { plotCorrelation } from "../../../src/plots/comparison/correlation.ts";
import { buildIndicesFrame } from "../_frames.ts";
import { assertSnapshot } from "../_snapshot.ts";
import { buildWindFrame, computeScatter } from "../_wind_frames.ts";

/** Two series: the second starts two hours later and lacks a value. */
const first = buildWindFrame({ speeds: [1, 2, 3, 4, 5, 6] });
const second = buildWindFrame({ speeds: [2, 4, null, 9, 11], start: "2023-01-01T02:00Z" });

describe("regression()", () => {
  it("finds line and r worked out by hand", () => {
    // x 1 to 5, y 2 4 5 4 5: sums of squares 10 and 6, of products 6.
    const line = fitLine(Float64Array.of(1, 2, 3, 4, 5), Float64Array.of(2, 4, 5, 4, 5))!;
    assertAlmostEquals(line.slope, 0.6, 1e-12);
    assertAlmostEquals(line.intercept, 2.2, 1e-12);
    assertAlmostEquals(line.r!, 6 / Math.sqrt(60), 1e-12);
  });

  it("has no line if x is constant, and no r if y is constant", () => {
    assertEquals(fitLine(Float64Array.of(0.1, 0.1, 0.1), Float64Array.of(1, 2, 3)), undefined);
    assertEquals(fitLine(Float64Array.of(5), Float64Array.of(1)), undefined);
    assertEquals(fitLine(Float64Array.of(1, 2), Float64Array.of(0.1, 0.1))!.r, undefined);
  });

  it("has an r of -1 to 1 that units do not change", () => {
    for (let seed = 0; seed < 50; seed++) {
      const x = Float64Array.from({ length: 30 }, (_, i) => computeScatter(seed * 60 + i));
      const y = Float64Array.from({ length: 30 }, (_, i) => computeScatter(seed * 60 + 30 + i));
      const { r } = fitLine(x, y)!;
      assert(r! >= -1 && r! <= 1);
      assertAlmostEquals(
        fitLine(x.map((v) => 1000 * v - 7), y.map((v) => -3 * v))!.r!,
        -r!,
        1e-9,
      );
    }
  });
});

describe("computeDensity()", () => {
  it("counts every pair once, in the class of its number", () => {
    const x = Float64Array.from({ length: 5000 }, (_, i) => computeScatter(i) ** 2);
    const y = Float64Array.from({ length: 5000 }, (_, i) => computeScatter(i + 9) ** 3);
    const { cells, classes } = computeDensity(x, y, 20, 15);
    assertEquals(cells.reduce((sum, { count }) => sum + count, 0), 5000);
    for (const { count, pairs } of cells) {
      assert(classes.includes(pairs));
      const [low, high = low] = pairs.match(/[\d,]+/g)!.map((text) =>
        Number(text.replace(",", ""))
      );
      assert(count >= low && (count <= high || pairs.endsWith("and more")), `${count} in ${pairs}`);
    }
  });
});

describe("plotCorrelation()", () => {
  it("pairs by time, and reports what is left out", async () => {
    const svg = await plotCorrelation(first, second).svg();
    // Pairs (3, 2), (4, 4), (6, 9), worked out by hand: slope 33/14.
    assertStringIncludes(svg, "n = 3");
    assertStringIncludes(
      svg,
      "Line: y = 2.357 x − 5.2143; dashed: y = x".replace("5.2143", "5.214"),
    );
    assertStringIncludes(
      svg,
      "Not shown: 2 timestamps only in x, 1 timestamp only in y, 1 timestamp without a value in x",
    );
  });

  it("V6: counts months that were filtered out of both", () => {
    const kept = buildIndicesFrame({ months: 12, gaps: [] })
      .filter(pl.col("month").dt.month().isIn([3, 4]).not());
    const { altText } = plotCorrelation(kept, kept, {
      xColumn: "month_index",
      yColumn: "predicted_production",
    });
    assertStringIncludes(altText, "Not shown: 2 months in between, missing in both");
    assertStringIncludes(
      plotCorrelation(first, first).altText,
      "Every timestamp of x is also in y",
    );
  });

  it("pairs by instants, in any time zones", () => {
    const zoned = buildWindFrame({
      speeds: [1, 2, 3],
      start: "2023-01-01T00:00Z",
      zone: "Asia/Kolkata",
    });
    assertStringIncludes(plotCorrelation(first, zoned).altText, "n = 3");
  });

  it("pairs by month, and names turbines if they differ", async () => {
    const x = buildIndicesFrame({ turbines: ["A"], months: 24 });
    const y = buildIndicesFrame({ turbines: ["B"], months: 12, world: "sample" });
    const columns = { xColumn: "month_index", yColumn: "predicted_production" };
    const chart = plotCorrelation(x, y, columns);
    assertStringIncludes(chart.altText, "Predicted production of B against month index of A");
    assertStringIncludes(chart.altText, "r = 1.000, R2 = 1.000, n = 11");
    assertStringIncludes(await chart.svg(), "SYNTHETIC", "one of its series is");
  });

  it("draws one pair, equal values and huge ones", async () => {
    for (
      const [xs, ys] of [[[1], [2]], [[3, 3], [1, 2]], [[1, 2], [5, 5]], [[1e9, 2e9], [1e-6, 2e-6]]]
    ) {
      await plotCorrelation(buildWindFrame({ speeds: xs }), buildWindFrame({ speeds: ys }), {
        width: 200,
      })
        .svg();
    }
    const one = plotCorrelation(buildWindFrame({ speeds: [1] }), buildWindFrame({ speeds: [2] }));
    assertStringIncludes(one.altText, "no line: one pair");
  });

  it("refuses series without a common timestamp, ambiguous columns and duplicated timestamps", () => {
    const assertRefusal = (change: () => unknown, text: string) =>
      assertThrows(change, ArgumentError, text);
    const later = buildWindFrame({ speeds: [1, 2], start: "2024-01-01T00:00Z" });
    assertRefusal(
      () => plotCorrelation(first, later),
      "x has 2023-01-01 00:00 UTC to 2023-01-01 05:00 UTC",
    );
    assertRefusal(
      () => plotCorrelation(first, buildWindFrame({ speeds: [null, NaN] })),
      "no pair (of 2)",
    );
    assertRefusal(
      () => plotCorrelation(first, buildIndicesFrame(), { yColumn: "month_index" }),
      "in common",
    );
    assertRefusal(() => plotCorrelation(buildIndicesFrame(), first), "{ xColumn }");
    assertRefusal(() => plotCorrelation(first.vstack(first), second), "is duplicated in x");
    assertRefusal(() => plotCorrelation(first.head(0), second), "no rows");
    assertRefusal(() => plotCorrelation(first, second, { yColumn: "gust" }), `no column "gust"`);
    const two = first.withColumn(pl.Series("turbine_id", [..."AAABBB"]));
    assertRefusal(
      () => plotCorrelation(two, second, { xColumn: "wind_speed" }),
      "several turbines",
    );
  });

  it("counts many pairs in cells, and stays small for 60 years", async () => {
    const length = 525_960;
    const x = buildWindFrame({ speeds: Array.from({ length }, (_, i) => 20 * computeScatter(i)) });
    const y = buildWindFrame({
      speeds: Array.from({ length }, (_, i) => 18 * computeScatter(i) + computeScatter(i + 1)),
    });
    const chart = plotCorrelation(x, y);
    assert(JSON.stringify(chart.spec).length < 500_000);
    assertStringIncludes(await chart.svg(), "Pairs in a cell");
  });

  it("draws the same picture as before, in every time zone", async () => {
    await assertSnapshot(
      "correlation",
      () =>
        plotCorrelation(buildIndicesFrame(), buildIndicesFrame(), {
          xColumn: "month_index",
          yColumn: "month_abnormality_index",
        }),
    );
    const speeds = Array.from({ length: 2000 }, (_, i) => 8 + 5 * computeScatter(i));
    const noisy = speeds.map((speed, i) => speed + 3 * computeScatter(i + 5000));
    await assertSnapshot(
      "correlation_density",
      () =>
        plotCorrelation(buildWindFrame({ speeds }), buildWindFrame({ speeds: noisy }), {
          width: 240,
        }),
    );
  });

  it("notes for directions that r and the line do not treat 360 deg as 0", async () => {
    const frame = buildWindFrame({ speeds: [5, 6, 7], directions: [350, 10, 20] });
    const options = { xColumn: "wind_direction", yColumn: "wind_direction" };
    assertStringIncludes(await plotCorrelation(frame, frame, options).svg(), "359 and 1 deg");
  });
});
