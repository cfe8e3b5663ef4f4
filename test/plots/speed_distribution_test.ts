import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../src/api/errors.ts";
import { plotSpeedDistribution } from "../../src/plots/speed_distribution.ts";
import type { Chart } from "../../src/plots/drawing/chart.ts";
import { assertSnapshot } from "./_snapshot.ts";
import { buildWeibullSpeeds, buildWindFrame } from "./_wind_frames.ts";

interface Bin {
  label: string;
  count: number;
  share: number;
}

function readBins(chart: Chart): Bin[] {
  return JSON.parse(JSON.stringify(chart.spec).match(/\[\{"from":0,.*?\]/)![0]);
}

describe("plotSpeedDistribution()", () => {
  it("states mean, A and k, and how many hours miss a value", async () => {
    const speeds = [...buildWeibullSpeeds(9000, 9, 2.2), ...Array(1000).fill(null)];
    const svg = await plotSpeedDistribution(buildWindFrame({ speeds })).svg();
    // The mean of this distribution is 9 gamma(1 + 1/2.2) = 7.97.
    assertStringIncludes(svg, "Mean 7.97 m/s, in bins of 1 m/s");
    assertStringIncludes(svg, "Weibull A 9.00 m/s, k 2.20");
    assertStringIncludes(svg, "9,000 hours counted, 1,000 (10.0 %) without a value");
    assertStringIncludes(svg, "European Wind Atlas");
    assertStringIncludes(svg, "Distribution of wind speed of T1, Jan 2023 to Feb 2024");
  });

  it("counts a speed at a bound in the bin above it", () => {
    const frame = buildWindFrame({ speeds: [0, 0.5, 1, 1.5, 1.999, 2, 3, 3] });
    const counts = (width: 0.5 | 1) =>
      readBins(plotSpeedDistribution(frame, { binWidth: width })).map(({ count }) => count);
    assertEquals(counts(1), [2, 3, 1, 2]);
    assertEquals(counts(0.5), [1, 1, 1, 2, 1, 0, 2]);
  });

  it("draws one value, calms and equal speeds without a fit", async () => {
    for (const speeds of [[7], [0, 0], [5, 5, 5], [0.3, NaN, Infinity, -1]]) {
      const chart = plotSpeedDistribution(buildWindFrame({ speeds }), { width: 200 });
      assertStringIncludes(chart.altText, "No Weibull distribution fits");
      await chart.svg();
    }
  });

  it("refuses an empty frame, one without values, and speeds in another unit", () => {
    const assertRefusal = (speeds: (number | null)[], text: string) =>
      assertThrows(() => plotSpeedDistribution(buildWindFrame({ speeds })), ArgumentError, text);
    assertRefusal([null, NaN], "no value of 0 or more");
    assertRefusal([5, 900], "above 150 m/s");
    assertRefusal([5, 1e300], "replace such values with null");
    const frame = buildWindFrame({ speeds: [5] });
    assertThrows(() => plotSpeedDistribution(frame.head(0)), ArgumentError, "no rows");
    assertThrows(() => plotSpeedDistribution(frame.drop("wind_speed")), ArgumentError, "no column");
    assertThrows(() => plotSpeedDistribution(frame, { binWidth: 2 as 1 }), ArgumentError, "0.5");
  });

  it("stays small for 60 years of hours", () => {
    const speeds = buildWeibullSpeeds(525_960, 9, 2);
    assert(JSON.stringify(plotSpeedDistribution(buildWindFrame({ speeds })).spec).length < 50_000);
  });

  it("draws the same picture as before, in every time zone", async () => {
    const frame = buildWindFrame({ speeds: buildWeibullSpeeds(1000, 8, 2), world: "sample" });
    await assertSnapshot("speed_distribution", () => plotSpeedDistribution(frame));
  });
});
