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

describe("checkPerformance() with bad input", () => {
  const refuses = (call: () => unknown, ...messages: readonly string[]) => {
    const error = assertThrows(call, ArgumentError);
    for (const message of messages) assertStringIncludes(error.message, message);
  };
  const production = steady(() => 500);

  it("names the way to a model if predictions are missing", () => {
    refuses(
      () => checkPerformance(production, {} as never),
      "Cannot check the performance: predictions are missing. Give { predicted: await modelData(id) }",
      "deno task import SITE.json",
    );
    refuses(
      () => checkPerformance(production, { prediction: predicted } as never),
      'Did you mean "predicted"?',
    );
  });

  it("names missing columns, and series without a common hour or month", () => {
    refuses(
      () => checkPerformance(production.rename({ power: "kw" }), { predicted }),
      "Cannot check the performance: ",
      '"time" and "power" (kW)',
      '"year" and "energy" (MWh)',
      "but has time, kw. Read the production with readProduction()",
    );
    refuses(
      () => checkPerformance(production, { predicted: predicted.rename({ power: "kw" }) }),
      "Cannot check the performance from the prediction",
      '"predicted_production" (MWh)',
    );
    refuses(
      () => checkPerformance(hoursFrame("2023-01-01T00:00Z", { power: [1, 2] }), { predicted }),
      "The production covers 2023-01-01T00:00Z to 2023-01-01T01:00Z, and the model data cover 2021-01-01T00:00Z",
      "Ask modelData() for the period of the production",
    );
    refuses(
      () => checkPerformance(monthsFrame("2023-01", "energy", [1, 2]), { predicted: january }),
      "The production has 2023-01 to 2023-02, and the prediction has 2021-01 to 2021-02",
    );
    refuses(
      () => checkPerformance(production, { predicted, indices: monthsFrame("2021-01", "x", [1]) }),
      'the indices need "month", ',
    );
  });

  it("suspects a wrong unit, or a park, if production is many times the prediction", () => {
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
    assertStringIncludes(notes.join(" "), "never exceeds 4.0 kW, but the rated power is 500 kW");
    refuses(
      () =>
        checkPerformance(monthsFrame("2021-01", "energy", [372_000, 336_000]), {
          predicted: january,
        }),
      "1000.0 times the prediction",
      '"energy" must be in MWh',
    );
  });

  it("names the neighbour that it cannot use", () => {
    const checkNextTo = (frame: DataFrame) => () =>
      checkPerformance(production, { predicted, details, neighbours: [production, frame] });
    refuses(
      checkNextTo(production.rename({ power: "kw" })),
      "Cannot use neighbour 2: the production needs the columns",
    );
    refuses(
      checkNextTo(monthsFrame("2021-01", "energy", [1])),
      "neighbour 2: its production is not hourly",
    );
  });

  it("names the outage that it cannot use", () => {
    const with_ = (...outages: { name?: string; from: string; to: string }[]) => () =>
      checkPerformance(production, { predicted, outages });
    refuses(
      with_({ name: "Fire", from: "2021-02-30", to: "2021-03-01" }),
      '"Fire"',
      "is not a year, month, day or hour",
    );
    refuses(with_({ from: "2021-01-05", to: "2021-01-04" }), 'is after "to"');
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

  it("takes the prediction unscaled if all periods are outages, and notes it", () => {
    const check = checkPerformance(steady(() => 0), { predicted, details });
    assertAlmostEquals(numbers(check.frames.outages, "lost")[0], 708, 1e-9);
    assertEquals(list(check.frames.outages, "lost_low"), [null]);
    assertStringIncludes(check.notes.join(" "), "Only 0 hours are free of outages");
  });

  it("reports that hours begin at different minutes, not that they are missing", () => {
    const later = hoursFrame("2021-01-01T00:30Z", { power: everyHour(DAYS, () => 500) });
    refuses(
      () => checkPerformance(later, { predicted }),
      "do not begin at the same minute",
      '"time"',
    );
  });

  it("refuses a prediction of 0, and months without energy that are not named as an outage", () => {
    refuses(
      () => checkPerformance(production, { predicted: steady(() => 0) }),
      "the prediction is 0 MWh from 2021-01 to 2021-02",
    );
    const nothing = monthsFrame("2021-01", "energy", [0, 0]);
    refuses(
      () => checkPerformance(nothing, { predicted: january }),
      'column "energy" of the production is 0 MWh or less',
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
});
