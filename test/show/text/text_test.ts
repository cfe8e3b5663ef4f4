import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  calendarMonth,
  formatCount,
  formatFigures,
  formatMonth,
  formatMonthSpan,
  formatNumber,
  formatShare,
} from "../../../src/show/text/numbers.ts";
import { escapeHtml } from "../../../src/show/text/html.ts";

describe("escapeHtml()", () => {
  it("F26 escapes all that HTML reads as markup", () => {
    assertEquals(
      escapeHtml(`<a b="c" d='e'>&</a>`),
      "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;&lt;/a&gt;",
    );
  });
});

describe("formatNumber()", () => {
  it("writes thousands separators and decimals", () => {
    assertEquals(formatNumber(1234567.891, 1), "1,234,567.9");
    assertEquals(formatNumber(-1234), "−1,234");
    assertEquals(formatNumber(999), "999");
    assertEquals(formatNumber(-0.04, 1), "0.0");
    assertEquals(formatNumber(0.1234, 4), "0.1234");
  });
});

describe("formatCount()", () => {
  it("writes the plural unless the number is one", () => {
    assertEquals(
      [0, 1, 2, 1200].map((count) => formatCount(count, "turbine")),
      ["0 turbines", "1 turbine", "2 turbines", "1,200 turbines"],
    );
  });
});

describe("formatMonth()", () => {
  it("writes a month in words", () => {
    assertEquals(formatMonth("2023-05"), "May 2023");
    assertEquals(calendarMonth("2023-12"), "December");
  });
});

describe("formatMonthSpan()", () => {
  it("V9: writes months and years as short as possible", () => {
    for (
      const [first, last, text] of [
        ["2023-05", "2023-05", "May 2023"],
        ["2019-01", "2024-12", "2019 to 2024"],
        ["2023-01", "2023-12", "2023"],
        ["2021-01", "2021-07", "Jan to Jul 2021"],
        ["2017-08", "2021-07", "Aug 2017 to Jul 2021"],
        ["2003", "2006", "2003 to 2006"],
        ["2003", "2003", "2003"],
      ]
    ) assertEquals(formatMonthSpan(first, last), text);
  });
});

describe("the rule of digits", () => {
  it("V12: follows the unit, and is the same for all figures of a range", () => {
    assertEquals(formatFigures([194.14, 1137.6], "MWh"), "194 to 1,138 MWh");
    assertEquals(formatFigures([3.9], "MWh"), "3.9 MWh");
    assertEquals(formatFigures([0.0431], "MWh"), "0.043 MWh");
    assertEquals(formatFigures([98.24], "%"), "98.2 %");
    assertEquals(formatFigures([7.125], "m/s"), "7.13 m/s");
  });

  it("V6: rounds shares down, so none looks like a bound that it is below", () => {
    assertEquals(["0.9799", "0.98", "0.9999", "1"].map((share) => formatShare(Number(share))), [
      "97.9",
      "98.0",
      "99.9",
      "100.0",
    ]);
  });
});
