import { assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { priceProduction } from "../../../src/analysis/price_production/price_production.ts";
import { everyHour, hoursFrame, monthsFrame } from "../check_performance/_performance_frames.ts";

/** Ten days: 100 kW by day, 300 kW by night; the wind allowed 400 kW by night. */
const START = "2021-01-01T00:00Z";
const isDay = (hour: number) => hour % 24 >= 6 && hour % 24 < 18;
const hours = (of: (hour: number) => number | null) =>
  hoursFrame(START, { power: everyHour(10, of) });
const production = hours((hour) => isDay(hour) ? 100 : 300);
const predicted = hours((hour) => isDay(hour) ? 100 : 400);
const price = hours((hour) => isDay(hour) ? 80 : 20).rename({ power: "price" });

describe("priceProduction()", () => {
  it("weights prices by production, and by the energy that the wind allowed, worked by hand", () => {
    const worth = priceProduction(production, { predicted, price });
    // A day: 12 h x 0.1 MWh x 80 + 12 h x 0.3 MWh x 20 = 168 for 4.8 MWh; possible 12 x (8 + 8) = 192 for 6 MWh.
    assertAlmostEquals(worth.value, 1680, 1e-9);
    assertAlmostEquals(worth.capture_price, 35, 1e-9);
    assertAlmostEquals(worth.possible_price, 32, 1e-9);
    assertAlmostEquals(worth.mean_price, 50, 1e-9);
    assertAlmostEquals(worth.capture_rate, 70, 1e-9);
    assertEquals([worth.hours, worth.low_hours, worth.currency], [240, 0, "EUR"]);
    assertEquals(worth.frames.months.height, 1);
  });

  it("counts hours with a price of 0 or below, and leaves out those without one", () => {
    const other = hours((hour) => hour < 24 ? null : isDay(hour) ? 0 : -10).rename({
      power: "price",
    });
    const worth = priceProduction(production, { predicted, price: other });
    assertEquals([worth.hours, worth.low_hours], [216, 216]);
    assertAlmostEquals(worth.value, 9 * 12 * 0.3 * -10, 1e-9);
  });

  it("refuses production that is not hourly, and a call without a price", () => {
    const months = monthsFrame("2021-01", "energy", [300]);
    const indices = monthsFrame("2021-01", "predicted_production", [300]);
    assertThrows(
      () => priceProduction(months, { predicted: indices, price: 62 }),
      Error,
      "production and model data are not both hourly. Give hourly production and hourly model data",
    );
    assertThrows(() => priceProduction(production, { predicted } as never), Error, "price");
  });
});
