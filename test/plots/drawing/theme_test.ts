import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  chartConfig,
  darkColors,
  diverging,
  nested,
  palette,
  ramp,
} from "../../../src/plots/drawing/theme.ts";
import { computeContrast, computeDifference, type Sight } from "../_color_vision.ts";
import { buildEveryChart, edgeCases } from "../_edge_cases.ts";

const SIGHTS: readonly Sight[] = ["normal", "protanopia", "deuteranopia", "tritanopia"];

function assertApart(a: string, b: string, least: number, sights: readonly Sight[] = SIGHTS): void {
  for (const sight of sights) {
    const apart = computeDifference(a, b, sight);
    assert(apart >= least, `${a} and ${b} are ${apart.toFixed(1)} apart in ${sight}`);
  }
}

/** The colours of a theme: on white, or their dark counterparts. */
function listColors(isDark: boolean) {
  const pick = (color: string) => isDark ? darkColors.get(color)! : color;
  return {
    background: isDark ? pick("white") : "#ffffff",
    palette: Object.fromEntries(
      Object.entries(palette).map(([name, color]) => [name, pick(color)]),
    ) as Record<keyof typeof palette, string>,
    diverging: diverging.map(pick),
    nested: nested.map(pick),
    ramp: ramp.map(pick),
  };
}

describe("the colours of the charts", () => {
  it("are checked by functions that give known contrasts", () => {
    assertAlmostEquals(computeContrast("#000000", "#ffffff"), 21, 1e-9);
    assert(computeDifference("#ff0000", "#00a000", "normal") > 100);
    assert(computeDifference("#b25d25", "#7b6f1e", "deuteranopia") < 20);
    assert(computeDifference("#0000ff", "#006e7d", "tritanopia") < 50);
    assert(computeDifference("#0000ff", "#006e7d", "normal") > 100);
  });

  it("V16: have a dark counterpart, in every chart", () => {
    assertEquals(chartConfig.background, "white");
    for (const [name, build] of Object.entries(buildEveryChart(edgeCases.ordinary))) {
      const strip = (part: unknown): unknown =>
        Array.isArray(part)
          ? part.map(strip)
          : part !== null && typeof part === "object"
          ? Object.entries(part).filter(([key]) => key !== "data").map(([, value]) => strip(value))
          : part;
      const words = [strip(build().spec)].flat(Infinity).filter((word) => typeof word === "string");
      const colors = words.filter((word) => /^(#[0-9a-f]{3,8}|white|black)$/i.test(word));
      assert(colors.length > 10, name);
      assertEquals([...new Set(colors)].filter((color) => !darkColors.has(color)), [], name);
    }
  });

  it("W10: have classes that a grey print distinguishes: those of a rose, and all of the calendar", () => {
    ramp.slice(1).forEach((color, i) => assertApart(color, ramp[i], 6, ["grey"]));
    diverging.forEach((a, i) =>
      diverging.slice(i + 1).forEach((b) => assertApart(a, b, 3, ["grey"]))
    );
  });

  for (const isDark of [false, true]) {
    const { background, palette, diverging, nested, ramp } = listColors(isDark);
    describe(isDark ? "on black" : "on white", () => {
      it("have texts with a contrast of at least 4.5", () => {
        for (const color of [palette.text, palette.faint, palette.black]) {
          assert(computeContrast(color, background) >= 4.5, color);
        }
      });

      it("V16: have lines, points, bars and classes with a contrast of at least 3", () => {
        const { blue, orange, vermilion, black, faint } = palette;
        for (const color of [blue, orange, vermilion, black, faint, ...ramp]) {
          const contrast = computeContrast(color, background);
          assert(contrast >= 3, `${color}: ${contrast.toFixed(2)}`);
        }
      });

      it("distinguish above, below, preliminary and missing without red or green", () => {
        const { blue, orange, paleBlue, paleOrange, missing } = palette;
        const states = [blue, orange, paleBlue, paleOrange, missing];
        states.forEach((a, i) => states.slice(i + 1).forEach((b) => assertApart(a, b, 15)));
      });

      it("distinguish lines, above and below in grey too", () => {
        const { blue, orange, vermilion, black } = palette;
        const lines = [blue, orange, vermilion, black];
        lines.forEach((a, i) => lines.slice(i + 1).forEach((b) => assertApart(a, b, 15)));
        assertApart(blue, orange, 20, ["grey"]);
      });

      it("distinguish each class of the calendar from its neighbours, and below from above", () => {
        diverging.slice(1).forEach((color, i) => assertApart(color, diverging[i], 10));
        const half = (diverging.length - 1) / 2;
        for (let i = 1; i <= half; i++) {
          assertApart(diverging[half - i], diverging[half + i], 20);
        }
        // In grey the outermost classes differ; closer to normal, the figures in the cells show the side.
        assertApart(diverging[0], diverging[diverging.length - 1], 15, ["grey"]);
      });

      it("keep the figures of the calendar readable on their cells", () => {
        diverging.slice(0, -1).forEach((cell) =>
          assert(computeContrast(cell, palette.black) >= 4.5, cell)
        );
        assert(computeContrast(diverging[diverging.length - 1], background) >= 4.5);
      });

      it("distinguish nested intervals by their lightness", () => {
        const sights = [...SIGHTS, "grey"] as const;
        nested.slice(1).forEach((color, i) => assertApart(color, nested[i], 9, sights));
        nested.forEach((color) => assert(computeContrast(color, palette.black) >= 4, color));
      });

      it("V16: order the classes of a rose away from the background, and distinguish neighbours", () => {
        const contrasts = ramp.map((color) => computeContrast(color, background));
        assertEquals(contrasts, contrasts.toSorted((a, b) => a - b));
        ramp.slice(1).forEach((color, i) => assertApart(color, ramp[i], 6));
      });
    });
  }
});
