import { assertAlmostEquals, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { checkPerformance } from "../../../src/analysis/check_performance/check_performance.ts";
import { ArgumentError } from "../../../src/api/errors.ts";
import {
  DAYS,
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

describe("checkPerformance() of bad input", () => {
  const refuses = (call: () => unknown, ...messages: readonly string[]) => {
    const error = assertThrows(call, ArgumentError);
    for (const message of messages) assertStringIncludes(error.message, message);
  };
  const production = steady(() => 500);
  const normals = { basis: "production normals" } as const;

  it("says both ways on where nothing is given to hold production against", () => {
    refuses(
      () => checkPerformance(production, {}),
      "model data or monthly indices",
      'checkPerformance(production, { basis: "production normals" })',
    );
  });

  it("refuses both at once, and an unknown basis", () => {
    refuses(
      () => checkPerformance(production, { predicted, basis: "production normals" }),
      "Leave one of them out",
    );
    refuses(
      () => checkPerformance(production, { predicted, basis: "normals" as never }),
      'the basis "normals" is not',
    );
  });

  it("names missing columns, and what has no hour or month in common", () => {
    for (
      const call of [
        () => checkPerformance(production.rename({ power: "kw" }), { predicted }),
        () => checkPerformance(production.rename({ power: "kw" }), normals),
      ]
    ) {
      refuses(
        call,
        "Cannot check the performance: ",
        '"time" and "power" (kW)',
        '"year" and "energy" (MWh)',
        "it has time, kw",
      );
    }
    refuses(
      () => checkPerformance(production, { predicted: predicted.rename({ power: "kw" }) }),
      "Cannot check the performance from the prediction",
      '"predicted_production" (MWh)',
    );
    refuses(
      () => checkPerformance(hoursFrame("2023-01-01T00:00Z", { power: [1, 2] }), { predicted }),
      "The production covers 2023-01-01T00:00Z to 2023-01-01T01:00Z, the model data 2021-01-01T00:00Z",
      "Ask modelData() for the time of the production",
    );
    refuses(
      () => checkPerformance(monthsFrame("2023-01", "energy", [1, 2]), { predicted: january }),
      "The production has 2023-01 to 2023-02, the prediction 2021-01 to 2021-02",
    );
    refuses(
      () => checkPerformance(production, { predicted, indices: monthsFrame("2021-01", "x", [1]) }),
      "the indices need the columns",
    );
  });

  it("suspects the unit, or a park, where production is many times the prediction", () => {
    refuses(
      () => checkPerformance(steady(() => 40_000), { predicted, details }),
      "80.0 times the prediction",
      '"power" must be in kW',
      "{ units: ... }",
    );
    refuses(
      () => checkPerformance(steady(() => 0.5), { predicted }),
      "0.0010 times",
      "must be in kW",
    );
    const { notes } = checkPerformance(steady(() => 4), { predicted });
    assertStringIncludes(notes.join(" "), "never passes 4.0 kW, of 500 kW rated");
    refuses(
      () =>
        checkPerformance(monthsFrame("2021-01", "energy", [372_000, 336_000]), {
          predicted: january,
        }),
      "1000.0 times the prediction",
      '"energy" must be in MWh',
    );
  });

  it("names the neighbour that cannot be used", () => {
    const beside = (frame: DataFrame) => () =>
      checkPerformance(production, { predicted, details, neighbours: [production, frame] });
    refuses(
      beside(production.rename({ power: "kw" })),
      "Cannot use neighbour 2: the production needs the columns",
    );
    refuses(
      beside(monthsFrame("2021-01", "energy", [1])),
      "neighbour 2: its production is not hourly",
    );
  });

  it("names the outage that cannot be used", () => {
    const with_ = (...outages: { name?: string; from: string; to: string }[]) => () =>
      checkPerformance(production, { predicted, outages });
    refuses(
      with_({ name: "Fire", from: "2021-02-30", to: "2021-03-01" }),
      '"Fire"',
      "is not a year, month, day or hour",
    );
    refuses(with_({ from: "2021-01-05", to: "2021-01-04" }), "is after to");
    refuses(
      with_(
        { name: "A", from: "2021-01-05", to: "2021-01-08" },
        { name: "B", from: "2021-01-07", to: "2021-01-09" },
      ),
      '"A" and "B" overlap',
    );
  });

  it("refuses an availability that is not a share", () => {
    const wrong = production.withColumn(pl.Series("availability", everyHour(DAYS, () => 98)));
    refuses(
      () => checkPerformance(wrong, { predicted }),
      'column "availability"',
      "Divide percentages by 100",
    );
  });

  it("takes the prediction as it is where all is outage, and says so", () => {
    const check = checkPerformance(steady(() => 0), { predicted, details });
    assertAlmostEquals(numbers(check.frames.outages, "lost")[0], 708, 1e-9);
    assertEquals(list(check.frames.outages, "lost_low"), [null]);
    assertStringIncludes(check.notes.join(" "), "Only 0 hours are outside of outages");
  });

  it("says that hours begin at other minutes, not that there are none", () => {
    const later = hoursFrame("2021-01-01T00:30Z", { power: everyHour(DAYS, () => 500) });
    refuses(
      () => checkPerformance(later, { predicted }),
      "do not begin at the same minute",
      '"time"',
    );
  });

  it("refuses a prediction of nothing, and months without energy that are not named as an outage", () => {
    refuses(
      () => checkPerformance(production, { predicted: steady(() => 0) }),
      "the prediction is 0 MWh from 2021-01 to 2021-02",
    );
    const nothing = monthsFrame("2021-01", "energy", [0, 0]);
    refuses(
      () => checkPerformance(nothing, { predicted: january }),
      'column "energy" of the production has no more than 0 MWh',
      "from 2021-01 to 2021-02",
      "outages: [{ from, to }]",
    );
    const outages = [{ name: "Grid", from: "2021-01-01", to: "2021-02-28" }];
    const { frames: { outages: lost } } = checkPerformance(nothing, {
      predicted: january,
      outages,
    });
    assertEquals(numbers(lost, "lost"), [708]);
    assertEquals(list(lost, "lost_low"), [null]);
  });

  it("suspects the unit of production that is compared with its own normals, where the rated power is known", () => {
    // 300 MWh a month are 41 % of 1,000 kW.
    const energies = (times: number) => Array.from({ length: 48 }, (_, i) => times * (300 + i % 7));
    const check = (times: number, options = {}) => () =>
      checkPerformance(monthsFrame("2018-01", "energy", energies(times)), {
        ...normals,
        ...options,
      });
    refuses(check(1000, { details }), 'column "energy" (MWh)', "likely 1000 times too much");
    refuses(check(80, { details }), "likely the total of about 99 units");
    assertEquals(check(80, { details, units: 80 })().frames.comparison.height, 48);
    assertEquals(check(1, { details })().notes.join(" ").includes("unit"), false);
    assertStringIncludes(
      check(1000)().notes.join(" "),
      "a wrong unit is not found: give { details",
    );
  });

  it("refuses production that has made nothing in any year, and names months that never did", () => {
    refuses(
      () => checkPerformance(monthsFrame("2018-01", "energy", Array(48).fill(0)), normals),
      'column "energy"',
      "no month from 2018-01 to 2021-12 has energy in its other years",
    );
    const july = Array.from({ length: 48 }, (_, i) => i % 12 === 6 ? 0 : 300 + i % 7);
    const { notes } = checkPerformance(monthsFrame("2018-01", "energy", july), normals);
    assertStringIncludes(
      notes.join(" "),
      "produced nothing in the other years: 2018-07, 2019-07, 2020-07, 2021-07",
    );
  });
});
