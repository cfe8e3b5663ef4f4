import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { ArgumentError } from "../../src/api/errors.ts";
import windowsZones from "../../src/time/windows_zones.json" with { type: "json" };
import {
  assertTimeZone,
  isTimeZone,
  monthAsDays,
  monthAt,
  monthNumberOf,
  monthOfDays,
  resolveTimeZone,
  startOfDay,
  startOfMonth,
} from "../../src/time/zones.ts";

const HOUR = 3_600_000;
const zones = Intl.supportedValuesOf("timeZone");
const month = (text: string) => Temporal.PlainYearMonth.from(text);
const day = (text: string) => Temporal.PlainDate.from(text);
const iso = (epoch: number) => new Date(epoch).toISOString().slice(0, 16) + "Z";

describe("isTimeZone()", () => {
  it("knows every zone of the runtime, and UTC", () => {
    assertEquals([...zones, "UTC"].filter((zone) => !isTimeZone(zone)), []);
  });

  it("knows older names that files still carry", () => {
    const older = ["Asia/Calcutta", "US/Eastern", "Europe/Kiev", "Etc/GMT+1"];
    assertEquals(older.filter((zone) => !isTimeZone(zone)), []);
  });

  it("F36 refuses offsets, abbreviations, Windows names and texts that are not zones", () => {
    const wrong = [
      ...["", "GMT+1", "+01:00", "UTC+1", "UTC+01:00", "Z", "CET", "EST", "Europe", "local"],
      ...["W. Europe Standard Time", "Romance Standard Time", "Europe/Kopenhagen", "Mars/Base"],
      ...["Europe/Copenhagen ", " Europe/Copenhagen", "Europe/Copenhagen\n", "../etc/passwd"],
    ];
    assertEquals(wrong.filter(isTimeZone), []);
  });

  it("F36 refuses another case, which the runtime forgives and Polars does not", () => {
    const cases = ["europe/copenhagen", "Europe/copenhagen", "EUROPE/COPENHAGEN", "utc"];
    assertEquals([...cases, "America/Port_Of_Spain"].filter(isTimeZone), []);
  });
});

describe("assertTimeZone()", () => {
  it("F36 says what is expected instead", () => {
    assertTimeZone("Asia/Kolkata");
    assertThrows(
      () => assertTimeZone("GMT+1", "zone of the turbine"),
      ArgumentError,
      'Cannot use zone of the turbine "GMT+1": it is not an IANA time zone. Give a name like "Europe/Copenhagen"',
    );
  });
});

/** The clock time of a frame for an instant in a zone; fails if Polars does not know the zone. */
function readClock(instant: string, zone: string): unknown {
  const micros = BigInt64Array.of(BigInt(Date.parse(instant)) * 1000n);
  return pl.DataFrame([
    pl.Series("t", micros as unknown as bigint[], pl.Int64).cast(pl.Datetime("us", "UTC")),
  ]).select(pl.col("t").dt.convertTimeZone(zone).dt.strftime("%Y-%m-%dT%H:%M"))
    .getColumn("t").getIndex(0);
}

