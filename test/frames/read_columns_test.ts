import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame, type DataType } from "nodejs-polars";
import { compareActual } from "../../src/analysis/compare_actual/compare_actual.ts";
import { planBudget } from "../../src/analysis/plan_budget/plan_budget.ts";
import { compareReferences } from "../../src/analysis/compare_references/compare_references.ts";
import { explainIndex } from "../../src/analysis/explain_index/explain_index.ts";
import { estimateLongTerm } from "../../src/analysis/estimate_long_term/estimate_long_term.ts";
import { checkPerformance } from "../../src/analysis/check_performance/check_performance.ts";
import { checkQuality } from "../../src/analysis/check_quality/check_quality.ts";
import { figures } from "../../src/api/columns/columns.ts";
import { ArgumentError } from "../../src/api/errors.ts";
import type { TurbineDetails } from "../../src/api/resources/resources.ts";
import { buildDatetimes } from "../../src/frames/frame.ts";
import {
  buildRefuse,
  readMonths,
  readNumbers,
  readStamps,
  readTexts,
} from "../../src/frames/read_columns.ts";
import { plotCorrelation } from "../../src/plots/comparison/correlation.ts";
import { plotMonthlyIndices } from "../../src/plots/index/monthly_indices.ts";
import { plotTimeSeries } from "../../src/plots/hours/time_series.ts";

const refuse = buildRefuse("read it");
const message = (read: () => unknown) => assertThrows(read, ArgumentError).message;
const buildFrame = (values: readonly unknown[], type: DataType) =>
  pl.DataFrame([pl.Series("x", values as number[], type)]);
/** A frame with a column that is cast to another type. */
const cast = (frame: DataFrame, column: string, type: DataType) =>
  frame.withColumn(pl.col(column).cast(type));
const integers = (...values: bigint[]) =>
  pl.DataFrame([pl.Series("x", BigInt64Array.from(values) as unknown as bigint[], pl.Int64)]);

describe("readNumbers()", () => {
  it("accepts any kind of numbers; missing and infinite ones become NaN", () => {
    const expected = new Float64Array([1.5, NaN, NaN]);
    assertEquals(
      readNumbers(buildFrame([1.5, null, Infinity], pl.Float64), "x", refuse),
      expected,
    );
    const exact = cast(buildFrame([1.5, null, NaN], pl.Float32), "x", pl.Float64)
      .withColumn(pl.col("x").fillNan(pl.lit(null) as never).cast(pl.Decimal(10, 2)));
    assertEquals(readNumbers(exact, "x", refuse), expected);
    for (const type of [pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt32, pl.UInt64]) {
      const frame = cast(buildFrame([3, null], pl.Float64), "x", type);
      assertEquals(readNumbers(frame, "x", refuse), new Float64Array([3, NaN]), String(type));
    }
  });

  it("accepts a column without any value, whatever its type", () => {
    const frame = cast(buildFrame([null, null], pl.Float64), "x", pl.Utf8);
    assertEquals(readNumbers(frame, "x", refuse), new Float64Array([NaN, NaN]));
    assertEquals(readNumbers(frame.head(0), "x", refuse), new Float64Array());
  });

  it("refuses whole numbers that would lose digits, and names the row", () => {
    assertEquals(readNumbers(integers(2n ** 53n - 1n), "x", refuse)[0], Number.MAX_SAFE_INTEGER);
    assertEquals(
      message(() => readNumbers(integers(1n, 2n ** 53n + 1n), "x", refuse)),
      'Cannot read it: column "x" contains Int64, and row 2 is 9007199254740993: beyond 2^53, digits ' +
        "would be lost. Choose a larger unit",
    );
  });

  it("refuses other types, and says what to do", () => {
    assertEquals(
      message(() => readNumbers(buildFrame(["7"], pl.Utf8), "x", refuse)),
      'Cannot read it: column "x" contains String, not numbers. Convert it with ' +
        'pl.col("x").cast(pl.Float64)',
    );
    assertStringIncludes(
      message(() => readNumbers(buildFrame([true], pl.Bool), "x", refuse)),
      "Bool",
    );
  });

  it("accepts a column whose name shadows a method of the frame", () => {
    for (const name of ["select", "filter", "sort"]) {
      const frame = pl.DataFrame([pl.Series(name, [1, null], pl.Float64)]);
      assertEquals(readNumbers(frame, name, refuse), new Float64Array([1, NaN]));
    }
  });
});

