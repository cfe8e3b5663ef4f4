/**
 * Analyses of ten-minute production give the same results as of its hours, and their notes mention the averaging.
 *
 * @module
 */
import pl, { type DataFrame } from "nodejs-polars";
import { formatNumber } from "../../../src/show/text/numbers.ts";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { checkPerformance } from "../../../src/analysis/check_performance/check_performance.ts";
import { checkQuality } from "../../../src/analysis/check_quality/check_quality.ts";
import { compareActual } from "../../../src/analysis/compare_actual/compare_actual.ts";
import { compareReferences } from "../../../src/analysis/compare_references/compare_references.ts";
import { estimateLongTerm } from "../../../src/analysis/estimate_long_term/estimate_long_term.ts";
import { planBudget } from "../../../src/analysis/plan_budget/plan_budget.ts";
import { ArgumentError } from "../../../src/api/errors.ts";
import { displayOf } from "../../../src/show/check_frame.ts";
import { seriesFrame } from "../_series.ts";

const HOURS = 366 * 24 + 365 * 24; // 2024 and 2025
const start = "2024-01-01T00:00Z";

/** Power that varies by day and season, kW. */
const power = Array.from({ length: HOURS }, (_, i) => {
  const season = Math.cos(2 * Math.PI * i / 8766);
  return Math.round(900 + 400 * season + 300 * Math.sin(i * i % 97) + 100 * Math.sin(i / 30));
});
const sixfold = (values: readonly number[]) => values.flatMap((value) => Array(6).fill(value));
const hours = seriesFrame(power, { start });
const minutes = seriesFrame(sixfold(power), { start, minutes: 10 });
const model = power.map((value, i) => value + 50 * Math.sin(i));
const predicted = seriesFrame(model, { start });

const NOTE = `Vindkit averaged 10-minute values to ${formatNumber(HOURS)} hourly values`;
const noted = (notes: readonly string[]) => assertStringIncludes(notes.join("\n"), NOTE);

/** Indices of the months of four years. */
function indices(): DataFrame {
  const months = Array.from({ length: 48 }, (_, i) => i);
  const first = Temporal.PlainYearMonth.from("2022-01");
  const index = months.map((i) => 100 + 40 * Math.cos(Math.PI * i / 6) + i % 5);
  const dates = months.map((i) => `${first.add({ months: i })}-01`);
  return pl.DataFrame([
    pl.Series("month", dates).str.strptime(pl.Date, "%Y-%m-%d"),
    pl.Series("month_index", index, pl.Float64),
    pl.Series("month_abnormality_index", index, pl.Float64),
    pl.Series("predicted_production", index.map((value) => 7 * value), pl.Float64),
  ]);
}

describe("an analysis of ten minutes equals the analysis of their hours, and notes it:", () => {
  it("compareActual()", () => {
    const compared = compareActual(minutes, predicted);
    assertEquals(compared.toRecords(), compareActual(hours, predicted).toRecords());
    noted(displayOf(compared)!.caption);
    const fine = seriesFrame(sixfold(model), { start, minutes: 10 });
    assertEquals(compareActual(hours, fine).height, compared.height);
  });

  it("checkPerformance(), with availability", () => {
    const share = (factor: number) =>
      pl.Series(
        "availability",
        Array.from(
          { length: factor * HOURS },
          (_, i) => Math.floor(i / factor) % 50 === 0 ? 0.4 : 1,
        ),
        pl.Float64,
      );
    const check = checkPerformance(minutes.withColumn(share(6)), { predicted });
    const ofHours = checkPerformance(hours.withColumn(share(1)), { predicted });
    assertEquals(String(check.frames.steps), String(ofHours.frames.steps));
    assertEquals(check.notes.filter((note) => !note.includes(NOTE)), ofHours.notes);
    noted(check.notes);
  });

  it("checkQuality(), of its model", () => {
    const fine = seriesFrame(sixfold(model), { start, minutes: 10 });
    const report = checkQuality(hours, { predicted: fine });
    assertEquals(
      String(report.frames.lags),
      String(checkQuality(hours, { predicted }).frames.lags),
    );
    assert(report.notes.some((note) => note.includes("10-minute values")));
  });

  it("compareReferences(), of production and of references", () => {
    const wind = seriesFrame(power.map((value) => value / 100), {
      start,
      column: "wind_speed_100",
    });
    const compared = compareReferences(minutes, { near: wind });
    const ofHours = compareReferences(hours, { near: wind });
    assertEquals(String(compared.frames.references), String(ofHours.frames.references));
    noted(compared.notes);
    const fine = seriesFrame(sixfold(power), { start, minutes: 10, column: "wind_speed_100" });
    const { frames: { references } } = compareReferences(hours, { near: fine });
    assertStringIncludes(String(references.getColumn("notes").get(0)), "10-minute values");
    // A speed equal to the power, averaged, not interpolated between instants.
    assertEquals(Number(references.getColumn("hourly_r").get(0)).toFixed(6), "1.000000");
  });

  it("estimateLongTerm()", () => {
    const estimate = estimateLongTerm(minutes, indices());
    assertEquals(
      String(estimate.frames.estimates),
      String(estimateLongTerm(hours, indices()).frames.estimates),
    );
    noted(estimate.notes);
  });

  it("planBudget(), of history and of production", () => {
    const budget = planBudget(indices(), { production: minutes });
    assertEquals(
      String(budget.frames.months),
      String(planBudget(indices(), { production: hours }).frames.months),
    );
    noted(budget.notes);
    const history = seriesFrame(sixfold([...power, ...power]), {
      start: "2022-01-01T00:00Z",
      minutes: 10,
    });
    assertStringIncludes(
      planBudget(history).notes.join("\n"),
      "The production: Vindkit averaged 10-minute values to 35,088 hourly values",
    );
  });
});

describe("an analysis refuses steps that it cannot average, and names toHours():", () => {
  const refused = (production: DataFrame, message: string) => {
    const error = assertThrows(() => checkPerformance(production, { predicted }), ArgumentError);
    assertStringIncludes(error.message, message);
    assertStringIncludes(error.message, "Average regular steps to hours with toHours()");
  };

  it("steps that do not fill an hour", () => {
    refused(seriesFrame(power, { start, minutes: 7 }), "steps of 7 minutes do not fill an hour");
  });

  it("hours with one row between them", () => {
    const odd = pl.concat([
      hours.head(100),
      seriesFrame([1], { start: "2024-01-03T00:30Z" }),
    ]).sort("time");
    refused(odd, "2024-01-03T00:30Z is not a whole step of 60 minutes");
  });
});
