/**
 * Availability from logs with the traps of real ones, by hand; three ways to the same result on a year with known
 * stops.
 */
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import {
  CATEGORIES,
  NO_INFORMATION,
  UNCLASSIFIED,
} from "../../../src/analysis/series/turbine_states.ts";
import { checkPerformance } from "../../../src/analysis/check_performance/check_performance.ts";
import {
  type AvailabilityMeasured,
  measureAvailability,
} from "../../../src/analysis/measure_availability/measure_availability.ts";
import { ArgumentError } from "../../../src/api/errors.ts";
import { IEC_CATEGORIES } from "../../../src/frames/events/event_columns.ts";
import { readEvents } from "../../../src/frames/events/read_events.ts";
import { SeededRandom } from "../../../src/stats/seeded_random.ts";
import { hoursFrame, list, numbers } from "../check_performance/_performance_frames.ts";
import { buildCounters, buildLog, byCategory, type Counts, type Entry } from "./_logs.ts";

const MARCH = { from: "2024-03", to: "2024-03" } as const;

const noteOf = ({ notes }: AvailabilityMeasured, word: string) =>
  notes.find((note) => note.includes(word)) ?? "";

/** Checks that hours sum to the time, and produced and lost energy to the expected energy. */
function assertSums({ frames: { months, categories, monthCategories } }: AvailabilityMeasured) {
  const all = numbers(months, "hours").reduce((sum, hours) => sum + hours, 0);
  const sum = (frame: DataFrame, name: string) => frame.getColumn(name).sum();
  assertAlmostEquals(sum(categories, "hours"), all, 1e-9 * all);
  const grouped = monthCategories.groupBy("month").agg(pl.col("hours").sum()).sort("month");
  for (const [i, hours] of numbers(grouped, "hours").entries()) {
    assertAlmostEquals(hours, numbers(months, "hours")[i], 1e-9 * hours);
  }
  for (const frame of [categories, monthCategories]) {
    const [expected, produced, lost] = ["expected", "produced", "lost"]
      .map((name) => numbers(frame, name));
    for (const [i, energy] of expected.entries()) {
      if (energy >= 0) assertAlmostEquals(produced[i] + lost[i], energy, 1e-9 * (1 + energy));
    }
  }
}

