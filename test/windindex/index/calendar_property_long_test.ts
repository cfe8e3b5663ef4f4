import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { HOUR, type HourAxis } from "../../../src/time/hourly.ts";
import { listMonthSpans, type MonthSpan } from "../../../src/windindex/index/monthly_energy.ts";
import { at, hours, uniforms } from "../_synthetic.ts";

// Properties of the local calendar over all zones of the runtime and the years of ERA5, 1940 to 2025. Facts to check by
// hand are in calendar_edges_test.ts, energies in calendar_energy_test.ts.

const zones = [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC"])];
const [FIRST_YEAR, LAST_YEAR] = [1940, 2025];

/** Zones with odd rules: tested in every month of every year. */
const ODD_ZONES = [
  ...["Africa/Cairo", "Africa/Monrovia", "America/Asuncion", "America/Caracas", "America/Havana"],
  ...["America/Paramaribo", "America/Sao_Paulo", "America/St_Johns", "Antarctica/Casey"],
  ...["Antarctica/Troll", "Asia/Beirut", "Asia/Gaza", "Asia/Kathmandu", "Asia/Kolkata"],
  ...["Asia/Pyongyang", "Atlantic/Azores", "Australia/Lord_Howe", "Europe/Amsterdam"],
  ...["Europe/Copenhagen", "Pacific/Apia", "Pacific/Kiritimati", "Pacific/Kwajalein"],
];

/**
 * The only hour of 1940 to 2025, in all zones, that lies in an earlier month than the hour before it:
 * calendar_edges_test.ts has a test for it.
 */
const TURNED_BACK = "2009-10-31T23:30:00-03:30[America/St_Johns]";

const clockAt = (instant: number, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);

/** Position of a month on the line of all months, without zones.ts. */
const lineOf = ({ year, month }: { readonly year: number; readonly month: number }): number =>
  year * 12 + month;

/** The first instant of a local month by bisection, on the clock of Temporal alone. Changes are on whole seconds. */
function firstInstant(year: number, month: number, zone: string): number {
  let before = Date.UTC(year, month - 1, 1) / 1000 - 27 * 3600;
  let after = before + 54 * 3600;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (lineOf(clockAt(middle * 1000, zone)) < lineOf({ year, month })) before = middle;
    else after = middle;
  }
  return after * 1000;
}

/** A year in UTC and a day and a half around it, which contains the local year of every zone. */
const around = (year: number): HourAxis =>
  hours(`${year - 1}-12-30T12:00Z`, `${year + 1}-01-02T12:00Z`);

/** Hours of the axis that Temporal's clock puts in another month than their span. */
function misplaced(axis: HourAxis, spans: readonly MonthSpan[], zone: string, tested: number[]) {
  const wrong: string[] = [];
  for (const i of tested) {
    const span = spans.find(({ from, to }) => i >= from && i < to);
    const clock = clockAt(axis.start + i * HOUR, zone);
    if (span && lineOf(span) === lineOf(clock) || clock.toString() === TURNED_BACK) continue;
    wrong.push(`${clock} is in ${span?.year}-${span?.month}`);
  }
  return wrong;
}

/** Positions around both ends of each span, and one inside. */
const aroundSpans = (spans: readonly MonthSpan[], random: () => number): number[] =>
  spans.flatMap(({ from, to }) => [
    ...[from, from + 1, from + 2, to - 3, to - 2, to - 1],
    from + Math.floor((to - from) * random()),
  ]);

