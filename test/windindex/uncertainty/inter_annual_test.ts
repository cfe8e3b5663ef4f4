import { assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { computeInterAnnualVariability } from "../../../src/windindex/uncertainty/error_terms.ts";
import { listMonths } from "../_synthetic.ts";

describe("computeInterAnnualVariability()", () => {
  const year = (energy: number) => new Array<number>(12).fill(energy / 12);
  const five = listMonths(2016, [90, 100, 110, 100, 100].flatMap(year));

  it("is the standard deviation of the years over their mean", () => {
    // Deviations -0.1, 0, 0.1, 0, 0 of the mean 100: root of (0.01 + 0.01) / (5 - 1) = 0.0707107.
    const years = [2016, 2017, 2018, 2019, 2020];
    assertAlmostEquals(computeInterAnnualVariability(five, { years })!, 0.0707107, 1e-7);
  });

  it("counts only the years of the reference period", () => {
    const six = listMonths(2016, [90, 777, 110, 100, 100, 100].flatMap(year));
    const years = [2016, 2018, 2019, 2020, 2021];
    assertAlmostEquals(computeInterAnnualVariability(six, { years })!, 0.0707107, 1e-7);
  });

  it("is unknown with fewer than five years", () => {
    assertEquals(computeInterAnnualVariability(five, { years: [2016, 2017, 2018, 2019] }), null);
  });
});
