import { HOUR, type HourAxis } from "../../../time/hourly.ts";
import { computeOffset } from "../../../time/zones.ts";
import { mean } from "../../../stats/spread.ts";
import type { HourlyPair } from "./outage_hours.ts";
import { MATTERS } from "../../../screening/values/limited_power.ts";
import { buildMask, type Run } from "../../../screening/finding.ts";

/**
 * Finds the consecutive positions with the largest sum of scores (J. Kadane, 1984).
 *
 * @param scores Score of each position; NaN is not allowed
 * @returns The span, from a score above 0 to one, and its sum; an empty one of score 0 if no score is above 0
 */
export function findBestSpan(scores: Float64Array): Run & { readonly score: number } {
  let best = { from: 0, to: 0, score: 0 };
  let [from, score] = [0, 0];
  for (let i = 0; i < scores.length; i++) {
    if (score <= 0) [from, score] = [i, 0];
    score += scores[i];
    if (score > best.score) best = { from, to: i + 1, score };
  }
  return best;
}

/** A level that the power of a turbine did not exceed for some time, in all hours of the day or in some. */
interface LastingLimit {
  /** The level, kW. */
  readonly level: number;
  /** Hours of the day in which it applies, in local time, 0 to 23. */
  readonly hoursOfDay: readonly number[];
  /** From the first to the last hour at the level, in order of time. */
  readonly spans: readonly Run[];
  /**
   * 1 for hours in these hours of the day with much of the level expected, also before and after the spans: without
   * them, hours under the limit are compared with the same kind of hours.
   */
  readonly reached: Uint8Array;
  /** 1 for hours of the spans in which the limit applies and much of the level is expected. */
  readonly held: Float64Array;
}

/**
 * Range of levels to search, as shares of the rated power: a higher one costs little, and may be the turbine's usual
 * maximum.
 */
const LEVELS = [0.1, 0.85] as const;

/** Width of a level, as a share of the rated power. */
const WIDTH = 0.01;

/** Widths below and above a level whose hours are compared with the hours at the level. */
const BESIDE = [2, 3, 4, 5, 6] as const;

/** Smallest ratio of hours at a level to hours at the levels around it. */
const MIN_TIMES = 4;

/** Fewest hours at a level. */
const MIN_HOURS = 48;

/** Hours at a level that one hour above it cancels. */
const ABOVE = 3;

/** Smallest score of an hour of the day in which a limit applies, as a share of the clearest hour's score. */
const MIN_SCORE = 0.35;

/** From this many hours of the day on, the limit applies in all: a calm hour of the day may show it too little. */
const NEARLY_ALL = 20;

/** Finds all such spans with a high enough score, in order of time. */
function findSpans(scores: Float64Array, from = 0, to = scores.length): Run[] {
  const best = findBestSpan(scores.subarray(from, to));
  if (best.score < MIN_HOURS) return [];
  const [first, end] = [from + best.from, from + best.to];
  return [
    ...findSpans(scores, from, first),
    { from: first, to: end },
    ...findSpans(scores, end, to),
  ];
}

/**
 * Finds the level with the most hours above the count at the levels around it; `undefined` if none stands out.
 *
 * @param counted 1 for hours that count
 * @param least Fewest hours at a level
 */
