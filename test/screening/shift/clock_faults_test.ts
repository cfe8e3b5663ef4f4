import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { findClockFaults } from "../../../src/screening/shift/clock_faults.ts";
import { listMonthSpans } from "../../../src/windindex/index/monthly_energy.ts";
import { formatMonthLabel } from "../../../src/time/zones.ts";
import { drifting, places } from "../_series.ts";
import { buildWorld, offsetAt, START, writeLate } from "./_clocks.ts";

const DAYS = 500;
const LENGTH = 24 * DAYS;
const timeZone = "Europe/London";
const options = { start: START, timeZone, seed: 1 };

function judge(
  produced: Float64Array,
  modelled: Float64Array,
  perHour = 1,
  stampZone?: string,
) {
  const months = listMonthSpans({ start: START, length: produced.length / perHour }, timeZone)
    .map(({ year, month, from, to }) => ({
      label: formatMonthLabel({ year, month }),
      from: Math.max(0, from * perHour),
      to: Math.min(produced.length, to * perHour),
    }));
  return findClockFaults(produced, modelled, months, { ...options, perHour, stampZone });
}

const judgeClock = (name: string, hoursAt: (i: number) => number) => {
  const { produced, modelled } = buildWorld(DAYS, name);
  return judge(writeLate(produced, hoursAt), modelled);
};

/** How far a position is from a day, days. */
const awayFrom = (position: number, day: number) => Math.abs(position / 24 - day);

