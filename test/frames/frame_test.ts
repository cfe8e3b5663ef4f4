import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import type { Dtype } from "../../src/api/columns/column.ts";
import {
  buildDatetimes,
  buildFrame,
  buildNumbers,
  buildRows,
  buildSeries,
  type ColumnValues,
  extractEpochs,
  extractNumbers,
  polarsType,
} from "../../src/frames/frame.ts";
import { column, listColumn } from "./_text.ts";

const types: Record<Dtype, string> = {
  f64: "DataType(Float64)",
  i32: "DataType(Int32)",
  i64: "DataType(Int64)",
  utf8: "DataType(String)",
  bool: "DataType(Bool)",
  date: "DataType(Date)",
  datetime: "DataType(Datetime(us,Europe/Copenhagen))",
};
const dtypes = Object.keys(types) as Dtype[];

/** A value of each type; dates and datetimes are days and microseconds since 1970 UTC. */
const samples: Record<Dtype, string | number | bigint | boolean> = {
  f64: 1.5,
  i32: 7,
  i64: 9_007_199_254_740_993n,
  utf8: "x",
  bool: true,
  date: 19_358, // 2023-01-01
  datetime: 1_672_531_200_000_000, // 2023-01-01T00:00Z
};

const made = (dtype: Dtype, values: ColumnValues) =>
  buildSeries(column("x", dtype), values, "Europe/Copenhagen");

/** Values as texts, so integers beyond 2^53 keep their digits. */
const texts = (dtype: Dtype, values: ColumnValues): unknown[] =>
  made(dtype, values).cast(pl.Utf8).toArray();

describe("buildSeries()", () => {
  for (const dtype of dtypes) {
    it(`F33 gives ${dtype} its type, even if it is empty or has only nulls`, () => {
      assertEquals(String(made(dtype, [samples[dtype]]).dtype), types[dtype]);
      assertEquals(String(made(dtype, []).dtype), types[dtype]);
      assertEquals(made(dtype, []).length, 0);
      const nothing = made(dtype, [null, null]);
      assertEquals([String(nothing.dtype), nothing.nullCount()], [types[dtype], 2]);
    });

    it(`F33 keeps a null of ${dtype} a null, not zero or 1970`, () => {
      const series = made(dtype, [null, samples[dtype], null]);
      assertEquals(series.nullCount(), 2);
      assertEquals(series.isNull().toArray(), [true, false, true]);
    });

    it(`names the same type as polarsType() for ${dtype}`, () => {
      const type = polarsType(column("x", dtype), "Europe/Copenhagen");
      assertEquals(String(made(dtype, []).cast(type).dtype), types[dtype]);
    });
  }

  it("F35 keeps the digits of integers beyond 2^53", () => {
    const values = [9_007_199_254_740_993n, -9_223_372_036_854_775_808n, 5];
    const expected = ["9007199254740993", "-9223372036854775808", "5"];
    assertEquals(texts("i64", values), expected);
    assertEquals(texts("i64", [...values, null]), [...expected, null]);
    assertEquals(texts("i64", BigInt64Array.of(9_007_199_254_740_993n)), ["9007199254740993"]);
  });

  it("takes typed arrays and lists alike", () => {
    assertEquals(made("f64", Float64Array.of(1.5, -2)).toArray(), [1.5, -2]);
    assertEquals(made("i32", Int32Array.of(3, -4)).toArray(), [3, -4]);
    assertEquals(made("utf8", ["a", "", "ø"]).toArray(), ["a", "", "ø"]);
    assertEquals(made("bool", [true, false]).toArray(), [true, false]);
  });

  it("counts dates in days and datetimes in microseconds since 1970 UTC", () => {
    assertEquals(texts("date", [0, 19_358, -1]), ["1970-01-01", "2023-01-01", "1969-12-31"]);
    // The instant stays the same, the clock changes with the zone: 00:00Z is 01:00 in Copenhagen.
    const series = made("datetime", [1_672_531_200_000_000]);
    assertEquals<unknown[]>(series.toArray(), [new Date("2023-01-01T00:00Z")]);
    const clock = pl.DataFrame([series]).select(pl.col("x").dt.strftime("%Y-%m-%d %H:%M %z"));
    assertEquals(listColumn(clock, "x"), ["2023-01-01 01:00 +0100"]);
  });

  it("refuses a fraction where whole numbers are declared", () => {
    assertThrows(() => made("i64", [1.5]), RangeError);
  });
});

