import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { HOUR } from "../../../src/time/hourly.ts";
import { monthAsDays, monthNumberOf, monthOfDays, monthOfNumber } from "../../../src/time/zones.ts";
import { listMonthSpans, type MonthSpan } from "../../../src/windindex/index/monthly_energy.ts";
import { hours, uniforms } from "../_synthetic.ts";

// Months to check by hand, next to the rule of the clock. See also the half-hour zones of monthly_energy_test.ts and
// the starts of months in test/time/zones_long_test.ts.

/** UTC hours around a local month, with a few days on both sides. */
function axisAround(month: string) {
  const first = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 });
  return hours(`${first.subtract({ days: 5 })}T00:00Z`, `${first.add({ days: 37 })}T00:00Z`);
}

/** First hour of a local month, "2018-01-01T00:00Z", and the number of hours that start in it. */
function monthIn(zone: string, month: string): [string, number] {
  const axis = axisAround(month);
  const span = spanOf(listMonthSpans(axis, zone), month);
  const first = new Date(axis.start + span.from * HOUR).toISOString();
  return [`${first.slice(0, 16)}Z`, span.to - span.from];
}

const spanOf = (spans: readonly MonthSpan[], name: string): MonthSpan =>
  spans.find(({ year, month }) => `${year}-${String(month).padStart(2, "0")}` === name)!;

/** Local clock times at the hours of a month: positions from its first hour, -1 is the hour before. */
function clocksFrom(zone: string, month: string, positions: readonly number[]): string[] {
  const axis = axisAround(month);
  const { from } = spanOf(listMonthSpans(axis, zone), month);
  return positions.map((i) =>
    Temporal.Instant.fromEpochMilliseconds(axis.start + (from + i) * HOUR)
      .toZonedDateTimeISO(zone).toPlainDateTime().toString().slice(5, 16)
  );
}

