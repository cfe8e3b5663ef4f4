import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertMatch,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  checkPerformance,
  type PerformanceCheck,
} from "../../../../src/analysis/check_performance/check_performance.ts";
import { ArgumentError } from "../../../../src/api/errors.ts";
import { SeededRandom } from "../../../../src/stats/seeded_random.ts";
import { details, HOUR, hoursFrame, list, monthsFrame, numbers } from "../_performance_frames.ts";

const START = "2021-01-01T00:00Z";
const DAY = 24;

/** An hour of a day of the record. */
const atDay = (day: number) => Date.parse(START) + day * DAY * HOUR;

/** Days of hours: the model's power, and the power of a turbine that differs by the hour and from day to day. */
function drawHours(seed: string, days: number): { expected: number[]; given: number[] } {
  const random = new SeededRandom(seed);
  let [wind, error] = [0, 0];
  const expected: number[] = [];
  const given = Array.from({ length: days * DAY }, () => {
    wind = 0.97 * wind + 0.24 * random.normal();
    error = 0.98 * error + 0.2 * random.normal();
    const power = 1000 / (1 + Math.exp(-wind * 1.5));
    expected.push(power);
    return Math.min(1000, power * Math.exp(0.05 * error + 0.1 * random.normal()));
  });
  return { expected, given };
}

/** Checks hours whose power a change modifies. */
function check(
  seed: string,
  days: number,
  change: (power: number, hour: number) => number,
  options: Partial<Parameters<typeof checkPerformance>[1]> = {},
): PerformanceCheck {
  const { expected, given } = drawHours(seed, days);
  return checkPerformance(hoursFrame(START, { power: given.map(change) }), {
    predicted: hoursFrame(START, { power: expected }),
    details,
    ...options,
  });
}

const reduceFrom = (day: number, loss: number) => (power: number, hour: number) =>
  hour >= day * DAY ? power * (1 - loss) : power;

const near = (value: unknown, day: number) =>
  Math.abs(Number(value) - atDay(day)) <= 30 * DAY * HOUR;

