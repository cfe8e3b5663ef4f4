/** Power limits: stated in a column or a log, or found in the power; worked by hand. */
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { checkPerformance } from "../../../../src/analysis/check_performance/check_performance.ts";
import { checkQuality } from "../../../../src/analysis/check_quality/check_quality.ts";
import { measureAvailability } from "../../../../src/analysis/measure_availability/measure_availability.ts";
import { eventColumns } from "../../../../src/frames/events/event_columns.ts";
import { buildFrame, buildNumbers } from "../../../../src/frames/frame.ts";
import { toHours } from "../../../../src/frames/production/to_hours.ts";
import { SeededRandom } from "../../../../src/stats/seeded_random.ts";
import { details, everyHour, HOUR, hoursFrame, list, numbers } from "../_performance_frames.ts";

const START = "2021-01-01T00:00Z";
const DAYS = 119;

/** Power that the wind allows, 300 to 900 kW, and the model's expectation of it. */
const random = new SeededRandom("limits");
const possible = everyHour(DAYS, (hour) => 600 + 300 * Math.sin(hour / 17)) as number[];
const expected = possible.map((power) => power * (1 + 0.05 * random.normal()));
const predicted = hoursFrame(START, { power: expected, wind_speed: possible.map(() => 9) });

/** Ten hours of limited power, once a week. */
const isLimited = (hour: number) => hour % 168 >= 60 && hour % 168 < 70;
const limitTo = (level: number) => (power: number, hour: number) =>
  isLimited(hour) ? Math.min(power, level + hour % 3) : power;
const production = (power: readonly number[]) => hoursFrame(START, { power });
const withLimit = (frame: DataFrame, of: (hour: number) => number) =>
  frame.withColumn(buildNumbers("limit", Float64Array.from(possible, (_, hour) => of(hour))));

const options = { predicted, details };
const clean = checkPerformance(production(possible), options);
const check = (frame: DataFrame, more = {}) => checkPerformance(frame, { ...options, ...more });
const taken = (limited: readonly number[]) =>
  possible.reduce((sum, power, i) => sum + (power - limited[i]) / 1000, 0);
const sum = (frame: DataFrame, name: string) => numbers(frame, name).reduce((a, b) => a + b, 0);