describe("findClockFaults()", () => {
  it("S7: finds a clock that is an hour late from a day on, with day, size and interval", () => {
    const [{ kind, from, to, message }, ...others] = judgeClock("late", (i) => i < 4800 ? 0 : 1);
    assertEquals(others, []);
    assertEquals([kind, to], ["clock_step", LENGTH]);
    assert(awayFrom(from, 200) <= 3, message);
    assert(
      /^production comes 1 h later from 2021-07-2\d on( \(90 % interval 2021-07-\d\d to 2021-07-\d\d\))? than before. It lags the model by (0\.9|1\.0)\d h, before that day by -?0\.0\d h \(90 % interval of the difference [01]\.\d\d to 1\.\d\d h\)$/
        .test(message),
      message,
    );
  });

  it("S7: finds when a wrong clock was corrected, and marks the time before", () => {
    const [{ kind, from, to, message }, ...others] = judgeClock("right", (i) => i < 4800 ? -2 : 0);
    assertEquals(others, []);
    assertEquals([kind, from], ["clock_step", 0]);
    assert(awayFrom(to, 200) <= 3, message);
    assertStringIncludes(message, "production comes 2 h later from 2021-07-");
  });

  it("finds both days of a clock that was wrong for some months", () => {
    const findings = judgeClock("months", (i) => i >= 24 * 170 && i < 24 * 330 ? 1 : 0);
    assertEquals(findings.map(({ kind }) => kind), ["clock_step", "clock_step"]);
    for (const { from, to } of findings) {
      assert(awayFrom(from, 170) <= 3 && awayFrom(to, 330) <= 3, `${from} ${to}`);
    }
  });

  it("S7: finds local summer time read as UTC, not a change from a day on", () => {
    const findings = judgeClock("summer", (i) => offsetAt(i, timeZone));
    assertEquals(places(findings), [["clock_change", 0, LENGTH]]);
    assertStringIncludes(
      findings[0].message,
      "h later in summer than in winter. It lags the model",
    );
    assertStringIncludes(findings[0].message, "h in summer time of Europe/London and ");
    assertStringIncludes(
      findings[0].message,
      "as if local time were read as UTC or at a fixed offset",
    );
    const [{ message }] = judgeClock("back", (i) => -offsetAt(i, timeZone));
    assertStringIncludes(message, "h earlier in summer than in winter");
    assertStringIncludes(message, "as if UTC, or a fixed offset from it, were read as local time");
  });

  it("N4: finds a clock that is wrong all year, and more so in summer, as one", () => {
    const findings = judgeClock("Paris", (i) => offsetAt(i, timeZone) + 1);
    assertEquals(places(findings), [["clock_change", 0, LENGTH]]);
    assertMatch(
      findings[0].message,
      /It lags the model by (1\.9|2\.0)\d h in summer time of Europe\/London and by (0\.9|1\.0)\d h in/,
    );
  });

  it("N4, N15: advises the zone that fixes a clock, given the zone of its stamps, and none if none does", () => {
    const advise = (direction: number, winter: number, stampZone: string) => {
      const late = (i: number) => direction * (offsetAt(i, timeZone) + winter);
      const { produced, modelled } = buildWorld(DAYS, "advice");
      const [{ message, remedy = "" }] = judge(writeLate(produced, late), modelled, 1, stampZone);
      return `${message}. ${remedy}`;
    };
    const utcAsLocal = advise(-1, 0, "Europe/London");
    assertStringIncludes(
      utcAsLocal,
      "as if timestamps of UTC were read as Europe/London. Read them as UTC",
    );
    assertStringIncludes(
      utcAsLocal,
      "keep only one of the two rows of each hour that the clocks repeat",
    );
    assertStringIncludes(advise(-1, 1, "Europe/London"), "Read them as Etc/GMT+1, from a copy");
    const already = advise(-1, 0, "UTC");
    assertStringIncludes(
      already,
      "although the timestamps are declared as UTC, which has no summer time",
    );
    assertStringIncludes(already, "No other time zone fixes this");
    assertStringIncludes(advise(1, 0, "UTC"), "as if timestamps of Europe/London were read as UTC");
    assertStringIncludes(advise(1, 0, "Europe/London"), "No other time zone fixes this");
  });

  it("S7: finds it in half a year, and distinguishes it from a change three weeks later", () => {
    const { produced, modelled } = buildWorld(180, "half a year");
    const spring = writeLate(produced, (i) => offsetAt(i, timeZone)); // the clock changes on day 86
    assertEquals(judge(spring, modelled).map(({ kind }) => kind), ["clock_change"]);
    const later = judgeClock("later", (i) => i < 24 * 107 ? 0 : 1);
    assertEquals(later.map(({ kind }) => kind), ["clock_step"]);
    assert(awayFrom(later[0].from, 107) <= 3);
  });

  it("S13: finds a shift of the whole record as one", () => {
    for (const hours of [-3, -1, 1, 2]) {
      const findings = judgeClock(`whole ${hours}`, () => hours);
      assertEquals(places(findings), [["shift", 0, LENGTH]]);
      assertStringIncludes(
        findings[0].message,
        ` h ${hours > 0 ? "later" : "earlier"} than the model: lag of `,
      );
    }
  });

  it("finds nothing if the clock is right, or the model has other weather", () => {
    for (let world = 0; world < 20; world++) {
      assertEquals(judgeClock(`clean ${world}`, () => 0), []);
      assertEquals(judge(drifting(LENGTH, world), drifting(LENGTH, `other ${world}`)), []);
    }
  });

  it("finds the day in values finer than hourly, if the model has whole hours", () => {
    const { produced, modelled } = buildWorld(DAYS, "fine");
    const late = writeLate(produced, (i) => i < 4800 ? 0 : 1);
    const spread = (values: Float64Array, between: (i: number) => number) =>
      Float64Array.from(
        { length: 2 * LENGTH },
        (_, i) => i % 2 === 1 ? values[(i - 1) / 2] : between(i / 2),
      );
    const [{ kind, from, to }] = judge(
      spread(late, (i) => (late[i] + (late[i - 1] ?? NaN)) / 2),
      spread(modelled, () => NaN),
      2,
    );
    assertEquals([kind, to], ["clock_step", 2 * LENGTH]);
    assert(awayFrom(from / 2, 200) <= 3);
  });

  it("returns the same for the same seed, and judges nothing without values", () => {
    assertEquals(
      judgeClock("same", (i) => i < 4800 ? 0 : 1),
      judgeClock("same", (i) => i < 4800 ? 0 : 1),
    );
    const empty = new Float64Array(0);
    assertEquals(judge(empty, empty), []);
    const { produced, modelled } = buildWorld(100, "nothing");
    assertEquals(judge(produced, modelled.map(() => NaN)), []);
    assertEquals(judge(produced.map(() => 5), modelled), []);
  });
});
