import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import * as vega from "vega";
import { compile } from "vega-lite";
import { Chart } from "../../../src/plots/drawing/chart.ts";
import { makeInteractive } from "../../../src/plots/drawing/interaction.ts";
import type { ChartSpec } from "../../../src/plots/drawing/recolor.ts";
import { buildEveryChart, edgeCases } from "../_edge_cases.ts";

/** Texts of a picture, in their order. */
function readTexts(svg: string): string[] {
  return [...svg.matchAll(/>([^<>]+)<\/(?:text|tspan)>/g)].map(([, text]) => text);
}

/** Names of the parameters of a specification. */
function listParams(spec: unknown): string[] {
  return [...JSON.stringify(spec).matchAll(/"name":"((?:legend|period|turbine)\d+)","select"/g)]
    .map(([, name]) => name);
}

/** Draws a specification that waits for a mouse; a test has none. */
async function drawWithoutWindow(spec: ChartSpec): Promise<[svg: string, warnings: string[]]> {
  const warnings: string[] = [];
  const logger = vega.logger(vega.Warn, undefined, (_level, _method, words) => {
    const text = words.join(" ");
    if (!text.includes("event source: window")) warnings.push(text);
  });
  const compiled = compile(JSON.parse(JSON.stringify(spec)), { logger }).spec;
  const view = new vega.View(vega.parse(compiled), { renderer: "none", logger });
  const svg = await view.toSVG();
  view.finalize();
  return [svg, warnings];
}

const charts = buildEveryChart(edgeCases.ordinary);
const kinds = (name: string) =>
  [...new Set(listParams(makeInteractive(charts[name]().spec)).map((param) => param.slice(0, -1)))]
    .sort();

describe("makeInteractive()", () => {
  it("leaves every chart the same picture as long as nobody chooses", async () => {
    for (const [name, build] of Object.entries(charts)) {
      const { spec } = build();
      const still = await new Chart(spec, "light").svg();
      const [live, warnings] = await drawWithoutWindow(makeInteractive(spec));
      assertEquals(warnings, [], name);
      assertEquals(readTexts(live), readTexts(still), name);
      const colors = (svg: string) =>
        new Set([...svg.matchAll(/ (?:fill|stroke)="([^"]*)"/g)].map(([, color]) => color));
      const brush = ["#333", "black"]; // of the brush, which has no size yet
      const added = colors(live).difference(colors(still)).difference(new Set(brush));
      assertEquals([added, colors(still).difference(colors(live))], [new Set(), new Set()], name);
    }
  });

  it("lets readers choose entries of the legend, a period, and a turbine of a fleet", () => {
    assertEquals(kinds("plotMonthlyIndices"), ["legend", "period"]);
    assertEquals(kinds("plotFleetIndices"), ["legend", "period", "turbine"]);
    assertEquals(kinds("plotFleetMap"), ["legend", "turbine"]);
    assertEquals(kinds("plotTimeSeries"), ["period"]);
    assertEquals(kinds("plotPowerCurve"), ["legend"]);
  });

  it("names no parameter twice", () => {
    for (const [name, build] of Object.entries(charts)) {
      const params = listParams(makeInteractive(build().spec));
      assertEquals(params.length, new Set(params).size, name);
    }
  });
});
