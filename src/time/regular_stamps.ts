import { DataFormatError, type ErrorCode } from "../api/errors.ts";
import { formatStamp, isLikely, UNLIKELY } from "./format_stamp.ts";
import { HOUR } from "./hour_axis.ts";
import { computeClockShift, computeOffset } from "./zones.ts";
import { LocalClock } from "./local_clock.ts";

/** Zones whose clocks go back to different hours, or in different nights. */
const ZONES = [
  "Europe/London",
  "Europe/Paris",
  "Europe/Helsinki",
  "America/New_York",
  "Australia/Sydney",
];

/**
 * Finds a zone in which a time of the clock is of a repeated hour: that a file has it twice may mean that it is in local time.
 *
 * @param local Time of the clock, ms since 1970 as if it were UTC
 * @returns A zone, as an example of those with the same change of clocks
 */
export function findRepeatingZone(local: number): string | undefined {
  const place = (zone: string, rule: "earlier" | "later") =>
    new LocalClock(zone, rule).toInstant(local * 1000, 0);
  return ZONES.find((zone) => place(zone, "earlier") < place(zone, "later"));
}

/** Milliseconds in ten minutes. */
export const TEN_MINUTES = 600_000;

/** Where stamps come from, and how far apart they are. */
interface StampSeries {
  /** Name of the file. */
  readonly file: string;
  /** Row or line of a stamp, for messages. */
  readonly place: (row: number) => string;
  /** Number of its row or line. @default not known */
  readonly line?: (row: number) => number;
  /** Milliseconds from one stamp to the next, or several times that. */
  readonly step: number;
  /** How much later the hours of the local clock begin than those of UTC, ms: half an hour in a half-hour zone. @default as in its zone */
  readonly clockShift?: number | undefined;
  /** IANA zone of the clock of the file. @default not known */
  readonly timeZone?: string | undefined;
}

/**
 * Checks that stamps are plausible, in order, not duplicated, and each at the start of a step; steps may be missing.
 *
 * @param stamps Milliseconds since 1970 UTC
 * @param series Where they come from
 * @throws {DataFormatError} If they are not; the message names the place
 */
export function assertRegular(stamps: Float64Array, series: StampSeries): void {
  const { file, place, line, step, timeZone } = series;
  if (stamps.length === 0) throw new DataFormatError(`Cannot use ${file}: it has no rows`);
  const refuse = (row: number, code: ErrorCode, found: string): never => {
    const facts = { code, row: line?.(row), value: formatStamp(stamps[row]) };
    throw new DataFormatError(`Cannot use ${file}: ${place(row)}: ${facts.value} ${found}`, facts);
  };
  // Steps of UTC, or of the local clock: the first stamp says which.
  const ofZone = () => timeZone === undefined ? 0 : computeClockShift(stamps[0], timeZone);
  const shift = stamps[0] % step === 0 ? 0 : (series.clockShift ?? ofZone()) % step;
  for (let i = 0; i < stamps.length; i++) {
    const stamp = stamps[i];
    if (!isLikely(stamp)) refuse(i, "time_format", UNLIKELY);
    if (i > 0 && stamp === stamps[i - 1]) {
      refuse(i, "time_repeated", `is duplicated. ${adviseRepeat(stamp, timeZone)}`);
    }
    if (i > 0 && stamp < stamps[i - 1]) {
      const before = formatStamp(stamps[i - 1]);
      refuse(i, "time_order", `comes after ${before}. Sort the rows by time`);
    }
    if ((stamp - shift) % step === 0) continue;
    const found = step === HOUR
      ? "is not a whole hour. Hourly values are expected: average them first"
      : "is not a whole ten minutes. Ten-minute values are expected";
    refuse(i, "resolution", found);
  }
}

/** Says what to do about a repeated stamp: it may show that the clock of the file is not the one that is declared. */
function adviseRepeat(stamp: number, timeZone: string | undefined): string {
  const zone = timeZone && findRepeatingZone(stamp + computeOffset(stamp, timeZone));
  return zone
    ? `Where clocks go back, as in ${zone}, local time repeats that hour: if the file is in local time, declare that ` +
      "zone, else remove one of the rows"
    : "Remove one of the rows";
}

/**
 * Checks stamps as {@linkcode assertRegular} does, and that rows are not further apart than declared: hours read as ten
 * minutes would count their energy six times.
 *
 * @throws {DataFormatError} If they are not regular, or no two of several are one step apart or less
 */
export function assertSteps(stamps: Float64Array, series: StampSeries): void {
  assertRegular(stamps, series);
  const { file, place, step } = series;
  if (stamps.length < 3) return; // two rows may well have a gap between them
  let apart = Infinity;
  for (let i = 1; i < stamps.length; i++) apart = Math.min(apart, stamps[i] - stamps[i - 1]);
  if (apart <= step) return;
  throw new DataFormatError(
    `Cannot use ${file}: ${place(1)}: all rows are ${apart / 60_000} minutes or more apart, not ` +
      `${step / 60_000}. Declare the resolution that they have`,
    { code: "resolution", field: "resolution" },
  );
}