export function findLevel(
  { produced, expected }: Pick<HourlyPair, "produced" | "expected">,
  counted: Uint8Array,
  ratedPower: number,
  least: number = MIN_HOURS,
): number | undefined {
  const counts = new Float64Array(Math.round(1 / WIDTH) + BESIDE.length + 1);
  const binOf = (power: number) => Math.round(power / (WIDTH * ratedPower));
  const hours = [...counted.keys()].filter((i) => counted[i] === 1 && expected[i] >= produced[i]);
  for (const i of hours) {
    const bin = binOf(produced[i]);
    if (bin >= 0 && bin < counts.length) counts[bin]++;
  }
  // A level may lie on the edge of two bins.
  const at = (bin: number) => counts[bin] + Math.max(counts[bin - 1], counts[bin + 1]);
  let [best, most] = [-1, 0];
  for (let bin = Math.round(LEVELS[0] / WIDTH); bin <= LEVELS[1] / WIDTH; bin++) {
    const around = Math.max(
      ...[-1, 1].map((side) => 2 * mean(BESIDE.map((k) => counts[bin + side * k] ?? 0))),
    );
    if (at(bin) < Math.max(least, MIN_TIMES * around)) continue;
    if (counts[bin] + at(bin) > most) [best, most] = [bin, counts[bin] + at(bin)];
  }
  if (best === -1) return undefined;
  return mean(
    hours.filter((i) => binOf(produced[i]) === best).map((i) => produced[i]),
  );
}

/** Lists the hour of the day of each position, in a zone. */
function listHoursOfDay({ start, length }: HourAxis, timeZone: string): number[] {
  let [offset, day] = [0, NaN];
  return Array.from({ length }, (_, i) => {
    const instant = start + i * HOUR;
    // The offset changes at most once a day; looking it up for each hour is slow.
    if (Math.floor(instant / (6 * HOUR)) !== day) {
      day = Math.floor(instant / (6 * HOUR));
      offset = computeOffset(instant, timeZone);
    }
    return Math.floor((instant + offset) / HOUR) % 24;
  });
}

/**
 * Finds power limits below rated: many hours at one level, and hardly any above it from the first to the last one, in
 * all hours of the day or in some; the limit may recur. A turbine that loses power at all speeds is not limited: it
 * also lacks power when little is expected.
 *
 * @param counted 1 for hours that count
 * @param ratedPower Rated power, kW
 */
export function findLastingLimit(
  { axis, timeZone, produced, expected }: HourlyPair,
  counted: Uint8Array,
  ratedPower: number,
): LastingLimit | undefined {
  const level = findLevel({ produced, expected }, counted, ratedPower);
  if (level === undefined) return undefined;
  const half = WIDTH * ratedPower;
  const isAt = (i: number) => counted[i] === 1 && Math.abs(produced[i] - level) <= half;
  const scores = Float64Array.from(
    produced,
    (power, i) => counted[i] === 0 ? 0 : power > level + half ? -ABOVE : isAt(i) ? 1 : 0,
  );
  const days = listHoursOfDay(axis, timeZone);
  const byHour = Array.from(
    { length: 24 },
    (_, hour) => findBestSpan(scores.map((score, i) => days[i] === hour ? score : 0)).score,
  );
  const clearest = Math.max(...byHour);
  const clear = [...byHour.keys()].filter((hour) => byHour[hour] >= MIN_SCORE * clearest);
  const hoursOfDay = clear.length >= NEARLY_ALL ? [...byHour.keys()] : clear;
  const applies = days.map((hour) => hoursOfDay.includes(hour));
  const spans = findSpans(scores.map((score, i) => applies[i] ? score : 0));
  const within = buildMask(spans, produced.length);
  const isWithin = (i: number) => within[i] === 1 && applies[i];
  const ratioOf = (counts: (i: number) => boolean) => {
    let [energy, model] = [0, 0];
    for (let i = 0; i < produced.length; i++) {
      if (counted[i] === 1 && counts(i)) {
        [energy, model] = [energy + produced[i], model + expected[i]];
      }
    }
    return energy / model;
  };
  const free = (i: number) => expected[i] < MATTERS * level;
  const change = ratioOf((i) => isWithin(i) && free(i)) / ratioOf((i) => !isWithin(i) && free(i));
  if (spans.length === 0 || change < (1 + level / ratedPower) / 2) return undefined;
  const reached = Uint8Array.from(produced, (_, i) => applies[i] && !free(i) ? 1 : 0);
  const held = Float64Array.from(reached, (flag, i) => isWithin(i) && counted[i] === 1 ? flag : 0);
  return { level, hoursOfDay, spans, reached, held };
}
