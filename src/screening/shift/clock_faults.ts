import { HOUR } from "../../time/hourly.ts";
import { SeededRandom } from "../../stats/seeded_random.ts";
import type { Finding } from "../finding.ts";
import { findLagChanges, type LagChange, MIN_DAYS } from "./lag_change.ts";
import { addErrors, drawDays, findLowestError, type LagErrors, sumLagged } from "./lagged_sums.ts";
import { findShift, MAX_LAG, type ShiftMonth, type ShiftOptions } from "./shift.ts";
import { computeOffset, dayAt, zoneOfOffset } from "../../time/zones.ts";
import { quantile } from "../../stats/spread.ts";

const DRAWS = 200;

/** A lag that changes with summer time. */
interface SummerLag {
  /** Lag in standard time, hours. */
  readonly standard: number;
  /** Lag in summer time, hours. */
  readonly summer: number;
  /** 90 % interval of their difference, hours. */
  readonly low: number;
  readonly high: number;
  /** Sum of the squared errors with both lags. */
  readonly error: number;
}

/**
 * Finds production whose lag behind the model changes with the summer time of a zone, by as much as its clock: the 90 %
 * interval of the change is nearer to the change of the clock than to 0, and the change itself is nearer to it than to
 * twice as much.
 *
 * @param errors Squared errors by day and lag, in hours
 * @param offsets Offset of the zone from UTC on each of these days, ms
 * @param random Draws of days
 */
export function findSummerLag(
  errors: LagErrors,
  offsets: Float64Array,
  random: SeededRandom,
): SummerLag | undefined {
  const standard = offsets.reduce((least, offset) => Math.min(least, offset), Infinity);
  const summerDays = offsets.filter((offset) => offset > standard);
  if (Math.min(summerDays.length, offsets.length - summerDays.length) < MIN_DAYS) return undefined;
  const saved = (summerDays[0] - standard) / HOUR;
  const compare = (rows: Int32Array) => {
    const sums = [new Float64Array(errors.lags), new Float64Array(errors.lags)];
    for (const row of rows) addErrors(sums[Number(offsets[row] > standard)], errors, row);
    return sums;
  };
  const all = Int32Array.from(offsets, (_, row) => row);
  const [winter, summer] = compare(all).map(findLowestError);
  const change = summer.lag - winter.lag;
  if (!(Math.abs(change) > saved / 2 && Math.abs(change) < 1.5 * saved)) return undefined;
  const drawn = new Int32Array(all.length);
  const changes = Float64Array.from({ length: DRAWS }, () => {
    drawDays(drawn, 0, drawn.length, random);
    const [winter, summer] = compare(drawn).map(findLowestError);
    return summer.lag - winter.lag;
  }).sort();
  const [low, high] = [quantile(changes, 0.05), quantile(changes, 0.95)];
  if (!(low > saved / 2 || high < -saved / 2)) return undefined;
  return {
    standard: winter.lag,
    summer: summer.lag,
    low,
    high,
    error: winter.error + summer.error,
  };
}

/**
 * Explains a lag that changes with summer time by the zone in which the stamps were read. Another zone is a remedy only
 * if the zone they were read in is of the wrong kind, with or without summer time.
 *
 * @returns The cause, as the end of a sentence, and a remedy if it differs from the usual one
 */
function explainSummer(
  lag: SummerLag,
  timeZone: string,
  standard: number,
  stamps: { readonly zone: string; readonly summerTime: boolean } | undefined,
) {
  const isLocal = lag.summer > lag.standard;
  const cause = isLocal
    ? "as if local time were read as UTC or at a fixed offset from it"
    : "as if UTC, or a fixed offset from it, were read as local time";
  if (!stamps) return { cause };
  const { zone, summerTime } = stamps;
  if (isLocal === summerTime) {
    return {
      cause: `although the timestamps are declared as ${zone}, which ${
        summerTime ? "has" : "has no"
      } summer time`,
      remedy:
        "No other time zone fixes this: the program that wrote the file has probably converted " +
        "its times once too often. Ask for an export with the times as recorded",
    };
  }
  const fixed = standard / HOUR + Math.round(lag.standard);
  const right = isLocal ? timeZone : zoneOfOffset(fixed < 0 ? "-" : "+", Math.abs(fixed));
  if (right === undefined || !isLocal && !Number.isInteger(fixed)) return { cause };
  return {
    cause: `as if timestamps of ${right} were read as ${zone}`,
    remedy: `Read them as ${right}` +
      (isLocal
        ? ". If Vindkit then rejects an hour that the clocks skip in spring, ask which program wrote the file"
        : ", from a copy of the file. In that copy, keep only one of the two rows of each hour that " +
          "the clocks repeat in autumn, because two rows would be duplicates"),
  };
}

const DAY = 24;

/** Smallest correlation with the model: if the model explains less than a quarter, it cannot show a wrong clock. */
const MIN_CORRELATION = 0.5;

/** Start, zone, seed and resolution of a search for wrong clocks. */
interface ClockOptions extends ShiftOptions {
  /** Instant of the first position, ms since 1970 UTC. */
  readonly start: number;
  /** IANA zone of the turbine. */
  readonly timeZone: string;
  /** Zone in which the stamps were read, which decides the remedy. @default unknown */
  readonly stampZone?: string | undefined;
}

/** Series of whole hours, and the position of the first in the original series. */
interface Hours {
  readonly produced: Float64Array;
  readonly modelled: Float64Array;
  readonly first: number;
}

