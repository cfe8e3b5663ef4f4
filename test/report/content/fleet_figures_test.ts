import { assert, assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { judgeByIndex } from "../../../src/analysis/verdict/verdict.ts";
import {
  computeFleetFigures,
  computeFleetMonths,
  type FleetEntry,
} from "../../../src/report/content/fleet_figures.ts";
import type { MonthContent } from "../../../src/report/content/turbine_content.ts";
import { listMonthsTo } from "../../../src/report/content/months.ts";

/** A month by its energy, MWh, and the normal energy of that calendar month and of a year. */
function buildMonth(
  month: string,
  energy: number | null,
  normal: number,
  year: number,
): MonthContent {
  return {
    month,
    predicted_production: energy,
    month_index: energy === null ? null : 1200 * energy / year,
    month_abnormality_index: energy === null ? null : 100 * energy / normal,
    last12_month_index: energy === null ? null : 90,
    last_full_quarter_index: energy === null ? null : 105,
    last_full_year_index: 95,
    predicted_production_low: energy === null ? null : 0.9 * energy,
    predicted_production_high: energy === null ? null : 1.1 * energy,
    status: "final",
    completeness: 1,
    revision: 1,
    compared: null,
    verdict: null,
  };
}

function summand(energy: number | null, normal: number, year: number, units = 1): FleetEntry {
  return {
    units,
    months: listMonthsTo("2023-12", 3).map((month) => buildMonth(month, energy, normal, year)),
  };
}

describe("computeFleetFigures()", () => {
  it("computes the index of the summed energies, not the mean of indices", () => {
    // By hand: a large turbine with 900 of 1,000 MWh, a small one with 150 of 100 MWh: 1,050 of 1,100 MWh.
    // Normal years of 12,000 and 1,000 MWh: average months of 1,000 and 83.33 MWh, together 1,083.33 MWh.
    const figures = computeFleetFigures(
      [summand(900, 1000, 12000), summand(150, 100, 1000)],
      "2023-12",
    );
    assertEquals([figures.turbines, figures.units, figures.predicted_production], [2, 2, 1050]);
    assertAlmostEquals(figures.month_abnormality_index!, 100 * 1050 / 1100, 1e-9);
    assertAlmostEquals(figures.month_index!, 100 * 1050 / (13000 / 12), 1e-9);
    assertAlmostEquals(figures.last12_month_index!, 90, 1e-9);
    assertAlmostEquals(figures.last_full_quarter_index!, 105, 1e-9);
    assertAlmostEquals(figures.last_full_year_index!, 95, 1e-9);
    assertAlmostEquals(figures.predicted_production_low!, 945, 1e-9);
  });

  it("equals the turbine's index for a single turbine, and for a park of equal ones", () => {
    for (const units of [1, 20]) {
      const one = summand(900, 1000, 12000, units);
      const figures = computeFleetFigures([one], "2023-12");
      assertAlmostEquals(figures.month_abnormality_index!, 90, 1e-9);
      assertAlmostEquals(figures.month_index!, 90, 1e-9);
      assertEquals(figures.predicted_production, 900 * units);
    }
  });

  it("leaves out missing figures, and gives null if none is known", () => {
    const figures = computeFleetFigures(
      [summand(900, 1000, 12000), summand(null, 100, 1000)],
      "2023-12",
    );
    assertEquals([figures.turbines, figures.predicted_production], [1, 900]);
    assertAlmostEquals(figures.month_abnormality_index!, 90, 1e-9);
    const none = computeFleetFigures(
      [summand(null, 100, 1000), { units: 1, months: [] }],
      "2023-12",
    );
    assertEquals(none.turbines, 0);
    for (
      const name of [
        "predicted_production",
        "predicted_production_low",
        "month_index",
        "month_abnormality_index",
        "last12_month_index",
        "last_full_quarter_index",
        "verdict",
      ]
    ) {
      assertEquals(none[name as keyof typeof none], null, name);
    }
  });

  it("has no interval if one turbine has none", () => {
    const [one, other] = [summand(900, 1000, 12000), summand(150, 100, 1000)];
    const bare: FleetEntry = {
      ...other,
      months: other.months.map((month) => ({
        ...month,
        predicted_production_low: null,
      })),
    };
    assertEquals(computeFleetFigures([one, bare], "2023-12").predicted_production_low, null);
  });

  it("AN4: sums the verdicts of the turbines with production, unless they have less than half of the energy", () => {
    const years = { reference_from: 2004, reference_to: 2023 };
    const judged = (normal: number, produced: { produced?: number }, units = 1): FleetEntry => {
      const one = summand(0.9 * normal, normal, 12 * normal, units);
      const months = one.months.map((month) => ({
        ...month,
        verdict: judgeByIndex({
          ...{ period: month.month, predicted: 0.9 * normal, low: 0.8 * normal, high: normal },
          ...{ ...years, normal, ...produced },
        }),
      }));
      return { ...one, months };
    };
    // By hand: 80 + 3 * 80 MWh of 100 + 3 * 100 MWh normal; the wind took a tenth, and the rest another tenth.
    const made = [judged(100, { produced: 80 }), judged(100, { produced: 80 }, 3)];
    const most = computeFleetFigures([...made, judged(399, {})], "2023-12");
    const { produced, normal, wind, rest, deviation_share } = most.verdict!;
    assertEquals([produced, normal, deviation_share], [320, 400, -20]);
    assertAlmostEquals(wind!, -40, 1e-9);
    assertAlmostEquals(rest!, -40, 1e-9);
    assertStringIncludes(most.verdict!.text, "4 of 5 turbines have production.");
    const few = computeFleetFigures([...made, judged(401, {})], "2023-12");
    assertEquals([few.verdict!.produced, few.units_measured], [null, 4]);
    assertEquals(few.verdict!.verdict, "cannot be told");
    assertStringIncludes(few.verdict!.text, "only 4 of 5 turbines have production");
  });

  it("takes the normal energy from another month if one had no energy", () => {
    // By hand: 0 of 1,000 MWh next to 100 of 100 MWh: 100 of 1,100 MWh; average months of 1,000 and 83.33 MWh.
    const still = summand(0, 1000, 12000);
    const normals = [buildMonth("2022-12", 500, 1000, 12000), ...still.months];
    const figures = computeFleetFigures(
      [{ ...still, months: normals }, summand(100, 100, 1000)],
      "2023-12",
    );
    assertAlmostEquals(figures.month_abnormality_index!, 100 * 100 / 1100, 1e-9);
    assertAlmostEquals(figures.month_index!, 100 * 100 / (13000 / 12), 1e-9);
  });

  it("accepts a month without any energy, although an index of zero does not reveal the normal energy", () => {
    const figures = computeFleetFigures(
      [summand(0, 1000, 12000), summand(100, 100, 1000)],
      "2023-12",
    );
    assertEquals(figures.predicted_production, 100);
    assertAlmostEquals(figures.month_abnormality_index!, 100, 1e-9);
    assert(
      computeFleetFigures([summand(0, 1000, 12000)], "2023-12").month_abnormality_index === null,
    );
  });
});

describe("computeFleetMonths()", () => {
  it("has a row for each month, with its number of turbines", () => {
    const [all, partly] = [summand(900, 1000, 12000), summand(150, 100, 1000)];
    const [first, ...rest] = partly.months;
    const gap = { ...partly, months: [buildMonth(first.month, null, 100, 1000), ...rest] };
    assertEquals(
      computeFleetMonths([{ units: 1, months: [] }, all, gap]).map(({ turbines }) => turbines),
      [1, 2, 2],
    );
    assertEquals(computeFleetMonths([]), []);
  });
});