describe("power limits", () => {
  const limited = possible.map(limitTo(250));

  for (
    const [how, of] of [
      ["a set point", (hour: number) => isLimited(hour) ? 250 : NaN],
      [
        "a set point that is the rated power at other times",
        (hour: number) => isLimited(hour) ? 250 : 1000,
      ],
    ] as const
  ) {
    it(`are a step of their own if ${how} states them`, () => {
      const { frames, normalRatio, verdict } = check(withLimit(production(limited), of));
      const steps = list(frames.steps, "step");
      assert(steps.includes("Curtailment"));
      assertEquals(frames.limits.height, 17);
      assertEquals([...new Set(list(frames.limits, "source"))], ["declared"]);
      assertEquals(sum(frames.limits, "hours"), 170);
      assertAlmostEquals(numbers(frames.limits, "level")[0], 250, 1e-9);
      assertAlmostEquals(sum(frames.limits, "lost") / taken(limited), 1, 0.03);
      assertAlmostEquals(normalRatio, clean.normalRatio, 0.1);
      assertEquals(frames.changes.height, 0);
      assertAlmostEquals(-verdict.limited!, sum(frames.limits, "lost"), 1e-9);
      assert(verdict.limited_low! < verdict.limited! && verdict.limited! < verdict.limited_high!);
    });
  }

  it("are stated by a flag, and by a column of ten minutes", () => {
    const flag = production(limited)
      .withColumn(pl.Series("limit", limited.map((_, hour) => isLimited(hour)), pl.Bool));
    assertEquals(sum(check(flag).frames.limits, "hours"), 170);
    const steps = limited.flatMap((power, hour) =>
      Array.from({ length: 6 }, () => [power, isLimited(hour) ? 250 : null])
    );
    const start = Date.parse(START);
    const time = BigInt64Array.from(steps, (_, i) => BigInt(start + i * HOUR / 6) * 1000n);
    const column = { dtype: "f64", description: "", tag: "ours" } as const;
    const fine = buildFrame([
      { ...column, name: "time", label: "Time", dtype: "datetime" },
      { ...column, name: "power", label: "Power" },
      { ...column, name: "limit", label: "Limit" },
    ], { time, power: steps.map(([power]) => power), limit: steps.map(([, limit]) => limit) });
    assertEquals(sum(check(fine).frames.limits, "hours"), 170);
    assertEquals(sum(check(toHours(fine)).frames.limits, "hours"), 170);
  });

  it("are known from a status log that says curtailment but not the level", () => {
    const weeks = Array.from(
      { length: 17 },
      (_, week) => Date.parse(START) + (168 * week + 60) * HOUR,
    );
    const events = buildFrame(eventColumns, {
      from: BigInt64Array.from(weeks, (at) => BigInt(at) * 1000n),
      to: BigInt64Array.from(weeks, (at) => BigInt(at + 10 * HOUR) * 1000n),
      category: weeks.map(() => null),
      status: weeks.map(() => "Curtailment"),
    });
    const { frames, verdict, summary } = check(production(limited), { events });
    assertEquals([...new Set(list(frames.limits, "source"))], ["status"]);
    assertEquals(list(frames.limits, "level")[0], null);
    assertAlmostEquals(sum(frames.limits, "lost") / taken(limited), 1, 0.03);
    assertEquals(verdict.stops, 0);
    assertStringIncludes(summary.join(" "), "The limits come from the status log.");
    // Time counts as available, energy does not.
    const { frames: { months, categories } } = measureAvailability(events, {
      production: production(limited),
      predicted,
      details,
    });
    assertEquals([...new Set(numbers(months, "time_availability"))], [100]);
    assert(numbers(months, "production_availability").every((share) => share < 98));
    const [partial] = categories.toRecords().filter(({ category }) =>
      category === "Partial Performance"
    );
    assertEquals([partial.counts, partial.hours], ["limited", 170]);
    assertAlmostEquals(Number(partial.lost) / taken(limited), 1, 0.05);
  });

  it("are found if a level recurs, and reported as unstated", () => {
    const { frames, normalRatio, summary } = check(production(limited));
    assertEquals([...new Set(list(frames.limits, "source"))], ["found"]);
    assertAlmostEquals(sum(frames.limits, "lost") / taken(limited), 1, 0.1);
    assertAlmostEquals(normalRatio, clean.normalRatio, 0.5);
    assertStringIncludes(summary.join(" "), "Vindkit inferred the limits");
  });

  it("are found if all neighbours are level, or stand still, at once", () => {
    const once = (level: number) =>
      possible.map((power, hour) => hour >= 451 && hour < 457 ? Math.min(power, level) : power);
    for (const level of [0, 310]) {
      const neighbours = [once(level), once(level)].map(production);
      const { frames, verdict } = check(production(once(level)), { neighbours });
      assertEquals(frames.limits.height, 1, `${level} kW`);
      assertEquals(frames.outages.height, 0);
      assertEquals(verdict.stops, 0);
    }
    // Without neighbours, a turbine that stands still counts as stopped.
    const withoutNeighbours = check(production(once(0)));
    assertEquals(
      [withoutNeighbours.frames.limits.height, withoutNeighbours.frames.outages.height],
      [0, 1],
    );
  });

  it("are not found without a limit, in a storm, or if a logger repeats a value in a calm", () => {
    assertEquals(clean.frames.limits.height, 0);
    const level = possible.map((power, hour) => isLimited(hour) ? 450 : power);
    const storm = hoursFrame(START, {
      power: expected,
      wind_speed: possible.map((_, hour) => isLimited(hour) ? 21 : 9),
    });
    assertEquals(check(production(level), { predicted: storm }).frames.limits.height, 0);
    const calm = hoursFrame(START, {
      power: expected.map((power, hour) => isLimited(hour) && hour % 168 < 64 ? 5 : power),
    });
    assertEquals(check(production(level), { predicted: calm }).frames.limits.height, 0);
  });

  it("hold a turbine back in the verdict, and are valued by the hour", () => {
    const price = hoursFrame(START, { power: everyHour(DAYS, (hour) => isLimited(hour) ? -5 : 60) })
      .rename({ power: "price" });
    const frame = withLimit(
      production(possible.map(limitTo(0))),
      (hour) => isLimited(hour) ? 0 : NaN,
    );
    const { verdict, summary, frames } = check(frame, { price });
    assertEquals(frames.outages.height, 0);
    assertAlmostEquals(verdict.value!.limited!, -5 * verdict.limited!, 1e-6);
    assert(verdict.value!.limited! > 0);
    assertStringIncludes(summary.join(" "), "While the price was zero or negative (170 hours)");
    assertStringIncludes(summary.join(" "), "The turbine was curtailed in 170 of these hours.");
  });

  it("do not explain a standstill unless they are 0", () => {
    const stood = possible.map((power, hour) =>
      hour >= 400 && hour < 448 ? 0 : Math.min(power, 700)
    );
    const { frames, verdict } = check(withLimit(production(stood), () => 700));
    assertEquals(frames.outages.height, 1);
    const lost = possible.slice(400, 448).reduce((sum, power) => sum + power / 1000, 0);
    assertAlmostEquals(-verdict.stops! / lost, 1, 0.1);
    const capped = possible.map((power, hour) =>
      hour >= 400 && hour < 448 ? power : Math.min(power, 700)
    );
    assertAlmostEquals(-verdict.limited! / taken(capped), 1, 0.2);
  });

  it("are found next to the turbine's usual maximum, and after a named date", () => {
    const usual = (power: number) => Math.min(power, 800);
    const limitedTwice = possible.map((power, hour) => usual(limitTo(250)(power, hour)));
    assertEquals(check(production(limitedTwice)).frames.limits.height > 10, true);
    // Winds from calm to strong, because a change is measured in hours without the limit.
    const free = expected.map((power, hour) => hour % 40 < 30 ? power / 4 : power);
    const late = free.map((power, hour) => hour >= 1440 ? Math.min(power, 500 + hour % 2) : power);
    const of = (changed: string) =>
      list(
        check(production(late), { predicted: production(free), changed }).frames.limits,
        "source",
      );
    assertEquals(of("2021-01-20"), ["found"]);
    // A limit that begins on the date is a part of the change on that date.
    assertEquals(of("2021-03-02"), []);
  });

  it("are refused if the power is above them most of the time", () => {
    const refuse = (of: (hour: number) => number) =>
      assertThrows(
        () => check(withLimit(production(limited), of)),
        Error,
        "leave the cell empty instead of writing 0",
      );
    refuse((hour) => isLimited(hour) ? 250 : 0);
    refuse(() => 43);
  });

  it("are no fault of the data if they are stated", () => {
    const long = possible.map((power, hour) => hour >= 444 && hour < 464 ? 300 + hour % 3 : power);
    const kinds = (frame: DataFrame) =>
      checkQuality(frame, { ratedPower: 1000 }).summary.join(" ").includes("Flat");
    assertEquals(kinds(production(long)), true);
    assertEquals(
      kinds(withLimit(production(long), (hour) => hour >= 444 && hour < 464 ? 302 : NaN)),
      false,
    );
  });
});