describe("buildFrame()", () => {
  it("has the declared columns in their order, typed even without rows", () => {
    const frame = buildFrame(
      dtypes.map((dtype) => column(dtype, dtype)),
      Object.fromEntries(dtypes.map((dtype) => [dtype, []])),
      "Europe/Copenhagen",
    );
    assertEquals([frame.height, frame.columns], [0, dtypes as string[]]);
    assertEquals(frame.dtypes.map(String), dtypes.map((dtype) => types[dtype]));
  });

  it("leaves out a declared column without values", () => {
    const frame = buildFrame([column("a", "f64"), column("b", "f64")], { b: [1, 2] });
    assertEquals(frame.columns, ["b"]);
  });
});

describe("buildRows()", () => {
  it("leaves out a column that no row has, and keeps one that any row has", () => {
    const columns = ["a", "b", "c"].map((name) => column(name, "f64"));
    const frame = buildRows(columns, [{ a: 1 }, { a: NaN, b: 2 }]);
    assertEquals(frame.columns, ["a", "b"]);
    assertEquals(frame.rows(), [[1, null], [null, 2]]);
  });
});

describe("extractNumbers()", () => {
  it("gives NaN for null, and keeps NaN", () => {
    const frame = buildFrame([column("a", "f64")], { a: [1.5, null, NaN, 0] });
    assertEquals(extractNumbers(frame, "a"), Float64Array.of(1.5, NaN, NaN, 0));
  });

  it("gives whole numbers as floats, with and without nulls", () => {
    const frame = buildFrame([column("a", "i64"), column("b", "i64")], { a: [1, 2], b: [1, null] });
    assertEquals(extractNumbers(frame, "a"), Float64Array.of(1, 2));
    assertEquals(extractNumbers(frame, "b"), Float64Array.of(1, NaN));
  });

  it("gives an empty array for an empty column, even one called like a method of frames", () => {
    assertEquals(
      extractNumbers(buildFrame([column("filter", "f64")], { filter: [] }), "filter").length,
      0,
    );
  });
});

describe("buildNumbers()", () => {
  it("gives null for NaN, so means do not become NaN", () => {
    const series = buildNumbers("a", Float64Array.of(1, NaN, 3));
    assertEquals([series.nullCount(), series.name, series.mean()], [1, "a", 2]);
    assertEquals(String(buildNumbers("a", new Float64Array(0)).dtype), "DataType(Float64)");
  });

  it("is the inverse of extractNumbers()", () => {
    const values = Float64Array.of(NaN, -1, 0, NaN);
    assertEquals(extractNumbers(pl.DataFrame([buildNumbers("a", values)]), "a"), values);
  });
});

describe("extractEpochs() and buildDatetimes()", () => {
  const epochs = Float64Array.of(-3_600_000, 0, 1_672_531_200_000, 1_690_000_000_123);

  for (const zone of ["UTC", "Europe/Copenhagen", "Asia/Kolkata"]) {
    it(`go there and back in ${zone}: the zone moves the clock, not the instant`, () => {
      const frame = pl.DataFrame([buildDatetimes("time", epochs, zone)]);
      assertEquals(String(frame.dtypes[0]), `DataType(Datetime(us,${zone}))`);
      assertEquals(extractEpochs(frame, "time"), epochs);
    });
  }

  it("are in UTC if no zone is given, and empty for no values", () => {
    const none = buildDatetimes("time", new Float64Array(0));
    assertEquals(String(none.dtype), "DataType(Datetime(us,UTC))");
    assertEquals(extractEpochs(pl.DataFrame([none]), "time"), new Float64Array(0));
  });

  it("read datetimes of other resolutions", () => {
    for (const unit of ["ms", "ns"] as const) {
      const series = buildDatetimes("time", epochs).cast(pl.Datetime(unit, "UTC"));
      assertEquals(extractEpochs(pl.DataFrame([series]), "time"), epochs);
    }
  });
});
