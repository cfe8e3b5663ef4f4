import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { ArgumentError } from "../../../src/api/errors.ts";
import { plotUncertaintyFan } from "../../../src/plots/uncertainty_fan.ts";
import { buildIndicesFrame } from "../_frames.ts";
import { drawRandomGaps } from "../_gaps.ts";
import { assertSnapshot } from "../_snapshot.ts";

/** A long-term estimate by number of years; the third is missing. */
function buildEstimate() {
  return pl.DataFrame({
    year: [1, 2, 4, 5],
    p50: [6000, 6000, 6000, 6000],
    p90: [5300, 5450, 5530, 5550],
    p10: [6700, 6550, 6470, 6450],
    p75: [5620, 5700, 5750, 5760],
    p25: [6380, 6300, 6250, 6240],
  });
}

const intervals = [
  { low: "p75", high: "p25", percent: 50 },
  { low: "p90", high: "p10", percent: 80 },
];

describe("plotUncertaintyFan()", () => {
  it("draws the same picture as before, in every time zone", async () => {
    await assertSnapshot("uncertainty_fan", () => plotUncertaintyFan(buildIndicesFrame()));
    await assertSnapshot(
      "uncertainty_fan_years",
      () => plotUncertaintyFan(buildEstimate(), { figure: "p50", intervals }),
    );
  });

  it("V6: names no interval that no month has, and says so", async () => {
    const bare = buildIndicesFrame().withColumns(
      pl.lit(null).cast(pl.Float64).alias("predicted_production_low"),
      pl.lit(null).cast(pl.Float64).alias("predicted_production_high"),
    );
    const chart = plotUncertaintyFan(bare);
    const svg = await chart.svg();
    assert(!svg.includes("is exceeded in"));
    assertEquals(svg.split("90 % interval").length, 2, "in the note alone");
    assertStringIncludes(svg, "The data have no 90 % interval (P95 to P5)");
    assertStringIncludes(chart.altText, "Line without an interval");
  });

  it("shows title, unit and source, and names the ends by the probability of exceedance", async () => {
    const chart = plotUncertaintyFan(buildIndicesFrame());
    const svg = await chart.svg();
    for (
      const text of [
        "Predicted production of T1",
        "Predicted production (MWh)",
        "90 % interval (P95 to P5)",
        "P95 is exceeded in 95 of 100 cases",
        "from own data",
      ]
    ) assertStringIncludes(svg, text);
    assertStringIncludes(chart.altText, "December 2023: ");
  });

  it("draws the widest of several intervals first", async () => {
    const svg = await plotUncertaintyFan(buildEstimate(), { figure: "p50", intervals }).svg();
    const [wide, narrow] = ["80 % interval (P90 to P10)", "50 % interval (P75 to P25)"]
      .map((text) => svg.indexOf(text));
    assert(0 < wide && wide < narrow);
  });

  it("draws any gaps, one month, months without any data, and 86 years", async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const gaps = drawRandomGaps(seed, 30);
      await plotUncertaintyFan(buildIndicesFrame({ months: 30, gaps }), { width: 360 }).svg();
    }
    await plotUncertaintyFan(buildIndicesFrame({ months: 1, gaps: [] })).svg();
    const none = plotUncertaintyFan(buildIndicesFrame({ months: 3, gaps: [0, 1, 2] }));
    await none.svg();
    assertStringIncludes(none.altText, "No data");
    await plotUncertaintyFan(buildIndicesFrame({ from: "1940-01", months: 1032 })).svg();
  });

  it("leaves out an interval that misses one of its ends", async () => {
    const frame = buildIndicesFrame().withColumn(
      pl.lit(null).cast(pl.Float64).alias("predicted_production_low"),
    );
    const chart = plotUncertaintyFan(frame);
    await chart.svg();
    assert(!chart.altText.includes("interval "));
  });

  it("says SYNTHETIC in the picture of the sample", async () => {
    const svg = await plotUncertaintyFan(buildIndicesFrame({ world: "sample" })).svg();
    assertStringIncludes(svg, ">SYNTHETIC</text>");
  });

  it("refuses no, too many and reversed intervals", () => {
    const frame = buildEstimate();
    const plot = (changed: readonly { low: string; high: string; percent: number }[]) => () =>
      plotUncertaintyFan(frame, { figure: "p50", intervals: changed });
    assertThrows(plot([]), ArgumentError, "0 intervals");
    assertThrows(plot(Array(5).fill(intervals[0])), ArgumentError, "5 intervals");
    assertThrows(plot([{ ...intervals[0], percent: 100 }]), ArgumentError, "100 %");
    assertThrows(plot([intervals[0], { ...intervals[1], percent: 50 }]), ArgumentError, "50 %");
    const error = assertThrows(
      plot([{ low: "p10", high: "p90", percent: 80 }]),
      ArgumentError,
      `row 1 "p10" is 6700, above "p90", 5300`,
    );
    assertStringIncludes(error.message, "Swap");
  });

  it("refuses a missing column, no rows, several turbines, and invalid years", () => {
    const frame = buildIndicesFrame();
    assertThrows(
      () => plotUncertaintyFan(frame.drop("predicted_production_low")),
      ArgumentError,
      `no column "predicted_production_low"`,
    );
    assertThrows(() => plotUncertaintyFan(frame.head(0)), ArgumentError, "no rows");
    assertThrows(
      () => plotUncertaintyFan(buildIndicesFrame({ turbines: ["T1", "T2"] })),
      ArgumentError,
      "2 turbines",
    );
    const options = { figure: "p50", intervals };
    for (const [years, message] of [[[1, 1, 2, 3], "is duplicated"], [[1, 2, 3, 4.5], "whole"]]) {
      const wrong = buildEstimate().withColumn(pl.Series("year", years as number[]));
      assertThrows(() => plotUncertaintyFan(wrong, options), ArgumentError, message as string);
    }
    const far = buildEstimate().withColumn(pl.Series("year", [1, 2, 3, 2024]));
    assertThrows(() => plotUncertaintyFan(far, options), ArgumentError, "1 to 2024");
  });

  it("shows a year that is missing in the frame as one without data", () => {
    const chart = plotUncertaintyFan(buildEstimate(), { figure: "p50", intervals });
    assertEquals(/(\d) of (\d) without data/.exec(chart.altText)?.slice(1), ["1", "5"]);
  });
});
