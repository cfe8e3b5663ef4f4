import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { longTermColumns } from "../../../src/analysis/estimate_long_term/summary.ts";
import { ArgumentError } from "../../../src/api/errors.ts";
import { describeFrame } from "../../../src/frames/origin/provenance.ts";
import { plotLongTerm, plotUncertainty } from "../../../src/plots/index/long_term.ts";
import { buildOrigin } from "../_frames.ts";
import { assertSnapshot } from "../_snapshot.ts";

const buildEstimates = (): DataFrame =>
  pl.DataFrame({
    method: ["1200 method", "regression", "time-step calibration"],
    p50: [9770, 9781, 9781],
    low: [9622, 9650, 9638],
    high: [9920, 9914, 9927],
    months: [43, 43, 48],
  });

describe("plotLongTerm()", () => {
  it("draws the same picture as before, in every time zone", async () => {
    await assertSnapshot("long_term", () => plotLongTerm(buildEstimates()));
  });

  it("shows each method with its figures, and says that the axis does not begin at zero", async () => {
    const chart = plotLongTerm(buildEstimates());
    const svg = await chart.svg();
    for (
      const text of [
        ">1200 method<",
        ">43 months<",
        ">9,770<",
        "Energy per year (MWh)",
        "The bars are 90 % intervals of the normal year (P50).",
        "The axis does not begin at zero",
      ]
    ) assertStringIncludes(svg, text);
    assertStringIncludes(chart.altText, "regression 9,781 MWh, 90 % interval 9,650 to 9,914 MWh");
  });

  it("accepts the frame of estimateLongTerm() with its unit and origin", async () => {
    const described = describeFrame(buildEstimates(), longTermColumns, buildOrigin("sample"));
    const svg = await plotLongTerm(described).svg();
    assertStringIncludes(svg, ">SYNTHETIC</text>");
    const names = longTermColumns.map(({ name }) => name);
    assertEquals(buildEstimates().columns.filter((name) => !names.includes(name)), []);
  });

  it("F26 draws one method, no spread, tiny and huge energies, and hostile names", async () => {
    for (const [p50, low, high] of [[5, 5, 5], [0, 0, 0], [1e-6, 0, 1], [4e8, 1e8, 9e8]]) {
      const chart = plotLongTerm(
        pl.DataFrame({
          method: [`<b>${"long ".repeat(50)}`],
          p50: [p50],
          low: [low],
          high: [high],
        }),
        { width: 300 },
      );
      const svg = await chart.svg();
      assert(svg.startsWith("<svg") && !svg.includes("<b>") && !svg.includes("NaN"));
      assert(!chart.altText.includes("NaN"));
    }
  });

  it("refuses missing columns and values, and an interval that does not contain its estimate", () => {
    const message = (frame: DataFrame) =>
      assertThrows(() => plotLongTerm(frame), ArgumentError).message;
    assertStringIncludes(message(buildEstimates().drop("low")), 'no column "low"');
    assertStringIncludes(message(buildEstimates().head(0)), "no rows");
    const outside = buildEstimates().withColumn(pl.lit(9900).alias("low"));
    assertStringIncludes(message(outside), 'in row 1 "p50" is 9770, outside of 9900 to 9920');
    const hole = buildEstimates().withColumn(pl.lit(null).cast(pl.Float64).alias("p50"));
    assertStringIncludes(message(hole), 'row 1 of the frame has no method, "p50"');
  });
});

/** Shares and exceedance of one year and of several, as returned by `estimateLongTerm()`. */
const buildUncertainty = () => ({
  frames: {
    uncertainty: pl.DataFrame({
      share: ["calibration", "level between years", "reference period", "year to year", "wake"],
      standard_error: [0.7, 1, 1.5, 6.9, 1.6],
      of_variance: [0.9, 1.8, 4.3, 87.8, 5.2],
    }),
    exceedance: pl.DataFrame({
      years: [1, 10, 20],
      p50: [9170, 9170, 9170],
      p75: [8703, 8953, 8975],
      p90: [8271, 8754, 8798],
    }),
  },
});

describe("plotUncertainty()", () => {
  it("draws the same picture as before, in every time zone", async () => {
    await assertSnapshot("uncertainty", () => plotUncertainty(buildUncertainty()));
  });

  it("shows each share with its part of the variance, and P50, P75 and P90 of one year and of several", async () => {
    const chart = plotUncertainty(buildUncertainty());
    const svg = await chart.svg();
    for (
      const text of [
        ">calibration<",
        ">6.9 % (87.8 % of the variance)<",
        ">20 years, mean<",
        ">9,170<",
        ">P75 8,953<",
        ">P90 8,271<",
        "Standard error of a year (%)",
        "The axis of the energies does not begin at zero",
      ]
    ) assertStringIncludes(svg, text);
    assertStringIncludes(chart.altText, "10 years, mean P90 8,754 MWh");
  });

  it("draws the known shares if one is unknown, without P75 and P90", async () => {
    const { frames } = buildUncertainty();
    const unknown = pl.lit(null).cast(pl.Float64);
    const chart = plotUncertainty({
      frames: {
        uncertainty: frames.uncertainty.withColumns(
          pl.when(pl.col("share").eq(pl.lit("year to year"))).then(unknown)
            .otherwise(pl.col("standard_error")).alias("standard_error"),
          unknown.alias("of_variance"),
        ),
        exceedance: frames.exceedance.withColumns(unknown.alias("p75"), unknown.alias("p90")),
      },
    });
    const svg = await chart.svg();
    assertStringIncludes(svg, ">unknown<");
    assertStringIncludes(svg, ">1.5 %<");
    assert(!svg.includes(">P90 ") && !svg.includes("NaN"));
  });

  it("refuses frames of other analyses", () => {
    const { frames } = buildUncertainty();
    const message = assertThrows(
      () => plotUncertainty({ frames: { ...frames, exceedance: frames.uncertainty } }),
      ArgumentError,
    ).message;
    assertStringIncludes(message, 'no columns "years", "p50"');
  });
});
