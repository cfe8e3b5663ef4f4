import { assert, assertAlmostEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { diverging, nested, palette, theme } from "../../../src/plots/drawing/theme.ts";
import { computeContrast, computeDifference, type Sight } from "../_color_vision.ts";

const SIGHTS: readonly Sight[] = ["normal", "protanopia", "deuteranopia"];

function assertApart(a: string, b: string, least: number, sights: readonly Sight[] = SIGHTS): void {
  for (const sight of sights) {
    const apart = computeDifference(a, b, sight);
    assert(apart >= least, `${a} and ${b} are ${apart.toFixed(1)} apart in ${sight}`);
  }
}

describe("the colours of the charts", () => {
  it("are checked by functions that give known contrasts", () => {
    assertAlmostEquals(computeContrast("#000000", "#ffffff"), 21, 1e-9);
    assert(computeDifference("#ff0000", "#00a000", "normal") > 100);
    assert(computeDifference("#b25d25", "#7b6f1e", "deuteranopia") < 20);
  });

  it("are on a white card, so that a chart is the same on a dark page", () => {
    assert(theme.background === "white");
    for (const color of [palette.text, palette.faint, palette.black]) {
      assert(computeContrast(color, "#ffffff") >= 4.5, color);
    }
  });

  it("distinguish above, below, preliminary and missing without red or green", () => {
    const states = [
      palette.blue,
      palette.orange,
      palette.paleBlue,
      palette.paleOrange,
      palette.missing,
    ];
    states.forEach((a, i) => states.slice(i + 1).forEach((b) => assertApart(a, b, 15)));
  });

  it("distinguish lines, in grey too", () => {
    assertApart(palette.blue, palette.vermilion, 40);
    assertApart(palette.blue, palette.orange, 20, ["grey"]);
    for (const line of [palette.blue, palette.vermilion, palette.black]) {
      assert(computeContrast(line, "#ffffff") >= 3, line);
    }
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
    assert(computeContrast(diverging[diverging.length - 1], "#ffffff") >= 4.5);
  });

  it("distinguish nested intervals by their lightness", () => {
    nested.slice(1).forEach((color, i) => assertApart(color, nested[i], 9, [...SIGHTS, "grey"]));
    nested.forEach((color) => assert(computeContrast(color, palette.black) >= 4, color));
  });
});