describe("measureAvailability() of a status log", () => {
  it("counts each hour once, in the first category of a stated order, worked by hand", () => {
    const log = buildLog([
      // Ten hours; in four of them also a fault that began before, in two of these also a grid stop.
      { from: "2024-03-04 06:00", to: "2024-03-04 16:00", category: "Scheduled Maintenance" },
      { from: "2024-03-04 02:00", to: "2024-03-04 10:00", category: "Forced Outage" },
      {
        from: "2024-03-04 08:00",
        to: "2024-03-04 10:00",
        category: "Out of Electrical Specification",
      },
    ]);
    const measured = measureAvailability(log, MARCH);
    const hours = byCategory(measured.frames.categories, "hours");
    assertEquals(hours, {
      "Full Performance": 730,
      "Forced Outage": 4, // 02:00 to 06:00
      "Scheduled Maintenance": 8, // 06:00 to 08:00 and 10:00 to 16:00
      "Out of Electrical Specification": 2,
    });
    assertAlmostEquals(measured.operational.time!, 100 * 730 / 744);
    assert(noteOf(measured, "have several categories").startsWith("4.0 h"));
    const other = measureAvailability(log, { ...MARCH, order: ["Forced Outage"] });
    assertEquals(byCategory(other.frames.categories, "hours")["Forced Outage"], 8);
    for (const one of [measured, other]) assertSums(one);
  });

  it("counts duplicates once, and durations of many days over the ends of months", () => {
    const long: Entry = {
      from: "2024-02-25 00:00",
      to: "2024-03-04 19:08",
      category: "Forced Outage",
    };
    const measured = measureAvailability(buildLog([long, long, long]), {
      from: "2024-02",
      to: "2024-03",
    });
    assertEquals(list(measured.frames.months, "hours"), [696, 744]);
    const [february, march] = numbers(measured.frames.months, "time_availability");
    assertAlmostEquals(february, 100 * 576 / 696);
    assertAlmostEquals(march, 100 * (744 - 91 - 8 / 60) / 744);
    assertSums(measured);
  });

  it("ignores reports and instants, and counts an open entry to the next one", () => {
    const measured = measureAvailability(
      buildLog([
        {
          from: "2024-03-01 00:00",
          to: "2024-03-11 00:00",
          status: "Informational",
          category: "Forced Outage",
        },
        {
          from: "2024-03-02 00:00",
          to: "2024-03-03 00:00",
          status: "Warning",
          category: "Forced Outage",
        },
        { from: "2024-03-05 00:00", status: "Stop", category: "Forced Outage", flags: "instant" },
        { from: "2024-03-06 00:00", to: "2024-03-06 00:00", category: "Forced Outage" },
        { from: "2024-03-07 00:00", category: "Forced Outage", flags: "open" },
        { from: "2024-03-07 03:00", status: "Informational", flags: "instant" },
        {
          from: "2024-03-08 05:00",
          to: "2024-03-08 04:00",
          category: "Forced Outage",
          flags: "negative",
        },
        { from: "2024-03-31 22:00", category: "Suspended", flags: "open" },
      ]),
      MARCH,
    );
    const hours = byCategory(measured.frames.categories, "hours");
    assertEquals(hours, { "Full Performance": 739, "Forced Outage": 3, "Suspended": 2 });
    assert(noteOf(measured, "2 entries without an end") !== "");
    assert(noteOf(measured, "do not count").startsWith("3 entries"));
  });

  it("keeps a stop without a category, takes another category by code or message, and names the unknown word", () => {
    const log = buildLog([
      { from: "2024-03-01 00:00", to: "2024-03-01 04:00" },
      { from: "2024-03-02 00:00", to: "2024-03-02 02:00", category: "Kaputt", code: "250" },
      {
        from: "2024-03-03 00:00",
        to: "2024-03-03 06:00",
        category: "Forced Outage",
        text: "Externally stopped",
      },
      { from: "2024-03-04 00:00", to: "2024-03-04 05:00", status: "Curtailment" },
      { from: "2024-03-05 00:00", to: "2024-03-05 07:00", status: "Communication" },
      { from: "2024-03-06 00:00", to: "2024-03-06 01:00", category: "Unavailable" },
    ]);
    const measured = measureAvailability(log, MARCH);
    assertEquals(byCategory(measured.frames.categories, "hours"), {
      "Full Performance": 719,
      [NO_INFORMATION]: 8,
      "Partial Performance": 5,
      [UNCLASSIFIED]: 6,
      "Forced Outage": 6,
    });
    assert(noteOf(measured, "without a category").includes('(blank and "Kaputt")'));
    assertAlmostEquals(measured.operational.time!, 100 * 724 / 736);
    const named = measureAvailability(log, {
      ...MARCH,
      categories: {
        "250": "Planned Corrective Action",
        "Externally stopped": "Out of Electrical Specification",
      },
    });
    const hours = byCategory(named.frames.categories, "hours");
    assertEquals(
      [hours["Planned Corrective Action"], hours["Out of Electrical Specification"]],
      [2, 6],
    );
    assertEquals([hours["Forced Outage"], hours[UNCLASSIFIED]], [undefined, 4]);
  });

  it("covers the time from the first to the last entry by default, and notes the time without entries", () => {
    const log = buildLog([
      { from: "2024-03-11 00:00", to: "2024-03-11 12:00", category: "Forced Outage" },
      { from: "2024-03-20 12:00", to: "2024-03-21 00:00", category: "Forced Outage" },
    ]);
    const measured = measureAvailability(log);
    assertEquals(list(measured.frames.months, "uncovered"), [744 - 240]);
    assertAlmostEquals(measured.operational.time!, 90);
    assert(noteOf(measured, "from its first to its last entry") !== "");
    assert(noteOf(measured, "do not show whether the turbine could run").includes("504 h"));
    assertAlmostEquals(measureAvailability(log, { to: "2024-03-30" }).operational.time!, 95);
    const stated = measureAvailability(log, { ...MARCH, unlogged: NO_INFORMATION });
    assertEquals([stated.operational.time, list(stated.frames.months, "uncovered")], [0, [720]]);
  });

  it("cuts months in the zone of the turbine, also if they have an hour less", () => {
    const log = buildLog([
      { from: "2024-02-29 20:00", to: "2024-03-01 01:00", category: "Forced Outage" },
    ]);
    const measured = measureAvailability(log, {
      ...MARCH,
      details: { time_zone: "Europe/Copenhagen", rated_power: 1000, power_curve: null },
    });
    assertEquals(list(measured.frames.months, "hours"), [743]);
    assertAlmostEquals(measured.operational.time!, 100 * 741 / 743);
  });

  it("counts by the caller's contract next to the usual table, with limited time as available", () => {
    const log = buildLog([
      { from: "2024-03-01 00:00", to: "2024-03-03 00:00", category: "Force Majeure" },
      { from: "2024-03-04 00:00", to: "2024-03-05 00:00", category: "Scheduled Maintenance" },
      { from: "2024-03-06 00:00", to: "2024-03-07 00:00", category: "Partial Performance" },
      {
        from: "2024-03-08 00:00",
        to: "2024-03-08 12:00",
        category: "Out of Environmental Specification",
      },
      { from: "2024-03-09 00:00", to: "2024-03-09 12:00", category: "Forced Outage" },
    ]);
    const { operational, contract, frames } = measureAvailability(log, {
      ...MARCH,
      contract: { "Force Majeure": "left out", "Scheduled Maintenance": "available" },
    });
    assertAlmostEquals(operational.time!, 100 * (744 - 84) / 744);
    assertAlmostEquals(contract!.time!, 100 * (696 - 12) / 696);
    assertAlmostEquals(numbers(frames.months, "contract_time")[0], contract!.time!);
    const row = frames.categories.filter(pl.col("category").eq(pl.lit("Force Majeure")));
    assertEquals([list(row, "counts"), list(row, "contract")], [["unavailable"], ["left out"]]);
  });

  it("knows all categories of IEC 61400-26 by the names in logs", () => {
    const known = new Set<string>(CATEGORIES);
    assertEquals(IEC_CATEGORIES.filter((name) => !known.has(name)), ["Unavailable"]);
  });

  it("names the problem and the remedy", () => {
    const log = buildLog([{ from: "2024-03-01 00:00", to: "2024-03-02 00:00" }]);
    const power = hoursFrame("2024-03-01T00:00Z", { power: [1, 2, 3] });
    const wrong: readonly (readonly [() => unknown, string])[] = [
      [() => measureAvailability(log.drop("category")), "lack one of from, to and category"],
      [() => measureAvailability(power), "Give { predicted: await modelData(id) }"],
      [() => measureAvailability(log, { predicted: power }), "the lost energy needs both"],
      [
        () => measureAvailability(log, { order: ["Forced outage"] }),
        'Did you mean "Forced Outage"?',
      ],
      [
        () => measureAvailability(log, { contract: { "Forced Outage": "out" as never } }),
        'the contract counts "Forced Outage" as "out". Give one of available, limited, unavailable, left out',
      ],
      [
        () =>
          measureAvailability(pl.concat([log, log.withColumn(pl.lit("T2").alias("turbine_id"))])),
        "the events must be of one turbine, but the frame has 2 turbines",
      ],
      [() => measureAvailability(log, { catgories: {} } as never), 'Did you mean "categories"'],
    ];
    for (const [call, message] of wrong) {
      const error = assertThrows(call, ArgumentError);
      assert(error.message.includes(message), error.message);
    }
  });
});

