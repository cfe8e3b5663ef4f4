import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { ArgumentError } from "../../../src/api/errors.ts";
import { describeFrame } from "../../../src/frames/origin/provenance.ts";
import { plotBudget } from "../../../src/plots/index/budget.ts";
import { buildOrigin } from "../_frames.ts";
import { assertSnapshot } from "../_snapshot.ts";

const EXPECTED = [1100, 1020, 925, 813, 674, 529, 516, 632, 713, 878, 942, 1024];

/** A year with production in its first months. */
function buildYear(produced: readonly (number | null)[], interval = true): DataFrame {
  const months = EXPECTED.map((_, i) => `2024-${String(i + 1).padStart(2, "0")}-01`);
  const sum = (values: readonly (number | null)[], i: number) =>
    values.slice(0, i + 1).reduce<number | null>(
      (total, one) => total === null || one === null ? null : total + one,
      0,
    );
  const all = EXPECTED.map((_, i) => produced[i] ?? null);
  const number = (name: string, values: readonly (number | null)[]) =>
    pl.Series(name, [...values], pl.Float64);
  const end = (values: readonly number[]) => values.map((value) => interval ? value : null);
  const cumulative = EXPECTED.map((_, i) => sum(EXPECTED, i)!);
  return pl.DataFrame([
    pl.Series("month", months).str.strptime(pl.Date, "%Y-%m-%d"),
    number("expected", EXPECTED),
    number("low", end(EXPECTED.map((value) => 0.7 * value))),
    number("high", end(EXPECTED.map((value) => 1.3 * value))),
    number("produced", all),
    number("cumulative_expected", cumulative),
    number("cumulative_low", end(cumulative.map((value) => 0.9 * value))),
    number("cumulative_high", end(cumulative.map((value) => 1.1 * value))),
    number("cumulative_produced", all.map((_, i) => sum(all, i))),
  ]);
}

describe("plotBudget()", () => {
  it("draws the same picture as before, in every time zone", async () => {
    await assertSnapshot("budget", () => plotBudget(buildYear([1200, 990, 700])));
  });

  it("states the expected energy and the produced part", () => {
    const { altText } = plotBudget(buildYear([1200, 990, 700]));
    assertStringIncludes(
      altText,
      "January 2024 to December 2024: 9,766 MWh expected; 2,890 MWh produced to March 2024 of 3,045 MWh expected",
    );
  });

  it("lists only visible marks in its legend", async () => {
    const svg = await plotBudget(buildYear([], false)).svg();
    assertEquals([svg.includes(">Produced<"), svg.includes("90 % interval<")], [false, false]);
  });

  it("shows no value instead of zero for a month without production", () => {
    const rows = JSON.stringify(plotBudget(buildYear([1200, null, 700])).spec);
    assertStringIncludes(rows, '"label":"February 2024","expected":1020');
    assertStringIncludes(rows, '"producedText":"no value"');
    assertEquals(rows.includes('"producedText":"0.0 MWh"'), false);
  });

  it("says SYNTHETIC in the picture of the sample", async () => {
    const sample = describeFrame(buildYear([1000]), [], buildOrigin("sample"));
    assertStringIncludes(await plotBudget(sample).svg(), "SYNTHETIC");
  });

  it("refuses a frame without the columns", () => {
    assertThrows(() => plotBudget(buildYear([]).drop("low")), ArgumentError, 'no column "low"');
  });
});
