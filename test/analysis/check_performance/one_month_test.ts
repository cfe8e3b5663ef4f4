/** Cost of one month, and why: by hand, and the same however an outage is known. */
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { checkPerformance } from "../../../src/analysis/check_performance/check_performance.ts";
import { ArgumentError } from "../../../src/api/errors.ts";
import { plotShortfall } from "../../../src/plots/losses/shortfall.ts";
import { SeededRandom } from "../../../src/stats/seeded_random.ts";
import { buildLog } from "../measure_availability/_logs.ts";
import {
  byStep,
  computeGap,
  computeIndices,
  details,
  everyHour,
  hoursFrame,
  list,
  numbers,
} from "./_performance_frames.ts";

const START = "2021-01-01T00:00Z";

/** Half a year, too short for lasting changes; each hour of the day has 25 kW more than the one before, 12 MWh a day. */
const DAYS_OF = [31, 28, 31, 30, 31, 30];
const expect = (hour: number) => 500 + 25 * (hour % 24 - 11.5);
const predicted = hoursFrame(START, { power: everyHour(181, expect) });
const indices = computeIndices(
  "2021-01",
  DAYS_OF.map((days) => 12 * days),
  [...Array(2).fill(400), 420, ...Array(9).fill(330)],
);

/**
 * The turbine produces 102 and 98 % of the prediction in turns, month by month, and is stopped for 100 hours from 5
 * March on.
 */
const OUT = 24 * (31 + 28 + 4);
const monthOf = (hour: number) => {
  let day = Math.floor(hour / 24);
  return DAYS_OF.findIndex((days) => (day -= days) < 0);
};
const production = hoursFrame(START, {
  power: everyHour(
    181,
    (hour) =>
      hour >= OUT && hour < OUT + 100 ? 0 : expect(hour) * (monthOf(hour) % 2 === 0 ? 1.02 : 0.98),
  ),
});

/** Checks March 2021. */
const march = (options = {}) =>
  checkPerformance(production, { predicted, details, indices, month: "2021-03", ...options });

