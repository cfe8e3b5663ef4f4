import { HOUR } from "../../time/hourly.ts";
import { clockAt } from "../../time/zones.ts";
import type { Finding } from "../finding.ts";

/** A change of a clock. */
interface Change {
  /** Instant, ms since 1970 UTC. */
  readonly at: number;
  /** Offsets from UTC before and after it, ms. */
  readonly before: number;
  readonly after: number;
}

/** Whether a change of the clock shows in the rows, and its day, for messages. */
interface Sign {
  readonly seen: boolean;
  readonly day: string;
}

const offsetOf = (time: Temporal.ZonedDateTime) => time.offsetNanoseconds / 1e6;

function findChanges(first: number, last: number, timeZone: string): Change[] {
  const changes: Change[] = [];
  let time = clockAt(first, timeZone);
  for (;;) {
    const next = time.getTimeZoneTransition("next");
    if (!next || next.epochMilliseconds > last) return changes;
    const before = next.subtract({ nanoseconds: 1 });
    changes.push({ at: next.epochMilliseconds, before: offsetOf(before), after: offsetOf(next) });
    time = next;
  }
}

/** Counts rows and different stamps from one instant to another, which is excluded. */
function countRows(
  sorted: Float64Array,
  from: number,
  to: number,
): { rows: number; stamps: number } {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < from) low = middle + 1;
    else high = middle;
  }
  let [rows, stamps] = [0, 0];
  for (let i = low; i < sorted.length && sorted[i] < to; i++) {
    rows++;
    if (i === low || sorted[i] !== sorted[i - 1]) stamps++;
  }
  return { rows, stamps };
}

/** Finds signs of a clock's changes in stamps that were read at a fixed offset from UTC. */
function findSigns(sorted: Float64Array, changes: readonly Change[], offset: number) {
  const forward: Sign[] = [];
  const back: Sign[] = [];
  for (const { at, before, after } of changes) {
    const [from, to] = [before, after].sort((a, b) => a - b).map((local) => at + local - offset);
    const day = Temporal.Instant.fromEpochMilliseconds(at).toString().slice(0, 10);
    const inside = countRows(sorted, from, to);
    const around = [countRows(sorted, from - HOUR, from), countRows(sorted, to, to + HOUR)];
    if (after > before) {
      if (around.every(({ rows }) => rows > 0)) forward.push({ seen: inside.rows === 0, day });
    } else if (inside.rows > 0) {
      // If the hours before and after are duplicated too, files overlap.
      const areDistinct = around.every(({ rows, stamps }) => rows === stamps);
      back.push({ seen: areDistinct && inside.rows === 2 * inside.stamps, day });
    }
  }
  return { forward, back };
}

const areAllSeen = (signs: readonly Sign[]) => signs.length > 0 && signs.every(({ seen }) => seen);
const areNoneSeen = (signs: readonly Sign[]) => signs.every(({ seen }) => !seen);

function formatDays(signs: readonly Sign[]): string {
  const [first, last] = [signs[0].day, signs[signs.length - 1].day];
  return first === last ? first : `${first} to ${last}`;
}

/**
 * Finds local time that was read as UTC, or at the fixed offset of its winter: no row in the hour that the clock
 * skips in spring, or every row of an hour twice in autumn, in every year of the record.
 *
 * @param stamps Milliseconds since 1970 UTC, in the order of the rows; NaN is ignored
 * @param timeZone IANA zone of the clock that may have written them
 * @returns One finding over all rows, or none
 */
export function findClockChanges(stamps: Float64Array, timeZone: string): Finding[] {
  const sorted = stamps.filter((stamp) => Math.abs(stamp) <= 8.64e15).sort();
  if (sorted.length < 2) return [];
  // Read as UTC, local stamps are hours off: the first change may be later than the first stamp.
  const changes = findChanges(sorted[0] - 14 * HOUR, sorted[sorted.length - 1], timeZone);
  const fixed = Math.min(...changes.flatMap(({ before, after }) => [before, after]));
  for (const offset of new Set([0, fixed])) {
    const { forward, back } = findSigns(sorted, changes, offset);
    const [gaps, repeats] = [areAllSeen(forward), areAllSeen(back)];
    if (!(gaps && (repeats || areNoneSeen(back)) || repeats && areNoneSeen(forward))) continue;
    const seen = [
      ...(gaps ? [`no row in the hour that its clocks skip (${formatDays(forward)})`] : []),
      ...(repeats ? [`two rows in the hour that its clocks repeat (${formatDays(back)})`] : []),
    ];
    const read = offset === 0 ? "UTC" : "a fixed offset from UTC";
    return [{
      kind: "clock_change",
      from: 0,
      to: stamps.length,
      message: `probably local time of ${timeZone} read as ${read}: ${seen.join(", ")}`,
    }];
  }
  return [];
}
