import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { comparisonColumns } from "../../../src/analysis/series/compared_series.ts";
import { ArgumentError } from "../../../src/api/errors.ts";
import { describeFrame } from "../../../src/frames/origin/provenance.ts";
import { plotActualAgainstPredicted } from "../../../src/plots/comparison/actual_predicted.ts";
import { buildComparisonFrame, buildOrigin } from "../_frames.ts";
import { assertSnapshot } from "../_snapshot.ts";
import { listViews } from "../_views.ts";

describe("plotActualAgainstPredicted()", () => {
  it("shows title, axis titles with units, sums and ratios", async () => {
    const svg = await plotActualAgainstPredicted(buildComparisonFrame()).svg();
    for (
      const text of [
        "Produced against predicted energy",
        "Energy per month (MWh)",
        "Ratio (%)",
        ">Predicted<",
        "Produced 550 of 580 MWh predicted: 94.8 % over 2 months",
        ">90<",
        ">125<",
      ]
    ) assertStringIncludes(svg, text);
  });

  it("marks months of low completeness and months with nothing to compare", () => {
    const chart = plotActualAgainstPredicted(buildComparisonFrame());
    const [view] = listViews<{ state: string }>(chart);
    assertEquals(view.data.values.map((row) => row.state), [
      "Produced",
      "Nothing to compare",
      "Produced, under 98 % of hours",
    ]);
    assertStringIncludes(chart.altText, "1 with nothing to compare, 1 of low completeness");
  });

  it("has the same labels and units for a bare frame as for a described one", async () => {
    const bare = plotActualAgainstPredicted(buildComparisonFrame());
    const described = plotActualAgainstPredicted(
      describeFrame(buildComparisonFrame(), comparisonColumns),
    );
    assertEquals(await bare.svg(), await described.svg());
    assertEquals(JSON.stringify(bare.spec), JSON.stringify(described.spec));
  });

  it("refuses a frame that lacks a column", () => {
    const error = assertThrows(
      () => plotActualAgainstPredicted(buildComparisonFrame().drop("ratio")),
      ArgumentError,
      `no column "ratio"`,
    );
    assertStringIncludes(error.message, "compareActual()");
  });

  it("draws the same in every time zone", async () => {
    await assertSnapshot(
      "actual_predicted",
      () => plotActualAgainstPredicted(buildComparisonFrame()),
    );
  });

  it("refuses a duplicated month and several turbines: the picture would show one of them", () => {
    const frame = buildComparisonFrame();
    const twice = frame.vstack(frame);
    assertThrows(() => plotActualAgainstPredicted(twice), ArgumentError, "is duplicated");
    const turbines = frame.withColumns(pl.lit("T1").alias("turbine_id"))
      .vstack(frame.withColumns(pl.lit("T2").alias("turbine_id")));
    assertThrows(() => plotActualAgainstPredicted(turbines), ArgumentError, "2 turbines");
  });

  it("refuses texts in place of numbers: they are not missing values", () => {
    const texts = buildComparisonFrame().withColumns(pl.col("produced").cast(pl.Utf8));
    const error = assertThrows(() => plotActualAgainstPredicted(texts), ArgumentError);
    assertStringIncludes(error.message, 'column "produced" contains String, not numbers');
    assertStringIncludes(error.message, ".cast(pl.Float64)");
  });

  // last, because afterwards data without a source are marked as well
  it("says SYNTHETIC when the prediction is from the sample", async () => {
    const frame = describeFrame(buildComparisonFrame(), comparisonColumns, buildOrigin("sample"));
    assertStringIncludes(await plotActualAgainstPredicted(frame).svg(), ">SYNTHETIC</text>");
  });
});