describe("listMonthSpans() by hand", () => {
  const months: [string, string, string, number, string][] = [
    // War time ended on 15 May 1942 (+06:30 to +05:30) and 15 October 1945: 31 x 24 + 1 h.
    ["Asia/Kolkata", "1942-05", "1942-04-30T18:00Z", 745, "begins 17:30Z, ends 18:30Z"],
    ["Asia/Kolkata", "1945-10", "1945-09-30T18:00Z", 745, "begins 17:30Z, ends 18:30Z"],
    // Summer time of half an hour, +11 and +10:30: 720.5 h, then 743.5 h.
    ["Australia/Lord_Howe", "2020-04", "2020-03-31T13:00Z", 721, "begins 13:00Z, ends 13:30Z"],
    ["Australia/Lord_Howe", "2020-10", "2020-09-30T14:00Z", 743, "begins 13:30Z, ends 13:00Z"],
    // Across the date line: 30 December 2011, 21 August 1993 and 31 December 1994 never existed.
    ["Pacific/Apia", "2011-12", "2011-12-01T10:00Z", 720, "30 days"],
    ["Pacific/Apia", "2012-01", "2011-12-31T10:00Z", 744, "31 days"],
    ["Pacific/Kwajalein", "1993-08", "1993-08-01T12:00Z", 720, "30 days"],
    ["Pacific/Kiritimati", "1994-12", "1994-12-01T10:00Z", 720, "30 days"],
    // The other way: from +11 to -12 on 1 October 1969, 30 September came nearly twice: 720 + 23 h.
    ["Pacific/Kwajalein", "1969-09", "1969-08-31T13:00Z", 743, "23 hours more"],
    // Local mean time, -00:44:30, until 7 January 1972: 744 h less 44.5 minutes.
    ["Africa/Monrovia", "1971-12", "1971-12-01T01:00Z", 744, "begins and ends 00:44:30Z"],
    ["Africa/Monrovia", "1972-01", "1972-01-01T01:00Z", 743, "begins 00:44:30Z, ends 00:00Z"],
    // From +05:30 to +05:45 at midnight: 743.75 h.
    ["Asia/Kathmandu", "1986-01", "1985-12-31T19:00Z", 744, "begins 18:30Z, ends 18:15Z"],
    // From -04:00 to -04:30 on 9 December 2007, and back on 1 May 2016.
    ["America/Caracas", "2007-12", "2007-12-01T04:00Z", 745, "begins 04:00Z, ends 04:30Z"],
    ["America/Caracas", "2016-05", "2016-05-01T05:00Z", 743, "begins 04:30Z, ends 04:00Z"],
    // From +09:00 to +08:30 on 15 August 2015, and back on 5 May 2018.
    ["Asia/Pyongyang", "2015-08", "2015-07-31T15:00Z", 745, "begins 15:00Z, ends 15:30Z"],
    ["Asia/Pyongyang", "2018-05", "2018-04-30T16:00Z", 743, "begins 15:30Z, ends 15:00Z"],
    // Double summer time: two hours forward, from -03:30, on 3 April 1988, back on 30 October.
    ["America/St_Johns", "1988-04", "1988-04-01T04:00Z", 718, "begins 03:30Z, ends 01:30Z"],
    ["America/St_Johns", "1988-10", "1988-10-01T02:00Z", 746, "begins 01:30Z, ends 03:30Z"],
    ["Antarctica/Troll", "2025-03", "2025-03-01T00:00Z", 742, "from UTC to +02:00"],
    // New Year 1996 began at three o'clock: from -03:00 to UTC.
    ["America/Danmarkshavn", "1996-01", "1996-01-01T03:00Z", 741, "begins 03:00Z, ends 00:00Z"],
    ["UTC", "2000-02", "2000-02-01T00:00Z", 696, "2000 is a leap year"],
    ["UTC", "1900-02", "1900-02-01T00:00Z", 672, "1900 and 2100 are none"],
    ["UTC", "2100-02", "2100-02-01T00:00Z", 672, "1900 and 2100 are none"],
  ];
  for (const [zone, month, first, count, why] of months) {
    it(`F36 gives ${month} in ${zone} ${count} hours: ${why}`, () => {
      assertEquals(monthIn(zone, month), [first, count]);
    });
  }

  it("F36 follows the summer time of Denmark through 45 years: it ended in September until 1995", () => {
    const axis = hours("1980-12-31T23:00Z", "2025-12-31T23:00Z");
    const spans = listMonthSpans(axis, "Europe/Copenhagen");
    assertEquals(spans.length, 45 * 12);
    for (const { year, month, from, to } of spans) {
      const days = Temporal.PlainYearMonth.from({ year, month }).daysInMonth;
      const back = year < 1996 ? 9 : 10;
      const more = month === 3 ? -1 : month === back ? 1 : 0;
      assertEquals(to - from, 24 * days + more, `${year}-${month}`);
    }
    // 45 years of 365 days and 11 leap days (1984 to 2024).
    assertEquals(spans[spans.length - 1].to, (45 * 365 + 11) * 24);
  });

  // Clocks went from 00:00 to 01:00 on the first of the month, and not back before its end.
  const missing = [
    ...[["America/Sao_Paulo", "1965-12"], ["America/Sao_Paulo", "1967-11"]],
    ...[["Africa/Cairo", "2014-08"], ["America/Asuncion", "2023-10"], ["Asia/Beirut", "1992-05"]],
    ...[["America/Havana", "2012-04"], ["Asia/Damascus", "2011-04"], ["Asia/Gaza", "2007-04"]],
  ];
  for (const [zone, month] of missing) {
    it(`F36 begins ${month} in ${zone} at one o'clock: its midnight did not exist`, () => {
      const { daysInMonth } = Temporal.PlainYearMonth.from(month);
      assertEquals(monthIn(zone, month)[1], 24 * daysInMonth - 1);
      const [before, first] = clocksFrom(zone, month, [-1, 0]);
      assertEquals([before.slice(6), first], ["23:00", `${month.slice(5)}-01T01:00`]);
    });
  }

  // Clocks went from 01:00 to 00:00 on the first of the month.
  const twice = [
    ...[["America/Havana", "2015-11"], ["America/Havana", "2020-11"], [
      "America/Managua",
      "2006-10",
    ]],
    ...[["Europe/Rome", "1972-10"], ["Europe/Madrid", "1944-10"], ["Europe/Malta", "1972-10"]],
  ];
  for (const [zone, month] of twice) {
    it(`F36 gives ${month} in ${zone} both hours from midnight`, () => {
      const { daysInMonth } = Temporal.PlainYearMonth.from(month);
      assertEquals(monthIn(zone, month)[1], 24 * daysInMonth + 1);
      const first = `${month.slice(5)}-01T`;
      assertEquals(clocksFrom(zone, month, [0, 1, 2]), [
        ...[`${first}00:00`, `${first}00:00`, `${first}01:00`],
      ]);
    });
  }

  // Clocks went from 00:01 of the first back to 23:01 of the old month: a minute of the new month came before it.
  const turned = [
    ["America/Goose_Bay", "2009-11"],
    ["America/Phoenix", "1944-10"],
    ["America/Phoenix", "1944-01"],
  ];
  for (const [zone, month] of turned) {
    it(`F36 begins ${month} in ${zone} with both hours that start at midnight`, () => {
      // Hours of whole offsets start at 00:00, a minute before the change and an hour after that.
      const first = `${month.slice(5)}-01T`;
      const clocks = clocksFrom(zone, month, [-1, 0, 1, 2]);
      assertEquals(clocks.slice(1), [`${first}00:00`, `${first}00:00`, `${first}01:00`]);
      assertEquals(clocks[0].slice(6), "23:00");
    });
  }

  it("F36 keeps the hour that starts 23:30 of 31 October 2009 for the second time in October, in St John's", () => {
    // 00:01 of 1 November was set back to 23:01 of 31 October: -02:30 to -03:30 at 02:31Z. The hours from 02:00Z and
    // from 03:00Z both start at 23:30 of 31 October, the hour from 04:00Z at 00:30.
    assertEquals(monthIn("America/St_Johns", "2009-11")[0], "2009-11-01T04:00Z");
    assertEquals(clocksFrom("America/St_Johns", "2009-11", [-2, -1, 0]), [
      ...["10-31T23:30", "10-31T23:30", "11-01T00:30"],
    ]);
  });
});

