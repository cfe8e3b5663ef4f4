import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import {
  readProductionRecord,
  readProductionRows,
} from "../../../src/analysis/series/production_rows.ts";
import { ArgumentError, DataFormatError } from "../../../src/api/errors.ts";
import { framed } from "../_series.ts";
import { hoursFrame, monthsFrame, yearsFrame } from "../check_performance/_performance_frames.ts";

const ACTION = "count the birds";

/** Shares of periods whose energy covers all their hours. */
const WHOLE = { validHours: undefined, availability: undefined, notes: [] };

function refused(frame: DataFrame): string {
  return assertThrows(() => readProductionRows(frame, ACTION), ArgumentError).message;
}

describe("readProductionRows()", () => {
  it("places hours in any order on their axis, and leaves those without a row or a value missing", () => {
    const hours = hoursFrame("2021-05-01T00:30Z", { power: [1, null, NaN, 4, 5] }, "Asia/Kolkata");
    const kept = hours.filter(pl.col("power").neq(pl.lit(4)).or(pl.col("power").isNull()));
    const rows = readProductionRows(kept.sort("time", true), ACTION);
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
    assertEquals(readProductionRows(monthsFrame("2021-12", "energy", [3, null]), ACTION), {
      kind: "month",
      numbers: [2021 * 12 + 11, 2022 * 12],
      energy: new Float64Array([3, NaN]),
      ...WHOLE,
    });
    assertEquals(
      readProductionRows(yearsFrame({ 2021: 7, 2019: Infinity }).sort("energy"), ACTION),
      {
        kind: "year",
        numbers: [2019, 2021],
        energy: new Float64Array([NaN, 7]),
        ...WHOLE,
      },
    );
  });

  it("SI6: adds days up to months of their zone, and takes one hour per day for hours", () => {
    const zone = "Europe/Berlin";
    const frameFrom = (clock: string) => {
      const first = Temporal.ZonedDateTime.from(`2021-03-01T${clock}[${zone}]`);
      const days = Float64Array.from(
        { length: 61 },
        (_, i) => first.add({ days: i }).epochMilliseconds,
      );
      return framed(days, days.map((_, i) => i === 3 ? NaN : 1000), zone);
    };
    assertEquals(readProductionRows(frameFrom("00:00"), ACTION), {
      kind: "month",
      numbers: [2021 * 12 + 2, 2021 * 12 + 3],
      energy: new Float64Array([719, 720]),
      validHours: new Float64Array([719, 720]),
      availability: undefined,
      notes: [],
    });
    assertEquals(readProductionRows(frameFrom("12:00"), ACTION).kind, "hour");
  });

  it("S5: reads valid hours and availability in the order of the periods", () => {
    const frame = yearsFrame({ 2021: 7, 2019: 5, 2020: 6 }).withColumns(
      pl.Series("valid_hours", [8760, null, 8000], pl.Float64),
      pl.Series("availability", [1, 0.95, 0.9], pl.Float64),
    ).sort("year", true);
    const rows = readProductionRows(frame, ACTION);
    assertEquals(rows, {
      kind: "year",
      numbers: [2019, 2020, 2021],
      energy: new Float64Array([5, 6, 7]),
      validHours: new Float64Array([8760, NaN, 8000]),
      availability: new Float64Array([1, 0.95, 0.9]),
      notes: ['1 of 3 rows without "valid_hours" count for the whole period.'],
    });
    const months = monthsFrame("2023-02", "energy", [3, 4])
      .withColumn(pl.Series("valid_hours", [672, 800], pl.Float64));
    assertStringIncludes(
      refused(months),
      'column "valid_hours" has 800 h in row 2, but the period has 744 h',
    );
  });

  it("names the columns that it needs, and their problems", () => {
    assertEquals(
      refused(pl.DataFrame({ kw: [1] })),
      'Cannot count the birds: the production needs the columns "time" and "power" (kW), or ' +
        '"month" and "energy" (MWh), or "year" and "energy" (MWh), but has kw. Read the production with readProduction()',
    );
    assertStringIncludes(refused(monthsFrame("2021-12", "energy", [])), "has no rows");
    const twice = pl.concat([yearsFrame({ 2021: 7 }), yearsFrame({ 2021: 8 })]);
    assertStringIncludes(
      refused(twice),
      'column "year" of the production repeats 2021',
    );
    const texts = yearsFrame({ 2021: 7 }).withColumn(pl.col("energy").cast(pl.Utf8));
    assertStringIncludes(refused(texts), 'from production: column "energy" contains String');
    const [first, later] = ["2021-05-01T00:00Z", "2021-05-01T05:30Z"]
      .map((start) => hoursFrame(start, { power: [1, 2] }));
    assertThrows(
      () => readProductionRows(pl.concat([first, later]), ACTION),
      DataFormatError,
      "2021-05-01T05:30Z is not a whole hour",
    );
  });
});

describe("readProductionRecord()", () => {
  it("bounds months and years by the calendar of a zone, in kWh", () => {
    const { resolution, production } = readProductionRecord(
      monthsFrame("2021-03", "energy", [3]),
      ACTION,
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
    assertEquals(readProductionRecord(yearsFrame({ 2021: 7 }), ACTION).production, {
      kind: "periods",
      periods: [{
        label: "2021",
        start: Date.parse("2021-01-01T00:00Z"),
        end: Date.parse("2022-01-01T00:00Z"),
        energy: 7000,
      }],
    });
  });

  it("S5: has the share of the hours that an energy covers, on the clock of the zone", () => {
    // March has 743 hours because the clock goes forward.
    const frame = monthsFrame("2021-03", "energy", [3, 4, 5, 6]).withColumns(
      pl.Series("valid_hours", [743, 720, 360, null], pl.Float64),
      pl.Series("availability", [null, 1, 0.5, 0.9], pl.Float64),
    );
    const { production, notes } = readProductionRecord(frame, ACTION, "Europe/Copenhagen");
    const shares = production.kind === "periods"
      ? production.periods.map(({ share }) => share)
      : [];
    assertEquals(shares, [undefined, undefined, 360 / 744 * 0.5, 0.9]);
    assertEquals(notes, [
      '1 of 4 rows without "valid_hours" count for the whole period.',
      '1 of 4 rows without "availability" count for the whole period.',
      "2 of 4 energies cover only 24.2 % to 90 % of their hours: they count by that share.",
    ]);
  });
});
