import { assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { computeMonthIndices, type MonthIndices } from "../../../src/windindex/index/indices.ts";
import {
  chooseReferencePeriod,
  computeNormals,
} from "../../../src/windindex/index/reference_period.ts";
import { listMonths } from "../_synthetic.ts";

// Golden values, third part: monthly energies to indices. See golden_values_test.ts. indices_test.ts has other months
// by hand, with given normals, and 50 random records against the definitions.

/** 2010 to 2012 in MWh. The years sum to 1,150, 1,150 and 1,138. */
const ENERGIES = [
  ...[150, 98, 120, 77, 70, 66, 52, 75, 93, 101, 130, 118],
  ...[120, 134, 90, 95, 82, 60, 71, 58, 81, 122, 97, 140],
  ...[138, 116, 111, 86, 79, 72, 63, 68, 84, 92, 112, 117],
];

/** N: sums of three, over three: January (150 + 120 + 138) / 3 = 408 / 3 = 136, and so on. */
const NORMALS = [136, 116, 107, 86, 77, 66, 62, 67, 86, 105, 113, 125];

/** A = 359 (first quarter) + 229 + 215 + 343 = 1,146 = (1,150 + 1,150 + 1,138) / 3; A / 12 = 95.5. */
const YEAR = 1146;

const FIGURES = [
  "month_index",
  "month_abnormality_index",
  "last12_month_index",
  "last_full_quarter_index",
  "last_full_year_index",
  "predicted_production",
] as const;

const months = listMonths(2010, ENERGIES);
const normals = computeNormals(months, chooseReferencePeriod(months));
const indices = computeMonthIndices(months, normals);
const figuresOf = (year: number, month: number): (number | null)[] => {
  const entry = indices.find((one) => one.year === year && one.month === month)!;
  return FIGURES.map((name) => entry[name]);
};

/** Compares the figures of a month with a calculator's, six decimals. */
function assertFigures(year: number, month: number, expected: readonly (number | null)[]): void {
  for (const [i, value] of figuresOf(year, month).entries()) {
    const label = `${year}-${month} ${FIGURES[i]}`;
    if (value === null || expected[i] === null) assertEquals(value, expected[i], label);
    else assertAlmostEquals(value, expected[i], 1e-6, label);
  }
}

describe("golden values of a normal year", () => {
  it("are the means of the three years", () => {
    assertEquals(chooseReferencePeriod(months).years, [2010, 2011, 2012]);
    normals.months.forEach((energy, i) => assertAlmostEquals(energy, 1000 * NORMALS[i], 1e-6));
    assertAlmostEquals(normals.year, 1000 * YEAR, 1e-6);
  });

  it("are the means of whole years only: without June 2011, of 2010 and 2012", () => {
    const holed = listMonths(2010, ENERGIES.map((energy, i) => i === 17 ? null : energy));
    const reference = chooseReferencePeriod(holed);
    assertEquals(reference.years, [2010, 2012]);
    const { months: means, year } = computeNormals(holed, reference);
    assertAlmostEquals(means[0], 144_000, 1e-6); // (150 + 138) / 2
    assertAlmostEquals(means[5], 69_000, 1e-6); // (66 + 72) / 2
    assertAlmostEquals(year, 1_144_000, 1e-6); // (1,150 + 1,138) / 2
    // 2012-08: 68 over 1,144 / 12 = 95.3333; over (75 + 68) / 2 = 71.5
    const august = computeMonthIndices(holed, { months: means, year })[31];
    assertAlmostEquals(august.month_index!, 71.328671, 1e-6);
    assertAlmostEquals(august.month_abnormality_index!, 95.104895, 1e-6);
    // June 2011 is neither in September 2011 to August 2012 (1,173) nor in the quarter, but in 2011.
    assertAlmostEquals(august.last12_month_index!, 102.534965, 1e-6); // 1,173 / 1,144
    // April to June of the two years: (77 + 86) / 2 + (70 + 79) / 2 + (66 + 72) / 2 = 225; 237 / 225
    assertAlmostEquals(august.last_full_quarter_index!, 105.333333, 1e-6);
    assertEquals(august.last_full_year_index, null);
  });
});

describe("golden values of the six indices", () => {
  // Month: monthIndex = 100 E / 95.5, abnormality = 100 E / N, last12 = 100 S12 / 1,146,
  // quarter = 100 Q / N(Q), year = 100 Y / 1,146, production E.
  // N of the quarters: 136 + 116 + 107 = 359, 86 + 77 + 66 = 229, 62 + 67 + 86 = 215, 105 + 113 + 125 = 343.
  // Q: October to December 2011 122 + 97 + 140 = 359; of 2012 365, 237, 215 and 321.
  // S12 of January 2012 = 1,150 (2011) - 120 + 138 = 1,168; each month replaces the same month of 2011.
  const year2012: [number, string, number[]][] = [
    [1, "S12 1168; 359/343; 2011", [144.502618, 101.470588, 101.919721, 104.664723, 100.34904]],
    [2, "S12 1150; 359/343; 2011", [121.465969, 100, 100.34904, 104.664723, 100.34904]],
    [3, "S12 1171; 365/359; 2011", [116.230366, 103.738318, 102.181501, 101.671309, 100.34904]],
    [4, "S12 1162; 365/359; 2011", [90.052356, 100, 101.396161, 101.671309, 100.34904]],
    [5, "S12 1159; 365/359; 2011", [82.722513, 102.597403, 101.13438, 101.671309, 100.34904]],
    [6, "S12 1171; 237/229; 2011", [75.39267, 109.090909, 102.181501, 103.49345, 100.34904]],
    [7, "S12 1163; 237/229; 2011", [65.968586, 101.612903, 101.483421, 103.49345, 100.34904]],
    [8, "S12 1173; 237/229; 2011", [71.204188, 101.492537, 102.356021, 103.49345, 100.34904]],
    [9, "S12 1176; 215/215; 2011", [87.958115, 97.674419, 102.617801, 100, 100.34904]],
    [10, "S12 1146; 215/215; 2011", [96.335079, 87.619048, 100, 100, 100.34904]],
    [11, "S12 1161; 215/215; 2011", [117.277487, 99.115044, 101.308901, 100, 100.34904]],
    [12, "S12 1138; 321/343; 2012", [122.513089, 93.6, 99.30192, 93.586006, 99.30192]],
  ];
  for (const [month, sums, figures] of year2012) {
    it(`2012-${month}: ${sums}`, () => {
      assertFigures(2012, month, [...figures, ENERGIES[23 + month]]);
    });
  }

  it("2010-08: no last twelve months and no last full year yet", () => {
    // 75 / 95.5, 75 / 67; April to June 2010 77 + 70 + 66 = 213 over 229.
    assertFigures(2010, 8, [78.534031, 111.940299, null, 93.0131, null, 75]);
    // February 2010: 98 / 95.5, 98 / 116; no quarter before it.
    assertFigures(2010, 2, [102.617801, 84.482759, null, null, null, 98]);
  });

  it("2010-12: the first year is full; twelve months and the year are the same 1,150", () => {
    // 118 / 95.5, 118 / 125; 101 + 130 + 118 = 349 over 343.
    assertFigures(2010, 12, [123.560209, 94.4, 100.34904, 101.749271, 100.34904, 118]);
  });
});

describe("golden identities, to 1e-9", () => {
  const mean = (entries: readonly MonthIndices[], name: typeof FIGURES[number]): number =>
    entries.reduce((sum, entry) => sum + entry[name]!, 0) / entries.length;

  it("sum of N = A, mean monthIndex = 100, mean abnormality of each calendar month = 100", () => {
    const sum = normals.months.reduce((total, energy) => total + energy, 0);
    assertAlmostEquals(sum / normals.year, 1, 1e-9);
    assertAlmostEquals(mean(indices, "month_index"), 100, 1e-9);
    for (let month = 1; month <= 12; month++) {
      const named = indices.filter((entry) => entry.month === month);
      assertAlmostEquals(mean(named, "month_abnormality_index"), 100, 1e-9, `month ${month}`);
    }
  });

  it("last12 in December = last full year; the three years have a mean of 100", () => {
    const decembers = indices.filter(({ month }) => month === 12);
    for (const entry of decembers) {
      assertAlmostEquals(entry.last12_month_index!, entry.last_full_year_index!, 1e-9);
    }
    // (100.349040 + 100.349040 + 99.301920) / 3
    assertAlmostEquals(mean(decembers, "last_full_year_index"), 100, 1e-9);
  });

  it("twelve normal months sum to 1200, as in the Danish convention", () => {
    const normal = computeMonthIndices(listMonths(2020, NORMALS), normals);
    assertAlmostEquals(12 * mean(normal, "month_index"), 1200, 1e-9);
    assertAlmostEquals(mean(normal, "month_abnormality_index"), 100, 1e-9);
  });
});