describe("months as numbers", () => {
  const all = Array.from(
    { length: 301 * 12 },
    (_, i) => Temporal.PlainYearMonth.from({ year: 1800 + Math.floor(i / 12), month: i % 12 + 1 }),
  );

  it("monthOfDays() returns a month from each of its days, and monthAsDays() its first day", () => {
    const random = uniforms(51);
    for (const month of all) {
      const days = monthAsDays(month);
      // Date has a different calendar than Temporal: it counts milliseconds.
      assertEquals(days, Date.UTC(month.year, month.month - 1, 1) / 86_400_000, String(month));
      const { daysInMonth } = month;
      for (const day of [0, Math.floor(daysInMonth * random()), daysInMonth - 1]) {
        assertEquals(String(monthOfDays(days + day)), String(month), `day ${day + 1}`);
      }
      assertEquals(monthAsDays(monthOfDays(days)), days);
    }
  });

  it("monthOfNumber() inverts monthNumberOf(), which rises by one from month to month", () => {
    for (const [i, month] of all.entries()) {
      const number = monthNumberOf(month);
      assertEquals(number, 1800 * 12 + i);
      assertEquals(String(monthOfNumber(number)), String(month));
      assertEquals(monthNumberOf({ year: month.year, month: month.month }), number);
    }
  });

  it("F37 keeps the leap days of 1996 and 2000, and none in 1900", () => {
    const february = (year: number) =>
      monthAsDays(Temporal.PlainYearMonth.from({ year, month: 3 })) -
      monthAsDays(Temporal.PlainYearMonth.from({ year, month: 2 }));
    assertEquals([1900, 1995, 1996, 2000, 2024, 2100].map(february), [28, 28, 29, 29, 29, 28]);
    assertEquals(String(monthOfDays(11_016)), "2000-02"); // 30 x 365 + 7 leap days + 31 + 28: the 29th
    assertEquals(String(monthOfDays(11_017)), "2000-03");
  });
});