describe("resolveTimeZone()", () => {
  it("F36 keeps IANA names, and calls universal time UTC whatever its name", () => {
    assertEquals(zones.filter((zone) => resolveTimeZone(zone) !== zone && zone !== "UTC"), []);
    for (const name of ["UTC", "GMT", "Z", "Etc/UTC", "Etc/GMT", " UTC ", "+00:00", "UTC+0"]) {
      assertEquals(resolveTimeZone(name), "UTC", name);
    }
  });

  it("F36 knows the names of Windows", () => {
    assertEquals(resolveTimeZone("Romance Standard Time"), "Europe/Paris");
    assertEquals(resolveTimeZone("W. Europe Standard Time"), "Europe/Berlin");
    assertEquals(resolveTimeZone("GMT Standard Time"), "Europe/London");
    assertEquals(resolveTimeZone("India Standard Time"), "Asia/Calcutta");
  });

  it("F36 reverses the signs of offsets, as in the names of Etc", () => {
    const offsets: [string, string][] = [
      ["+01:00", "Etc/GMT-1"],
      ["GMT+1", "Etc/GMT-1"],
      ["UTC+1", "Etc/GMT-1"],
      ["UTC-03:00", "Etc/GMT+3"],
      ["-0300", "Etc/GMT+3"],
      ["UTC+14", "Etc/GMT-14"],
      ["UTC-12", "Etc/GMT+12"],
    ];
    for (const [name, zone] of offsets) assertEquals(resolveTimeZone(name), zone, name);
    // Noon in London is one o'clock in a zone an hour ahead.
    assertEquals(readClock("2023-01-01T12:00Z", resolveTimeZone("UTC+1")!), "2023-01-01T13:00");
    assertEquals(readClock("2023-01-01T12:00Z", resolveTimeZone("GMT-3")!), "2023-01-01T09:00");
  });

  it("F36 does not guess minutes, abbreviations, impossible offsets and texts that are not zones", () => {
    const unknown = ["+05:30", "UTC+5:45", "CET", "EST", "CEST", "PST8PDT", "Japan", "UTC+15"];
    unknown.push("-13", "", "local", "Mars/Base", "constructor", "__proto__", "europe/paris");
    assertEquals(unknown.filter((name) => resolveTimeZone(name) !== undefined), []);
  });

  it("F36 gives only names that frames accept", () => {
    const names = [...zones, ...Object.keys(windowsZones)];
    for (let hours = -12; hours <= 14; hours++) names.push(`UTC${hours < 0 ? "" : "+"}${hours}`);
    for (const name of names) {
      const zone = resolveTimeZone(name)!;
      assertEquals(isTimeZone(zone), true, name);
      const expected = Temporal.Instant.from("2023-07-01T12:00Z").toZonedDateTimeISO(zone)
        .toPlainDateTime().toString().slice(0, 16);
      assertEquals(readClock("2023-07-01T12:00Z", zone), expected, name);
    }
  });
});

describe("startOfMonth()", () => {
  it("is midnight on the clock of the zone", () => {
    assertEquals(iso(startOfMonth(month("2023-01"), "UTC")), "2023-01-01T00:00Z");
    assertEquals(iso(startOfMonth(month("2023-01"), "Europe/Copenhagen")), "2022-12-31T23:00Z");
    assertEquals(iso(startOfMonth(month("2023-07"), "Europe/Copenhagen")), "2023-06-30T22:00Z");
    assertEquals(iso(startOfMonth(month("2023-07"), "America/Los_Angeles")), "2023-07-01T07:00Z");
  });

  it("F36 is on the half and the quarter hour in such zones", () => {
    assertEquals(iso(startOfMonth(month("2020-02"), "Asia/Kolkata")), "2020-01-31T18:30Z");
    assertEquals(iso(startOfMonth(month("2020-02"), "Asia/Kathmandu")), "2020-01-31T18:15Z");
    assertEquals(iso(startOfMonth(month("2020-01"), "America/St_Johns")), "2020-01-01T03:30Z");
    // Lord Howe Island changes by half an hour: UTC+11 in January, UTC+10:30 in July.
    assertEquals(iso(startOfMonth(month("2020-01"), "Australia/Lord_Howe")), "2019-12-31T13:00Z");
    assertEquals(iso(startOfMonth(month("2020-07"), "Australia/Lord_Howe")), "2020-06-30T13:30Z");
  });

  it("F36 is one o'clock if the first midnight of the month does not exist", () => {
    // Clocks went from 00:00 to 01:00: from UTC-4, UTC+2 and UTC+2.
    assertEquals(iso(startOfMonth(month("2000-10"), "America/Asuncion")), "2000-10-01T04:00Z");
    assertEquals(iso(startOfMonth(month("2011-04"), "Asia/Amman")), "2011-03-31T22:00Z");
    assertEquals(iso(startOfMonth(month("2014-08"), "Africa/Cairo")), "2014-07-31T22:00Z");
  });

  it("F36 is the first of two midnights if the clocks go back over it", () => {
    // In St John's 00:01 of 1 November 2009 became 23:01 of 31 October: UTC-2:30, then UTC-3:30.
    assertEquals(iso(startOfMonth(month("2009-11"), "America/St_Johns")), "2009-11-01T02:30Z");
  });

  it("F36 tiles 1990 to 2030 with months, without gap or overlap, in every zone", () => {
    for (const zone of zones) {
      // A second clock, by another library: its calendar month.
      const clock = new Intl.DateTimeFormat("en-CA", {
        timeZone: zone,
        year: "numeric",
        month: "2-digit",
        day: "2-digit",
      });
      let current = month("1990-01");
      let start = startOfMonth(current, zone);
      while (current.year < 2031) {
        const next = current.add({ months: 1 });
        const end = startOfMonth(next, zone);
        const place = `${zone} ${current}`;
        // The first day can be cut short by a change of the rules, by 24 hours at most.
        const days = (end - start) / (24 * HOUR);
        assert(Math.abs(days - current.daysInMonth) <= 1, `${place} has ${days} days`);
        assertEquals(clock.format(start), `${current}-01`, place);
        assertEquals(clock.format(end - 1).slice(0, 7), String(current), place);
        assertEquals(monthAt(start, zone).equals(current), true, place);
        assertEquals(monthAt(end - 1, zone).equals(current), true, place);
        current = next;
        start = end;
      }
    }
  });
});

