import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { readProductionRows } from "../../../src/analysis/series/production_rows.ts";
import { readProductionRecord } from "../../../src/analysis/series/production_record.ts";
import { ArgumentError, DataFormatError } from "../../../src/api/errors.ts";
import { hoursFrame, monthsFrame, yearsFrame } from "../check_performance/_performance_frames.ts";

const WHAT = "count the birds";

function refused(frame: DataFrame): string {
  return assertThrows(() => readProductionRows(frame, WHAT), ArgumentError).message;
}

describe("readProductionRows()", () => {
  it("places hours in any order on their axis, and leaves those without a row or a value missing", () => {
    const hours = hoursFrame("2021-05-01T00:30Z", { power: [1, null, NaN, 4, 5] }, "Asia/Kolkata");
    const kept = hours.filter(pl.col("power").neq(pl.lit(4)).or(pl.col("power").isNull()));
    const rows = readProductionRows(kept.sort("time", true), WHAT);
    assertEquals(rows, {
      kind: "hour",
      grid: {
        axis: { start: Date.parse("2021-05-01T00:30Z"), length: 5 },
        positions: new Int32Array([0, 1, 2, 4]),
      },
      power: new Float64Array([1, NaN, NaN, NaN, 5]),
      timeZone: "Asia/Kolkata",
      notes: [],
    });
  });

  it("reads months and years in order", () => {
    assertEquals(readProductionRows(monthsFrame("2021-12", "energy", [3, null]), WHAT), {
      kind: "month",
      numbers: [2021 * 12 + 11, 2022 * 12],
      energy: new Float64Array([3, NaN]),
    });
    assertEquals(readProductionRows(yearsFrame({ 2021: 7, 2019: Infinity }).sort("energy"), WHAT), {
      kind: "year",
      numbers: [2019, 2021],
      energy: new Float64Array([NaN, 7]),
    });
  });

  it("names the columns that it needs, and what is wrong with them", () => {
    assertEquals(
      refused(pl.DataFrame({ kw: [1] })),
      'Cannot count the birds: the production needs the columns "time" and "power" (kW), or ' +
        '"month" and "energy" (MWh), or "year" and "energy" (MWh); it has kw',
    );
    assertStringIncludes(refused(monthsFrame("2021-12", "energy", [])), "has no rows");
    const twice = pl.concat([yearsFrame({ 2021: 7 }), yearsFrame({ 2021: 8 })]);
    assertStringIncludes(
      refused(twice),
      'column "year" of the production has duplicate rows of 2021',
    );
    const texts = yearsFrame({ 2021: 7 }).withColumn(pl.col("energy").cast(pl.Utf8));
    assertStringIncludes(refused(texts), 'from production: column "energy" holds String');
    const [first, later] = ["2021-05-01T00:00Z", "2021-05-01T05:30Z"]
      .map((start) => hoursFrame(start, { power: [1, 2] }));
    assertThrows(
      () => readProductionRows(pl.concat([first, later]), WHAT),
      DataFormatError,
      "2021-05-01T05:30Z is not a whole hour",
    );
  });
});

describe("readProductionRecord()", () => {
  it("bounds months and years by the calendar of a zone, in kWh", () => {
    const { resolution, production } = readProductionRecord(
      monthsFrame("2021-03", "energy", [3]),
      WHAT,
      "Europe/Copenhagen",
    );
    assertEquals(resolution, "month");
    assertEquals(production, {
      kind: "periods",
      periods: [{
        label: "2021-03",
        start: Date.parse("2021-02-28T23:00Z"),
        end: Date.parse("2021-03-31T22:00Z"),
        energy: 3000,
      }],
    });
    assertEquals(readProductionRecord(yearsFrame({ 2021: 7 }), WHAT).production, {
      kind: "periods",
      periods: [{
        label: "2021",
        start: Date.parse("2021-01-01T00:00Z"),
        end: Date.parse("2022-01-01T00:00Z"),
        energy: 7000,
      }],
    });
  });
});