describe("lasting changes of checkPerformance()", () => {
  it("S1: finds a loss of a tenth from a date on, its size and the energy lost since", () => {
    const result = check("loss", 500, reduceFrom(300, 0.1));
    const [row, ...more] = result.frames.changes.toRecords();
    assertEquals(more, []);
    assertEquals([row.change, row.against], ["loss", "prediction"]);
    assert(near(row.from, 300), `${row.from}`);
    assert(Number(row.from_low) <= atDay(304) && atDay(296) <= Number(row.from_high));
    assert(Number(row.size_low) <= -10 && -10 <= Number(row.size_high), `${row.size}`);
    const { given } = drawHours("loss", 500);
    const lost = given.slice(300 * DAY).reduce((sum, power) => sum + 0.1 * power / 1000, 0);
    assert(Number(row.lost_low) <= lost && lost <= Number(row.lost_high), `${row.lost}`);
    assertStringIncludes(result.summary.join(" "), "% less than before (90 % interval");
    assertMatch(result.summary.join(" "), /The loss is [\d.,]+ MWh \(90 % interval/);
  });

  it("S1: judges the months after a loss by the band of the longer state before it", () => {
    const [clean, result] = [reduceFrom(290, 0), reduceFrom(290, 0.2)].map((change) =>
      check("band", 500, change)
    );
    const [before, after] = [clean.band!, result.band!];
    assertEquals(after.periods, 9);
    assert(after.high - after.low < 2 * (before.high - before.low));
    const states = list(result.frames.comparison, "state");
    // From November 2021 on, after the change of 18 October.
    assert(states.slice(10, 16).every((state) => state === "low"), states.join());
    const stable = numbers(result.frames.comparison, "stable_ratio");
    assertAlmostEquals(stable[12] / stable[2], 0.8, 0.04);
    assert(Number.isNaN(stable[9]), "the month of the change is of neither state");
    assert(numbers(clean.frames.comparison, "stable_ratio").every(Number.isNaN));
  });

  it("S1: finds nothing if nothing changes, and reports the smallest change it could find", () => {
    const result = check("clean", 500, (power) => power);
    assertEquals(result.frames.changes.height, 0);
    assert(result.smallestChange! > 1 && result.smallestChange! < 10, `${result.smallestChange}`);
    assertStringIncludes(
      result.summary.join(" "),
      `The check found no lasting change. The smallest lasting change that this record can show is ${
        result.smallestChange!.toFixed(1)
      } %.`,
    );
  });

  it("finds a gain, and a loss that was repaired", () => {
    const gained = check("gain", 500, (power, hour) => hour < 250 * DAY ? power * 0.85 : power);
    assertEquals(list(gained.frames.changes, "change"), ["gain"]);
    assert(numbers(gained.frames.changes, "lost")[0] < 0, "a gain is a negative loss");
    assertStringIncludes(gained.summary.join(" "), "% more than before");
    const repaired = check(
      "repaired",
      700,
      (power, hour) => hour >= 150 * DAY && hour < 500 * DAY ? power * 0.8 : power,
    );
    assertEquals(list(repaired.frames.changes, "change"), ["loss", "gain"]);
    const [loss, repair] = repaired.frames.changes.toRecords();
    assert(near(loss.from, 150) && near(repair.from, 500));
    assertEquals(Number(loss.to), Number(repair.from));
  });

  it("takes stops for outages, not for a change", () => {
    const stops = (power: number, hour: number) =>
      hour >= 250 * DAY && hour % (20 * DAY) < 3 * DAY ? 0 : power;
    const result = check("with stops", 500, stops);
    assert(result.frames.outages.height > 5);
    assertEquals(result.frames.changes.height, 0);
  });

  it("measures a change on a named date, and reports the changes on other dates and of the neighbours", () => {
    const { expected } = drawHours("named", 400);
    const neighbours = ["a", "b"].map((seed) => {
      const random = new SeededRandom(seed);
      return hoursFrame(START, {
        power: drawHours("named", 400).given.map((power) =>
          Math.min(1000, power * Math.exp(0.05 * random.normal()))
        ),
      });
    });
    for (const changed of ["2021-10-28", "2021-10-28T00:00Z"]) {
      const result = check("named", 400, reduceFrom(300, 0.03), { neighbours, changed });
      const [row, ...more] = result.frames.changes.toRecords();
      assertEquals(more, []);
      assertEquals([row.change, row.against], ["loss", "neighbours"]);
      assert(Math.abs(Number(row.from) - atDay(300)) <= 2 * HOUR); // in the turbine's zone, or UTC
      assert(Number(row.size_low) <= -3 && -3 <= Number(row.size_high), `${row.size}`);
      assertAlmostEquals(Number(row.size), -3, 1);
      const { figures, text } = result.findings.find(({ code }) => code === "named_change")!;
      assert(Number(figures.placebo) > 0 && Number(figures.placebo) < 3, `${figures.placebo}`);
      assert(Math.abs(Number(figures.neighbours)) < 6, `${figures.neighbours}`);
      assertStringIncludes(text, "The neighbours changed by");
    }
    assertEquals(expected.length, 400 * DAY);
    const withoutNeighbours = check("named", 400, reduceFrom(300, 0.03), { changed: "2021-10-28" });
    assertStringIncludes(
      withoutNeighbours.notes.join(" "),
      "Without neighbours, the check cannot tell a change from an error of the reanalysis",
    );
  });

  /** Neighbours that scatter around the turbine's power before any change. */
  const drawNeighbours = (
    days: number,
    change: (power: number, hour: number) => number = (power) => power,
  ) =>
    ["a", "b"].map((seed) => {
      const random = new SeededRandom(seed);
      return hoursFrame(START, {
        power: drawHours("named", days).given.map((power, hour) =>
          change(Math.min(1000, power * Math.exp(0.05 * random.normal())), hour)
        ),
      });
    });

  const namedOf = ({ findings }: PerformanceCheck) =>
    findings.find(({ code }) => code === "named_change")!;

  it("measures a named change next to neighbours with less than half a year, and notes it", () => {
    const neighbours = drawNeighbours(150);
    const result = check("named", 150, reduceFrom(75, 0.04), {
      neighbours,
      changed: "2021-03-17T00:00Z",
    });
    const [row] = result.frames.changes.toRecords();
    assertEquals(row.against, "neighbours");
    assertAlmostEquals(Number(row.size), -4, 1);
    assert(result.findings.every(({ code }) => code !== "neighbours_too_short"));
  });

  it("reports how much the neighbours themselves changed on that date", () => {
    const neighbours = drawNeighbours(400, reduceFrom(300, 0.05));
    const changed = "2021-10-28T00:00Z";
    const result = check("named", 400, reduceFrom(300, 0.05), { neighbours, changed });
    assertAlmostEquals(Number(namedOf(result).figures.neighbours), -5, 4);
    assertAlmostEquals(Number(result.frames.changes.toRecords()[0].size), 0, 1);
  });

  it("reports how many days it leaves out because no neighbour runs", () => {
    const missing = (power: number, hour: number) =>
      hour >= 100 * DAY && hour < 120 * DAY ? NaN : power;
    const changed = "2021-10-28T00:00Z";
    const gap = check("named", 400, reduceFrom(300, 0.03), {
      neighbours: drawNeighbours(400, missing),
      changed,
    });
    assertEquals(namedOf(gap).figures.left_out, 20);
    assertStringIncludes(
      namedOf(gap).text,
      "The measurement leaves out 20 days on which no neighbour ran.",
    );
    const complete = check("named", 400, reduceFrom(300, 0.03), {
      neighbours: drawNeighbours(400),
      changed,
    });
    assertEquals(namedOf(complete).figures.left_out, 0);
    const far = drawNeighbours(400, (power, hour) => hour >= 290 * DAY ? NaN : power);
    assertThrows(
      () => check("named", 400, reduceFrom(300, 0.03), { neighbours: far, changed }),
      ArgumentError,
      "fewer than 14 days before or after the change have production of the turbine and a neighbour",
    );
  });

  it("takes neither a wake nor days with an iced neighbour for a change", () => {
    const { expected, given } = drawHours("named", 400);
    const random = new SeededRandom("wakes");
    // After the date the wind more often comes from where the neighbour stands in a wake.
    const direction = expected.map((_, hour) =>
      (hour < 300 * DAY ? 100 : 200) + 60 * random.normal()
    ).map((degrees) => (degrees + 360) % 360);
    const wake = (degrees: number) =>
      1 - 0.3 * Math.max(0, Math.cos((degrees - 220) * Math.PI / 180));
    const neighbour = hoursFrame(START, {
      power: given.map((power, hour) =>
        power * wake(direction[hour]) *
        (hour >= 300 * DAY && Math.floor(hour / DAY) % 10 === 0 ? 0.5 : 1)
      ),
    });
    const result = check("named", 400, reduceFrom(300, 0.03), {
      predicted: hoursFrame(START, { power: expected, wind_direction: direction }),
      neighbours: [neighbour],
      changed: "2021-10-28T00:00Z",
    });
    const [row] = result.frames.changes.toRecords();
    assertAlmostEquals(Number(row.size), -3, 0.6);
    assert(Number(row.size_low) <= -3 && -3 <= Number(row.size_high), `${row.size_low}`);
  });

  it("SC3: follows a narrow wake by direction, if unseen weeks confirm it", () => {
    const { expected, given } = drawHours("named", 400);
    const random = new SeededRandom("narrow wake");
    // After the date the wind comes from around the wake much more often.
    const direction = expected.map((_, hour) => {
      const inside = random.uniform() < (hour < 300 * DAY ? 0.1 : 0.6);
      return inside ? 190 + 60 * random.uniform() : 360 * random.uniform();
    });
    const neighbour = given.map((power, hour) =>
      power * (1 - 0.5 * Math.exp(-(((direction[hour] - 220) / 26) ** 2)))
    );
    const result = check("named", 400, reduceFrom(300, 0.03), {
      predicted: hoursFrame(START, { power: expected, wind_direction: direction }),
      neighbours: [hoursFrame(START, { power: neighbour })],
      changed: "2021-10-28T00:00Z",
    });
    const [row] = result.frames.changes.toRecords();
    assertAlmostEquals(Number(row.size), -3, 0.4);
  });

  it("SC3: counts a limit that began on the named date as part of its change, and its energy once", () => {
    const limit = (power: number, hour: number) =>
      hour >= 300 * DAY && hour % DAY < 6 ? Math.min(power, 500) : power;
    const { given } = drawHours("named", 400);
    const [unlimited, limited] = [given, given.map(limit)].map((hours) =>
      hours.slice(300 * DAY).reduce((sum, power) => sum + power / 1000, 0)
    );
    const { frames } = check("named", 400, limit, {
      neighbours: drawNeighbours(400),
      changed: "2021-10-28T00:00Z",
    });
    const [change, ...more] = frames.changes.toRecords();
    assertEquals([more.length, frames.limits.height], [0, 0]);
    assertAlmostEquals(Number(change.size), 100 * (limited / unlimited - 1), 2);
    assertAlmostEquals(Number(change.lost), unlimited - limited, 0.02 * unlimited);
  });

  it("is not misled by many neighbours that scatter", () => {
    const noisy = Array.from({ length: 12 }, (_, k) => {
      const random = new SeededRandom(`noisy ${k}`);
      return hoursFrame(START, {
        power: drawHours("named", 200).given.map((power) =>
          power * Math.exp(0.5 * random.normal())
        ),
      });
    });
    const options = { changed: "2021-04-11T00:00Z" };
    const [few, many] = [[], noisy].map((more) =>
      check("named", 200, reduceFrom(100, 0.05), {
        ...options,
        neighbours: [...more, ...drawNeighbours(200)],
      }).frames.changes.toRecords()[0]
    );
    assertAlmostEquals(Number(many.size), Number(few.size), 0.5);
  });

  it("refuses an empty date instead of searching for changes", () => {
    assertThrows(
      () => check("named", 400, (power) => power, { changed: "" }),
      ArgumentError,
      '"" is not a year, month, day or hour',
    );
  });

  it("refuses a named change with less than two weeks before or after it, or without hours", () => {
    for (const changed of ["2021-01-10", "2022-01-28", "2019-01-01"]) {
      assertThrows(
        () => check("named", 400, (power) => power, { changed }),
        ArgumentError,
        "fewer than 14 days before or after the change have production. Give a longer",
      );
    }
    const energies = Array.from({ length: 24 }, (_, i) => 100 + i);
    assertThrows(
      () =>
        checkPerformance(monthsFrame("2021-01", "energy", energies), {
          predicted: monthsFrame("2021-01", "predicted_production", energies),
          changed: "2021-10-28",
        }),
      ArgumentError,
      "a named change needs hourly production and hourly model data",
    );
  });

  it("is more accurate with neighbours that share the errors of the reanalysis", () => {
    const random = new SeededRandom("common");
    let drift = 0;
    const common = Array.from({ length: 500 * DAY }, (_, hour) => {
      if (hour % 168 === 0) drift = 0.8 * drift + 0.06 * random.normal();
      return Math.exp(drift);
    });
    const turbinePower = (power: number, hour: number) =>
      reduceFrom(300, 0.06)(power, hour) * common[hour];
    const neighbours = ["one", "two"].map((seed) => {
      const other = new SeededRandom(seed);
      const { expected } = drawHours("beside", 500);
      return hoursFrame(START, {
        power: expected.map((power, hour) =>
          0.9 * power * common[hour] * Math.exp(0.1 * other.normal())
        ),
      });
    });
    const withoutNeighbours = check("beside", 500, turbinePower);
    const withNeighbours = check("beside", 500, turbinePower, { neighbours });
    assert(withNeighbours.smallestChange! < 0.7 * withoutNeighbours.smallestChange!);
    const [row] = withNeighbours.frames.changes.toRecords();
    assertEquals([row.change, row.against], ["loss", "neighbours"]);
    assert(near(row.from, 300));
    assertStringIncludes(withNeighbours.summary.join(" "), "relative to the neighbours");
  });

  it("notes that it does not use neighbours of another period for changes", () => {
    const neighbours = [hoursFrame(START, { power: drawHours("short", 60).expected })];
    const result = check("another time", 400, reduceFrom(200, 0.2), { neighbours });
    assertEquals(list(result.frames.changes, "against"), ["prediction"]);
    assertStringIncludes(result.notes.join(" "), "it needs 26 weeks in common");
  });

  it("notes that a record is too short", () => {
    const result = check("short", 120, (power) => power);
    assertEquals(result.smallestChange, null);
    assertStringIncludes(
      result.summary.join(" "),
      "too short to find a lasting change. The search needs 26 weeks without outages.",
    );
  });
});

describe("power limits in checkPerformance()", () => {
  it("finds a level that is not exceeded from a date on, and its loss", () => {
    const cap = (power: number, hour: number) => hour >= 300 * DAY ? Math.min(power, 600) : power;
    const result = check("limit", 500, cap);
    const [row, ...more] = result.frames.limits.toRecords();
    assertEquals([more, result.frames.changes.height], [[], 0], "it is no loss at all speeds");
    assertEquals(row.source, "found");
    assertAlmostEquals(Number(row.level), 600, 1);
    assert(near(row.from, 300));
    const { given } = drawHours("limit", 500);
    const lost = given.slice(300 * DAY).reduce((sum, p) => sum + Math.max(0, p - 600) / 1000, 0);
    assertAlmostEquals(Number(row.lost) / lost, 1, 0.15);
    assertMatch(
      result.summary.join(" "),
      /limited to 600 kW for [\d,]+ hours from \S+ to \S+\. Vindkit inferred the limits,/,
    );
  });

  it("finds the hours of the night in which it applies, in the turbine's zone", () => {
    const night = (hour: number) => hour % DAY >= 21 || hour % DAY < 4;
    const result = check(
      "night",
      500,
      (power, hour) => hour >= 100 * DAY && night(hour) ? Math.min(power, 500) : power,
      { details: { ...details, time_zone: "Etc/GMT-1" } },
    );
    assertEquals([result.frames.changes.height, result.frames.limits.height], [0, 1]);
    assertMatch(
      result.summary.join(" "),
      /limited to 500 kW for [\d,]+ hours from \S+ to \S+, daily from 22:00 to 05:00\./,
    );
  });

  it("does not take a loss at all speeds for a limit, although it lowers the highest power", () => {
    assertEquals(list(check("derated", 500, reduceFrom(250, 0.3)).frames.changes, "change"), [
      "loss",
    ]);
  });
});

describe("lasting changes of months and years", () => {
  const months = (seed: string, count: number, change: (energy: number, i: number) => number) => {
    const random = new SeededRandom(seed);
    const expected = Array.from(
      { length: count },
      (_, i) => 300 + 150 * Math.cos(2 * Math.PI * i / 12),
    );
    const produced = expected.map((energy, i) => change(energy * (1 + 0.03 * random.normal()), i));
    return checkPerformance(monthsFrame("2018-01", "energy", produced), {
      predicted: monthsFrame("2018-01", "predicted_production", expected),
    });
  };

  it("S1: finds a loss in months, with its date", () => {
    const result = months("months", 36, (energy, i) => i >= 20 ? 0.88 * energy : energy);
    const [row, ...more] = result.frames.changes.toRecords();
    assertEquals(more, []);
    assertEquals(row.change, "loss");
    assert(Math.abs(Number(row.from) - Date.parse("2019-09-01")) <= 62 * DAY * HOUR);
    assert(Number(row.size_low) <= -12 && -12 <= Number(row.size_high));
    assertEquals(result.band!.periods, 20);
  });

  it("finds nothing in months without a change, or in fewer than twelve", () => {
    assertEquals(months("steady", 36, (energy) => energy).frames.changes.height, 0);
    const short = months("few", 11, (energy) => energy);
    assertEquals(short.smallestChange, null);
    assertStringIncludes(short.summary.join(" "), "The search needs 12 months without outages");
  });
});
