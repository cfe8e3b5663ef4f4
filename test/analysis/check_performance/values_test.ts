/** Values of the energies of a check: worked by hand. */
import { assertAlmostEquals, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { checkPerformance } from "../../../src/analysis/check_performance/check_performance.ts";
import { sumVerdicts } from "../../../src/analysis/verdict/verdict.ts";
import {
  details,
  everyHour,
  hoursFrame,
  january,
  list,
  monthsFrame,
  numbers,
  predicted,
  steady,
} from "./_performance_frames.ts";

/** 48 h of outage on 10 and 11 January, else 480 kW of 500 kW. */
const production = steady((hour) => hour >= 216 && hour < 264 ? 0 : 480);
const options = { predicted, indices: january, details };
const prices = (of: (hour: number) => number | null) =>
  hoursFrame("2021-01-01T00:00Z", { power: everyHour(59, of) }).rename({ power: "price" });

describe("checkPerformance() with prices", () => {
  it("gives each step the value of its energy at one price, and changes nothing else", () => {
    const without = checkPerformance(production, options);
    const check = checkPerformance(production, { ...options, price: 50, currency: "DKK" });
    const { value: none, text: _, ...energies } = without.verdict;
    const { value, text, ...unpriced } = check.verdict;
    assertEquals(none, undefined);
    assertEquals(unpriced, energies);
    assertEquals(value!.currency, "DKK");
    for (const name of ["produced", "normal", "wind", "stops", "stops_low", "rest"] as const) {
      assertAlmostEquals(value![name]!, 50 * energies[name]!, 1e-6, name);
    }
    assertStringIncludes(
      text,
      "The production is worth 32,832 DKK, 332 DKK more than normal: wind +2,900",
    );
    assertEquals(without.frames.steps.columns.includes("value"), false);
    assertAlmostEquals(numbers(check.frames.steps, "value")[2], 50 * -23.04, 1e-6);
    assertEquals(list(check.frames.verdicts, "value_stops").length, 2);
  });

  it("values stops at the prices of their hours, and the wind at the price of its own energy", () => {
    // 100 in the outage, 20 at all other times; February has 20 only.
    const price = prices((hour) => hour >= 216 && hour < 264 ? 100 : 20);
    const { verdict, verdicts } = checkPerformance(production, { ...options, price });
    const [, february] = verdicts;
    // 48 h x 0.96 x 0.5 MWh x 100.
    assertAlmostEquals(verdict.value!.stops!, -2304, 1e-6);
    assertAlmostEquals(verdict.value!.produced!, 656.64 * 20, 1e-6);
    // The model's January: 48 h x 0.5 x 100 + 696 h x 0.5 x 20 for 372 MWh. The normal 300 MWh have that price.
    const january = 48 * 0.5 * 100 + 696 * 0.5 * 20;
    assertAlmostEquals(verdict.value!.normal!, 300 * january / 372 + 350 * 20, 1e-6);
    assertAlmostEquals(verdict.value!.wind!, january * (1 - 300 / 372) - 14 * 20, 1e-6);
    assertEquals(february.value!.stops, 0);
    const { produced, normal, wind, stops, limited, rest } = verdict.value!;
    assertAlmostEquals(normal! + wind! + stops! + limited! + rest!, produced!, 1e-6);
  });

  it("counts only hours with a price, reports their share, and separates hours with a price of 0 or below", () => {
    const price = prices((hour) => hour < 186 ? null : hour < 200 ? -10 : 20);
    const check = checkPerformance(production, { ...options, price });
    const [first] = check.verdicts;
    // 14 h of 480 kW at -10, and 744 - 200 - 48 of them at 20.
    assertAlmostEquals(first.value!.produced!, 0.48 * (14 * -10 + 496 * 20), 1e-6);
    assertAlmostEquals(first.value!.priced, 558 / 744, 1e-9);
    assertStringIncludes(
      first.text,
      "The production in the 75.0 % of these hours with a price is worth",
    );
    assertStringIncludes(
      check.summary.join(" "),
      "While the price was zero or negative (14 hours), production was 6.7 MWh, worth −67 EUR.",
    );
    assertStringIncludes(check.notes.join(" "), "Prices are missing for 186 of 1,416 hours");
    const none = checkPerformance(production, {
      ...options,
      price: prices((hour) => hour < 744 ? null : 20),
    });
    assertEquals(none.verdicts[0].value, undefined);
    assertStringIncludes(none.verdicts[0].text, "These hours have no price.");
    assertThrows(
      () => checkPerformance(production, { ...options, price: prices(() => 20).head(0) }),
      Error,
      "Cannot use the prices: it has no rows",
    );
  });

  it("values months by their price", () => {
    const months = monthsFrame("2021-01", "energy", [340, 330]);
    const { verdicts } = checkPerformance(months, {
      ...{ predicted: january, details },
      price: monthsFrame("2021-01", "price", [50, null]),
    });
    assertAlmostEquals(verdicts[0].value!.produced!, 17_000, 1e-6);
    assertAlmostEquals(verdicts[0].value!.wind!, 50 * 72, 1e-6);
    assertEquals(verdicts[1].value, undefined);
    assertStringIncludes(verdicts[1].text, "These hours have no price.");
  });

  it("keeps the verdict if prices do not fit, and notes it", () => {
    const months = monthsFrame("2021-01", "energy", [340, 330]);
    const { verdicts, notes } = checkPerformance(months, {
      ...{ predicted: january, details },
      price: prices(() => 50),
    });
    assertEquals([verdicts[0].value, verdicts[0].produced], [undefined, 340]);
    assertStringIncludes(
      notes.join(" "),
      "because the prices are for shorter periods. Give monthly prices.",
    );
    const late = hoursFrame("2019-01-01T00:00Z", { power: [50, 50] }).rename({ power: "price" });
    const check = checkPerformance(production, { ...options, price: late });
    assertStringIncludes(check.verdict.text, "These hours have no price.");
    assertEquals(check.verdict.produced! > 0, true);
  });

  it("does not sum values of turbines with and without prices, and notes it", () => {
    const sum = (...prices: readonly (number | undefined)[]) =>
      sumVerdicts(
        prices.map((price) => checkPerformance(production, { ...options, price }).verdict),
        prices.map(() => 1),
      );
    assertAlmostEquals(sum(50, 50).value!.produced!, 2 * 50 * 656.64, 1e-6);
    assertEquals(sum(50, undefined).value, undefined);
    assertStringIncludes(sum(50, undefined).text, "The fleet has no total value");
    assertEquals(sum(undefined, undefined).text.includes("no value in total"), false);
  });

  it("keeps an interval in order if the price is negative", () => {
    const { value } = checkPerformance(production, { ...options, price: -50 }).verdict;
    assertEquals(value!.stops_low! <= value!.stops! && value!.stops! <= value!.stops_high!, true);
    assertAlmostEquals(value!.stops!, 50 * 23.04, 1e-6);
  });
});
