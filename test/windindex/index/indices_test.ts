import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { computeMonthIndices, type MonthIndices } from "../../../src/windindex/index/indices.ts";
import type { MonthlyEnergy } from "../../../src/windindex/index/monthly_energy.ts";
import {
  chooseReferencePeriod,
  computeNormals,
  type Normals,
} from "../../../src/windindex/index/reference_period.ts";
import { listMonths, uniforms } from "../_synthetic.ts";

const figures = [
  "month_index",
  "month_abnormality_index",
  "last12_month_index",
  "last_full_quarter_index",
  "last_full_year_index",
  "predicted_production",
] as const;

/** 2001 to 2003 in MWh: the years sum to 1,080, 1,120 and 1,100. */
const ENERGIES = [
  ...[120, 110, 100, 90, 80, 70, 60, 70, 80, 90, 100, 110],
  ...[150, 100, 110, 80, 90, 60, 50, 80, 70, 100, 90, 140],
  ...[90, 120, 90, 100, 70, 80, 70, 60, 90, 110, 110, 110],
];

/** By hand: the month means are 120 110 100 90 80 70 60 70 80 100 100 120, and sum to 1,100. */
const NORMALS: Normals = {
  months: [120, 110, 100, 90, 80, 70, 60, 70, 80, 100, 100, 120].map((energy) => energy * 1000),
  year: 1_100_000,
};

function record(months: readonly MonthlyEnergy[] = listMonths(2001, ENERGIES)) {
  const all = computeMonthIndices(months, NORMALS);
  return (year: number, month: number): MonthIndices =>
    all.find((entry) => entry.year === year && entry.month === month)!;
}

/** The six figures in the order of {@linkcode figures}. */
function assertFigures(entry: MonthIndices, expected: readonly (number | null)[]): void {
  for (const [i, name] of figures.entries()) {
    const value = entry[name];
    const label = `${entry.year}-${entry.month} ${name}`;
    if (value === null || expected[i] === null) assertEquals(value, expected[i], label);
    else assertAlmostEquals(value, expected[i], 1e-9, label);
  }
}

/** A record of 1 to 25 whole years that begins and ends in any month, with a winter and noise. */
function randomRecord(random: () => number): MonthlyEnergy[] {
  const count = 24 + Math.floor(280 * random());
  const energies = Array.from(
    { length: count + 12 },
    (_, i) => (100 + 60 * Math.cos(Math.PI * i / 6)) * (0.3 + 1.4 * random()),
  );
  const months = listMonths(1995, energies);
  return months.slice(Math.floor(12 * random()));
}

/** The definitions of SCIENCE.md, month by month on the calendar, without arithmetic on month numbers. */
function byDefinition(
  months: readonly MonthlyEnergy[],
  normals: Normals,
  { year, month }: MonthlyEnergy,
): (number | null)[] {
  const energy = (y: number, m: number): number =>
    months.find((entry) => entry.year === y && entry.month === m)?.energy ?? NaN;
  const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0);
  const monthEnergy = energy(year, month);
  const last12 = Array.from({ length: 12 }, (_, back) => {
    const then = Temporal.PlainYearMonth.from({ year, month }).subtract({ months: back });
    return energy(then.year, then.month);
  });
  const quarters = [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]];
  const complete = quarters.filter((quarter) => quarter[2] <= month);
  const quarter = complete.at(-1) ?? quarters[3];
  const quarterYear = complete.length > 0 ? year : year - 1;
  const fullYear = month === 12 ? year : year - 1;
  const twelve = Array.from({ length: 12 }, (_, i) => energy(fullYear, i + 1));
  return [
    100 * monthEnergy / (normals.year / 12),
    100 * monthEnergy / normals.months[month - 1],
    100 * total(last12) / normals.year,
    100 * total(quarter.map((m) => energy(quarterYear, m))) /
    total(quarter.map((m) => normals.months[m - 1])),
    100 * total(twelve) / normals.year,
    monthEnergy / 1000,
  ].map((value) => Number.isNaN(value) || Number.isNaN(monthEnergy) ? null : value);
}

