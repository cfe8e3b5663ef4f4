import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { ArgumentError } from "../../../src/api/errors.ts";
import { describeFrame } from "../../../src/frames/origin/provenance.ts";
import { nested } from "../../../src/plots/drawing/theme.ts";
import { plotPerformance } from "../../../src/plots/losses/performance.ts";
import { monthAsDays } from "../../../src/time/zones.ts";
import { buildOrigin } from "../_frames.ts";
import { drawRandomGaps } from "../_gaps.ts";
import { assertSnapshot } from "../_snapshot.ts";

type State = "normal" | "low" | "high" | "incomplete" | null;

function buildComparison(
  from: string,
  ratios: readonly (number | null)[],
  band: readonly [number, number] | null = [88, 112],
  least: readonly number[] = [],
): DataFrame {
  const first = Temporal.PlainYearMonth.from(from);
  const classify = (ratio: number | null, i: number): State =>
    ratio === null || !band
      ? null
      : least.includes(i)
      ? "incomplete"
      : ratio < band[0]
      ? "low"
      : ratio > band[1]
      ? "high"
      : "normal";
  const days = ratios.map((_, i) => monthAsDays(first.add({ months: i })));
  return pl.DataFrame([
    pl.Series("month", days, pl.Float64).cast(pl.Int32).cast(pl.Date),
    pl.Series("produced", ratios.map((ratio) => ratio === null ? null : 5 * ratio), pl.Float64),
    pl.Series("predicted", ratios.map((ratio) => ratio === null ? null : 500), pl.Float64),
    pl.Series("ratio", [...ratios], pl.Float64),
    pl.Series("band_low", ratios.map(() => band ? band[0] : null), pl.Float64),
    pl.Series("band_high", ratios.map(() => band ? band[1] : null), pl.Float64),
    pl.Series("state", ratios.map(classify), pl.Utf8),
    pl.Series("completeness", ratios.map((_, i) => least.includes(i) ? 0.4 : 1), pl.Float64),
  ]);
}

const buildTwoYears = () =>
  buildComparison(
    "2022-01",
    [101, 97, 104, 71, 66, 99, 103, null, 98, 115, 100, 96, 101, 100, 60, 105, 99, 97],
    [88, 112],
    [14],
  );

function buildYears(ratios: readonly (number | null)[]): DataFrame {
  return pl.DataFrame([
    pl.Series("year", ratios.map((_, i) => 2003 + i), pl.Int32),
    pl.Series("ratio", [...ratios], pl.Float64),
  ]);
}