describe("measureAvailability() of counters", () => {
  it("splits ten minutes by grid, environment, commands, turbine and then ready time", () => {
    const measured = measureAvailability(
      buildCounters("2024-03-01 00:00", [
        { ready_to_operate: 600 },
        { grid_stop: 300, environment_stop: 200, commanded_stop: 250, turbine_stop: 600 },
        { turbine_stop: 100, ready_to_operate: 600 },
        { commanded_stop: 60 },
        { turbine_stop: null, ready_to_operate: 600 },
        null,
        { ready_to_operate: 600 },
      ]),
    );
    const seconds = Object.fromEntries(
      Object.entries(byCategory(measured.frames.categories, "hours"))
        .map(([name, hours]) => [name, Math.round(3600 * hours)]),
    );
    assertEquals(seconds, {
      "Full Performance": 1700,
      [NO_INFORMATION]: 744 * 3600 - 5 * 600,
      [UNCLASSIFIED]: 540, // neither ready nor counted
      "Forced Outage": 100,
      "Requested Shutdown": 160,
      "Out of Environmental Specification": 200,
      "Out of Electrical Specification": 300,
    });
    assertAlmostEquals(measured.operational.time!, 100 * 1900 / 3000);
    assert(noteOf(measured, "not ready to operate").startsWith("0.1 h")); // 540 s
    assert(noteOf(measured, "in several counters").startsWith("0.2 h")); // 750 + 100 s
    assertSums(measured);
  });
});

