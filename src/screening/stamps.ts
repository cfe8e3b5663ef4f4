import { type Finding, findRuns, type Run } from "./finding.ts";
import { median } from "../stats/spread.ts";
import { HOUR } from "../time/hourly.ts";

/** Formats an instant to the minute for messages: "2018-03-05T04:00Z". */
export function formatInstant(instant: number): string {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(instant)).toString().slice(0, 16) + "Z";
}

/** Last instant of an ECMAScript date, ms; the first one is as far before 1970. */
const LAST_INSTANT = 8.64e15;

const MINUTE = 60_000;

/** Clock of the stamps. */
interface StampOptions {
  /** How much later the hours of the local clock begin than those of UTC, ms: half an hour in a half-hour zone. @default {0} */
  readonly clockShift?: number;
}

/** Stamps in order of time without duplicates, and the first row of each. */
interface StampOrder {
  readonly stamps: Float64Array;
  readonly firstRow: ReadonlyMap<number, number>;
}

/**
 * Finds the problems of the stamps of an hourly axis: rows out of order, duplicated stamps, missing hours, steps finer
 * than hourly, and stamps off the whole hour. Positions are rows.
 *
 * @param stamps Milliseconds since 1970 UTC, in the order of the rows; NaN and instants beyond the calendar are skipped
 * @param options Clock of the stamps
 * @returns Findings in the order of the rows
 */
export function findStampFaults(stamps: Float64Array, options: StampOptions = {}): Finding[] {
  const valid = stamps.map((stamp) => Math.abs(stamp) <= LAST_INSTANT ? stamp : NaN);
  const sorted = sortStamps(valid);
  const step = findUsualStep(sorted.stamps);
  return [
    ...findUnsorted(valid),
    ...findDuplicates(valid, sorted),
    ...findMissingSteps(valid, sorted, step),
    ...findFineSteps(valid, step),
    ...findOffClock(valid, step, options.clockShift ?? 0),
  ].sort((a, b) => a.from - b.from);
}

function sortStamps(stamps: Float64Array): StampOrder {
  const firstRow = new Map<number, number>();
  stamps.forEach((stamp, row) => {
    if (!Number.isNaN(stamp) && !firstRow.has(stamp)) firstRow.set(stamp, row);
  });
  return { stamps: Float64Array.from(firstRow.keys()).sort(), firstRow };
}

/**
 * Finds the usual step, ms: an hour, or the part of an hour that is nearest to the median step.
 *
 * @param sorted Stamps in order of time without duplicates, ms
 */
export function findUsualStep(sorted: Float64Array): number {
  if (sorted.length < 2) return HOUR;
  const steps = sorted.slice(1).map((stamp, i) => stamp - sorted[i]);
  // Steps of a drifting clock, a little shorter than an hour, round to an hour.
  return HOUR / Math.max(1, Math.round(HOUR / median(steps)));
}

/** Describes a run by its number of rows and its first stamp. */
function describeRows(stamps: Float64Array, { from, to }: Run): string {
  return `${to - from} row${to - from === 1 ? "" : "s"} from ${formatInstant(stamps[from])}`;
}

/** Finds rows that come after a later stamp. */
function findUnsorted(stamps: Float64Array): Finding[] {
  const latest = new Float64Array(stamps.length); // of the rows before
  let max = -Infinity;
  stamps.forEach((stamp, row) => {
    latest[row] = max;
    if (stamp > max) max = stamp;
  });
  return findRuns(stamps.length, (row) => stamps[row] < latest[row]).map((run) => ({
    kind: "unsorted",
    ...run,
    message: `${describeRows(stamps, run)}, placed after ${formatInstant(latest[run.from])}`,
  }));
}

function findDuplicates(stamps: Float64Array, { firstRow }: StampOrder): Finding[] {
  const repeats = (row: number) => (firstRow.get(stamps[row]) ?? row) !== row;
  return findRuns(stamps.length, repeats).map((run) => ({
    kind: "duplicate",
    ...run,
    message: `${describeRows(stamps, run)}, duplicated`,
  }));
}

/** Finds rows before which steps are missing, even if the previous stamp is elsewhere in the file. */
function findMissingSteps(
  stamps: Float64Array,
  { stamps: sorted, firstRow }: StampOrder,
  step: number,
): Finding[] {
  const steps = step === HOUR ? "h" : `steps of ${formatMinutes(step)}`;
  const gaps: { from: number; to: number; count: number; before: number }[] = [];
  for (let i = 1; i < sorted.length; i++) {
    const count = Math.round((sorted[i] - sorted[i - 1]) / step) - 1;
    if (count < 1) continue;
    const row = firstRow.get(sorted[i])!;
    const last = gaps[gaps.length - 1];
    // A file of every third hour has a gap before each row: report one finding.
    if (last && last.to === row && stamps[row - 1] === sorted[i - 1]) {
      last.to = row + 1;
      last.count += count;
    } else gaps.push({ from: row, to: row + 1, count, before: sorted[i - 1] });
  }
  return gaps.map(({ from, to, count, before }) => {
    const [start, end] = [before, stamps[to - 1]].map(formatInstant);
    return {
      kind: "gap",
      from,
      to,
      message: `${count} ${steps} missing between ${start} and ${end}`,
    };
  });
}

function findFineSteps(stamps: Float64Array, step: number): Finding[] {
  if (step === HOUR) return [];
  const message = `steps of ${formatMinutes(step)} instead of hours`;
  return [{ kind: "resolution", from: 0, to: stamps.length, message }];
}

/** Finds stamps off the whole hour, or off whole finer steps, which show a wrong clock or another zone. */
function findOffClock(stamps: Float64Array, step: number, clockShift: number): Finding[] {
  // Steps of UTC, or of the local clock: the first stamp shows which, as in `buildHourlyGrid()`.
  const shift = stamps[0] % step === 0 ? 0 : clockShift;
  const off = (row: number) => {
    const distance = (stamps[row] - shift) / step;
    return step * (distance - Math.ceil(distance - 0.5)); // half a step counts forward
  };
  // Less than half a millisecond is rounding.
  const expected = step === HOUR ? "the whole hour" : `whole steps of ${formatMinutes(step)}`;
  return findRuns(stamps.length, (row) => Math.abs(off(row)) >= 0.5).map((run) => {
    let [low, high] = [Infinity, -Infinity];
    for (let row = run.from; row < run.to; row++) {
      low = Math.min(low, off(row));
      high = Math.max(high, off(row));
    }
    const range = formatMinutes(low) === formatMinutes(high)
      ? formatMinutes(low)
      : `${formatMinutes(low)} to ${formatMinutes(high)}`;
    return {
      kind: "clock",
      ...run,
      message: `${describeRows(stamps, run)}, ${range} off ${expected}`,
    };
  });
}

const formatMinutes = (time: number) => `${Number((time / MINUTE).toPrecision(3))} min`;
