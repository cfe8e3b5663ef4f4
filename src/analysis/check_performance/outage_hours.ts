import { HOUR } from "../../time/hourly.ts";
import { buildMask, findRuns } from "../../screening/finding.ts";
import { findIdle, IDLE_POWER, type Neighbour } from "../../screening/values/neighbours.ts";
import { expectsPower } from "../../screening/values/hourly_power.ts";
import type { ModelHours } from "../series/model_hours.ts";
import type { OutageSource } from "./check_result.ts";
import type { OutageRun } from "./comparison.ts";
import type { OutageSpan } from "./options.ts";

/**
 * Hours without power that are an outage where the model expects power ({@linkcode expectsPower}): shorter stretches
 * are often errors of the model. At Kelmarsh 2018, four turbines compared with their neighbours, none of 14
 * stretches of four hours or more is false, and they contain 83 % of the energy lost; with three hours one of 17 is
 * false, with two 4 of 27. In four years of the sample, whose stops are known, 2 of 33 are false.
 */
export const OUTAGE_HOURS = 4;

/** Missing hours between two stopped ones that belong to the stop, at most. */
const MAX_GAP = 24;

/** Produced and expected mean power on the axis of the model, kW; missing is NaN. */
export interface HourlyPair extends Pick<ModelHours, "axis" | "timeZone" | "windDirection"> {
  readonly produced: Float64Array;
  readonly expected: Float64Array;
  /** Share of the hour in which the turbine could run; NaN where it is unknown. */
  readonly availability: Float64Array | undefined;
}

/** A stretch of hours that an outage takes. */
export interface HoursOut extends Pick<OutageRun, "source" | "from" | "to" | "span"> {
  /** Its name; `undefined` where the caller did not name it. */
  readonly name: string | undefined;
  /** Whether it was named by days, and counts from the first to the last stopped hour in them. @default {false} */
  readonly trimmed?: boolean;
}

/** Detects stretches without power in which the model expects power; short gaps within them are part of them. */
function detectOutages(
  { produced, expected }: HourlyPair,
  isFree: (i: number) => boolean,
  ratedPower: number,
): Uint8Array {
  const { length } = produced;
  const compared = expected.map((power, i) => Number.isNaN(produced[i]) ? NaN : power);
  const isMissing = (i: number) => Number.isNaN(compared[i]);
  const isStill = (i: number) =>
    isFree(i) && !isMissing(i) && produced[i] <= IDLE_POWER * ratedPower;
  const still = buildMask(findRuns(length, isStill), length);
  for (const { from, to } of findRuns(length, (i) => isFree(i) && isMissing(i))) {
    if (to - from <= MAX_GAP && isStill(from - 1) && isStill(to)) still.fill(1, from, to);
  }
  const outages = findRuns(length, (i) => still[i] === 1).filter((run) => {
    const hours = compared.subarray(run.from, run.to).filter((power) => !Number.isNaN(power));
    return hours.length >= OUTAGE_HOURS && expectsPower(compared, run, ratedPower);
  });
  return buildMask(outages, length);
}

/** How it is known that the turbine did not run in an hour; `undefined` where it did, or nothing shows that. */
type Stop = Exclude<OutageSource, "named"> | undefined;

/** Finds the stops of some hours: from the status where it is known, else from production and neighbours. */
function findStops(
  pair: HourlyPair,
  idle: Uint8Array,
  isFree: (i: number) => boolean,
  ratedPower: number,
): Stop[] {
  const { availability } = pair;
  const isKnown = (i: number) => availability !== undefined && availability[i] >= 0;
  const still = detectOutages(pair, (i) => isFree(i) && !isKnown(i), ratedPower);
  return Array.from(still, (flag, i) => {
    if (!isFree(i)) return undefined;
    if (isKnown(i)) return availability![i] < 1 ? "status" : undefined;
    return idle[i] === 1 ? "neighbours" : flag === 1 ? "detected" : undefined;
  });
}

/**
 * Finds the hours of outages. Named outages come first, then those of the status, then detected ones: an hour belongs to
 * one outage. An outage that is named by days, and in which the turbine was stopped, has the hours from the first to the
 * last stopped one: what it made before and after is no part of the loss.
 *
 * @param neighbours Production of turbines nearby on the same hours
 * @param ratedPower Rated power, kW
 * @returns The outages in order of time, and the share of each hour in which the turbine was not available: 0 in normal hours
 */
export function findOutageHours(
  pair: HourlyPair,
  named: readonly OutageSpan[],
  neighbours: readonly Neighbour[],
  ratedPower: number,
) {
  const { axis: { start, length }, produced, expected, availability } = pair;
  const at = (position: number) => start + position * HOUR;
  const idle = buildMask(findIdle(produced, neighbours, ratedPower), length);
  const stopped = new Float64Array(length);
  const runs: HoursOut[] = [];
  const take = (run: HoursOut) => {
    runs.push(run);
    for (let i = run.from; i < run.to; i++) {
      stopped[i] = run.source === "status" ? 1 - availability![i] : 1;
    }
  };
  const all = findStops(pair, idle, () => true, ratedPower);
  for (const { name, from, to, byDays } of named) {
    const within = (position: number) => Math.min(length, Math.max(0, position));
    // An hour in which it stopped or started counts, once.
    let first = within(Math.floor((from - start) / HOUR));
    if (stopped[first] > 0) first++;
    const last = Math.max(first, within(Math.ceil((to - start) / HOUR)));
    const stops = byDays ? findRuns(last, (i) => i >= first && all[i] !== undefined) : [];
    if (stops.length === 0) {
      take({ name, source: "named", from: first, to: last, span: [from, to] });
      continue;
    }
    const isMissing = (i: number) => Number.isNaN(produced[i] + expected[i]);
    let [begin, end] = [stops[0].from, stops[stops.length - 1].to];
    // For a missing hour beside a stop, nobody knows whether the turbine ran.
    while (begin > first && isMissing(begin - 1)) begin--;
    while (end < last && isMissing(end)) end++;
    const trimmed = begin > first || end < last;
    take({ name, source: "named", from: begin, to: end, span: [at(begin), at(end)], trimmed });
  }
  const free = named.length === 0
    ? all
    : findStops(pair, idle, (i) => stopped[i] === 0, ratedPower);
  const unnamed = [
    findRuns(length, (i) => free[i] === "status"),
    findRuns(length, (i) => free[i] === "detected" || free[i] === "neighbours"),
  ].flat();
  for (const { from, to } of unnamed) {
    // One hour beside running neighbours is enough to know the stop by them.
    const source = free.slice(from, to).find((stop) => stop === "neighbours") ?? free[from]!;
    take({ name: undefined, source, from, to, span: [at(from), at(to)] });
  }
  return { runs: runs.sort((a, b) => a.span[0] - b.span[0]), stopped };
}
