import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DataFormatError } from "../../../src/api/errors.ts";
import { readCsv } from "../../../src/frames/csv/csv_reader.ts";
import { extractEpochs } from "../../../src/frames/frame.ts";
import { randomNumbers } from "../_random.ts";
import { column, utf8 } from "../_text.ts";

const HOUR = 3_600_000;
const zones = Intl.supportedValuesOf("timeZone");

/** Milliseconds since 1970 of stamps in a file. */
function epochs(stamps: readonly string[], timeZone?: string): number[] {
  const { frame } = readCsv(utf8(`time\n${stamps.join("\n")}\n`), [column("time", "datetime")], {
    file: "data.csv",
    ...(timeZone ? { timeZone } : {}),
  });
  return [...extractEpochs(frame, "time")];
}

const zoned = (epoch: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(epoch).toZonedDateTimeISO(zone);

/** Instants at which a zone changed its offset, the latest first: up to four before 2024, and before random times. */
function changes(zone: string, seed: number): number[] {
  const random = randomNumbers(seed);
  const starts = ["2024-01-01", `${1975 + random(45)}-01-01`];
  return starts.flatMap((start) => {
    const transitions: number[] = [];
    let at: Temporal.ZonedDateTime | null = zoned(Date.parse(start), zone);
    while (transitions.length < 2 && (at = at.getTimeZoneTransition("previous"))) {
      if (at.epochMilliseconds < 0) break;
      transitions.push(at.epochMilliseconds);
    }
    return transitions;
  });
}

/** Half hours around an instant: more than a day on either side, since zones have crossed the date line. */
function around(instant: number): number[] {
  const first = Math.floor(instant / HOUR) * HOUR - 26 * HOUR;
  return Array.from({ length: 104 }, (_, i) => first + i * HOUR / 2);
}

/** Whether each instant's local stamp occurs once or twice: the earlier and the later instant are equal if it occurs once. */
function findInstants(local: Temporal.PlainDateTime, zone: string): number[] {
  const instants = (["earlier", "later"] as const)
    .map((disambiguation) => local.toZonedDateTime(zone, { disambiguation }));
  return [...new Set(instants.map(({ epochMilliseconds }) => epochMilliseconds))];
}

describe("stamps over changes of the clocks, in every zone", () => {
  it("F36 with offset are the right instants", () => {
    let tried = 0;
    for (const [i, zone] of zones.entries()) {
      for (const change of changes(zone, i)) {
        const instants = around(change);
        const stamps = instants.map((instant) => {
          const time = zoned(instant, zone);
          // ISO 8601 cannot write offsets with seconds, as before 1972.
          return time.offsetNanoseconds % 60e9 === 0 ? time.toString().slice(0, 25) : null;
        });
        if (stamps.includes(null)) continue;
        assertEquals(epochs(stamps as string[]), instants, `${zone} ${new Date(change)}`);
        tried++;
      }
    }
    assert(tried > 700, `${tried} changes tried`);
  });

  it("F36 without offset are the instants on the clock, the earlier hour of a repeated one first", () => {
    let tried = 0;
    for (const [i, zone] of zones.entries()) {
      for (const change of changes(zone, i)) {
        const instants = around(change);
        const locals = instants.map((instant) => zoned(instant, zone).toPlainDateTime());
        const texts = locals.map((local) => local.toString({ smallestUnit: "second" }));
        const place = `${zone} ${new Date(change).toISOString()}`;
        const lonely = locals.some((local, k) =>
          findInstants(local, zone).length === 2 && texts.indexOf(texts[k]) === k &&
          texts.lastIndexOf(texts[k]) === k
        );
        if (lonely) { // the clocks did not go back by a multiple of half an hour
          assertThrows(() => epochs(texts, zone), DataFormatError, "may be either of two hours in");
          continue;
        }
        assertEquals(epochs(texts, zone), instants, place);
        tried++;
      }
    }
    assert(tried > 700, `${tried} changes tried`);
  });

  it("F36 without offset are the instants on the clock in any order, if no hour is repeated", () => {
    for (const [i, zone] of zones.entries()) {
      for (const change of changes(zone, i)) {
        const once = [change, ...around(change).reverse()].filter((instant) =>
          findInstants(zoned(instant, zone).toPlainDateTime(), zone).length === 1
        );
        const texts = once.map((instant) =>
          zoned(instant, zone).toPlainDateTime().toString({ smallestUnit: "second" })
        );
        assertEquals(epochs(texts, zone), once, `${zone} ${new Date(change).toISOString()}`);
      }
    }
  });

  it("F36 refuses hours that the clocks skip, at both ends of the gap", () => {
    let tried = 0;
    for (const [i, zone] of zones.entries()) {
      for (const change of changes(zone, i)) {
        const before = zoned(change - 1, zone).offsetNanoseconds / 1e6;
        const after = zoned(change, zone).offsetNanoseconds / 1e6;
        if (after - before < 60_000 || before % 1000 !== 0) continue;
        const wall = (epoch: number) =>
          zoned(epoch, "UTC").toPlainDateTime().toString({ smallestUnit: "second" });
        const gap = [wall(change + before), wall(change + after - 1000)];
        for (const stamp of gap) {
          assertThrows(
            () => epochs([wall(change + before - 86_400_000), stamp], zone),
            DataFormatError,
            `${stamp.slice(0, 16).replace("T", " ")} does not exist in ${zone}`,
          );
        }
        assertEquals(epochs([wall(change + after)], zone), [change], `${zone} ${gap}`);
        tried++;
      }
    }
    assert(tried > 300, `${tried} gaps tried`);
  });
});