describe("readStamps()", () => {
  const stamps = buildDatetimes("x", new Float64Array([0, 3_600_000]), "Europe/Copenhagen");

  it("gives instants, whatever zone and unit", () => {
    for (const unit of ["ms", "us", "ns"] as const) {
      const frame = pl.DataFrame([stamps.cast(pl.Datetime(unit, "Europe/Copenhagen"))]);
      assertEquals(readStamps(frame, "x", refuse), {
        epochs: new Float64Array([0, 3_600_000]),
        timeZone: "Europe/Copenhagen",
      });
    }
  });

  it("refuses a missing stamp unless gaps are allowed", () => {
    const frame = pl.DataFrame([stamps, pl.Series("power", [1, 2], pl.Float64)]).select(
      pl.when(pl.col("power").eq(pl.lit(1))).then(pl.col("x")).otherwise(pl.lit(null)).alias("x"),
    );
    assertStringIncludes(
      message(() => readStamps(frame, "x", refuse)),
      "but 1 of 2 rows have no value. Remove those rows",
    );
    assertEquals(readStamps(frame, "x", refuse, "gaps").epochs, new Float64Array([0, NaN]));
  });

  it("refuses stamps without a zone, and values that are not stamps", () => {
    const frame = pl.DataFrame([stamps]);
    assertEquals(
      message(() => readStamps(cast(frame, "x", pl.Datetime("us")), "x", refuse)),
      'Cannot read it: column "x" contains Datetime(us,) without a time zone, so its hours are ' +
        'unknown. Add one with pl.col("x").dt.replaceTimeZone("Europe/Copenhagen")',
    );
    assertStringIncludes(
      message(() => readStamps(cast(frame, "x", pl.Date), "x", refuse)),
      'column "x" contains Date, not datetimes with a time zone',
    );
  });
});

it("W17: says how to turn dates of JavaScript back into stamps and months", () => {
  const [hours, months] = [pl.Datetime("us"), pl.Date].map((type) =>
    cast(
      buildFrame([1_672_531_200_000_000, 1_675_209_600_000_000], pl.Int64),
      "x",
      pl.Datetime("us"),
    ).withColumn(
      pl.col("x").cast(type),
    )
  );
  const viaRecords = (frame: DataFrame) => pl.DataFrame(frame.toRecords());
  assertStringIncludes(
    message(() => readStamps(viaRecords(hours), "x", refuse)),
    'contains Datetime(ms,) without a time zone, so its hours are unknown. Add one with pl.col("x").dt.replaceTimeZone("UTC")',
  );
  const stamps = viaRecords(hours).withColumn(pl.col("x").dt.replaceTimeZone("UTC"));
  assertEquals(readStamps(stamps, "x", refuse).epochs[0], 1_672_531_200_000);
  assertStringIncludes(
    message(() => readMonths(viaRecords(months), "x", refuse)),
    'contains Datetime(ms,), not dates. Convert it with pl.col("x").cast(pl.Date)',
  );
  const dates = viaRecords(months).withColumn(pl.col("x").cast(pl.Date));
  assertEquals(readMonths(dates, "x", refuse), readMonths(months, "x", refuse));
});

describe("readMonths()", () => {
  const days = (...values: (number | null)[]) =>
    cast(cast(buildFrame(values, pl.Float64), "x", pl.Int32), "x", pl.Date);

  it("gives numbers of months, even before 1970", () => {
    assertEquals(readMonths(days(0, 31, -1), "x", refuse), [23640, 23641, 23639]);
  });

  it("refuses a missing date, one outside of the calendar, and values that are not dates", () => {
    assertStringIncludes(message(() => readMonths(days(0, null), "x", refuse)), "1 of 2 rows");
    assertStringIncludes(message(() => readMonths(days(2e8), "x", refuse)), "years 1 to 9999");
    assertStringIncludes(
      message(() => readMonths(buildFrame(["2023-01-01"], pl.Utf8), "x", refuse)),
      'contains String, not dates. Convert it with pl.col("x").str.strptime(pl.Date, "%Y-%m-%d")',
    );
  });
});

describe("readTexts()", () => {
  it("accepts any type", () => {
    assertEquals(readTexts(cast(buildFrame([7, null], pl.Float64), "x", pl.Int32), "x"), [
      "7",
      null,
    ]);
  });
});

