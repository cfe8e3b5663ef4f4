/** Passes of stamps in a repeated hour. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { buildLocalClock, type PassRule } from "../../src/time/local_clock.ts";
import { findRepeatingZone } from "../../src/time/hourly.ts";

const DAY = "2023-10-29";
const microsOf = (clock: string) => Date.parse(`${DAY}T${clock}Z`) * 1000;

/** Instants in UTC of local times in London, and the first unclear one. */
function read(clocks: readonly string[], rule?: PassRule) {
  const clock = buildLocalClock("Europe/London", rule);
  const instants = clocks.map((text, i) =>
    new Date(clock.toInstant(microsOf(text), i) / 1000).toISOString().slice(11, 16)
  );
  const unclear = clock.findUnclearHour();
  return { instants, unclear: unclear && clocks[unclear.line] };
}

describe("buildLocalClock()", () => {
  const tens = ["01:00", "01:10", "01:20", "01:30", "01:40", "01:50"];
  const copies = (clocks: readonly string[]) => clocks.flatMap((clock) => [clock, clock, clock]);

  it("H1: counts equal neighbours as copies if rows may repeat a time", () => {
    const times = ["00:50", ...copies(tens), ...copies(tens), "02:00"];
    const { instants, unclear } = read(times, "copies");
    assertEquals(unclear, undefined);
    assertEquals(new Set(instants.slice(1, 19)), new Set(tens.map((t) => t.replace("01", "00"))));
    assertEquals(new Set(instants.slice(19, 37)), new Set(tens));
    const once = read(["00:50", ...copies(tens), "02:00"], "copies");
    assertEquals(once.unclear, "01:00");
  });

  it("H1: starts again with each block of rows", () => {
    const block = ["00:50", ...tens, ...tens, "02:00"];
    const { instants, unclear } = read([...block, ...block], "copies");
    assertEquals(unclear, undefined);
    assertEquals(instants.slice(0, 14), instants.slice(14));
  });

  it("H1: reads an hour of which a row is missing in one pass", () => {
    const { instants, unclear } = read([...tens, "01:00", "01:20", "01:40", "02:00"]);
    assertEquals(unclear, undefined);
    assertEquals(instants.slice(-4), ["01:00", "01:20", "01:40", "02:00"]);
    assertEquals(instants[1], "00:10");
  });

  it("H1: does not guess if a row is doubled, or rows are unsorted, step back more than once, or never", () => {
    assertEquals(read(["01:00", ...tens, "02:00"]).unclear, "01:00");
    assertEquals(read([...tens, "01:50", "02:00"]).unclear, "01:00");
    assertEquals(read(["01:00", "01:20", "01:10", "01:30", "02:00"]).unclear, "01:00");
    assertEquals(read([...tens, ...tens, ...tens, "02:00"]).unclear, "01:00");
    assertEquals(read(tens).unclear, "01:00");
    assertEquals(read(["01:00", "02:00", "01:00", "02:00"]).unclear, "01:00");
  });

  it("H2: places each stamp by itself on request", () => {
    assertEquals(read(["01:10", "01:10", "00:50"], "earlier"), {
      instants: ["00:10", "00:10", "23:50"],
      unclear: undefined,
    });
    assertEquals(read(["01:10", "01:10"], "later").instants, ["01:10", "01:10"]);
  });
});

describe("findRepeatingZone()", () => {
  it("S15: names a zone whose clocks repeat the hour", () => {
    assertEquals(findRepeatingZone(Date.parse("2014-10-26T02:00Z")), "Europe/Paris");
    assertEquals(findRepeatingZone(Date.parse("2023-10-29T01:50Z")), "Europe/London");
    assertEquals(findRepeatingZone(Date.parse("2023-11-05T01:00Z")), "America/New_York");
    assertEquals(findRepeatingZone(Date.parse("2023-03-26T02:00Z")), undefined);
    assertEquals(findRepeatingZone(Date.parse("2023-07-01T02:00Z")), undefined);
  });
});
