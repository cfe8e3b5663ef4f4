import { assertAlmostEquals, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { compareActual } from "../../../src/analysis/compare_actual/compare_actual.ts";
import { comparisonColumns } from "../../../src/analysis/series/compared_series.ts";
import { modelDataCsv, zoneColumns } from "../../../src/api/columns/columns.ts";
import { ArgumentError } from "../../../src/api/errors.ts";
import type { World } from "../../../src/api/world.ts";
import { buildFrame, polarsType } from "../../../src/frames/frame.ts";
import { describeFrame, provenance } from "../../../src/frames/origin/provenance.ts";
import { displayOf } from "../../../src/show/check_frame.ts";
import { table } from "../../../src/show/table/table.ts";

const HOUR = 3_600_000;

/** Hours from an instant on; a missing power is null or NaN. */
function hours(
  start: string,
  powers: readonly (number | null)[],
  timeZone = "UTC",
  step = HOUR,
): DataFrame {
  const first = Date.parse(start);
  const time = BigInt64Array.from(powers, (_, i) => BigInt(first + i * step) * 1000n);
  return buildFrame(modelDataCsv, { time, power: powers }, timeZone);
}

function months(values: Readonly<Record<string, number | null>>, column: string): DataFrame {
  const month = pl.Series("month", Object.keys(values)).str.strptime(pl.Date, "%Y-%m-%d");
  return pl.DataFrame([month, pl.Series(column, Object.values(values), pl.Float64)]);
}

function constant(count: number, power: number): number[] {
  return Array.from({ length: count }, () => power);
}

function from(frame: DataFrame, world: World, operation: string): DataFrame {
  return describeFrame(frame, modelDataCsv, {
    operation,
    parameters: {},
    fetchedAt: "2024-01-01T00:00:00Z",
    sha256: [],
    world,
    attribution: [],
  });
}

const list = (frame: DataFrame, name: string): unknown[] => frame.getColumn(name).toArray();
const monthsOf = (frame: DataFrame) => frame.getColumn("month").cast(pl.Utf8).toArray();

describe("compareActual()", () => {
  it("compares hours valid on both sides, by the local month of the prediction", () => {
    // 22:00 UTC is the last hour of January in Copenhagen, 23:00 the first of February.
    const predicted = hours(
      "2023-01-31T22:00Z",
      [1000, 2000, 3000, 4000, 5000],
      "Europe/Copenhagen",
    );
    const production = hours("2023-01-31T22:00Z", [500, 1900, NaN, null, 4600]);
    const comparison = compareActual(production, predicted);
    assertEquals(monthsOf(comparison), ["2023-01-01", "2023-02-01"]);
    assertEquals(list(comparison, "produced"), [0.5, 6.5]);
    assertEquals(list(comparison, "predicted"), [1, 7]);
    assertEquals(list(comparison, "hours"), [1, 2]);
    assertEquals(list(comparison, "completeness"), [1 / 744, 2 / 672]);
    assertAlmostEquals(Number(list(comparison, "ratio")[0]), 50, 1e-9);
    assertAlmostEquals(Number(list(comparison, "ratio")[1]), 100 * 6.5 / 7, 1e-9);
  });

  it("leaves out hours that are missing in the prediction", () => {
    const comparison = compareActual(
      hours("2023-01-01T00:00Z", [500, 500, 500]),
      hours("2023-01-01T00:00Z", [NaN, null, 1000]),
    );
    assertEquals(list(comparison, "produced"), [0.5]);
    assertEquals(list(comparison, "ratio"), [50]);
  });

  it("counts the real hours of months with a clock change", () => {
    const spring = hours("2023-02-28T23:00Z", constant(743, 1000), "Europe/Copenhagen");
    const march = compareActual(hours("2023-02-28T23:00Z", constant(743, 900)), spring);
    assertEquals(monthsOf(march), ["2023-03-01"]);
    assertEquals(list(march, "completeness"), [1]);
    const autumn = hours("2023-09-30T22:00Z", constant(745, 1000), "Europe/Copenhagen");
    const october = compareActual(hours("2023-09-30T22:00Z", constant(745, 900)), autumn);
    assertEquals(list(october, "hours"), [745]);
    assertEquals(list(october, "completeness"), [1]);
  });

  it("takes the zone from its own column if the timestamps are in UTC", () => {
    const [zone] = zoneColumns;
    const predicted = hours("2023-01-31T23:00Z", [1000])
      .withColumn(pl.lit("Europe/Copenhagen").alias(zone.name));
    const comparison = compareActual(hours("2023-01-31T23:00Z", [900]), predicted);
    assertEquals(monthsOf(comparison), ["2023-02-01"]);
  });

  it("keeps months without data between the first and the last", () => {
    const predicted = hours("2023-01-01T00:00Z", constant(90 * 24, 1000));
    const production = pl.concat([
      hours("2023-01-01T00:00Z", [900]),
      hours("2023-03-31T00:00Z", [800]).clear(),
      hours("2023-03-30T00:00Z", [800]),
    ]);
    const comparison = compareActual(production, predicted);
    assertEquals(monthsOf(comparison), ["2023-01-01", "2023-02-01", "2023-03-01"]);
    assertEquals(list(comparison, "produced"), [0.9, null, 0.8]);
    assertEquals(list(comparison, "predicted"), [1, null, 1]);
    assertEquals(list(comparison, "ratio"), [90, null, 80]);
    assertEquals(list(comparison, "hours"), [1, 0, 1]);
  });

  it("compares months with months", () => {
    const production = months({ "2023-01-01": 450, "2023-02-01": NaN, "2023-04-01": 90 }, "energy");
    const predicted = months(
      {
        "2022-12-01": 1,
        "2023-01-01": 500,
        "2023-02-01": 400,
        "2023-03-01": null,
        "2023-04-01": 0,
      },
      "predicted_production",
    ).withColumn(pl.Series("completeness", [1, 0.99, 1, 0.4, 1], pl.Float64));
    const comparison = compareActual(production, predicted);
    assertEquals(monthsOf(comparison), ["2023-01-01", "2023-02-01", "2023-03-01", "2023-04-01"]);
    assertEquals(list(comparison, "produced"), [450, null, null, 90]);
    assertEquals(list(comparison, "predicted"), [500, 400, null, 0]);
    assertEquals(list(comparison, "ratio"), [90, null, null, null]);
    assertEquals(list(comparison, "hours"), [null, null, null, null]);
    assertEquals(list(comparison, "completeness"), [0.99, 1, 0.4, 1]);
  });

  it("S5: compares the valid hours of a month with as many predicted ones", () => {
    const production = months(
      { "2023-01-01": 315, "2023-02-01": 380, "2023-03-01": 200 },
      "energy",
    ).withColumn(pl.Series("valid_hours", [558, null, 743], pl.Float64));
    const predicted = months(
      { "2023-01-01": 500, "2023-02-01": 400, "2023-03-01": 250 },
      "predicted_production",
    ).withColumn(pl.Series("completeness", [0.99, 0.99, 1], pl.Float64));
    const comparison = compareActual(production, predicted);
    // 558 of 744 hours are three quarters; 743 are less than all of March in UTC.
    assertEquals(list(comparison, "predicted"), [375, 400, 250 * 743 / 744]);
    assertAlmostEquals(Number(list(comparison, "ratio")[0]), 84, 1e-9);
    assertEquals(list(comparison, "hours"), [558, null, 743]);
    assertEquals(list(comparison, "completeness"), [0.75 * 0.99, 0.99, 743 / 744]);
    const caption = displayOf(comparison)?.caption.join(" ") ?? "";
    assertStringIncludes(caption, '1 of 3 rows without "valid_hours" count for the whole period');
    const available = production.withColumn(pl.Series("availability", [0.5, 1, 1], pl.Float64));
    const same = compareActual(available, predicted);
    assertEquals(list(same, "ratio"), list(comparison, "ratio"));
    assertStringIncludes(displayOf(same)?.caption.join(" ") ?? "", "Availability was not used");
  });

  it("has no completeness if a monthly prediction has none", () => {
    const comparison = compareActual(
      months({ "2023-01-01": 450 }, "energy"),
      months({ "2023-01-01": 500 }, "predicted_production"),
    );
    assertEquals(list(comparison, "completeness"), [null]);
  });

  it("sums hours against months if at least 98 % are valid, scaled to all of them", () => {
    const january = [...constant(735, 1000), ...constant(9, NaN)];
    const february = [...constant(650, 1000), ...constant(22, NaN)];
    const production = hours("2023-01-01T00:00Z", [...january, ...february]);
    const predicted = months({ "2023-01-01": 800, "2023-02-01": 700 }, "predicted_production");
    const comparison = compareActual(production, predicted);
    assertAlmostEquals(Number(list(comparison, "produced")[0]), 744, 1e-9);
    assertEquals(list(comparison, "produced")[1], null);
    assertAlmostEquals(Number(list(comparison, "ratio")[0]), 93, 1e-9);
    assertEquals(list(comparison, "completeness"), [735 / 744, 650 / 672]);
  });

  it("sums predicted hours against months of production, by local months", () => {
    const predicted = hours("2022-12-31T23:00Z", constant(744, 1000), "Europe/Copenhagen");
    const production = months({ "2023-01-01": 372 }, "energy");
    const comparison = compareActual(production, predicted);
    assertEquals(list(comparison, "predicted"), [744]);
    assertEquals(list(comparison, "ratio"), [50]);
    assertEquals(list(comparison, "completeness"), [1]);
  });

  it("gives the declared columns and types, and shows itself with units", () => {
    const comparison = compareActual(
      hours("2023-01-01T00:00Z", [1]),
      hours("2023-01-01T00:00Z", [1]),
    );
    assertEquals(comparison.columns, comparisonColumns.map((column) => column.name));
    assertEquals(
      comparison.dtypes.map(String),
      comparisonColumns.map((column) => String(polarsType(column))),
    );
    assertEquals(displayOf(comparison)?.columns, comparisonColumns);
    assertStringIncludes(table(comparison).text(), "MWh");
  });

  it("M2: lists the sources of both sides, and is SYNTHETIC if either side is", () => {
    const one = () => hours("2023-01-01T00:00Z", [1]);
    const ownData = from(one(), "own", "model_data");
    const sample = from(one(), "sample", "example_file");
    const worlds = (...given: Parameters<typeof compareActual>) =>
      provenance(compareActual(...given)).map(({ world }) => world);
    assertEquals(provenance(compareActual(one(), ownData))[0].operation, "model_data");
    assertEquals(worlds(one(), one(), { source: ownData }), ["own"]);
    assertEquals(worlds(sample, ownData), ["own", "sample"]);
    assertEquals(worlds(ownData, sample), ["sample", "own"]);
    assertEquals(worlds(one(), one()), []);
    assertEquals(displayOf(compareActual(sample, ownData))?.synthetic, true);
  });

  it("refuses frames without the columns, and names the missing ones", () => {
    const predicted = hours("2023-01-01T00:00Z", [1]);
    const error = assertThrows(
      () => compareActual(pl.DataFrame({ date: ["x"] }), predicted),
      ArgumentError,
      `Cannot compare the production: it needs the columns "time" and "power" (kW)`,
    );
    assertStringIncludes(error.message, "but has date");
    assertThrows(
      () => compareActual(predicted, months({ "2023-01-01": 1 }, "energy")),
      ArgumentError,
      `"predicted_production" (MWh)`,
    );
  });

  it("S8: refuses production in another unit or of a park, and accepts a turbine that was stopped", () => {
    const predicted = hours("2023-01-01T00:00Z", constant(744, 500));
    const refused = (power: number) =>
      assertThrows(
        () => compareActual(hours("2023-01-01T00:00Z", constant(744, power)), predicted),
        ArgumentError,
      ).message;
    assertEquals(
      refused(0.5),
      "Cannot compare production with prediction: the production is 0.001 times the prediction for the same " +
        "time (0.372 instead of 372 MWh), which is probably 1/1000 of the true value, such as MWh read as kWh, unless it was stopped all the " +
        'time. Column "power" must be in kW and for one turbine. Convert it, or divide the power of a park by its ' +
        "number of turbines",
    );
    assertStringIncludes(refused(500_000), "probably 1000 times too much");
    assertStringIncludes(refused(40_000), "probably the total of about 80 units");
    for (const power of [0, 5, 1000]) {
      const comparison = compareActual(hours("2023-01-01T00:00Z", constant(744, power)), predicted);
      assertEquals(list(comparison, "ratio"), [power / 5]);
    }
  });

  it("refuses series without overlap, and names both periods", () => {
    const error = assertThrows(
      () =>
        compareActual(
          months({ "2018-01-01": 1, "2018-12-01": 1 }, "energy"),
          months({ "2019-01-01": 1, "2020-12-01": 1 }, "predicted_production"),
        ),
      ArgumentError,
    );
    assertStringIncludes(error.message, "production covers 2018-01 to 2018-12");
    assertStringIncludes(error.message, "prediction covers 2019-01 to 2020-12");
  });

  it("refuses the same months without a common hour, and hours that complete no month", () => {
    const half = hours("2023-01-01T00:30Z", [1, 1]);
    const predicted = hours("2023-01-01T00:00Z", [1, 1]);
    assertThrows(() => compareActual(half, predicted), ArgumentError, "no hour or month is valid");
    const indices = months({ "2023-01-01": 500 }, "predicted_production");
    assertThrows(() => compareActual(half, indices), ArgumentError, "98 %");
  });

  it("averages regular steps below an hour, and notes it", () => {
    const fine = hours("2023-01-01T00:00Z", [1, 2, 3, 4, 5, 6, 7, 8], "UTC", HOUR / 6);
    const compared = compareActual(fine, hours("2023-01-01T00:00Z", [7, 7]));
    assertEquals(compared.getColumn("produced").toArray(), [0.0035]);
    assertEquals(compared.getColumn("hours").toArray(), [1]);
    assertEquals(displayOf(compared)?.caption, [
      "The production: Vindkit averaged 10-minute values to 2 hourly values. 1 hour has no mean, because fewer than 3 " +
      "of the 6 values are valid. This includes 0 h without a valid value.",
    ]);
  });

  it("refuses irregular steps, repeated hours, a missing zone and a frame without rows", () => {
    const good = hours("2023-01-01T00:00Z", [1, 2]);
    const refuse = (production: DataFrame, message: string) =>
      assertThrows(() => compareActual(production, good), ArgumentError, message);
    refuse(
      hours("2023-01-01T00:00Z", [1, 2], "UTC", HOUR / 7.5),
      "Cannot compare the production: its steps of 8 minutes do not fill an hour. Give steps of 5, " +
        "10, 15 or 30. Average regular steps to hours with toHours()",
    );
    refuse(good.vstack(hours("2023-01-01T00:00Z", [1])), "repeats an hour");
    refuse(good.withColumn(pl.col("time").cast(pl.Datetime("us"))), "replaceTimeZone");
    refuse(good.withColumn(pl.col("power").cast(pl.Utf8)), "not numbers");
    refuse(good.head(0), "no rows");
    const month = months({ "2023-01-01": 1 }, "energy");
    refuse(month.vstack(month), "repeats a month");
    refuse(month.withColumn(pl.col("month").cast(pl.Utf8)), "not dates");
  });

  it("takes columns that shadow the frame's methods", () => {
    const shadowed = hours("2023-01-01T00:00Z", [1])
      .withColumns(...["filter", "select", "height"].map((name) => pl.lit(1).alias(name)));
    assertEquals(list(compareActual(shadowed, shadowed), "ratio"), [100]);
  });
});
