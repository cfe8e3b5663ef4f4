import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { findOutagePeriods } from "../../../src/windindex/calibration/outage_periods.ts";
import { normals } from "../_worlds.ts";

const MONTH = 730;
const YEAR = 8760;

/** Outages found if every period has a modelled energy of 1,000 kWh and gave these shares of it. */
function findRatios(shares: readonly number[], hours: number | readonly number[] = MONTH) {
  const produced = Float64Array.from(shares, (share) => 1000 * share);
  const modelled = new Float64Array(shares.length).fill(1000);
  const lengths = Float64Array.from(shares, (_, i) => typeof hours === "number" ? hours : hours[i]);
  return [...findOutagePeriods(produced, modelled, lengths)];
}

const flagged = (...input: Parameters<typeof findRatios>) =>
  findRatios(...input).map((x) => !Number.isNaN(x));

describe("findOutagePeriods()", () => {
  it("flags a month below 70 % of the others, and not one above", () => {
    assertEquals(flagged([1, 1, 0.699, 1]), [false, false, true, false]);
    assertEquals(flagged([1, 1, 0.701, 1]), [false, false, false, false]);
  });

  it("flags a year below 90 % of the others, and not one above", () => {
    assertEquals(flagged([1, 1, 0.899, 1], YEAR), [false, false, true, false]);
    assertEquals(flagged([1, 1, 0.901, 1], YEAR), [false, false, false, false]);
  });

  it("takes periods from half a year on as years", () => {
    assertEquals(flagged([1, 1, 0.8], [YEAR, YEAR, 4379]), [false, false, false]);
    assertEquals(flagged([1, 1, 0.8], [YEAR, YEAR, 4380]), [false, false, true]);
  });

  it("reports the ratio to the others, not to the model", () => {
    assertAlmostEquals(findRatios([0.8, 0.8, 0.4, 0.8])[2], 0.5, 1e-12);
  });

  it("never flags a period that produced more", () => {
    assertEquals(flagged([1, 1, 3, 1, 1.4]), [false, false, false, false, false]);
  });

  it("measures with the median of the upper half: three of an odd count of five", () => {
    // Sorted 0.5, 0.6, 0.8, 0.9, 1.3: the upper half is 0.8, 0.9, 1.3, its median 0.9.
    const ratios = findRatios([0.9, 1.3, 0.5, 0.6, 0.8]);
    assertAlmostEquals(ratios[2], 0.5 / 0.9, 1e-12);
    assertAlmostEquals(ratios[3], 0.6 / 0.9, 1e-12); // 0.667
    assertEquals(ratios.map((x) => !Number.isNaN(x)), [false, false, true, true, false]);
  });

  it("measures with the median of the upper half: three of an even count of six", () => {
    // Sorted 0.5, 0.7, 0.72, 0.9, 1, 1.2: the upper half is 0.9, 1, 1.2, its median 1.
    assertEquals(flagged([1.2, 0.9, 0.72, 0.699, 1, 0.5]), [
      ...[false, false, false, true, false, true],
    ]);
  });

  it("measures with the mean of the middle two of an upper half of even count", () => {
    // Sorted 0.6, 0.7, 0.9, 1.1: the upper half is 0.9, 1.1, its median 1.
    const ratios = findRatios([0.6, 1.1, 0.9, 0.7 + 1e-9]);
    assertAlmostEquals(ratios[0], 0.6, 1e-12);
    assertEquals(ratios.slice(1).map(Number.isNaN), [true, true, true]);
  });

  it("finds all of them if half of all periods were outages", () => {
    const shares = [1, 0.5, 1, 0.4, 1.02, 0, 0.98, 0.3];
    assertEquals(flagged(shares), [false, true, false, true, false, true, false, true]);
    assertEquals(flagged([0.59, 0.85, 1.01, 0.99], YEAR), [true, true, false, false]); // Horns Rev 1
  });

  it("finds all of them if half of twelve and of 24 periods were outages", () => {
    for (const number of [12, 24]) {
      const shares = Array.from({ length: number }, (_, i) => i % 2 === 0 ? 1 + 0.001 * i : 0.5);
      assertEquals(flagged(shares), shares.map((share) => share === 0.5));
    }
  });

  it("finds all of them if nearly half of 24 months with 5 % of scatter were outages", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const normal = normals(seed);
      const shares = Array.from(
        { length: 24 },
        (_, i) => i < 11 ? 0.45 : Math.exp(0.05 * normal()),
      );
      assertEquals(flagged(shares).slice(0, 11), new Array<boolean>(11).fill(true), `seed ${seed}`);
    }
  });

  it("keeps its bound of 70 % if twelve months and more scatter little", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const normal = normals(seed);
      const shares = Array.from({ length: 24 }, () => Math.exp(0.02 * normal()));
      assertEquals(flagged(shares).some((one) => one), false);
      shares[7] = 0.66;
      assertEquals(flagged(shares).indexOf(true), 7);
      shares[7] = 0.76;
      assertEquals(flagged(shares).some((one) => one), false);
    }
  });

  it("does not cut off the lower tail of mere scatter", () => {
    let cut = 0;
    for (let seed = 1; seed <= 50; seed++) {
      const normal = normals(seed);
      const shares = Array.from({ length: 24 }, () => Math.exp(0.18 * normal()));
      cut += flagged(shares).filter((one) => one).length;
    }
    // Of 1,200 months below 70 % of the better half's median (1.13): 1,200 x P(z < -1.3) = 116.
    assert(cut <= 30, `${cut} of 1,200 months`);
  });

  it("compares years with years, and months with months, whose ratios scatter more", () => {
    let [good, missed] = [0, 0];
    for (let seed = 1; seed <= 50; seed++) {
      const normal = normals(seed);
      const months = Array.from({ length: 24 }, () => Math.exp(0.1 * normal()));
      const years = [1, 0.75, 1, 1].map((share) => share * Math.exp(0.02 * normal()));
      const ratios = Float64Array.from([...months, ...years]);
      const hours = Float64Array.from(ratios, (_, i) => i < 24 ? 730 : 8760);
      const outages = findOutagePeriods(ratios, new Float64Array(28).fill(1), hours);
      good += [24, 26, 27].filter((i) => !Number.isNaN(outages[i])).length;
      missed += Number.isNaN(outages[25]) ? 0 : 1;
    }
    assertEquals([good, missed], [0, 50]);
  });

  it("compares one or two years with the median of the months", () => {
    const ratios = Float64Array.from([...new Array<number>(12).fill(1), 0.85, 0.95]);
    const hours = Float64Array.from(ratios, (_, i) => i < 12 ? 730 : 8760);
    const outages = findOutagePeriods(ratios, new Float64Array(14).fill(1), hours);
    assertAlmostEquals(outages[12], 0.85, 1e-12);
    assertEquals(outages[13], NaN);
  });

  it("finds nothing with fewer than three periods", () => {
    assertEquals(flagged([1, 0.1]), [false, false]);
    assertEquals(flagged([0.1]), [false]);
    assertEquals(flagged([]), []);
    assertEquals(flagged([1, 0.1, 1]), [false, true, false]);
  });

  it("leaves its input unchanged", () => {
    const produced = Float64Array.of(3, 1, 2, 9);
    const modelled = Float64Array.of(3, 3, 2, 9);
    const hours = Float64Array.of(730, 730, 730, 8760);
    findOutagePeriods(produced, modelled, hours);
    assertEquals(produced, Float64Array.of(3, 1, 2, 9));
    assertEquals(modelled, Float64Array.of(3, 3, 2, 9));
    assertEquals(hours, Float64Array.of(730, 730, 730, 8760));
  });
});
