import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { findCopiedPeriods } from "../../../src/screening/values/copied.ts";
import { SeededRandom } from "../../../src/stats/seeded_random.ts";

/** Months of 100 to 700 MWh with so many decimals, some of them changed. */
function months(decimals: number, change: (values: number[]) => void = () => {}, seed = "months") {
  const random = new SeededRandom(seed);
  const values = Array.from(
    { length: 24 },
    () => Number((400 + 100 * Math.max(-3, Math.min(3, random.normal()))).toFixed(decimals)),
  );
  change(values);
  return values.map((energy, i) => ({
    label: Temporal.PlainYearMonth.from("2022-01").add({ months: i }).toString(),
    energy,
  }));
}

const messages = (periods: ReturnType<typeof months>) =>
  findCopiedPeriods(periods).map(({ message }) => message);

describe("SI5 findCopiedPeriods()", () => {
  it("SI5 finds a month that has exactly the energy of another", () => {
    assertEquals(messages(months(3, (values) => values[14] = values[13])), [
      "2023-03: exactly the energy of 2023-02",
    ]);
    assertEquals(messages(months(3, (values) => values.splice(12, 3, ...values.slice(0, 3)))), [
      "2023-01: exactly the energy of 2022-01",
      "2023-02: exactly the energy of 2022-02",
      "2023-03: exactly the energy of 2022-03",
    ]);
  });

  it("SI5 counts one equal rounded month as chance, and two in a row as a copy", () => {
    assertEquals(messages(months(0, (values) => values[14] = values[13])), []);
    assertEquals(messages(months(1, (values) => values.splice(14, 2, ...values.slice(2, 4)))), [
      "2023-03: exactly the energy of 2022-03",
      "2023-04: exactly the energy of 2022-04",
    ]);
  });

  it("SI5 finds nothing in months that were not copied, in zeros, missing ones and plans", () => {
    for (let seed = 0; seed < 50; seed++) {
      for (const decimals of [0, 1, 2, 3]) {
        assertEquals(messages(months(decimals, () => {}, `${seed}`)), [], `${seed} ${decimals}`);
      }
    }
    for (const value of [0, NaN, -3]) {
      assertEquals(messages(months(3, (values) => values.fill(value, 3, 8))), []);
    }
    assertEquals(messages(months(3, (values) => values.fill(412.537, 3, 8))), []);
    assertEquals(messages(months(3, (values) => values.fill(412.537))), []);
    assertEquals(findCopiedPeriods([]), []);
  });
});
