import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { findClockChanges } from "../../../src/screening/shift/clock_change.ts";
import { places } from "../_series.ts";

const HOUR = 3_600_000;

/** Stamps of real hours of two years from 1 January 2022 on, ms, every so many minutes. */
function instants(minutes = 60, years = 2): Float64Array {
  const first = Date.parse("2022-01-01T00:00Z");
  const count = years * 365 * 24 * 60 / minutes;
  return Float64Array.from({ length: count }, (_, i) => first + i * minutes * 60_000);
}

/** The same on the clock of the zone, read as stamps at an offset, hours. */
function asLocal(stamps: Float64Array, zone: string, offset = 0): Float64Array {
  return stamps.map((stamp) =>
    stamp - offset * HOUR +
    Temporal.Instant.fromEpochMilliseconds(stamp).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6
  );
}

describe("findClockChanges()", () => {
  it("finds local time that was read as UTC, in hours and in ten minutes", () => {
    for (const zone of ["Europe/London", "Europe/Copenhagen", "America/New_York"]) {
      for (const minutes of [60, 10]) {
        const stamps = asLocal(instants(minutes), zone);
        const findings = findClockChanges(stamps, zone);
        assertEquals(places(findings), [["clock_change", 0, stamps.length]], zone);
        assertStringIncludes(findings[0].message, `local time of ${zone} read as UTC`);
        assertStringIncludes(findings[0].message, "no row in the hour that its clocks skip");
        assertStringIncludes(findings[0].message, "two rows in the hour that its clocks repeat");
      }
    }
  });

  it("finds it if the source dropped the repeated hour, or filled the skipped one", () => {
    const london = asLocal(instants(), "Europe/London");
    const dropped = Float64Array.from(new Set(london));
    const [{ message }] = findClockChanges(dropped, "Europe/London");
    assert(message.endsWith("no row in the hour that its clocks skip (2022-03-27 to 2023-03-26)"));
    const skipped = ["2022-03-27T01:00Z", "2023-03-26T01:00Z"].map((text) => Date.parse(text));
    const filled = Float64Array.of(...london, ...skipped).sort();
    const [second] = findClockChanges(filled, "Europe/London");
    assert(second.message.endsWith("hour that its clocks repeat (2022-10-30 to 2023-10-29)"));
  });

  it("finds it if the stamps were read at the offset of winter", () => {
    const [{ message }] = findClockChanges(
      asLocal(instants(), "Europe/Copenhagen", 1),
      "Europe/Copenhagen",
    );
    assertStringIncludes(message, "read as a fixed offset from UTC");
  });

  it("finds nothing in UTC, in zones without changes, in gaps elsewhere or without stamps", () => {
    for (const zone of ["Europe/London", "Europe/Copenhagen", "Asia/Kolkata", "UTC"]) {
      assertEquals(findClockChanges(instants(), zone), []);
    }
    const holed = instants().filter((_, i) => i % 97 !== 0);
    assertEquals(findClockChanges(holed, "Europe/London"), []);
    // An hour missing by chance in one of two springs does not show a clock.
    const spring = Date.parse("2022-03-27T01:00Z");
    assertEquals(findClockChanges(instants().filter((s) => s !== spring), "Europe/London"), []);
    assertEquals(findClockChanges(new Float64Array(0), "Europe/London"), []);
    assertEquals(findClockChanges(Float64Array.of(NaN, NaN, 0), "Europe/London"), []);
  });

  it("does not take rows that are duplicated everywhere for a clock that goes back", () => {
    const duplicated = Float64Array.from([...instants(), ...instants()]);
    assertEquals(findClockChanges(duplicated, "Europe/London").length, 0);
  });
});