const DATA = new URL("../../../../shared/data/hill_of_towie/2024.zip", import.meta.url).pathname;
const hasData = await Deno.stat(DATA).then(() => true, () => false);
if (!hasData) console.log(`Skipped: the availability at Hill of Towie needs ${DATA}`);

(hasData ? describe : describe.ignore)("the availability at Hill of Towie in July 2024", () => {
  it("equals the counters summed over the time, as another program computed it for three turbines", async () => {
    const events = await readEvents(DATA, "hill-of-towie");
    // Another program read the file row by row: for each ten minutes the seconds of grid, environment, commands,
    // turbine and ready time in this order, together 600 at most; then the remainder; and missing rows, or rows with an
    // empty cell.
    const golden = {
      "2304510": [0, 1661, 0, 1794, 2_660_151, 14_794, 0, 99.380675],
      "2304514": [346, 2217, 254, 1182, 2_658_551, 13_450, 2400, 99.430792],
      "2304526": [0, 2772, 45_422, 984, 2_520_478, 95_544, 13_200, 94.673946],
    };
    const names = [
      "Out of Electrical Specification",
      "Out of Environmental Specification",
      "Requested Shutdown",
      "Forced Outage",
      "Full Performance",
      UNCLASSIFIED,
      NO_INFORMATION,
    ];
    for (const id of new Set(list(events, "turbine_id") as string[])) {
      const turbineEvents = events.filter(pl.col("turbine_id").eq(pl.lit(id)));
      const measured = measureAvailability(turbineEvents, { from: "2024-07", to: "2024-07" });
      assertSums(measured);
      assertEquals(list(measured.frames.months, "hours"), [744]);
      if (!(id in golden)) continue;
      const [time, ...seconds] = golden[id as keyof typeof golden].toReversed();
      const hours = byCategory(measured.frames.categories, "hours");
      for (const [i, value] of seconds.toReversed().entries()) {
        assertAlmostEquals(3600 * (hours[names[i]] ?? 0), value, 0.01, `${id} ${names[i]}`);
      }
      assertAlmostEquals(measured.operational.time!, time, 1e-5);
    }
  });
});