describe("plotPerformance()", () => {
  it("draws the same picture as before, in every time zone", async () => {
    await assertSnapshot("performance", () => plotPerformance(buildTwoYears()));
    await assertSnapshot(
      "performance_years",
      () => plotPerformance(buildYears([84.6, 59.2, 98.9, 101.2])),
    );
  });

  it("shows band and states, and names consecutive months outside of the band once", async () => {
    const chart = plotPerformance(buildTwoYears());
    const svg = await chart.svg();
    for (
      const text of [
        "Produced over expected energy",
        "Ratio (%)",
        "Normal: 88.0 to 112.0 %",
        "Below normal",
        "Above normal",
        "Too few hours",
        "Apr 2022 \u2013 May 2022",
        "Oct 2022",
      ]
    ) assertStringIncludes(svg, text);
    assertStringIncludes(
      chart.altText,
      "below April 2022 71.0 %, May 2022 66.0 %; above October 2022 115.0 %",
    );
    assertStringIncludes(chart.altText, "1 of 18 with nothing to compare");
    assert(!svg.includes(">Mar 2023<"), "a month that cannot be judged is not named");
  });

  it("draws the band of each period, and states the middle one as approximate if they differ", async () => {
    const bands = [[80, 120], [90, 110], [95, 105]];
    const comparison = buildComparison("2022-01", [101, 97, 104]).withColumns(
      pl.Series("band_low", bands.map(([low]) => low), pl.Float64),
      pl.Series("band_high", bands.map(([, high]) => high), pl.Float64),
    );
    const chart = plotPerformance(comparison);
    assertStringIncludes(chart.altText, "Normal is about 90.0 to 110.0 %");
    // Three bars of equal width, with heights in the ratio 40 to 20 to 10.
    const bar = new RegExp(`<path d="M[^v]*v(-?[\\d.]+)h[^"]*" fill="${nested[0]}"`, "g");
    const heights = [...(await chart.svg()).matchAll(bar)].map(([, height]) => Number(height));
    assertEquals(heights.length, 3);
    assertAlmostEquals(heights[0] / heights[2], 4, 1e-6);
    assertAlmostEquals(heights[1] / heights[2], 2, 1e-6);
  });

  it("W7: names each period outside of the band with its own band, as drawn", () => {
    const bands = [[80, 120], [97.5, 110], [95, 103.2]];
    const comparison = buildComparison("2022-01", [75, 97, 104], [98, 103]).withColumns(
      pl.Series("band_low", bands.map(([low]) => low), pl.Float64),
      pl.Series("band_high", bands.map(([, high]) => high), pl.Float64),
    );
    assertStringIncludes(
      plotPerformance(comparison).altText,
      "each period by its own band; below January 2022 75.0 % (normal from 80.0 %), " +
        "February 2022 97.0 % (normal from 97.5 %); above March 2022 104.0 % (normal to 103.2 %)",
    );
  });

  it("S1: draws a line at the ratio of each stable state, and says when it changed", async () => {
    const stable = [101, 101, 101, null, 90, 90, 90];
    const comparison = buildComparison("2022-01", [102, 99, 101, 96, 90, 91, 88]).withColumn(
      pl.Series("stable_ratio", stable, pl.Float64),
    );
    const chart = plotPerformance(comparison);
    assertStringIncludes(chart.altText, "; from 101 to 90 % in April 2022; ");
    const svg = await chart.svg();
    assertStringIncludes(svg, "Stable state");
    const lines = [
      ...svg.matchAll(/<path d="M[^"]*"[^>]*stroke="#1a1a1a"[^>]*stroke-width="2.5"/g),
    ];
    assert(lines.length >= 2, "a line for each state");
    assert(!(await plotPerformance(buildTwoYears()).svg()).includes("Stable state"));
  });

  it("names as many periods as fit without overlap, the farthest first", async () => {
    const ratios = Array.from({ length: 480 }, (_, i) => i % 25 === 0 ? 60 - i / 100 : 100);
    const svg = await plotPerformance(buildComparison("1980-01", ratios), { width: 400 }).svg();
    const names = [...svg.matchAll(/>(\w{3} \d{4})</g)].map(([, name]) => name);
    assert(names.length > 3 && names.length < 10, `${names}`);
    assert(names.includes("Aug 2019"), "the farthest is named"); // 475 months after the first
    assertStringIncludes(svg, "and 14 more");
  });

  it("says if there is no band, or no period outside of it", () => {
    assertStringIncludes(
      plotPerformance(buildYears([85, 59, 99])).altText,
      "No normal band",
    );
    assertStringIncludes(
      plotPerformance(buildComparison("2022-01", [99, 101])).altText,
      "no period is outside",
    );
  });

  it("draws any gaps, one month, months without any data, and 40 years", async () => {
    for (let seed = 1; seed <= 8; seed++) {
      const gaps = drawRandomGaps(seed, 30);
      const ratios = Array.from({ length: 30 }, (_, i) => gaps.includes(i) ? null : 70 + 2 * i);
      await plotPerformance(buildComparison("2020-01", ratios)).svg();
    }
    await plotPerformance(buildComparison("2020-01", [55])).svg();
    await plotPerformance(buildComparison("2020-01", [null, null], null)).svg();
    const long = Array.from({ length: 480 }, (_, i) => i % 50 === 0 ? 60 : 100 + 8 * Math.sin(i));
    await plotPerformance(buildComparison("1980-01", long)).svg();
  });

  it("says SYNTHETIC for the sample, and uses the source of a derived frame", async () => {
    const sample = describeFrame(buildTwoYears(), [], buildOrigin("sample", "model_data"));
    assertStringIncludes(await plotPerformance(sample).svg(), "SYNTHETIC");
    assertStringIncludes(
      await plotPerformance(buildTwoYears(), { source: sample }).svg(),
      "SYNTHETIC",
    );
  });

  it("refuses a frame without ratio or without rows", () => {
    assertThrows(
      () => plotPerformance(buildTwoYears().drop("ratio")),
      ArgumentError,
      'no column "ratio"',
    );
    assertThrows(() => plotPerformance(buildTwoYears().clear()), ArgumentError, "has no rows");
    assertEquals(
      plotPerformance(buildTwoYears(), { title: "Mine" }).altText.includes("Mine"),
      true,
    );
  });
});
