import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { type PriceOptions, readPrice } from "../../../src/analysis/series/prices.ts";
import { hoursFrame, monthsFrame } from "../check_performance/_performance_frames.ts";

const HOUR = 3_600_000;
const read = readPrice;
const hours = (values: readonly (number | null)[]) =>
  hoursFrame("2024-01-31T22:00Z", { power: values }).rename({ power: "price" });

describe("the price of an analysis", () => {
  it("is one number for all times, or the price of the hour or the local month", () => {
    const axis = { start: Date.parse("2024-01-31T22:00Z"), length: 3 };
    const of = (options: PriceOptions) => [...read(options)!.ofHours(axis, "Europe/Copenhagen")];
    assertEquals(of({ price: 62 }), [62, 62, 62]);
    assertEquals(of({ price: hours([1, null]) }), [1, NaN, NaN]);
    // In Copenhagen February begins at 23:00 UTC.
    assertEquals(of({ price: monthsFrame("2024-01", "price", [50, 40]) }), [50, 40, 40]);
    assertEquals(read({ price: 62 })!.currency, "EUR");
    assertEquals(read({ price: hours([1, 2]), currency: "DKK" })!.currency, "DKK");
    assertEquals(read({}), undefined);
  });

  it("is the mean of the quarters of an hour", () => {
    const start = Date.parse("2024-01-01T00:00Z");
    const time = Array.from({ length: 8 }, (_, i) => new Date(start + i * HOUR / 4));
    const frame = pl.DataFrame([
      pl.Series("time", time, pl.Datetime("ms")),
      pl.Series("price", [10, 20, 30, 40, -4, -4, -4, -4], pl.Float64),
    ]).withColumn(pl.col("time").dt.replaceTimeZone("UTC").alias("time"));
    const { ofHours } = read({ price: frame })!;
    assertEquals([...ofHours({ start, length: 2 }, "UTC")], [25, -4]);
  });

  it("is refused if it cannot be per MWh", () => {
    const refuse = (options: PriceOptions, message: string) =>
      assertThrows(() => read(options), Error, message);
    refuse({ price: 0.08 }, "a mean price of 0.080 looks like a price per kWh");
    refuse({ price: NaN }, "no price is a finite number");
    refuse({ price: hours([null, null]) }, "no price is a finite number");
    refuse({ price: monthsFrame("2024-01", "energy", [1]) }, 'need the columns "time" or "month"');
    refuse(
      { price: 62, currency: "euro" },
      'the currency is "euro", but must be three letters, such as "EUR"',
    );
    refuse({ currency: "EUR" }, "Give { price } too");
  });

  it("is unknown for months if only hours are given, and for years if only months are", () => {
    assertEquals(read({ price: hours([50, 60]) })!.ofPeriods("month", [1]), undefined);
    const months = read({ price: monthsFrame("2024-01", "price", [50]) })!;
    assertEquals([...months.ofPeriods("month", [12 * 2024, 1])!], [50, NaN]);
    assertEquals(months.ofPeriods("year", [2024]), undefined);
    assertEquals([...read({ price: 62 })!.ofPeriods("year", [2024])!], [62]);
  });

  it("is read from a file that has hours, and quarters from a day on", () => {
    const start = Date.parse("2025-09-30T22:00Z");
    const times = [0, 4, 8, 9, 10, 11, 12, 13, 14, 15].map((quarter) =>
      new Date(start + quarter * HOUR / 4)
    );
    const frame = pl.DataFrame([
      pl.Series("time", times, pl.Datetime("ms")),
      pl.Series("price", [10, 20, 30, 30, 30, 34, 5, 5, 5, 5], pl.Float64),
    ]).withColumn(pl.col("time").dt.replaceTimeZone("UTC").alias("time"));
    const { ofHours } = read({ price: frame })!;
    assertEquals([...ofHours({ start, length: 4 }, "UTC")], [10, 20, 31, 5]);
  });

  it("is the mean of two hours if the model's hours begin between them", () => {
    const { ofHours } = read({ price: hours([10, 20, 40]) })!;
    const start = Date.parse("2024-01-31T22:30Z");
    assertEquals([...ofHours({ start, length: 3 }, "Asia/Kolkata")], [15, 30, NaN]);
  });

  it("may have any sign, and sum to 0", () => {
    assertEquals(read({ price: hours([40, -40]) })!.currency, "EUR");
  });
});