describe("startOfDay()", () => {
  it("F36 gives days of 23 and 25 hours", () => {
    const length = (text: string, zone: string) =>
      (startOfDay(day(text).add({ days: 1 }), zone) - startOfDay(day(text), zone)) / HOUR;
    assertEquals(length("2023-03-26", "Europe/Copenhagen"), 23);
    assertEquals(length("2023-10-29", "Europe/Copenhagen"), 25);
    assertEquals(length("2023-10-01", "Australia/Lord_Howe"), 23.5);
  });

  it("F36 is the first instant of a day whose midnight does not exist", () => {
    // Brazil's summer time began at midnight of 4 November 2018, UTC-3 to UTC-2.
    assertEquals(iso(startOfDay(day("2018-11-04"), "America/Sao_Paulo")), "2018-11-04T03:00Z");
  });

  it("F36 gives a day that a zone skipped no length", () => {
    // Samoa crossed the date line, so 30 December 2011 did not exist.
    const [before, after] = ["2011-12-30", "2011-12-31"]
      .map((text) => iso(startOfDay(day(text), "Pacific/Apia")));
    assertEquals(before, after);
  });
});

describe("monthAt()", () => {
  it("is the month on the clock of the zone, not in UTC", () => {
    const instant = Date.UTC(2023, 0, 31, 23, 30);
    assertEquals(String(monthAt(instant, "UTC")), "2023-01");
    assertEquals(String(monthAt(instant, "Europe/Copenhagen")), "2023-02");
    assertEquals(String(monthAt(instant, "America/New_York")), "2023-01");
  });
});

describe("monthAsDays() and monthOfDays()", () => {
  it("count days from 1970-01-01, back and forth", () => {
    // 365 x 53 + 13 leap days (1972 to 2020) = 19,358
    assertEquals(monthAsDays(month("2023-01")), 19_358);
    assertEquals(monthAsDays(month("1970-01")), 0);
    assertEquals(monthAsDays(month("1969-12")), -31);
    assertEquals(String(monthOfDays(19_358)), "2023-01");
    assertEquals(String(monthOfDays(19_357)), "2022-12");
    assertEquals(String(monthOfDays(-1)), "1969-12");
  });
});

describe("monthNumberOf()", () => {
  it("counts months without a step at the turn of the year", () => {
    const numbers = ["2022-12", "2023-01", "2023-02"].map((text) => monthNumberOf(month(text)));
    assertEquals(numbers, [24_275, 24_276, 24_277]); // 2023 x 12 = 24,276
  });
});
