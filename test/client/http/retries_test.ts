import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { computePause, MAX_REQUESTED_PAUSE } from "../../../src/client/http/retries.ts";

const now = Date.UTC(2026, 0, 1, 12);
const inSeconds = (seconds: number) => new Date(now + seconds * 1000).toUTCString();
const TEN_YEARS = 10 * 365.25 * 86_400;

describe("F6 computePause()", () => {
  const requested: Readonly<Record<string, [string, number]>> = {
    "no seconds": ["0", 0],
    "seconds": ["7", 7000],
    "seconds between spaces": [" 7 ", 7000],
    "parts of a second": ["0.25", 250],
    "a date": [inSeconds(30), 30_000],
    "now, as a date": [inSeconds(0), 0],
    "a date in the older form": ["Thursday, 01-Jan-26 12:00:30 GMT", 30_000],
    "an hour": ["3600", MAX_REQUESTED_PAUSE],
    "ten years in seconds": [String(TEN_YEARS), MAX_REQUESTED_PAUSE],
    "ten years as a date": [inSeconds(TEN_YEARS), MAX_REQUESTED_PAUSE],
    "more seconds than a number holds": ["9".repeat(400), MAX_REQUESTED_PAUSE],
  };
  for (const [name, [header, pause]] of Object.entries(requested)) {
    it(`is the pause that the service requests: ${name}`, () => {
      for (const random of [0, 0.5, 1]) assertEquals(computePause(1, header, now, random), pause);
    });
  }

  const senseless: readonly (string | null)[] = [
    null,
    "",
    " ",
    "-5",
    "-1e9",
    "soon",
    "NaN",
    "Infinity",
    "1e3",
    "0x10",
    inSeconds(-1),
    inSeconds(-TEN_YEARS),
    "\u0661",
  ];
  for (const header of senseless) {
    it(`is a random share of a time that doubles for the header ${JSON.stringify(header)}`, () => {
      assertEquals(computePause(1, header, now, 1), 1000);
      assertEquals(computePause(2, header, now, 1), 2000);
      assertEquals(computePause(3, header, now, 0.5), 2000);
      assertEquals(computePause(1, header, now, 0), 0);
    });
  }

  it("never exceeds 20 s without a header, even after many tries", () => {
    for (const attempt of [6, 10, 100, 2000]) {
      assertEquals(computePause(attempt, null, now, 1), 20_000);
    }
  });

  it("differs from try to try, so many clients do not send at the same time", () => {
    const pauses = Array.from({ length: 20 }, () => computePause(3, null));
    assert(new Set(pauses).size > 10, pauses.join());
    assert(pauses.every((pause) => pause >= 0 && pause < 4000), pauses.join());
  });
});
