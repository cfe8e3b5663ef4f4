import { assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import {
  chooseReferencePeriod,
  computeNormals,
} from "../../../src/windindex/index/reference_period.ts";
import { listMonths } from "../_synthetic.ts";

const years = (first: number, count: number) =>
  listMonths(first, Array.from({ length: 12 * count }, (_, i) => 100 + i));

describe("chooseReferencePeriod()", () => {
  it("takes all whole years up to twenty", () => {
    assertEquals(chooseReferencePeriod(years(2004, 3)).years, [2004, 2005, 2006]);
    assertEquals(chooseReferencePeriod(years(2004, 20)).years.length, 20);
  });

  it("takes the last twenty if there are more", () => {
    const chosen = chooseReferencePeriod(years(1990, 33)).years; // 1990 to 2022
    assertEquals([chosen[0], chosen.at(-1), chosen.length], [2003, 2022, 20]);
  });

  it("leaves out years that are unfinished or have an incomplete month", () => {
    const months = years(2004, 4).slice(5, -1); // from June 2004 to November 2007
    assertEquals(chooseReferencePeriod(months).years, [2005, 2006]);
    const gap = years(2004, 4).map((month, i) => i === 12 + 6 ? { ...month, energy: null } : month);
    assertEquals(chooseReferencePeriod(gap).years, [2004, 2006, 2007]);
  });

  it("takes twenty whole years also with an incomplete one between them", () => {
    const months = years(1990, 33)
      .map((month) => month.year === 2010 ? { ...month, energy: null } : month);
    const chosen = chooseReferencePeriod(months).years;
    assertEquals([chosen[0], chosen.length, chosen.includes(2010)], [2002, 20, false]);
  });

  it("refuses a record without one whole year", () => {
    for (const months of [[], years(2004, 1).slice(1), years(2004, 2).slice(6, 18)]) {
      assertThrows(
        () => chooseReferencePeriod(months),
        ArgumentError,
        "no calendar year of the climate record has twelve complete months",
      );
    }
  });
});

describe("computeNormals()", () => {
  it("takes the means over the reference period, and no other years", () => {
    // Month m of the three years: 100 + m, 112 + m, 124 + m MWh, m from 0.
    const { months, year } = computeNormals(years(2004, 3), { years: [2004, 2005] });
    months.forEach((energy, m) => assertAlmostEquals(energy, (106 + m) * 1000, 1e-6));
    assertAlmostEquals(year, (12 * 106 + 66) * 1000, 1e-6);
  });

  it("keeps its years if the record has grown or has holes elsewhere", () => {
    const reference = { years: [2004, 2006] };
    const before = computeNormals(years(2004, 3), reference);
    const grown = years(2004, 10)
      .map((month) => month.year === 2005 ? { ...month, energy: null } : month);
    assertEquals(computeNormals(grown, reference), before);
  });

  it("refuses a reference period with an incomplete or a missing month", () => {
    const gap = years(2004, 3).map((month, i) => i === 4 ? { ...month, energy: null } : month);
    for (const months of [gap, years(2004, 2), years(2004, 3).slice(1)]) {
      assertThrows(
        () => computeNormals(months, { years: [2004, 2005, 2006] }),
        ArgumentError,
        "Cannot use the reference period 2004 to 2006: some months of this period are incomplete",
      );
    }
  });
});
