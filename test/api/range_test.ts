import { describe, it } from "@std/testing/bdd";
import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import {
  type RangeBound,
  readDayRange,
  readMonthRange,
  readSpan,
  readYearRange,
  type TimeRange,
} from "../../src/show/options/range.ts";
import { ArgumentError } from "../../src/api/errors.ts";

const text = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

describe("readMonthRange()", () => {
  const cases: readonly [TimeRange, object][] = [
    [{}, {}],
    [{ from: 2023 }, { from: "2023-01" }],
    [{ from: "2022", to: "2023" }, { from: "2022-01", to: "2023-12" }],
    [{ from: "2023-05", to: "2023-05" }, { from: "2023-05", to: "2023-05" }],
    [{ to: Temporal.PlainYearMonth.from("2024-02") }, { to: "2024-02" }],
  ];
  for (const [range, months] of cases) {
    it(`reads ${JSON.stringify(range)}`, () => assertEquals(text(readMonthRange(range)), months));
  }

  it("refuses a day, because the wanted part of its month is unclear", () => {
    const error = assertThrows(() => readMonthRange({ from: "2023-05-01" }), ArgumentError);
    assertEquals(
      error.message,
      'Cannot use "from": 2023-05-01 is a day, but this range needs whole months. Give "2023-05"',
    );
  });
});

describe("readYearRange()", () => {
  it("reads years as numbers, texts or months of them refused", () => {
    assertEquals(readYearRange({ from: 2004, to: "2023" }), { from: 2004, to: 2023 });
    const error = assertThrows(() => readYearRange({ from: "2004-03", to: 2023 }), ArgumentError);
    assertStringIncludes(error.message, "Give 2004, and filter the frame");
  });

  it("refuses a missing side", () => {
    const range = { from: 2004 } as { from: number; to: number };
    const error = assertThrows(() => readYearRange(range), ArgumentError);
    assertStringIncludes(error.message, '"to" is missing');
  });
});

describe("readDayRange()", () => {
  const days = (range: TimeRange) => {
    const { first, end } = readDayRange(range);
    return [first?.toString(), end?.toString()];
  };

  it("ends on the day after the last one, at the precision of the bound", () => {
    assertEquals(days({ from: 2023, to: 2023 }), ["2023-01-01", "2024-01-01"]);
    assertEquals(days({ from: "2023-02", to: "2024-02" }), ["2023-02-01", "2024-03-01"]);
    assertEquals(days({ to: "2024-02-29" }), [undefined, "2024-03-01"]);
    assertEquals(days({ from: new Temporal.PlainDate(2024, 2, 29) }), ["2024-02-29", undefined]);
  });

  it("finds the hours of local times and of instants, including the last one", () => {
    const local = readDayRange({ from: "2024-03-30T22:00", to: "2024-03-31T03:00" });
    const zone = "Europe/Copenhagen"; // whose 31 March 2024 has no hour at 2
    assertEquals(local.first?.toString(), "2024-03-30");
    assertEquals(local.end?.toString(), "2024-04-01");
    const hours = (local.endHour!(zone) - local.firstHour!(zone)) / 3_600_000;
    assertEquals(hours, 5);
    const instants = readDayRange({
      from: Temporal.Instant.from("2024-03-30T23:00Z"),
      to: "2024-03-31T01:00+02:00",
    });
    assertEquals(instants.firstHour!(zone), Date.parse("2024-03-30T23:00Z"));
    assertEquals(instants.endHour!(zone), Date.parse("2024-03-31T00:00Z"));
    // the zone of the turbine decides the day, so there is a margin of a day on either side
    assertEquals([instants.first, instants.end].map(String), ["2024-03-29", "2024-04-01"]);
  });
});

describe("readSpan()", () => {
  it("covers whole days, months and hours in a zone", () => {
    const hours = (from: RangeBound, to: RangeBound) => {
      const [first, end] = readSpan({ from, to }, "Europe/Copenhagen");
      return (end - first) / 3_600_000;
    };
    assertEquals(hours("2024-03-31", "2024-03-31"), 23);
    assertEquals(hours("2024-02", "2024-02"), 29 * 24);
    assertEquals(hours("2024-06-01T10:00", "2024-06-01T10:00"), 1);
    assertThrows(() => hours("2024-06-02", "2024-06-01"), ArgumentError, 'is after "to"');
  });
});

describe("a bound of a range", () => {
  const refused: readonly [unknown, string][] = [
    [
      "2023-02-29",
      'Cannot use "from": "2023-02-29" is not a year, month, day or hour. Give 2023, ',
    ],
    ["May 2023", '"May 2023" is not a year'],
    [20230501, "20230501 is not a year"],
    [null, "null is not a year"],
    [new Date(0), "a Date has no time zone"],
    ["1066", '"1066" is outside the years 1700 to 2100'],
    ["2024-05-01T25:00", "is not a year, month, day or hour"],
    [new Temporal.PlainDate(2023, 5, 1, "hebrew"), "is not a year"],
    [2090, "2090 has not begun yet"],
  ];
  for (const [from, message] of refused) {
    it(`is refused if it is ${String(from)}`, () => {
      const error = assertThrows(
        () => readDayRange({ from: from as RangeBound }),
        ArgumentError,
      );
      assertStringIncludes(error.message, message);
    });
  }

  it("comes before the other one", () => {
    const error = assertThrows(
      () => readMonthRange({ from: "2024-02", to: "2024-01" }),
      ArgumentError,
    );
    assertEquals(
      error.message,
      'Cannot use the range: "from" (2024-02) is after "to" (2024-01). Swap them',
    );
  });
});