describe("computeMonthIndices()", () => {
  it("gives the six figures of a month in the middle of the year", () => {
    // May 2002, by hand: 90 / (1100/12); 90 / 80; June 2001 to May 2002 are 1,110; January to March
    // 360 over 330; the year 2001 1,080.
    assertFigures(record()(2002, 5), [
      1080 / 11,
      112.5,
      111_000 / 1100,
      36_000 / 330,
      108_000 / 1100,
      90,
    ]);
  });

  it("gives the quarter and the year that end with a December", () => {
    // December 2003: 110 over 91.67 and over 120; October to December 330 over 320; the year 1,100.
    assertFigures(record()(2003, 12), [120, 11_000 / 120, 100, 103.125, 100, 110]);
  });

  it("looks back at the year before in January and February, for quarter and year", () => {
    // January 2003: February 2002 to January 2003 are 1,060; October to December 2002 330 over 320.
    assertFigures(record()(2003, 1), [
      1080 / 11,
      75,
      106_000 / 1100,
      103.125,
      112_000 / 1100,
      90,
    ]);
    assertEquals(record()(2003, 2).last_full_quarter_index, 103.125);
  });

  it("has no figures over months before the record, only those of the month itself", () => {
    // March 2001: 100 over 91.67 and over 100; January to March 330 over 330.
    assertFigures(record()(2001, 3), [1200 / 11, 100, null, 100, null, 100]);
    assertFigures(record()(2001, 2), [120, 100, null, null, null, 110]);
  });

  it("shows January to March as the last full quarter in March, April and May", () => {
    for (const month of [3, 4, 5]) {
      assertAlmostEquals(record()(2002, month).last_full_quarter_index!, 36_000 / 330, 1e-9);
    }
    // April to June 2002: 230 over 240.
    assertAlmostEquals(record()(2002, 6).last_full_quarter_index!, 23_000 / 240, 1e-9);
  });

  it("nulls an incomplete month's own figures and those that contain it, and no others", () => {
    const complete = computeMonthIndices(listMonths(2001, ENERGIES), NORMALS);
    const months = listMonths(2001, ENERGIES.map((energy, i) => i === 17 ? null : energy)); // June 2002
    const indices = computeMonthIndices(months, NORMALS);
    for (const [i, entry] of indices.entries()) {
      const expected = figures.map((name) => {
        const hit = i === 17 ||
          name === "last12_month_index" && i > 17 && i < 29 || // to May 2003
          name === "last_full_quarter_index" && (i === 18 || i === 19) || // July and August
          name === "last_full_year_index" && i >= 23 && i <= 34; // December 2002 to November 2003
        return hit ? null : complete[i][name];
      });
      assertEquals(figures.map((name) => entry[name]), expected, `${entry.year}-${entry.month}`);
    }
    assertEquals(indices[17].completeness, 300 / 730);
  });

  it("does not replace a missing month with the one before", () => {
    const months = listMonths(2001, ENERGIES).filter((_, i) => i !== 13); // February 2002
    const indicesOf = record(months);
    assertEquals(indicesOf(2002, 3).last_full_quarter_index, null);
    assertEquals(indicesOf(2002, 3).last12_month_index, null);
    // March 2002 to February 2003 does not contain it: 1,120 - 150 - 100 + 90 + 120 = 1,080.
    assertAlmostEquals(indicesOf(2003, 2).last12_month_index!, 108_000 / 1100, 1e-9);
  });

  it("passes on completeness and whether a month is preliminary", () => {
    const months = listMonths(2001, ENERGIES)
      .map((month, i) => ({ ...month, completeness: 0.99, preliminary: i === 35 }));
    const indices = computeMonthIndices(months, NORMALS);
    assertEquals(indices.map(({ preliminary }) => preliminary).indexOf(true), 35);
    assertEquals(indices[3].completeness, 0.99);
  });

  it("returns an empty list for an empty list", () =>
    assertEquals(computeMonthIndices([], NORMALS), []));
});

describe("the identities of the indices, over 50 random records", () => {
  it("hold to 1e-9", () => {
    const random = uniforms(6);
    for (let n = 0; n < 50; n++) {
      const months = randomRecord(random);
      const reference = chooseReferencePeriod(months);
      const normals = computeNormals(months, reference);
      const indices = computeMonthIndices(months, normals);
      const sum = normals.months.reduce((total, energy) => total + energy, 0);
      assertAlmostEquals(sum / normals.year, 1, 1e-9);
      const inside = indices.filter(({ year }) => reference.years.includes(year));
      const mean = (values: (number | null)[]) => {
        assert(values.every((value) => value !== null));
        return values.reduce((total: number, value) => total + value!, 0) / values.length;
      };
      assertAlmostEquals(mean(inside.map((entry) => entry.month_index)), 100, 1e-9);
      for (let month = 1; month <= 12; month++) {
        const named = inside.filter((entry) => entry.month === month);
        assertAlmostEquals(mean(named.map((entry) => entry.month_abnormality_index)), 100, 1e-9);
      }
      for (const entry of inside.filter(({ month }) => month === 12)) {
        assertAlmostEquals(entry.last12_month_index!, entry.last_full_year_index!, 1e-9);
      }
      const years = inside.filter(({ month }) => month === 12);
      assertAlmostEquals(mean(years.map((entry) => entry.last_full_year_index)), 100, 1e-9);
    }
  });

  it("agree with the definitions, month by month, also with holes", () => {
    const random = uniforms(7);
    for (let n = 0; n < 50; n++) {
      const record = randomRecord(random).slice(0, 90);
      const normals = computeNormals(record, chooseReferencePeriod(record));
      const holed = record.map((month) => random() < 0.06 ? { ...month, energy: null } : month);
      for (const [i, entry] of computeMonthIndices(holed, normals).entries()) {
        assertFigures(entry, byDefinition(holed, normals, holed[i]));
      }
    }
  });
});
