import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Chart } from "../../src/plots/drawing/chart.ts";
import { plotCorrelation } from "../../src/plots/comparison/correlation.ts";
import { plotCoverageMap } from "../../src/plots/maps/coverage_map.ts";
import { plotTimeSeries } from "../../src/plots/hours/time_series.ts";
import { plotWindRose } from "../../src/plots/hours/wind_rose.ts";
import {
  buildPointsFrame,
  buildWeibullSpeeds,
  buildWindFrame,
  computeScatter,
} from "./_wind_frames.ts";

/** Every chart of wind and place, at one width. */
function buildEveryChart(width: number, world: "own" | "sample"): Record<string, Chart> {
  const speeds = buildWeibullSpeeds(3000, 9, 2.1);
  const frame = buildWindFrame({
    speeds,
    directions: speeds.map((_, i) => 360 * computeScatter(i)),
    powers: speeds.map((speed) => Math.min(2000, speed ** 3)),
    zone: "America/St_Johns",
    world,
  });
  const points = buildPointsFrame([[55.5, 7.75], [55.5, 8]], world);
  return {
    rose: plotWindRose(frame, { width }),
    "energy rose": plotWindRose(frame, { width, sectors: 36, weight: "energy" }),
    series: plotTimeSeries(frame, { width, columns: ["wind_speed", "power"] }),
    map: plotCoverageMap(points, { width, turbine: { latitude: 55.6, longitude: 7.9 } }),
    correlation: plotCorrelation(frame, frame, {
      width,
      xColumn: "wind_speed",
      yColumn: "power",
    }),
  };
}

describe("the charts of wind and place", () => {
  it("draw without a warning at any width, with source, alt text and no id", async () => {
    for (const width of [200, 360, 640, 1200]) {
      for (const [name, chart] of Object.entries(buildEveryChart(width, "own"))) {
        const svg = await chart.svg();
        const where = `${name}, ${width} pixels`;
        assertStringIncludes(svg, "Source: ", where);
        assertStringIncludes(svg, "Contains modified", where);
        assert(!/\sid="/.test(svg), `${where}: an id would clash with that of another chart`);
        assert(chart.altText.length > 40 && chart.altText.endsWith("."), where);
        assert(!/NaN|undefined|Infinity/.test(svg + JSON.stringify(chart.spec)), where);
        assertEquals(chart.spec.$schema, "https://vega.github.io/schema/vega-lite/v5.json");
      }
    }
  });

  it("say SYNTHETIC above and behind the data of the sample", async () => {
    for (const [name, chart] of Object.entries(buildEveryChart(360, "sample"))) {
      const svg = await chart.svg();
      assertStringIncludes(svg, "SYNTHETIC: invented figures, not real data", name);
      assertStringIncludes(svg, ">SYNTHETIC</text>", name);
      assert(chart.altText.startsWith("SYNTHETIC"), name);
    }
  });

  it("are not wider than requested, except for the axes", async () => {
    for (const [name, chart] of Object.entries(buildEveryChart(360, "own"))) {
      const width = Number(/ width="(\d+)"/.exec(await chart.svg())?.[1]);
      assert(width <= 360 + 100, `${name} is ${width} pixels wide`);
    }
  });
});
