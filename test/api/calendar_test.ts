import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { problemWithDate, problemWithMonth, toMonth } from "../../src/api/calendar.ts";
import { ArgumentError } from "../../src/api/errors.ts";

const notMonths = [
  "",
  "2023",
  "2023-5",
  "23-05",
  "2023-05-01",
  "2023/05",
  " 2023-05",
  "2023-05 ",
  "2023-05\n",
  "+002023-05",
  "-002023-05",
  "２０２３-０５",
  "2023-05[u-ca=hebrew]",
  "2023-05\u0000",
];

const notDates = [
  "",
  "2023",
  "2023-05",
  "2023-5-1",
  "23-05-01",
  "01-05-2023",
  "2023-05-01T00:00",
  "2023-05-01Z",
  "2023-05-01\n",
  "20230501",
  "+002023-05-01",
  "２０２３-０５-０１",
];

describe("problemWithMonth()", () => {
  it("accepts every month of the first and the last year", () => {
    for (const year of ["0001", "1901", "9999"]) {
      for (let month = 1; month <= 12; month++) {
        assertEquals(problemWithMonth(`${year}-${String(month).padStart(2, "0")}`), null);
      }
    }
  });

  it("F37 refuses months 0 and 13 by their number", () => {
    assertEquals(problemWithMonth("2023-00"), "2023-00 has no month from 01 to 12");
    assertEquals(problemWithMonth("2023-13"), "2023-13 has no month from 01 to 12");
    assertEquals(problemWithMonth("2023-99"), "2023-99 has no month from 01 to 12");
  });

  it("F37 refuses the year 0000", () => {
    assertEquals(problemWithMonth("0000-05"), "0000 is not a year");
  });

  it("F37 refuses other forms, a two-digit year among them", () => {
    for (const text of notMonths) {
      assertStringIncludes(problemWithMonth(text) ?? "", "is not of the form", text);
    }
  });

  it("F22 repeats no more than the head of 1 MB", () => {
    assertEquals((problemWithMonth("2".repeat(1_000_000)) ?? "").length < 100, true);
  });
});

describe("problemWithDate()", () => {
  it("K6: accepts the first and the last day with a four-digit year, with or without data", () => {
    for (const text of ["0001-01-01", "9999-12-31"]) assertEquals(problemWithDate(text), null);
  });

  it("accepts 29 February only in leap years", () => {
    for (const year of [1940, 2000, 2020, 2024]) {
      assertEquals(problemWithDate(`${year}-02-29`), null, String(year));
    }
    // 2100 is divided by 4 and by 100, not by 400.
    for (const year of [1941, 2019, 2023, 2100]) {
      assertEquals(problemWithDate(`${year}-02-29`), `${year}-02-29 is not a day of the calendar`);
    }
  });

  it("F37 refuses days and months that do not exist, instead of adjusting them", () => {
    for (const day of ["2023-00-01", "2023-13-01", "2023-01-00", "2023-01-32", "2023-04-31"]) {
      assertEquals(problemWithDate(day), `${day} is not a day of the calendar`);
    }
  });

  it("F37 refuses the year 0000", () => {
    assertEquals(problemWithDate("0000-01-01"), "0000 is not a year");
  });

  it("F37 refuses other forms, a two-digit year among them", () => {
    for (const text of notDates) {
      assertStringIncludes(problemWithDate(text) ?? "", "is not of the form", text);
    }
  });

  it("F22 repeats no more than the head of 1 MB", () => {
    assertEquals((problemWithDate("2".repeat(1_000_000)) ?? "").length < 100, true);
  });
});

describe("toMonth()", () => {
  it("accepts both text and Temporal.PlainYearMonth", () => {
    const month = new Temporal.PlainYearMonth(2023, 5);
    assertEquals(toMonth("2023-05").toString(), "2023-05");
    assertEquals(toMonth(month).equals(month), true);
  });

  it("refuses with the name of the argument and the problem", () => {
    const error = assertThrows(() => toMonth("2023-13", "from"), ArgumentError);
    assertEquals(
      error.message,
      'Cannot read from: 2023-13 has no month from 01 to 12. Give a month such as "2023-05"',
    );
  });

  it("refuses a Temporal month with a five-digit year, or in another calendar", () => {
    for (
      const month of [
        new Temporal.PlainYearMonth(12023, 5),
        new Temporal.PlainDate(2023, 5, 1, "hebrew").toPlainYearMonth(),
      ]
    ) assertThrows(() => toMonth(month), ArgumentError, '. Give a month such as "2023-05"');
  });
});
