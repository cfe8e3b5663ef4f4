import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { findSame } from "../../../src/screening/values/neighbours.ts";
import {
  countCoarse,
  findDropped,
  findPartOfPower,
  findThousandths,
  findUnreached,
} from "../../../src/screening/values/unit_levels.ts";

const RATED = 2000;

/** Expected power, from 0 to rated power and back, kW. */
const expected = Float64Array.from(
  { length: 4000 },
  (_, i) => RATED * Math.max(0, Math.min(1, 0.6 + 0.8 * Math.sin(i / 30))),
);

/** Power of a turbine: near the expected power, and different in each hour. */
const power = expected.map((value, i) => value * (0.97 + 0.05 * Math.sin(7 * i)));

const isNight = (i: number) => i % 24 < 6;

describe("SI3 findThousandths()", () => {
  it("SI3 finds the nights that are in MW", () => {
    const mixed = power.map((value, i) => isNight(i) ? value / 1000 : value);
    const hours = findThousandths(mixed, expected, RATED);
    assertEquals(hours.every(isNight), true);
    assertEquals(
      hours.length,
      [...power.keys()].filter((i) => isNight(i) && expected[i] >= 400).length,
    );
  });

  it("SI3 finds nothing in the noise of a stopped turbine, and in a running one", () => {
    const stopped = power.map((value, i) => i < 1000 ? 1 + Math.sin(11 * i) : value);
    assertEquals(findThousandths(stopped, expected, RATED), []);
    assertEquals(findThousandths(power, expected, RATED), []);
  });
});

describe("SI6 findPartOfPower()", () => {
  it("SI6 finds energies of 5, 10 and 15 minutes read as powers", () => {
    for (const part of [1 / 12, 1 / 6, 1 / 4]) {
      assertEquals(findPartOfPower(power.map((value) => value * part), expected, RATED), part);
    }
  });

  it("SI6 finds nothing in powers, in half of them, or if the wind is never strong", () => {
    assertEquals(findPartOfPower(power, expected, RATED), undefined);
    assertEquals(findPartOfPower(power.map((value) => value / 2), expected, RATED), undefined);
    const calm = expected.map((value) => value / 4);
    assertEquals(findPartOfPower(calm, calm, RATED), undefined);
  });
});

describe("SI5 findSame()", () => {
  const range = [4, 1900] as const;
  const other = power.map((value, i) => value * (1 + 0.01 * Math.cos(3 * i)));

  it("SI5 finds hours that have the values of a neighbour", () => {
    const copied = power.slice();
    copied.set(other.subarray(1000, 1720), 1000);
    assertEquals(findSame(copied, [{ power: other }], range), [
      { kind: "same", from: 1000, to: 1720, message: "720 h equal to the values of a neighbour" },
    ]);
  });

  it("SI5 finds nothing if both stand still, run at rated power, or have no value", () => {
    const [one, two] = [power, other].map((values) =>
      values.map((value, i) => i < 500 ? 0 : i < 1000 ? RATED : i < 1500 ? NaN : value)
    );
    assertEquals(findSame(one, [{ power: two }], range), []);
  });
});

describe("SI3 findUnreached()", () => {
  it("SI3 returns the largest share of rated power that a record reaches", () => {
    assertEquals(findUnreached(power, expected, RATED), undefined);
    for (const share of [0.5, 0.67]) {
      const reached = findUnreached(power.map((value) => value * share), expected, RATED)!;
      assertEquals(Math.round(100 * reached), Math.round(102 * share));
    }
    const calm = expected.map((value) => value / 4);
    assertEquals(findUnreached(calm, calm, RATED), undefined);
  });
});

describe("SI2 findDropped()", () => {
  it("SI2 finds single values near 0 between hours of high power", () => {
    for (const value of [0, -1, 1]) {
      const marked = power.map((kW, i) => i % 40 === 3 ? value : kW);
      const findings = findDropped(marked, RATED);
      assertEquals(findings.every(({ from }) => from % 40 === 3), true);
      assertEquals(findings.length > 40, true);
    }
    assertEquals(findDropped(power, RATED), []);
  });
});

describe("SI2 countCoarse()", () => {
  it("SI2 finds a record in halves of a MW, but not in whole kW or tens of them", () => {
    const range = [4, 1900] as const;
    const round = (step: number) => power.map((value) => Math.round(value / step) * step);
    assertEquals(countCoarse(round(500), range), 3);
    assertEquals(countCoarse(round(10), range), undefined);
    assertEquals(countCoarse(power, range), undefined);
  });
});
