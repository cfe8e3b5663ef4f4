import { assertAlmostEquals, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { computeMonthNormals } from "../../../src/analysis/series/index_months.ts";
import { ArgumentError } from "../../../src/api/errors.ts";

/** Months of some years: energies of calendar months times a share for each year, with the indices that follow. */
function served(shares: readonly number[]): DataFrame {
  const normals = Array.from({ length: 12 }, (_, i) => 100 + 5 * i); // 1530 MWh a year
  const rows = shares.flatMap((share, year) =>
    normals.map((normal, month) => ({
      at: `${2010 + year}-${month + 1}-1`,
      energy: share * normal,
      normal,
    }))
  );
  const column = (name: string, values: number[]) => pl.Series(name, values, pl.Float64);
  return pl.DataFrame([
    pl.Series("month", rows.map(({ at }) => at)).str.strptime(pl.Date, "%Y-%m-%d"),
    column("month_index", rows.map(({ energy }) => 1200 * energy / 1530)),
    column("month_abnormality_index", rows.map(({ energy, normal }) => 100 * energy / normal)),
    column("predicted_production", rows.map(({ energy }) => energy)),
  ]);
}

describe("computeMonthNormals()", () => {
  it("finds the normals behind the indices", () => {
    const { months, year, years, notes } = computeMonthNormals(served([0.9, 1.2]), "test");
    months.forEach((normal, i) => assertAlmostEquals(normal!, 100 + 5 * i, 1e-9));
    assertAlmostEquals(year!, 1530, 1e-9);
    assertAlmostEquals(months.reduce((sum: number, normal) => sum + normal!, 0), year!, 1e-9);
    assertEquals(years, [2010, 2011]);
    assertEquals(notes, []);
  });

  it("gives the inter-annual variability from five years on, as a share", () => {
    // Mean 1, squares 0.01 + 0.0025 + 0 + 0.0025 + 0.01 over 4.
    const { interAnnualVariability } = computeMonthNormals(
      served([0.9, 0.95, 1, 1.05, 1.1]),
      "test",
    );
    assertAlmostEquals(interAnnualVariability!, Math.sqrt(0.025 / 4), 1e-12);
    assertEquals(computeMonthNormals(served([1, 1, 1, 1]), "test").interAnnualVariability, null);
    const gap = served([1, 1, 1, 1, 1]).tail(59);
    assertEquals(computeMonthNormals(gap, "test").years, [2011, 2012, 2013, 2014]);
  });

  it("leaves a normal unknown if no month gives it", () => {
    const half = computeMonthNormals(served([1]).head(6).drop("predicted_production"), "test");
    assertEquals(half.year, null);
    assertEquals(half.months, Array.from({ length: 12 }, () => null));
    assertEquals(computeMonthNormals(served([1]).head(6), "test").months[6], null);
  });

  it("takes the latest of different normals, and notes it", () => {
    const both = served([1, 1]).withColumn(
      pl.when(pl.col("month").dt.year().eq(pl.lit(2010))).then(
        pl.col("predicted_production").mul(pl.lit(1.1)),
      ).otherwise(pl.col("predicted_production")).alias("predicted_production"),
    );
    const { year, notes } = computeMonthNormals(both, "test");
    assertAlmostEquals(year!, 1530, 1e-9);
    assertStringIncludes(notes[0], "refer to different normal years");
  });

  it("refuses a frame that has no indices, and names the action", () => {
    const message = (frame: DataFrame) =>
      assertThrows(() => computeMonthNormals(frame, "make a budget"), ArgumentError).message;
    assertStringIncludes(
      message(served([1]).drop("month")),
      'Cannot make a budget: the indices lack "month"',
    );
    const text = served([1]).withColumn(pl.col("month_index").cast(pl.Utf8).alias("month_index"));
    assertStringIncludes(message(text), 'column "month_index" contains String');
  });
});
