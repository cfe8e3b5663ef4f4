import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { ArgumentError } from "../../../src/api/errors.ts";
import { plotCorrelation } from "../../../src/plots/comparison/correlation.ts";
import { Chart } from "../../../src/plots/drawing/chart.ts";
import { plotFleetIndices } from "../../../src/plots/index/fleet_indices.ts";
import { plotMonthlyIndices } from "../../../src/plots/index/monthly_indices.ts";
import { plotPowerCurve } from "../../../src/plots/hours/power_curve.ts";
import { plotShortfall } from "../../../src/plots/losses/shortfall.ts";
import { JUPYTER_DISPLAY } from "../../../src/show/jupyter.ts";
import { describeFrame } from "../../../src/frames/origin/provenance.ts";
import type { Theme } from "../../../src/plots/drawing/recolor.ts";
import { buildDetails, buildIndicesFrame, buildOrigin } from "../_frames.ts";
import { buildEveryPlot } from "../_every_plot.ts";

const badSpec = {
  $schema: "https://vega.github.io/schema/vega-lite/v5.json",
  description: "A chart that warns",
  data: { values: [{ a: 1 }] },
  mark: "point",
  encoding: { x: { field: "a", type: "quantitative" }, nonsense: { field: "a" } },
};

describe("Chart", () => {
  it("draws every plot without a warning, with its alternative text", async () => {
    for (const [name, chart] of Object.entries(buildEveryPlot())) {
      const svg = await chart.svg();
      assert(svg.startsWith(`<svg role="img" aria-label="`), name);
      assertStringIncludes(svg, "Source: ", name);
      assert(chart.altText.length > 40, name);
      assertEquals(chart.spec.$schema, "https://vega.github.io/schema/vega-lite/v5.json", name);
      assert(
        !/\sid="/.test(svg),
        `${name}: an id would clash with that of another chart on a page`,
      );
    }
  });

  it("draws the same at every call", async () => {
    for (const [name, chart] of Object.entries(buildEveryPlot())) {
      assertEquals(await chart.svg(), await buildEveryPlot()[name].svg(), name);
    }
  });

  it("throws when Vega warns", async () => {
    for (const time of ["first", "second"]) {
      await assertRejects(() => new Chart(badSpec).svg(), Error, "Cannot draw the chart", time);
    }
  });

  it("throws when Vega warns while it draws", async () => {
    const spec = {
      ...badSpec,
      data: { values: [{ a: null }] },
      encoding: { x: { field: "a", type: "quantitative" } },
    };
    await assertRejects(() => new Chart(spec).svg(), Error, "Infinite extent");
  });

  it("makes PNGs of the requested size", async () => {
    const chart = plotPowerCurve(buildDetails());
    const width = (bytes: Uint8Array) => new DataView(bytes.buffer).getUint32(16);
    const [one, two] = [await chart.png({ scale: 1 }), await chart.png()];
    assertEquals([...one.slice(1, 4)], [..."PNG"].map((letter) => letter.charCodeAt(0)));
    assertEquals(width(two), 2 * width(one));
    await assertRejects(() => chart.png({ scale: 0 }), ArgumentError, "scale is 0");
    const typo = { scal: 1 };
    await assertRejects(
      () => chart.png(typo as Parameters<typeof chart.png>[0]),
      ArgumentError,
      "scal",
    );
    const huge = plotPowerCurve(buildDetails(), { width: 4000, height: 8000 });
    await assertRejects(() => huge.png({ scale: 10 }), ArgumentError, "a scale of at most 2.1");
  });

  it("gives notebooks the specification and pictures, but no HTML", async () => {
    const chart = plotPowerCurve(buildDetails());
    const bundle = await chart[JUPYTER_DISPLAY]();
    assertEquals(Object.keys(bundle), [
      "application/vnd.vegalite.v5+json",
      "image/svg+xml",
      "image/png",
      "text/plain",
    ]);
    assertEquals(bundle["image/svg+xml"], await chart.svg());
    assertStringIncludes(String(bundle["image/png"]), "iVBORw0KGgo");
    assertEquals(bundle["text/plain"], chart.altText);
    assertEquals(Deno.inspect(chart), chart.altText);
  });

  it("saves itself in the format of the extension", async () => {
    const chart = plotPowerCurve(buildDetails());
    const folder = await Deno.makeTempDir();
    try {
      for (const extension of ["svg", "png", "html", "json"]) {
        await chart.save(`${folder}/chart.${extension}`);
      }
      assertEquals(await Deno.readTextFile(`${folder}/chart.svg`), await chart.svg());
      const spec = JSON.parse(await Deno.readTextFile(`${folder}/chart.json`));
      assertEquals(spec.description, chart.altText);
      await assertRejects(() => chart.save(`${folder}/chart.pdf`), ArgumentError, ".svg, .png");
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });

  it("keeps the text of the badge inside its frame in a narrow picture", async () => {
    const sample = buildIndicesFrame({ world: "sample" });
    const wide = await plotMonthlyIndices(sample).svg();
    assertStringIncludes(wide, ">SYNTHETIC: invented figures, not real data</text>");
    const narrow = await plotMonthlyIndices(sample, { width: 240 }).svg();
    assertStringIncludes(narrow, ">SYNTHETIC: invented figures, not<");
    assertStringIncludes(narrow, ">real data<");
  });

  it("V15: shows important notes above the views, such as a failed turbine", async () => {
    const note = "1 of 8 turbines failed: T8, its data are not ready";
    const origin = { ...buildOrigin("own"), notes: [note] };
    const chart = plotFleetIndices(
      describeFrame(buildIndicesFrame({ turbines: ["T1", "T2"] }), [], origin),
    );
    const svg = await chart.svg();
    assertEquals(svg.split(`>${note}<`).length, 2);
    const source = svg.indexOf(">Source: ");
    assert(!svg.slice(source, source + 400).includes(note));
    assertStringIncludes(chart.altText, note);
  });

  it("V15: uses the width for its subtitle, and draws no mark of the sample over its data", async () => {
    const sample = buildIndicesFrame({ world: "sample" });
    const svg = await plotMonthlyIndices(sample).svg();
    assertStringIncludes(svg, ">Modelled energy of the month over one twelfth of a normal year.<");
    const [, x] = /translate\((\d+),130\) rotate\(90\)[^>]*>SYNTHETIC</.exec(svg)!;
    assertEquals(Number(x), 644); // to the right of 640 px of data
    assertEquals(/fill="#(ca8200|e69f00)"[^>]*>[^<]*SYNTHETIC/.test(svg), false);
  });

  it("V16: has a theme: light, dark, or the theme of the page around it", async () => {
    const draw = (theme?: Theme) => plotMonthlyIndices(buildIndicesFrame(), theme ? { theme } : {});
    const [auto, light, dark] = await Promise.all(
      [draw(), draw("light"), draw("dark")].map((chart) => chart.svg()),
    );
    assertStringIncludes(auto, "light-dark(#005d99,");
    assertEquals(auto.replace(/<style>.*<\/style>/, "").replace("vindkit-auto ", ""), light);
    assertMatch(light, /<rect width="\d+" height="\d+" fill="white"\/>/);
    assertMatch(dark, /<rect width="\d+" height="\d+" fill="#14171a"\/>/);
    assertEquals(dark.includes("#005d99"), false);
    assertEquals(await draw().png(), await draw("light").png());
    const lab = async (theme?: Theme) => {
      const bundle = await draw(theme)[JUPYTER_DISPLAY]();
      return JSON.stringify(bundle["application/vnd.vegalite.v5+json"]);
    };
    assertStringIncludes(await lab(), "var(--jp-shadow-base-lightness, 0)");
    assertStringIncludes(await lab(), `"embedOptions":{"renderer":"svg"}`);
    assertEquals((await lab("dark")).includes("--jp-"), false);
    assertThrows(() => draw("blue" as Theme), ArgumentError, "Give one of light, dark, auto");
  });

  it("draws names that are also members of every object", async () => {
    for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
      const indices = buildIndicesFrame({ turbines: [name, "T2"], months: 2, gaps: [] });
      const steps = pl.DataFrame({ step: ["Expected", name, "Actual"], energy: [100, -20, 80] });
      for (const chart of [plotMonthlyIndices, plotFleetIndices].map((plot) => plot(indices))) {
        assertStringIncludes(await chart.svg(), name);
      }
      assertStringIncludes(await plotShortfall(steps).svg(), name);
      const odd = buildIndicesFrame({ months: 2, gaps: [] }).rename({ predicted_production: name });
      const columns = { xColumn: name, yColumn: "month_index" };
      assertStringIncludes(await plotCorrelation(odd, odd, columns).svg(), name);
    }
  });

  it("F26 makes a page without scripts and URLs, in which names are harmless", async () => {
    const html = await plotPowerCurve(buildDetails({ name: "<script>alert(1)</script>" })).html();
    assert(!html.includes("<script"));
    assertStringIncludes(html, "default-src 'none'");
    const addresses = html.match(/(?:src|href)=|https?:\/\/(?!www\.w3\.org\/)/g);
    assertEquals(addresses, null);
  });
});