describe("listMonthSpans(), in every zone", () => {
  it("F36 tiles any axis: no hole, no overlap, no month left out, none outside of the axis", () => {
    const random = uniforms(41);
    const [first, last] = [at("1940-01-01T00:00Z"), at("2025-12-31T00:00Z")];
    for (const zone of zones) {
      for (let n = 0; n < 3; n++) {
        // From an hour to four years, on whole hours of UTC or the half and quarter hours of other clocks.
        const shift = n === 2 ? 15 * Math.floor(4 * random()) * 60_000 : 0;
        const axis = {
          start: first + Math.floor(random() * (last - first) / HOUR) * HOUR + shift,
          length: 1 + Math.floor(random() ** 4 * 4 * 8766),
        };
        const spans = listMonthSpans(axis, zone);
        const label = `${zone} from ${new Date(axis.start).toISOString()}, ${axis.length} h`;
        assert(spans[0].from <= 0 && spans[0].to > 0, label);
        assert(spans[spans.length - 1].from < axis.length, label);
        assert(spans[spans.length - 1].to >= axis.length, label);
        for (const [i, span] of spans.entries()) {
          assert(Number.isInteger(span.from) && span.to > span.from, label);
          if (i === 0) continue;
          assertEquals(span.from, spans[i - 1].to, label);
          assertEquals(lineOf(span), lineOf(spans[i - 1]) + 1, label);
        }
      }
    }
  });

  it("F36 puts each hour into the local month in which it starts, in three random years for each zone", () => {
    const random = uniforms(42);
    for (const zone of zones) {
      for (let n = 0; n < 3; n++) {
        const axis = around(FIRST_YEAR + Math.floor(random() * (LAST_YEAR - FIRST_YEAR + 1)));
        const spans = listMonthSpans(axis, zone);
        assertEquals(misplaced(axis, spans, zone, aroundSpans(spans, random)), []);
      }
    }
  });

  it("F36 does so in all months of 1940 to 2025 in zones with odd rules", () => {
    const random = uniforms(43);
    const axis = hours("1939-12-30T12:00Z", "2026-01-02T12:00Z");
    for (const zone of ODD_ZONES) {
      const spans = listMonthSpans(axis, zone);
      assertEquals(spans.filter(({ year }) => year >= 1940 && year <= 2025).length, 86 * 12);
      for (const span of spans) {
        assertEquals(misplaced(axis, [span], zone, aroundSpans([span], random)), []);
      }
    }
  });

  it("F36 does so in each hour around every clock change within a day of the first of a month", () => {
    let changes = 0;
    for (const zone of zones) {
      let change = clockAt(at("1940-01-01T00:00Z"), zone).getTimeZoneTransition("next");
      for (; change && change.year <= LAST_YEAR; change = change.getTimeZoneTransition("next")) {
        if (change.day > 2 && change.day < change.daysInMonth - 1) continue;
        changes++;
        const axis = { start: Math.floor(change.epochMilliseconds / HOUR - 26) * HOUR, length: 52 };
        const all = Array.from({ length: axis.length }, (_, i) => i);
        assertEquals(misplaced(axis, listMonthSpans(axis, zone), zone, all), []);
      }
    }
    assert(changes > 1500, `${changes} changes`); // about 4 in 30 of some 20,000
  });

  it("F36 gives months and years the hours that pass between their first instants", () => {
    const random = uniforms(44);
    for (const zone of zones) {
      const year = FIRST_YEAR + Math.floor(random() * (LAST_YEAR - FIRST_YEAR + 1));
      const axis = around(year);
      const spans = listMonthSpans(axis, zone).filter((span) => span.year === year);
      const starts = Array.from({ length: 12 }, (_, i) => firstInstant(year, i + 1, zone));
      starts.push(firstInstant(year + 1, 1, zone));
      /** Whole hours if the clock has the same offset at both ends; else an hour counts where it starts. */
      const assertHours = (hours: number, begin: number, end: number, label: string) => {
        const elapsed = (end - begin) / HOUR;
        assert(Math.abs(hours - elapsed) < 1, `${zone} ${label}: ${hours} h of ${elapsed}`);
        if (Number.isInteger(elapsed)) assertEquals(hours, elapsed, `${zone} ${label}`);
      };
      assertEquals(spans.map(({ month }) => month), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
      for (const [i, { month, from, to }] of spans.entries()) {
        assertHours(to - from, starts[i], starts[i + 1], `${year}-${month}`);
      }
      const total = spans.reduce((sum, { from, to }) => sum + to - from, 0);
      assertHours(total, starts[0], starts[12], String(year));
    }
  });

  it("F36 counts the hours of months with a clock change, one by one, including days of 23 and 25", () => {
    const random = uniforms(45);
    const lengths = new Set<number>();
    for (const zone of zones) {
      const [changes, end] = [[] as Temporal.ZonedDateTime[], at("2025-12-31T00:00Z")];
      let change = clockAt(at("1940-02-01T00:00Z"), zone).getTimeZoneTransition("next");
      for (
        ;
        change && change.epochMilliseconds < end;
        change = change.getTimeZoneTransition("next")
      ) {
        changes.push(change);
      }
      if (changes.length === 0) continue;
      const { year, month } = changes[Math.floor(random() * changes.length)];
      const axis = { start: Date.UTC(year, month - 1, 1) - 27 * HOUR, length: 800 };
      const span = listMonthSpans(axis, zone).find((one) =>
        lineOf(one) === lineOf({ year, month })
      )!;
      const days = new Map<number, number>();
      for (let i = 0; i < axis.length; i++) {
        const clock = clockAt(axis.start + i * HOUR, zone);
        if (clock.month === month) days.set(clock.day, (days.get(clock.day) ?? 0) + 1);
      }
      const counted = [...days.values()].reduce((sum, count) => sum + count, 0);
      assertEquals(span.to - span.from, counted, `${zone} ${year}-${month}`);
      for (const count of days.values()) lengths.add(count);
    }
    assert([23, 24, 25].every((length) => lengths.has(length)), [...lengths].join());
  });

  it("F37 gives the 29th of February its 24 hours in leap years, and other years no such day", () => {
    const random = uniforms(46);
    for (const zone of zones) {
      const leap = 1940 + 4 * Math.floor(22 * random()); // 1940 to 2024, 2000 among them
      for (const year of [leap, leap + 1]) {
        const axis = around(year);
        const { from, to } = listMonthSpans(axis, zone)
          .find((span) => span.year === year && span.month === 2)!;
        const clocks = [from, to - 25, to - 24, to - 1]
          .map((i) => clockAt(axis.start + i * HOUR, zone));
        const offsets = new Set(clocks.map(({ offset }) => offset));
        if (offsets.size > 1) continue; // a clock change in February
        const last = year === leap ? 29 : 28;
        assertEquals(clocks.map(({ day }) => day), [1, last - 1, last, last], `${zone} ${year}`);
        assertEquals(to - from, last * 24, `${zone} ${year}`); // 696 or 672
      }
    }
  });
});
