import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type FactorKind, suspectUnit } from "../../../src/screening/values/wrong_unit.ts";
import { kelmarsh, KELMARSH_RATED_POWER, kelmarshIsHere, named } from "../_kelmarsh.ts";
import { drifting, repeated } from "../_series.ts";

/** Hourly capacity factors of a year. */
const year = drifting(8760, "unit").map((power) => power / 2000);

/** Capacity factors of the months of a year. */
const months = Float64Array.of(.45, .4, .38, .3, .25, .22, .2, .22, .3, .35, .4, .42);

const times = (factor: number, factors: Float64Array) => factors.map((value) => factor * value);

const words = (factors: Float64Array, of: FactorKind) =>
  suspectUnit(factors, of).map(({ message }) => message).join();

describe("suspectUnit()", () => {
  it("finds nothing in plausible production, in missing values or without values", () => {
    assertEquals(suspectUnit(year, "hours"), []);
    assertEquals(suspectUnit(months, "periods"), []);
    for (const kind of ["hours", "periods"] as const) {
      assertEquals(suspectUnit(Float64Array.of(NaN, NaN), kind), []);
      assertEquals(suspectUnit(new Float64Array(0), kind), []);
    }
  });

  it("names kWh that are read as MWh, with the capacity factor and the remedy", () => {
    assertEquals(suspectUnit(times(1000, months), "periods"), [{
      kind: "wrong_unit",
      from: 0,
      to: 12,
      message:
        "mean capacity factor of 324, largest 450: probably 1000 times too much, such as kWh " +
        "read as MWh. Check the unit, the rated power and the number of units",
    }]);
    assertStringIncludes(words(times(1000, year), "hours"), "probably 1000 times too much");
    assertStringIncludes(words(times(1e6, year), "hours"), "probably 1000000 times too much");
  });

  it("names MWh that are read as kWh", () => {
    assertStringIncludes(
      words(times(1e-3, months), "periods"),
      "probably 1/1000 of the true value",
    );
    assertStringIncludes(words(times(1e-3, year), "hours"), "probably 1/1000 of the true value");
    assertStringIncludes(words(times(1e-6, year), "hours"), "probably 1/1000000 of the true value");
  });

  it("names the number of units of a park's total, of months within a factor of two", () => {
    assertStringIncludes(words(times(80, year), "hours"), "probably the total of about 80 units");
    assertStringIncludes(words(times(2, year), "hours"), "probably the total of about 2 units");
    const units = Number(/about (\d+) units/.exec(words(times(80, months), "periods"))?.[1]);
    assertEquals(units > 40 && units < 160, true, `${units}`);
  });

  it("names production that was divided by the units twice", () => {
    assertStringIncludes(words(times(1 / 80, year), "hours"), "probably divided by about 80");
  });

  it("counts more than 5 % of values above the range as a wrong unit, and less as single faults", () => {
    const spike = (count: number, value: number) =>
      Float64Array.from([...repeated(value, count), ...repeated(0.3, 100 - count)]);
    assertEquals(suspectUnit(spike(5, 1.06), "hours"), []);
    assertEquals(suspectUnit(spike(6, 1.06), "hours").length, 1);
    assertEquals(suspectUnit(spike(100, 1.05), "hours"), []);
    assertEquals(suspectUnit(spike(5, 1.01), "periods"), []);
    assertEquals(suspectUnit(spike(6, 1.01), "periods").length, 1);
    assertEquals(suspectUnit(spike(100, 1), "periods"), []);
  });

  it("counts a largest hour below 5 % as a wrong unit; a month may be that weak", () => {
    const hours = (largest: number) => Float64Array.from([largest, ...repeated(0.04, 99)]);
    assertEquals(suspectUnit(hours(0.05), "hours"), []);
    assertEquals(suspectUnit(hours(0.0499), "hours").length, 1);
    assertEquals(suspectUnit(hours(0.0499), "periods"), []);
  });

  it("counts a mean below 0.5 % as a wrong unit or a standstill, even next to a wrong value", () => {
    assertEquals(suspectUnit(Float64Array.of(0.01, 0), "periods"), []);
    assertEquals(suspectUnit(Float64Array.of(0.0099, 0), "periods").length, 1);
    const spiked = times(1e-3, year);
    spiked[77] = 1;
    const message = words(spiked, "hours");
    assertStringIncludes(message, "largest 1: probably 1/1000 of the true value");
    assertStringIncludes(message, "unless it was stopped all the time");
    assertStringIncludes(words(Float64Array.of(0, 0), "hours"), "always nearly 0");
    assertStringIncludes(words(Float64Array.of(-999, -999), "hours"), "nearly 0");
  });

  it("changes nothing", () => {
    const factors = Float64Array.of(900, NaN, 1, -5);
    suspectUnit(factors, "hours");
    assertEquals(factors, Float64Array.of(900, NaN, 1, -5));
  });

  const check = kelmarshIsHere() ? it : it.ignore;

  check(named("finds nothing at Kelmarsh, and the wrong unit where there is one"), async () => {
    for (const power of (await kelmarsh()).power) {
      const factors = times(1 / KELMARSH_RATED_POWER, power);
      assertEquals(suspectUnit(factors, "hours"), []);
      assertStringIncludes(words(times(1000, factors), "hours"), "probably 1000 times too much");
      assertStringIncludes(
        words(times(1e-3, factors), "hours"),
        "probably 1/1000 of the true value",
      );
      assertStringIncludes(words(times(6, factors), "hours"), "about 6 units");
    }
  });
});