/** A year with known stops: its log, its counters, and hours of production and model. */
function buildYear() {
  const start = Date.parse("2023-01-01T00:00Z");
  const seeded = new SeededRandom(42);
  const random = () => seeded.uniform();
  const hours = 8760;
  const day = (value: number) =>
    new Date(start + value * 3_600_000).toISOString().slice(0, 19).replace("T", " ");
  const stops: { from: number; to: number; category: string; text?: string }[] = [
    { from: 24 * 14, to: 24 * 14 + 18, category: "Out of Environmental Specification" },
    { from: 24 * 32 + 5.5, to: 24 * 32 + 5.5 + 211.125, category: "Forced Outage" },
    {
      from: 24 * 99 + 8,
      to: 24 * 99 + 20,
      category: "Out of Electrical Specification",
      text: "Externally stopped",
    },
    ...[155, 156, 157].map((at) => ({
      from: 24 * at + 8,
      to: 24 * at + 16.5,
      category: "Scheduled Maintenance",
    })),
    { from: 24 * 250, to: 24 * 252, category: "Requested Shutdown" },
    { from: 24 * 300, to: 24 * 303, category: "Planned Corrective Action" },
    ...Array.from(
      { length: 20 },
      (_, i) => ({ from: 400 * i + 1000.25, to: 400 * i + 1001, category: "Forced Outage" }),
    ),
  ];
  const share = new Float64Array(hours);
  for (const { from, to } of stops) {
    for (let i = Math.floor(from); i < to; i++) {
      share[i] += Math.min(to, i + 1) - Math.max(from, i);
    }
  }
  let wind = 8;
  const expected = Array.from({ length: hours }, () => {
    wind += 0.12 * (8 - wind) + 1.5 * (random() - 0.5) * 2;
    return 2000 * Math.min(1, Math.max(0, (wind - 3) / 9)) ** 2;
  });
  const running = expected.map((power) =>
    Math.min(2000, 0.97 * power * (1 + 0.3 * (random() - 0.5)))
  );
  const truth = running.reduce((sum, power) => sum + power, 0);
  const produced = running.map((power, i) => power * (1 - share[i]));
  const producedSum = produced.reduce((sum, power) => sum + power, 0);
  // Weather is no stop: its hours are available, and its losses do not count.
  const [ice] = stops;
  const iced = running.reduce(
    (sum, power, i) => i >= ice.from && i < ice.to ? sum + power : sum,
    0,
  );
  const out = stops.slice(1).reduce((sum, { from, to }) => sum + to - from, 0);
  const log = stops.flatMap(({ from, to, category, text }, i): Entry[] => {
    const entry = {
      from: day(from),
      to: day(to),
      category: text ? "Forced Outage" : category,
      ...(text && { text }),
    };
    // A quarter of them also as a part in another, later category, and as a report.
    return i % 4 > 0 ? [entry] : [
      entry,
      entry,
      { from: day(from), to: day((from + to) / 2), category: "Technical Standby" },
      { from: day(from - 1), to: day(to + 30), category: "Full Performance", status: "Warning" },
    ];
  });
  const names: Record<string, keyof Counts> = {
    "Out of Environmental Specification": "environment_stop",
    "Out of Electrical Specification": "grid_stop",
    "Requested Shutdown": "commanded_stop",
  };
  const counts = Array.from({ length: 6 * hours }, (_, i): Counts => {
    const at = i / 6;
    const counters: Record<string, number> = { ready_to_operate: 600 };
    for (const { from, to, category } of stops) {
      const seconds = 3600 * (Math.min(to, at + 1 / 6) - Math.max(from, at));
      if (seconds <= 0) continue;
      const name = names[category] ?? "turbine_stop";
      counters[name] = (counters[name] ?? 0) + seconds;
      // Another cause counts at the same time.
      counters.turbine_stop = Math.min(
        600,
        (counters.turbine_stop ?? 0) + (name === "turbine_stop" ? 0 : seconds / 2),
      );
      counters.ready_to_operate -= seconds;
    }
    return counters;
  });
  return {
    log: buildLog(log),
    counters: buildCounters("2023-01-01 00:00", counts),
    production: hoursFrame("2023-01-01T00:00Z", { power: produced }),
    predicted: hoursFrame("2023-01-01T00:00Z", { power: expected }),
    time: 100 * (1 - out / hours),
    energy: 100 * producedSum / (truth - iced),
  };
}

