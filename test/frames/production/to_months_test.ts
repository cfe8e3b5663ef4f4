import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { ArgumentError } from "../../../src/api/errors.ts";
import { buildDatetimes } from "../../../src/frames/frame.ts";
import { toMonths } from "../../../src/frames/production/to_months.ts";

const HOUR = 3_600_000;

/** Hours of 1,000 kW from an instant on, in a zone. */
function hours(from: string, count: number, timeZone: string, turbine?: string): DataFrame {
  const start = Date.parse(from);
  const stamps = Float64Array.from({ length: count }, (_, i) => start + i * HOUR);
  const frame = pl.DataFrame([
    buildDatetimes("time", stamps, timeZone),
    pl.Series("power", Array(count).fill(1000), pl.Float64),
  ]);
  return turbine ? frame.withColumn(pl.lit(turbine).alias("turbine_id")) : frame;
}

describe("U1: toMonths()", () => {
  it("adds up the hours of each month of the zone, even if the clocks change", () => {
    const year = hours("2022-12-31T23:00Z", 8760, "Europe/Copenhagen");
    const months = toMonths(year);
    assertEquals(months.columns, ["month", "energy", "valid_hours"]);
    const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    const expected = days.map((count, i) => count * 24 - (i === 2 ? 1 : i === 9 ? -1 : 0));
    assertEquals(months.getColumn("valid_hours").toArray(), expected);
    assertEquals(months.getColumn("energy").toArray(), expected);
  });

  it("includes months in between without hours, as null, not zero", () => {
    const gap = pl.concat([
      hours("2023-01-31T22:00Z", 2, "UTC"),
      hours("2023-03-01T00:00Z", 1, "UTC"),
    ]);
    const months = toMonths(gap);
    const energies: unknown[] = months.getColumn("energy").toArray();
    assertEquals(energies, [2, null, 1]);
    assertEquals(months.getColumn("valid_hours").toArray(), [2, 0, 1]);
  });

  it("adds up each turbine separately", () => {
    const two = pl.concat([
      hours("2023-01-01T00:00Z", 3, "UTC", "B"),
      hours("2023-01-01T00:00Z", 2, "UTC", "A"),
    ]);
    const rows = toMonths(two).select("turbine_id", "energy").toRecords();
    assertEquals(rows.map((row) => Object.values(row)), [["A", 2], ["B", 3]]);
  });

  it("refuses a frame that it cannot add up", () => {
    const frame = hours("2023-01-01T00:00Z", 3, "UTC").drop("power");
    assertThrows(() => toMonths(frame), ArgumentError, "Cannot add up production by months");
  });
});