// Two years of hours, and the indices of their months.
const HOURS = 2 * 365 * 24;
const START = Date.UTC(2021, 0, 1);
const hours = pl.DataFrame([
  buildDatetimes("time", Float64Array.from({ length: HOURS }, (_, i) => START + i * 3_600_000)),
  pl.Series("power", Array.from({ length: HOURS }, (_, i) => 500 + i * 7919 % 1500), pl.Float64),
]);
const indices = pl.DataFrame([
  pl.Series("month", Array.from({ length: 24 }, (_, i) => new Date(Date.UTC(2021, i, 1))), pl.Date),
  ...figures.map(({ name, unit }) => {
    const scale = unit === "MWh" ? 9 : 1;
    const values = Array.from({ length: 24 }, (_, i) => scale * (90 + i * 7 % 20));
    return pl.Series(name, values, pl.Float64);
  }),
]);
const details = {
  turbine_id: "A1",
  rated_power: 2000,
  time_zone: "UTC",
  power_curve: { power: [{ wind_speed: 0, power: 0 }, { wind_speed: 20, power: 2000 }] },
} as unknown as TurbineDetails;

/** Functions of hours of power, with a part of their result. */
const OF_HOURS: Readonly<Record<string, (frame: DataFrame) => unknown>> = {
  compareActual: (frame) => String(compareActual(frame, hours)),
  "compareActual, predicted": (frame) => String(compareActual(hours, frame)),
  budget: (frame) => planBudget(indices, { production: frame, from: "2023-01" }).summary,
  compareReferences: (frame) => compareReferences(frame, { own: hours }).summary,
  "compareReferences, candidate": (frame) => compareReferences(hours, { own: frame }).summary,
  explainIndex: (model) => explainIndex({ details, model, indices }, "2022-05").summary,
  estimateLongTerm: (frame) => estimateLongTerm(frame, indices, { draws: 100 }).summary,
  checkPerformance: (frame) => checkPerformance(frame, { predicted: hours }).summary,
  "checkPerformance, predicted": (frame) => checkPerformance(hours, { predicted: frame }).summary,
  plotCorrelation: (frame) =>
    plotCorrelation(frame, hours, { xColumn: "power", yColumn: "power" }).spec,
  plotTimeSeries: (frame) => plotTimeSeries(frame, { columns: ["power"] }).spec,
  quality: (frame) => checkQuality(frame).summary,
};

/** Functions of indices. */
const OF_INDICES: Readonly<Record<string, (frame: DataFrame) => unknown>> = {
  budget: (frame) => planBudget(frame, { from: "2023-01" }).summary,
  compareReferences: (frame) => compareReferences(hours, { own: frame }).summary,
  explainIndex: (frame) =>
    explainIndex({ details, model: hours, indices: frame }, "2022-05").summary,
  estimateLongTerm: (frame) => estimateLongTerm(hours, frame, { draws: 100 }).summary,
  plotMonthlyIndices: (frame) => plotMonthlyIndices(frame).spec,
};

describe("every function that takes a frame of hours", () => {
  const huge = hours.withColumn(pl.lit(2 ** 60).cast(pl.Int64).alias("power"));
  for (const [name, run] of Object.entries(OF_HOURS)) {
    it(`agrees about columns: ${name}()`, () => {
      const expected = run(hours);
      assert(expected !== undefined);
      for (const type of [pl.Decimal(12, 3), pl.Int64, pl.UInt16]) {
        assertEquals(run(cast(hours, "power", type)), expected, String(type));
      }
      assertStringIncludes(message(() => run(huge)), "beyond 2^53");
      assertStringIncludes(
        message(() => run(cast(hours, "power", pl.Utf8))),
        'column "power" contains String, not numbers. Convert it with',
      );
      assertStringIncludes(
        message(() => run(cast(hours, "time", pl.Datetime("us")))),
        'column "time" contains Datetime(us,) without a time zone, so its hours are unknown. Add ',
      );
      assertStringIncludes(
        message(() => run(cast(hours, "time", pl.Utf8))),
        'column "time" contains String, not datetimes with a time zone. Read the file with',
      );
    });
  }
});

describe("every function that takes a frame of months", () => {
  for (const [name, run] of Object.entries(OF_INDICES)) {
    it(`agrees about columns: ${name}()`, () => {
      const expected = run(indices);
      assertEquals(run(cast(indices, "month_index", pl.Decimal(12, 3))), expected);
      assertEquals(run(cast(indices, "month_index", pl.Int64)), expected);
      assertStringIncludes(
        message(() => run(cast(indices, "month_index", pl.Utf8))),
        'column "month_index" contains String, not numbers. Convert it with',
      );
      assertStringIncludes(
        message(() => run(cast(indices, "month", pl.Utf8))),
        'column "month" contains String, not dates. Convert it with',
      );
    });
  }
});
