import { assert, assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { checkPerformance } from "../../../src/analysis/check_performance/check_performance.ts";
import { modelDataCsv } from "../../../src/api/columns/columns.ts";
import { describeFrame, provenance } from "../../../src/frames/origin/provenance.ts";
import { SeededRandom } from "../../../src/stats/seeded_random.ts";
import { CUSTOM_INSPECT } from "../../../src/show/jupyter.ts";
import { buildOrigin } from "../../plots/_frames.ts";
import {
  byStep,
  computeGap,
  computeIndices,
  DAYS,
  details,
  everyHour,
  hoursFrame,
  january,
  list,
  numbers,
  predicted,
  steady,
} from "./_performance_frames.ts";

describe("checkPerformance() of hours", () => {
  it("splits a deviation into wind, availability and unexplained, worked by hand", () => {
    // 48 h of outage on 10 and 11 January, else 480 kW of 500 kW. 744 h of January, 672 h of February.
    const production = steady((hour) => hour >= 216 && hour < 264 ? 0 : 480);
    const check = checkPerformance(production, { predicted, indices: january, details });
    const steps = byStep(check.frames.steps);
    // Normal 300 + 350; the model gives 372 + 336 = 708, so wind +58. The turbine makes 96 % of the model outside of
    // the outage, so 48 h lose 48 x 0.96 x 0.5 = 23.04 MWh. Produced (1416 - 48) x 0.48 = 656.64. Left: 656.64 - 708 +
    // 23.04.
    assertAlmostEquals(steps["Normal production"], 650, 1e-9);
    assertAlmostEquals(steps["Wind and air density"], 58, 1e-9);
    assertAlmostEquals(steps["Availability"], -23.04, 1e-9);
    assertAlmostEquals(steps["Unexplained"], -28.32, 1e-9);
    assertAlmostEquals(steps["Produced"], 656.64, 1e-9);
    assertAlmostEquals(check.normalRatio, 96, 1e-9);
    assertEquals(list(check.frames.outages, "source"), ["detected"]);
    assertAlmostEquals(numbers(check.frames.outages, "lost")[0], 23.04, 1e-9);
    // A turbine that always produces the same from the same wind leaves no uncertainty.
    assertAlmostEquals(numbers(check.frames.outages, "lost_low")[0], 23.04, 1e-9);
    assertAlmostEquals(numbers(check.frames.outages, "lost_high")[0], 23.04, 1e-9);
    assertStringIncludes(check.notes.join(" "), 'the model data have no column "air_density"');
  });

  it("separates air density from wind with the power curve, worked by hand", () => {
    // Three years of 8 m/s, at which the line gives 500 kW at 1.225 kg/m3 and stall scales it by rho / 1.225. Each January
    // has 1.3, 1.2 and 1.1 kg/m3: the mean is 1.2, so January 2021 has 744 h x 500 kW x 0.1 / 1.225 more than normal.
    const years = [1.3, 1.2, 1.1];
    const start = Date.parse("2021-01-01T00:00Z");
    const density = Array.from({ length: 3 * 365 * 24 }, (_, i) => {
      const date = new Date(start + i * 3_600_000);
      return date.getUTCMonth() === 0 ? years[date.getUTCFullYear() - 2021] : 1.225;
    });
    const power = density.map((rho) => 500 * rho / 1.225);
    const model = hoursFrame("2021-01-01T00:00Z", {
      wind_speed: density.map(() => 8),
      air_density: density,
      power,
    });
    const check = checkPerformance(
      hoursFrame("2021-01-01T00:00Z", { power: power.slice(0, 744) }),
      {
        predicted: model,
        details,
        indices: computeIndices("2021-01", [744 * 500 * 1.3 / 1.225 / 1000], [
          380,
          ...Array(11).fill(300),
        ]),
      },
    );
    const steps = byStep(check.frames.steps);
    assertAlmostEquals(steps["Air density"], 744 * 500 * 0.1 / 1.225 / 1000, 1e-9);
    assertAlmostEquals(steps["Wind"], 744 * 500 * 1.2 / 1.225 / 1000 - 380, 1e-9);
    assertAlmostEquals(steps["Unexplained"], 0, 1e-9);
    assertAlmostEquals(computeGap(check.frames.steps), 0, 1e-9);
  });

  it("sums exactly over the whole time and by month, whatever the hours", () => {
    for (let seed = 0; seed < 12; seed++) {
      const random = new SeededRandom(`steps ${seed}`);
      const model = everyHour(120, () => random.uniform() < 0.02 ? null : 1000 * random.uniform());
      const made = model.map((power, i) =>
        random.uniform() < 0.05 ? null : i % 500 < 12 ? -3 : (power ?? 300) * random.uniform()
      );
      const check = checkPerformance(hoursFrame("2021-01-01T00:00Z", { power: made }), {
        predicted: hoursFrame("2021-01-01T00:00Z", { power: model }),
        details,
        indices: computeIndices("2021-01", [300, 310, 320, 330], [
          350,
          340,
          330,
          ...Array(9).fill(320),
        ]),
        outages: [{ from: "2021-02-10", to: "2021-02-12T06:30" }],
      });
      assertAlmostEquals(computeGap(check.frames.steps), 0, 1e-9);
      const months = [...new Set(list(check.frames.stepsByPeriod, "month").map(String))];
      assertEquals(months.length, 4);
      const totals: Record<string, number> = {};
      for (let month = 1; month <= 4; month++) {
        const monthSteps = check.frames.stepsByPeriod.filter(
          pl.col("month").dt.month().eq(pl.lit(month)),
        );
        assertAlmostEquals(computeGap(monthSteps), 0, 1e-9);
        for (const [step, energy] of Object.entries(byStep(monthSteps))) {
          totals[step] = (totals[step] ?? 0) + energy;
        }
      }
      for (const [step, energy] of Object.entries(byStep(check.frames.steps))) {
        assertAlmostEquals(totals[step], energy, 1e-9);
      }
      const lost = numbers(check.frames.outages, "lost").reduce((sum, energy) => sum + energy, 0);
      assertAlmostEquals(byStep(check.frames.steps)["Availability"], -lost, 1e-9);
    }
  });

  it("counts missing hours as no loss and scales the normal to the hours compared", () => {
    // Of January's 744 h, 186 are missing: a quarter.
    const production = steady((hour) => hour < 186 ? null : 500);
    const check = checkPerformance(production, { predicted, indices: january, details });
    const steps = byStep(check.frames.steps);
    assertAlmostEquals(steps["Normal production"], 0.75 * 300 + 350, 1e-9);
    assertAlmostEquals(steps["Wind and air density"], 0.75 * 372 + 336 - (0.75 * 300 + 350), 1e-9);
    assertAlmostEquals(steps["Unexplained"], 0, 1e-9);
    assertEquals(check.frames.outages.height, 0);
    assertEquals(numbers(check.frames.comparison, "completeness"), [0.75, 1]);
    assertAlmostEquals(check.completeness!, (1416 - 186) / 1416, 1e-12);
    assertEquals(list(check.frames.comparison, "state"), ["incomplete", null]);
    assertStringIncludes(
      check.notes.join(" "),
      "January 2021 (only 75.0 % of its hours have values)",
    );
  });

  it("notes how many hours are missing, and where the longest gap begins", () => {
    const production = steady((hour) => hour >= 100 && hour < 130 || hour === 200 ? null : 500);
    const { notes } = checkPerformance(production, { predicted, details });
    assertStringIncludes(
      notes.join(" "),
      "31 hours are missing from the production or the model data, 30 of them in a row, beginning at 2021-01-05 04:00",
    );
  });

  it("reads a named outage in the turbine's zone, whatever the zone of the timestamps, with an exclusive end", () => {
    // 10 January in Copenhagen begins at 23:00 UTC of the ninth.
    const start = "2020-12-31T23:00Z";
    const model = hoursFrame(start, { power: everyHour(DAYS, () => 500) }, "UTC");
    const production = hoursFrame(start, {
      power: everyHour(DAYS, (hour) => hour >= 216 && hour < 240 ? 0 : 500),
    });
    for (
      const [from, to] of [
        ["2021-01-10", "2021-01-10"],
        ["2021-01-10T00:00", "2021-01-10T23:00"],
        ["2021-01-09T23:00Z", "2021-01-10T23:00+01:00"],
        [Temporal.PlainDate.from("2021-01-10"), Temporal.PlainDate.from("2021-01-10")],
        [
          Temporal.Instant.from("2021-01-09T23:00Z"),
          Temporal.ZonedDateTime.from("2021-01-10T23:00[Europe/Copenhagen]"),
        ],
      ] as const
    ) {
      const check = checkPerformance(production, {
        predicted: model,
        details: { ...details, time_zone: "Europe/Copenhagen" },
        outages: [{ name: "Claim 7", from, to }],
      });
      assertEquals(list(check.frames.outages, "outage"), ["Claim 7"]);
      assertEquals(check.frames.comparison.height, 2); // no hour of December
      assertAlmostEquals(numbers(check.frames.outages, "lost")[0], 12, 1e-9);
      assertStringIncludes(
        check.summary.join(" "),
        'outage "Claim 7" cost 12.0 MWh (90 % interval',
      );
    }
  });

  it("M8: an outage named by days costs the same as when it is detected, and the steps agree", () => {
    const random = new SeededRandom("M8");
    const could = everyHour(DAYS, () => 500 * Math.exp(0.1 * random.normal())) as number[];
    const production = steady((hour) => hour >= 220 && hour < 258 ? 0 : could[hour]);
    const run = (outages: { name: string; from: string; to: string }[]) =>
      checkPerformance(production, { predicted, details, indices: january, outages });
    const detected = run([]);
    const named = run([{ name: "Claim 8", from: "2021-01-10", to: "2021-01-11" }]);
    for (const name of ["lost", "lost_low", "lost_high", "expected", "produced"]) {
      assertEquals(
        numbers(named.frames.outages, name),
        numbers(detected.frames.outages, name),
        name,
      );
    }
    assertEquals(list(named.frames.outages, "outage"), ["Claim 8"]);
    assertStringIncludes(
      named.notes.join(" "),
      'You gave only dates for the outage "Claim 8". The check counts it from 2021-01-10 04:00 to 2021-01-11 18:00',
    );
    // The losses in outages are the availability step, with the same interval.
    const at = list(detected.frames.steps, "step").indexOf("Availability");
    const [low] = numbers(detected.frames.outages, "lost_low");
    const [high] = numbers(detected.frames.outages, "lost_high");
    assert(low < high);
    assertAlmostEquals(numbers(detected.frames.steps, "energy_low")[at], -high, 1e-9);
    assertAlmostEquals(numbers(detected.frames.steps, "energy_high")[at], -low, 1e-9);
    // Named by hours, it has exactly these hours.
    const hours = run([{ name: "Claim 8", from: "2021-01-10T00:00", to: "2021-01-11T22:00" }]);
    assertEquals(hours.notes.join(" ").includes('"Claim 8" in days'), false);
    assert(numbers(hours.frames.outages, "produced")[0] > 1);
  });

  it("M8: an outage from one midnight to another by the clock has exactly the named hours", () => {
    const production = steady((hour) => hour >= 220 && hour < 258 ? 0 : 500);
    const outages = [{ name: "Claim 8", from: "2021-01-10T00:00", to: "2021-01-11T23:00" }];
    const check = checkPerformance(production, { predicted, details, outages });
    assertEquals(check.notes.join(" ").includes('"Claim 8" in days'), false);
    assert(numbers(check.frames.outages, "produced")[0] > 1);
  });

  it("notes how much of a named outage is known", () => {
    const production = steady((hour) => hour < 216 || hour >= 264 ? 500 : hour < 228 ? 0 : null);
    const check = checkPerformance(production, {
      predicted,
      details,
      outages: [{ name: "Claim 8", from: "2021-01-10", to: "2021-01-11" }],
    });
    assertEquals(numbers(check.frames.outages, "completeness"), [0.25]);
    assertAlmostEquals(numbers(check.frames.outages, "lost")[0], 6, 1e-9);
    assertStringIncludes(
      check.notes.join(" "),
      'Only 25.0 % of the hours in the outage "Claim 8" have values',
    );
  });

  it("gives losses an interval that contains 90 % of the truths", () => {
    // A model with an error that lasts for hours: 60 stops of 12 h with known loss in 200 random winters.
    let [inside, count, widest] = [0, 0, 0];
    for (let seed = 0; seed < 60; seed++) {
      const random = new SeededRandom(`interval ${seed}`);
      let error = 0;
      const could = everyHour(DAYS, () => {
        error = 0.9 * error + 0.1 * random.normal();
        return 500 * Math.exp(error);
      }) as number[];
      const from = 24 * (5 + random.below(45));
      const production = steady((hour) => hour >= from && hour < from + 12 ? 0 : could[hour]);
      const { frames: { outages } } = checkPerformance(production, { predicted, details });
      const truth = could.slice(from, from + 12).reduce((sum, power) => sum + power, 0) / 1000;
      const [low, high] = ["lost_low", "lost_high"].map((name) => numbers(outages, name)[0]);
      assert(low < high);
      widest = Math.max(widest, high - low);
      if (low <= truth && truth <= high) inside++;
      count++;
    }
    // Of 60, 54 are expected; 46 or fewer happen by chance once in 500 times.
    assert(inside > 46, `${inside} of ${count}`);
    assert(widest < 12, `${widest}`);
  });

  it("takes a stop for an outage from four hours on if the model expects plenty", () => {
    const stop = (hours: number, expected: number) => {
      const within = (hour: number) => hour >= 300 && hour < 300 + hours;
      return checkPerformance(steady((hour) => within(hour) ? 0 : 500), {
        predicted: steady((hour) => within(hour) ? expected : 500),
        details,
      }).frames.outages.height;
    };
    assertEquals([stop(3, 500), stop(4, 500), stop(24, 99), stop(24, 100)], [0, 1, 0, 1]);
  });

  it("S2: finds a stop of ten days that is calm for nine of them", () => {
    const within = (hour: number) => hour >= 300 && hour < 540;
    const expected = steady((hour) => within(hour) ? hour < 324 ? 200 : 5 : 500);
    const find = (power: (hour: number) => number | null) =>
      checkPerformance(steady(power), { predicted: expected, details }).frames.outages;
    const outages = find((hour) => within(hour) ? 0 : 500);
    assertEquals(outages.height, 1);
    // 2.5 % of the rated power on average.
    assertAlmostEquals(numbers(outages, "expected")[0], 24 * 0.2 + 216 * 0.005, 1e-9);
    const calm = steady((hour) => within(hour) ? 5 : 500);
    const production = steady((hour) => within(hour) ? 0 : 500);
    assertEquals(
      checkPerformance(production, { predicted: calm, details }).frames.outages.height,
      0,
    );
  });

  it("S2: keeps a stop in one piece over missing hours, up to a day", () => {
    const find = (gap: number) =>
      checkPerformance(
        steady((hour) =>
          hour < 300 || hour >= 540 ? 500 : hour >= 400 && hour < 400 + gap ? null : 0
        ),
        { predicted, details },
      ).frames.outages;
    const outages = find(24);
    assertEquals(outages.height, 1);
    // Missing hours are in its span, but not in its energies.
    assertEquals(numbers(outages, "lost"), [0.5 * (240 - 24)]);
    assertEquals(find(25).height, 2);
  });

  it("finds single hours of standstill next to running neighbours", () => {
    const production = steady((hour) => hour === 300 ? 0 : 500);
    const neighbours = [steady(() => 480)];
    const check = checkPerformance(production, { predicted, details, neighbours });
    assertEquals(list(check.frames.outages, "source"), ["neighbours"]);
    assertAlmostEquals(byStep(check.frames.steps)["Availability"], -0.5, 1e-9);
  });

  it("takes availability from the status, also as shares, before it detects anything", () => {
    const production = steady((hour) => hour < 100 ? 0 : 500).withColumn(
      pl.Series("availability", everyHour(DAYS, (hour) => hour < 100 ? 1 : hour < 110 ? 0.4 : 1)),
    );
    const check = checkPerformance(production, { predicted, details });
    assertEquals(list(check.frames.outages, "source"), ["status"]);
    // 60 % of ten hours were not available. The 100 h without power were available, so they lower the turbine's ratio.
    const ratio = (1416 - 110) / (1416 - 10);
    assertAlmostEquals(numbers(check.frames.outages, "lost")[0], 10 * 0.6 * 0.5 * ratio, 1e-9);
    const flags = steady((hour) => hour < 100 ? 0 : 500).withColumn(
      pl.Series("availability", everyHour(DAYS, (hour) => hour < 100 ? 0 : 1)).cast(pl.Bool),
    );
    const withFlags = checkPerformance(flags, { predicted, details });
    assertAlmostEquals(numbers(withFlags.frames.outages, "lost")[0], 50, 1e-9);
  });

  it("multiplies the prediction by the number of turbines of a park", () => {
    const check = checkPerformance(steady(() => 4 * 450), { predicted, details, units: 4 });
    assertAlmostEquals(check.normalRatio, 90, 1e-9);
    assertAlmostEquals(numbers(check.frames.comparison, "predicted")[0], 4 * 372, 1e-9);
  });

  it("begins with the prediction if the normal is unknown", () => {
    const check = checkPerformance(steady(() => 490), { predicted, details });
    assertEquals(list(check.frames.steps, "step"), [
      "Predicted production",
      "Availability",
      "Unexplained",
      "Produced",
    ]);
    assertStringIncludes(check.notes.join(" "), "Give { indices: await monthlyIndices(id) }");
  });

  it("notes that indices and model data belong to different turbines", () => {
    const other = computeIndices("2021-01", [400, 336], [300, 350, ...Array(10).fill(400)]);
    const { notes } = checkPerformance(predicted, { predicted, details, indices: other });
    assertStringIncludes(
      notes.join(" "),
      "the indices predict 104.0 % of the energy in the model data",
    );
  });
});

describe("a performance check", () => {
  it("shows itself with its tables and notes, and marks invented data", () => {
    const sample = describeFrame(
      steady(() => 500),
      modelDataCsv,
      buildOrigin("sample", "model_data"),
    );
    const check = checkPerformance(steady((hour) => hour < 48 ? 0 : 480), {
      predicted: sample,
      details,
    });
    const text = (check as unknown as { [CUSTOM_INSPECT](): string })[CUSTOM_INSPECT]();
    for (
      const part of [
        "SYNTHETIC",
        "Performance check of Example 1",
        "Actual against expected production",
        "Lost energy by outage",
        "Standstill, 2021-01-01 to 2021-01-02",
      ]
    ) assertStringIncludes(text, part);
    for (
      const frame of [
        check.frames.comparison,
        check.frames.outside,
        check.frames.steps,
        check.frames.outages,
      ]
    ) {
      assertEquals(provenance(frame)[0]?.world, "sample");
    }
  });
});
