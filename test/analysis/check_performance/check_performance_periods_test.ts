import { assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { checkPerformance } from "../../../src/analysis/check_performance/check_performance.ts";
import { SeededRandom } from "../../../src/stats/seeded_random.ts";
import {
  byStep,
  computeGap,
  computeIndices,
  details,
  everyHour,
  hoursFrame,
  list,
  monthsFrame,
  numbers,
  yearsFrame,
} from "./_performance_frames.ts";

describe("checkPerformance() of months", () => {
  const normals = [480, 420, 400, 330, 300, 260, 250, 280, 340, 400, 430, 470];
  const wind = [1.1, 0.9, 1, 1.2, 0.8, 1, 1.05, 0.95, 1, 1.1, 1, 0.9];
  const model = [...wind, ...wind].map((share, i) => share * normals[i % 12]);
  const indices = computeIndices("2020-01", model, normals);
  const scatter = [0.02, -0.03, 0.01, 0, -0.02, 0.03, -0.01, 0.02, 0, -0.02, 0.01, -0.01];
  const made = model.map((energy, i) => energy * (0.97 + scatter[i % 12]));

  it("finds the months outside of the band, and the loss in an outage of months", () => {
    const stopped = made.map((energy, i) => i === 13 || i === 14 ? 0.2 * energy : energy);
    const check = checkPerformance(monthsFrame("2020-01", "energy", stopped), {
      predicted: indices,
    });
    assertEquals(list(check.frames.outside, "state"), ["low", "low"]);
    assertEquals(check.frames.outside.getColumn("month").cast(pl.Utf8).toArray(), [
      "2021-02-01",
      "2021-03-01",
    ]);
    assertEquals(list(check.frames.outages, "outage"), ["Outage, 2021-02 to 2021-03"]);
    assertEquals(check.band!.periods, 22);

    // By hand: the ratio of the other 22 months, and Student's t with 21 degrees of freedom (1.7207) with their scatter.
    const others = [...made.keys()].filter((i) => i !== 13 && i !== 14);
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    const ratio = sum(others.map((i) => made[i])) / sum(others.map((i) => model[i]));
    const misses = others.map((i) => made[i] / model[i] / ratio - 1);
    const mean = sum(misses) / 22;
    const deviation = Math.sqrt(sum(misses.map((miss) => (miss - mean) ** 2)) / 21);
    const expected = ratio * (model[13] + model[14]);
    const spread = (model[13] ** 2 + model[14] ** 2) / (model[13] + model[14]) ** 2;
    const half = 1.720743 * deviation * Math.sqrt(spread + 1 / 22) * expected;
    const lost = expected - stopped[13] - stopped[14];
    assertAlmostEquals(numbers(check.frames.outages, "lost")[0], lost, 1e-9);
    assertAlmostEquals(numbers(check.frames.outages, "lost_low")[0], lost - half, 1e-4);
    assertAlmostEquals(numbers(check.frames.outages, "lost_high")[0], lost + half, 1e-4);
    assertAlmostEquals(byStep(check.frames.steps)["Availability"], -lost, 1e-9);
    assertAlmostEquals(computeGap(check.frames.steps), 0, 1e-9);
  });

  it("joins availability with the unexplained step if months do not show it", () => {
    const check = checkPerformance(monthsFrame("2020-01", "energy", made), { predicted: indices });
    assertEquals(list(check.frames.steps, "step"), [
      "Normal production",
      "Wind and air density",
      "Availability and unexplained",
      "Produced",
    ]);
    assertStringIncludes(check.notes.join(" "), 'a column "availability"');
    assertEquals(check.frames.outside.height, 0);
  });

  it("takes the share from a column of availability", () => {
    const production = monthsFrame(
      "2020-01",
      "energy",
      model.map((energy, i) => i === 5 ? 0.75 * energy : energy),
    )
      .withColumn(pl.Series("availability", model.map((_, i) => i === 5 ? 0.75 : 1)));
    const check = checkPerformance(production, { predicted: indices });
    assertAlmostEquals(numbers(check.frames.outages, "lost")[0], 0.25 * model[5], 1e-9);
    assertAlmostEquals(byStep(check.frames.steps)["Unexplained"], 0, 1e-9);
  });

  it("S5: compares a month of 70 % valid hours with 70 % of the expectation, and calls it no outage", () => {
    // 521 of the 744 hours of July 2021: the share is 0.70027.
    const share = 521 / 744;
    const production = monthsFrame(
      "2020-01",
      "energy",
      made.map((energy, i) => i === 18 ? share * energy : energy),
    ).withColumn(
      pl.Series("valid_hours", made.map((_, i) => i === 18 ? 521 : null), pl.Float64),
    );
    const silent = checkPerformance(production.drop("valid_hours"), { predicted: indices });
    assertEquals(list(silent.frames.outside, "state"), ["low"]);
    const check = checkPerformance(production, { predicted: indices });
    assertAlmostEquals(numbers(check.frames.comparison, "predicted")[18], share * model[18], 1e-9);
    assertAlmostEquals(
      numbers(check.frames.comparison, "ratio")[18],
      100 * made[18] / model[18],
      1e-9,
    );
    assertEquals(numbers(check.frames.comparison, "hours")[18], 521);
    assertAlmostEquals(numbers(check.frames.comparison, "completeness")[18], share, 1e-12);
    assertEquals(list(check.frames.comparison, "state")[18], "incomplete");
    assertEquals([check.frames.outages.height, check.frames.outside.height, check.band!.periods], [
      0,
      0,
      23,
    ]);
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    const less = (1 - share) * normals[6];
    assertAlmostEquals(
      byStep(check.frames.steps)["Normal production"],
      2 * sum(normals) - less,
      1e-9,
    );
    assertAlmostEquals(computeGap(check.frames.steps), 0, 1e-9);
    const notes = check.notes.join(" ");
    assertStringIncludes(notes, "1 of 24 energies cover only 70 % of their hours");
    assertStringIncludes(notes, '23 of 24 rows without "valid_hours" count for the whole period.');
    assertStringIncludes(
      notes,
      "The check did not judge July 2021 (only 70.0 % of its hours have values)",
    );
  });

  it("S5: counts the loss of a partly unavailable month within its valid hours", () => {
    // Of 744 hours 651 are known, 7/8; the turbine could not run in a quarter of these.
    const production = monthsFrame(
      "2020-01",
      "energy",
      model.map((energy, i) => i === 18 ? 0.75 * 0.875 * energy : energy),
    ).withColumns(
      pl.Series("valid_hours", model.map((_, i) => i === 18 ? 651 : null), pl.Float64),
      pl.Series("availability", model.map((_, i) => i === 18 ? 0.75 : 1), pl.Float64),
    );
    const check = checkPerformance(production, { predicted: indices });
    assertEquals(list(check.frames.outages, "source"), ["status"]);
    assertAlmostEquals(numbers(check.frames.outages, "lost")[0], 0.25 * 0.875 * model[18], 1e-9);
    assertAlmostEquals(byStep(check.frames.steps)["Unexplained"], 0, 1e-9);
  });

  it("keeps months without data, and needs six for a band", () => {
    const few = checkPerformance(
      monthsFrame("2020-01", "energy", [...made.slice(0, 3), null, ...made.slice(4, 6)]),
      { predicted: indices },
    );
    assertEquals(few.frames.comparison.height, 6);
    assertEquals(few.band, null);
    assertStringIncludes(
      few.notes.join(" "),
      "the band needs 6 months without outages and the record has 5",
    );
    assertEquals(list(few.frames.comparison, "state"), [null, null, null, null, null, null]);
  });

  it("keeps losses without an interval if only a single month is normal", () => {
    const check = checkPerformance(monthsFrame("2020-01", "energy", [made[0], 10]), {
      predicted: indices,
      outages: [{ name: "Grid", from: "2020-02-03", to: "2020-02-19" }],
    });
    assertEquals(list(check.frames.outages, "lost_low"), [null]);
    assertStringIncludes(check.summary.join(" "), "(no interval)");
    assertStringIncludes(
      check.notes.join(" "),
      "an interval needs at least two months without outages",
    );
  });

  it("sums hourly production by month if the prediction is monthly", () => {
    const production = hoursFrame("2020-01-01T00:00Z", { power: everyHour(60, () => 600) });
    const check = checkPerformance(production, { predicted: indices });
    assertAlmostEquals(numbers(check.frames.comparison, "produced")[0], 744 * 0.6, 1e-9);
    assertEquals(check.by, "month");
    assertStringIncludes(check.notes.join(" "), "Months are in UTC");
    // Two hours east of UTC, the last two hours of February belong to March.
    const zoned = hoursFrame("2020-01-01T00:00Z", {
      power: everyHour(60, (hour) => hour < 1440 - 2 ? 600 : 60_000),
    });
    const local = checkPerformance(zoned, {
      predicted: indices,
      details: { ...details, time_zone: "Africa/Cairo" },
    });
    assertAlmostEquals(numbers(local.frames.comparison, "produced").at(-1)!, 696 * 0.6, 1e-9);
  });

  it("compares years with years if all months of them are predicted", () => {
    const energies = {
      2020: made.slice(0, 12).reduce((sum, energy) => sum + energy, 0),
      2021: 4000,
      2022: 4100,
    };
    const check = checkPerformance(yearsFrame(energies), { predicted: indices });
    assertEquals(check.by, "year");
    assertEquals(list(check.frames.comparison, "year"), [2020, 2021]);
    const normal = normals.reduce((sum, energy) => sum + energy, 0);
    assertAlmostEquals(byStep(check.frames.steps)["Normal production"], 2 * normal, 1e-6);
    assertAlmostEquals(computeGap(check.frames.steps), 0, 1e-9);
    assertEquals(check.band, null);
  });
});

describe("the steps of checkPerformance()", () => {
  const energiesOf = (random: SeededRandom, count: number) =>
    Array.from(
      { length: count },
      () =>
        random.uniform() < 0.05
          ? null
          : random.uniform() < 0.05
          ? -2
          : 200 + 200 * random.uniform(),
    );

  it("sum exactly in each period, whatever production, prediction and outages are", () => {
    for (let seed = 0; seed < 20; seed++) {
      const random = new SeededRandom(`steps of periods ${seed}`);
      const normals = Array.from({ length: 12 }, () => 250 + 100 * random.uniform());
      const months = monthsFrame("2018-01", "energy", energiesOf(random, 60));
      const shares = Array.from(
        { length: 60 },
        () => random.uniform() < 0.2 ? random.uniform() : 1,
      );
      const indices = computeIndices(
        "2018-01",
        normals.concat(normals, normals, normals, normals)
          .map((energy) => energy * (0.8 + 0.4 * random.uniform())),
        normals.concat(...Array(4).fill(normals)),
      );
      const hours = hoursFrame("2018-01-01T00:00Z", {
        power: everyHour(500, () => random.uniform() < 0.001 ? null : 800 * random.uniform()),
      });
      const outages = [{ from: "2019-03-07", to: "2019-05-01" }];
      const years = yearsFrame({
        2018: 3300,
        2019: 3000 + 500 * random.uniform(),
        2020: null,
        2021: 3400,
      });
      const checks = [
        checkPerformance(months, { predicted: indices, outages }),
        checkPerformance(months.withColumn(pl.Series("availability", shares)), {
          predicted: indices,
        }),
        checkPerformance(months, {
          predicted: indices.select("month", "predicted_production"),
          outages,
        }),
        checkPerformance(hours, { predicted: indices }),
        checkPerformance(years, { predicted: indices, outages }),
      ];
      for (const { by, frames: { steps, stepsByPeriod, outages } } of checks) {
        assertAlmostEquals(computeGap(steps), 0, 1e-9);
        const period = list(stepsByPeriod, by).map(Number);
        for (
          const monthSteps of Map.groupBy(
            numbers(stepsByPeriod, "energy").entries(),
            ([row]) => period[row],
          ).values()
        ) {
          const energies = monthSteps.map(([, energy]) => energy);
          const produced = energies.pop()!;
          assertAlmostEquals(energies.reduce((sum, energy) => sum + energy, 0), produced, 1e-9);
        }
        const lost = numbers(outages, "lost").filter(Number.isFinite);
        const availability = byStep(steps)["Availability"] ?? 0;
        assertAlmostEquals(availability, -lost.reduce((sum, energy) => sum + energy, 0), 1e-9);
      }
    }
  });
});