describe("checkPerformance() of one month", () => {
  it("splits its deviation, worked by hand", () => {
    const { frames } = march();
    // 372 MWh are expected in 31 days, and 420 are normal; in four days and the first four hours of a fifth, 48 + 1.
    const [even, odd] = [3 * 31 * 12, (28 + 30 + 30) * 12];
    const ratio = (1.02 * (even - 49) + 0.98 * odd) / (even + odd - 49);
    const lost = ratio * 49;
    const made = 1.02 * (372 - 49);
    const steps = byStep(frames.steps);
    assertEquals(Object.keys(steps).length, 5);
    assertAlmostEquals(steps["Normal production"], 420, 1e-9);
    assertAlmostEquals(steps["Wind and air density"], 372 - 420, 1e-9);
    assertAlmostEquals(steps.Availability, -lost, 1e-9);
    assertAlmostEquals(steps.Unexplained, made - 372 + lost, 1e-9);
    assertAlmostEquals(steps.Produced, made, 1e-9);
    assertAlmostEquals(computeGap(frames.steps), 0, 1e-9);
    assertEquals(list(frames.outages, "outage"), ["Standstill, 2021-03-05 to 2021-03-09"]);
  });

  it("gives the wind the interval of the model, and the unexplained step the interval of all others, worked by hand", () => {
    const { frames } = march();
    const ends = (step: string) => {
      const row = frames.steps.filter(pl.col("step").eq(pl.lit(step)));
      return ["energy_low", "energy", "energy_high"].map((name) => numbers(row, name)[0]);
    };
    // Ratios of 1.02 in three months of 31 days, of 0.98 in months of 28, 30 and 30, around 1. At the mean energy of 362 MWh
    // these are p = 0.02 sqrt(372 / 362) above and q = 0.02 sqrt(336 / 362) below, or more; four of the six are (p + q) / 2
    // from the middle of p and -q.
    const distance = 0.01 * (Math.sqrt(372 / 362) + Math.sqrt(336 / 362));
    const deviation = 1.4826 * distance * 6 / 5.2;
    // Student's t of 5 degrees of freedom is 2.015048 at 95 %.
    const half = 2.015048 * deviation * Math.sqrt(1 + 1 / 6) * Math.sqrt(362 / 372) * 372;
    const [low, wind, high] = ends("Wind and air density");
    assertAlmostEquals(wind - low, half, 0.02);
    assertAlmostEquals(high - wind, half, 0.02);
    const [lostLow, lost, lostHigh] = ends("Availability");
    const [restLow, rest, restHigh] = ends("Unexplained");
    assertAlmostEquals(restHigh - rest, Math.hypot(half, lost - lostLow), 0.02);
    assertAlmostEquals(rest - restLow, Math.hypot(half, lostHigh - lost), 0.02);
    assertEquals(ends("Produced").map(Number.isNaN), [true, false, true]);
  });

  it("explains the month's loss in a sentence, and draws it", () => {
    const check = march();
    assertEquals(check.summary, [
      "It was the wind and the turbine: stops cost 49.0 MWh (90 % interval 48.0 to 50.0) and less wind than normal cost " +
      "48.0 MWh (21.0 to 75.0). March 2021: 329.5 MWh produced, 90.5 MWh (21.6 %) less than a normal March (420.0 MWh). " +
      "Stops: Standstill, 2021-03-05 to 2021-03-09.",
      "The steps, with 90 % intervals if known, are wind and air density \u221248.0 MWh (\u221275.0 to \u221221.0 MWh), " +
      "availability \u221249.0 MWh (\u221250.0 to \u221248.0 MWh), unexplained +6.5 MWh (\u221220.6 to 33.5 MWh).",
    ]);
    assertStringIncludes(plotShortfall(check).altText, "March 2021");
  });

  it("M8: costs the same if its outage is detected, named or in the log, which gives the reason", () => {
    const events = buildLog([
      { from: "2021-03-05 00:00", to: "2021-03-09 04:00", category: "Forced Outage" },
    ]);
    const named = { outages: [{ name: "Gearbox", from: "2021-03-04", to: "2021-03-10" }] };
    const [detected, byName, byLog] = [march(), march(named), march({ events })];
    for (const other of [byName, byLog]) {
      for (const name of ["energy", "energy_low", "energy_high"]) {
        assertEquals(numbers(other.frames.steps, name), numbers(detected.frames.steps, name), name);
      }
    }
    assert(byName.summary[0].endsWith("Stops: Gearbox."));
    assert(
      byLog.summary[0].endsWith(
        "Stops: Forced Outage, 2021-03-05 to 2021-03-09.",
      ),
      byLog.summary[0],
    );
  });

  it("has the same steps as in the whole check, whose months sum to the total", () => {
    const total = checkPerformance(production, { predicted, details, indices });
    const marchSteps = total.frames.stepsByPeriod.filter(pl.col("month").dt.month().eq(pl.lit(3)));
    for (const name of ["energy", "energy_low", "energy_high"]) {
      assertEquals(numbers(march().frames.steps, name), numbers(marchSteps, name));
    }
  });

  it("shows a lasting change as its own step, which sums with the others to 1e-9", () => {
    const random = new SeededRandom("one month");
    const expected = everyHour(500, (hour) => 500 + 300 * Math.sin(hour / 37)) as number[];
    const changed = expected.map((power, hour) =>
      power * (1 + 0.1 * random.normal()) * (hour < 24 * 300 ? 1 : 0.9)
    );
    const options = { predicted: hoursFrame(START, { power: expected }), details } as const;
    const check = checkPerformance(hoursFrame(START, { power: changed }), options);
    assertAlmostEquals(computeGap(check.frames.steps), 0, 1e-9);
    const [lost] = numbers(check.frames.changes, "lost");
    assertAlmostEquals(byStep(check.frames.steps)["Lasting change"], -lost, 1e-9);
    const [size] = numbers(check.frames.changes, "size");
    const month = checkPerformance(hoursFrame(START, { power: changed }), {
      ...options,
      month: "2022-02",
    });
    // Without it, February's hours would have produced their energy over the ratio.
    const [from, to] = [24 * (365 + 31), 24 * (365 + 59)];
    const energy = changed.slice(from, to).reduce((sum, power) => sum + power / 1000, 0);
    const steps = byStep(month.frames.steps);
    assertAlmostEquals(steps["Lasting change"], -energy * (1 / (1 + size / 100) - 1), 1e-6);
    assertAlmostEquals(computeGap(month.frames.steps), 0, 1e-9);
    const before = checkPerformance(hoursFrame(START, { power: changed }), {
      ...options,
      month: "2021-02",
    });
    assertEquals(byStep(before.frames.steps)["Lasting change"] === 0, true);
  });

  it("refuses a month that is not compared, and names the months that are", () => {
    const error = assertThrows(() => march({ month: "2022-03" }), ArgumentError);
    assertStringIncludes(
      error.message,
      "2022-03 cannot be compared. The compared months are between 2021-01 and 2021-06, and have both production and a prediction. Give one of these months",
    );
    assertThrows(() => march({ month: "March" }), ArgumentError);
  });
});
