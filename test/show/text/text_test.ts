import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { escapeHtml } from "../../../src/show/text/escape.ts";
import { calendarMonth, formatMonth } from "../../../src/show/text/month.ts";
import { formatNumber } from "../../../src/show/text/number.ts";

describe("escapeHtml()", () => {
  it("F26 escapes all that HTML reads as markup", () => {
    assertEquals(
      escapeHtml(`<a b="c" d='e'>&</a>`),
      "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;&lt;/a&gt;",
    );
  });
});

describe("formatNumber()", () => {
  it("writes thousands marks and decimals", () => {
    assertEquals(formatNumber(1234567.891, 1), "1,234,567.9");
    assertEquals(formatNumber(-1234), "-1,234");
    assertEquals(formatNumber(999), "999");
    assertEquals(formatNumber(-0.04, 1), "0.0");
    assertEquals(formatNumber(0.1234, 4), "0.1234");
  });
});

describe("formatMonth()", () => {
  it("writes a month in words", () => {
    assertEquals(formatMonth("2023-05"), "May 2023");
    assertEquals(calendarMonth("2023-12"), "December");
  });
});