describe("the three ways to an availability", () => {
  const year = buildYear();
  const { production, predicted } = year;
  const details = { rated_power: 2000, power_curve: null, time_zone: "UTC", name: "Example" };
  const span = { from: 2023, to: 2023, details, predicted } as const;
  const categories = { "Externally stopped": "Out of Electrical Specification" };
  const ways = {
    log: measureAvailability(year.log, { ...span, production, categories }),
    counters: measureAvailability(year.counters, { ...span, production }),
    power: measureAvailability(production, span),
  };

  it("agree within one percentage point with the truth, by time and by production", () => {
    for (const [name, { operational }] of Object.entries(ways)) {
      const { time, production, low, high } = operational;
      const message =
        `${name}: ${time} of ${year.time}, ${low} ${production} ${high} of ${year.energy}`;
      assert(Math.abs(time! - year.time) < 1, message);
      assert(Math.abs(production! - year.energy) < 1, message);
      assert(low! < production! && production! < high!, message);
    }
    assertAlmostEquals(ways.log.operational.time!, year.time, 1e-9);
    assertAlmostEquals(ways.counters.operational.time!, year.time, 1e-9);
  });

  it("have the same hours of each cause by log and by counters, and sums of energy to 1e-9", () => {
    const [log, counters] = [ways.log, ways.counters]
      .map(({ frames }) => byCategory(frames.categories, "hours"));
    for (const name of ["Out of Electrical Specification", "Requested Shutdown"]) {
      assertAlmostEquals(log[name], counters[name], 1e-6);
    }
    const expected = ways.log.frames.categories.getColumn("expected").sum();
    for (const measured of Object.values(ways)) {
      assertSums(measured);
      const produced = measured.frames.categories.getColumn("produced").sum();
      assertAlmostEquals(produced, production.getColumn("power").sum() / 1000, 1e-6);
      const total = measured.frames.categories.getColumn("expected").sum();
      assertAlmostEquals(total / expected, 1, 0.01);
    }
  });

  it("have the same loss as checkPerformance() with the same events, whose outages have the names of their categories", () => {
    const check = checkPerformance(production, { predicted, details, events: year.log });
    const { outages } = check.frames;
    const status = outages.filter(pl.col("source").eq(pl.lit("status")));
    const lost = byCategory(
      measureAvailability(year.log, { ...span, production }).frames.categories,
      "lost",
    );
    const stops = Object.entries(lost).filter(([name]) => name !== "Full Performance");
    assertAlmostEquals(
      status.getColumn("lost").sum(),
      stops.reduce((sum, [, energy]) => sum + energy, 0),
      1e-6,
    );
    const names = list(outages, "outage") as string[];
    assert(names.includes("Requested Shutdown, 2023-09-08 to 2023-09-09"), names.join("\n"));
    assert(names.some((name) => name.startsWith("Scheduled Maintenance, ")));
  });

  it("shows a power limit as partial performance: its time is available, its loss is lost", () => {
    const power = (list(production, "power") as number[])
      .map((power, hour) =>
        hour > 4000 && (hour % 24 >= 22 || hour % 24 < 6) ? Math.min(power, 600) : power
      );
    const night = hoursFrame("2023-01-01T00:00Z", { power });
    const measured = measureAvailability(night, span);
    const row = measured.frames.categories.filter(
      pl.col("category").eq(pl.lit("Partial Performance")),
    );
    assertEquals(list(row, "counts"), ["limited"]);
    const truth = (list(production, "power") as number[])
      .reduce((sum, full, hour) => sum + full - power[hour], 0) / 1000;
    const [lost] = numbers(row, "lost");
    assertAlmostEquals(lost / truth, 1, 0.05);
    assertAlmostEquals(measured.operational.time!, ways.power.operational.time!, 0.1);
    assertSums(measured);
    // In the check it is a separate step.
    const { steps } = checkPerformance(night, { predicted, details }).frames;
    assert(
      numbers(steps.filter(pl.col("step").eq(pl.lit("Curtailment"))), "energy")[0] <
        -0.8 * truth,
    );
  });

  it("notes which standstill of the production the log lacks", () => {
    const partial = year.log.filter(pl.col("category").neq(pl.lit("Requested Shutdown")));
    const measured = measureAvailability(partial, { ...span, production });
    assert(
      noteOf(measured, "that the log does not list").includes("1 stop "),
      measured.notes.join("\n"),
    );
  });

  it("explains months by the log if production is monthly, too", () => {
    const months = hoursFrame("2023-01-01T00:00Z", { power: list(production, "power") as number[] })
      .groupByDynamic({ indexColumn: "time", every: "1mo" })
      .agg(pl.col("power").sum().div(1000).alias("energy"))
      .select(pl.col("time").cast(pl.Date).alias("month"), pl.col("energy"));
    const check = checkPerformance(months, { predicted, details, events: year.log });
    const names = list(check.frames.outages, "outage") as string[];
    assert(names.includes("Forced Outage, 2023-02"), names.join("\n"));
  });
});