/** Picks the positions of the model's hours: every position, or one of several an hour. */
function pickHours(produced: Float64Array, modelled: Float64Array, perHour: number): Hours {
  const firstKnown = modelled.findIndex((value) => !Number.isNaN(value));
  const first = Math.max(0, firstKnown) % perHour;
  const pick = (values: Float64Array) =>
    perHour === 1 ? values : values.filter((_, i) => i % perHour === first);
  return { produced: pick(produced), modelled: pick(modelled), first };
}

/** Offset of a zone from UTC in the middle of each day, ms. */
function listOffsets(days: Int32Array, start: number, timeZone: string): Float64Array {
  return Float64Array.from(
    days,
    (day) => computeOffset(start + (day + 0.5) * DAY * HOUR, timeZone),
  );
}

/** Whether the zone's own clock may have changed on the day of a change. */
function isClockDay({ first, last }: LagChange, offsets: Float64Array): boolean {
  const around = offsets.subarray(Math.max(0, first - 2), last + 2);
  return around.some((offset) => offset !== around[0]);
}

/** Whether summer time explains the changes: at least as well, or because one falls on a day on which the clocks change. */
function isSummer(summer: SummerLag, changes: readonly LagChange[], offsets: Float64Array) {
  return changes.length === 0 ||
    changes.some((change) => change.error >= summer.error || isClockDay(change, offsets));
}

const formatInterval = ({ low, high }: { readonly low: number; readonly high: number }) =>
  `90 % interval of the difference ${low.toFixed(2)} to ${high.toFixed(2)} h`;

const nameSide = (difference: number) => difference > 0 ? "later" : "earlier";

function describeSummer(
  { standard, summer, ...ends }: SummerLag,
  timeZone: string,
  cause: string,
): string {
  const difference = summer - standard;
  return `production comes ${Math.abs(difference).toFixed(2)} h ${
    nameSide(difference)
  } in summer ` +
    `than in winter. It lags the model by ${summer.toFixed(2)} h in summer time of ` +
    `${timeZone} and by ${standard.toFixed(2)} h in standard time (${formatInterval(ends)}), ` +
    cause;
}

function describeChange(
  { before, after, row, first, last, ...ends }: LagChange,
  nameDay: (row: number) => string,
): string {
  const difference = after - before;
  const hours = Math.max(1, Math.round(Math.abs(difference)));
  const isBeyond = Math.max(Math.abs(before), Math.abs(after)) >= MAX_LAG;
  const [earliest, latest] = [nameDay(first), nameDay(last)];
  const days = earliest === latest ? "" : ` (90 % interval ${earliest} to ${latest})`;
  return `production comes ${isBeyond ? "at least " : ""}${hours} h ${nameSide(difference)} from ${
    nameDay(row)
  } on${days} than ` +
    `before. It lags the model by ${after.toFixed(2)} h, before that day by ${
      before.toFixed(2)
    } h ` +
    `(${formatInterval(ends)})`;
}

/**
 * Finds production whose clock is wrong against the model: in the whole record ({@linkcode findShift}), in the summer
 * time of the zone, or from a day on; a change from a day on explains the months that are shifted.
 *
 * A change from a day on is of whole hours, and needs about eight months of production, four weeks on either side.
 *
 * @param produced Mean power of the hour that starts at each position; missing is NaN
 * @param modelled Mean power of the model in these hours, in any unit
 * @param months Months in which to search a shift of the whole record
 * @param options Start, zone, seed, and positions an hour
 * @returns Findings over the positions that are shifted
 */
export function findClockFaults(
  produced: Float64Array,
  modelled: Float64Array,
  months: readonly ShiftMonth[],
  options: ClockOptions,
): Finding[] {
  const { start, timeZone, seed, perHour = 1 } = options;
  const hours = pickHours(produced, modelled, perHour);
  const sums = sumLagged(hours.produced, hours.modelled, 0, hours.produced.length);
  const errors = sums.computeErrors();
  if (!errors || errors.correlation < MIN_CORRELATION) {
    return findShift(produced, modelled, months, options);
  }
  const random = new SeededRandom(seed);
  const offsets = listOffsets(errors.days, start, timeZone);
  const summer = findSummerLag(errors, offsets, random);
  const changes = findLagChanges(errors, random);
  const positionOf = (row: number) =>
    row < errors.days.length ? hours.first + errors.days[row] * DAY * perHour : produced.length;
  if (summer && isSummer(summer, changes, offsets)) {
    const { stampZone } = options;
    const clock = stampZone === undefined ? undefined : {
      zone: stampZone,
      summerTime: new Set(listOffsets(errors.days, start, stampZone)).size > 1,
    };
    const { cause, ...remedy } = explainSummer(summer, timeZone, Math.min(...offsets), clock);
    const message = describeSummer(summer, timeZone, cause);
    // If the whole record lags, both parts do.
    return [{
      kind: "clock_change",
      from: positionOf(0),
      to: produced.length,
      message,
      ...remedy,
      lag: { standard: Math.round(summer.standard), summer: Math.round(summer.summer) },
    }];
  }
  if (changes.length === 0) return findShift(produced, modelled, months, options);
  const nameDay = (row: number) =>
    dayAt(start + positionOf(row) * HOUR / perHour, timeZone).toString();
  return changes.map((change, i): Finding => {
    // The side that is farther from the model is the wrong one.
    const isAfter = Math.abs(change.after) >= Math.abs(change.before);
    return {
      kind: "clock_step",
      from: positionOf(isAfter ? change.row : changes[i - 1]?.row ?? 0),
      to: positionOf(isAfter ? changes[i + 1]?.row ?? Infinity : change.row),
      message: describeChange(change, nameDay),
    };
  });
}
