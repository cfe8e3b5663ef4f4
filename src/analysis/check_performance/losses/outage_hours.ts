import { buildMask, findRuns, type Run } from "../../../screening/finding.ts";
import { expectsPower } from "../../../screening/values/hourly_power.ts";
import { findIdle, IDLE_POWER, type Neighbour } from "../../../screening/values/neighbours.ts";
import { HOUR } from "../../../time/hourly.ts";
import { dayAt, formatClock } from "../../../time/zones.ts";
import { sumOf } from "../../../stats/spread.ts";
import type { ModelHours } from "../../series/model_hours.ts";
import type { OutageSpan } from "../options.ts";
import type { PerformanceFinding } from "../words.ts";
import type { OutageRun, OutageSource } from "./lost_energy.ts";

/**
 * Hours without power that make an outage if the model expects power ({@linkcode expectsPower}): shorter stretches are
 * often errors of the model. At Kelmarsh 2018, with four turbines compared with their neighbours, none of 14 stretches
 * of four hours or more is false, and they contain 83 % of the energy lost; with three hours one of 17 is false, with
 * two 4 of 27. In four years of the sample, whose stops are known, 2 of 33 are false.
 */
export const OUTAGE_HOURS = 4;

/** Most missing hours between two stopped ones that still belong to the stop. */
const MAX_GAP = 24;

/** Produced and expected mean power on the axis of the model, kW; missing is NaN. */
export interface HourlyPair
  extends Pick<ModelHours, "axis" | "timeZone" | "windDirection" | "windSpeed"> {
  readonly produced: Float64Array;
  readonly expected: Float64Array;
  /** Share of the hour in which the turbine could run; NaN if unknown. */
  readonly availability: Float64Array | undefined;
}

/** How we know that the turbine did not run in an hour; `undefined` if it ran or there is no evidence. */
type HourState = OutageSource | undefined;

/** Detects stretches without power while the model expects power, including short gaps within them. */
function detectStandstills(
  { produced, expected }: HourlyPair,
  isUndecided: (i: number) => boolean,
  neighbours: readonly Neighbour[],
  ratedPower: number,
): Run[] {
  const { length } = produced;
  const compared = expected.map((power, i) => Number.isNaN(produced[i]) ? NaN : power);
  const isMissing = (i: number) => isUndecided(i) && Number.isNaN(compared[i]);
  const isStill = (i: number) =>
    isUndecided(i) && !Number.isNaN(compared[i]) && produced[i] <= IDLE_POWER * ratedPower;
  const gaps = findRuns(length, isMissing)
    .filter(({ from, to }) => to - from <= MAX_GAP && isStill(from - 1) && isStill(to));
  const inGap = buildMask(gaps, length);
  return findRuns(length, (i) => inGap[i] === 1 || isStill(i)).filter((run) => {
    const hours = Array.from({ length: run.to - run.from }, (_, i) => run.from + i)
      .filter((i) => !Number.isNaN(compared[i]));
    const together = hours.filter((i) => standTogether(neighbours, i));
    return hours.length >= OUTAGE_HOURS && expectsPower(compared, run, ratedPower) === true &&
      2 * sumOf(together, (i) => compared[i]) <= sumOf(hours, (i) => compared[i]);
  });
}

/** Whether all turbines nearby that have a value stand still: then it is no outage of this one. */
export function standTogether(neighbours: readonly Neighbour[], i: number): boolean {
  const known = neighbours.filter(({ power }) => !Number.isNaN(power[i]));
  return known.length > 0 &&
    known.every(({ power, ratedPower }) => power[i] <= IDLE_POWER * ratedPower);
}

/** Names a detected or logged outage by its days. */
function nameOutage(source: OutageSource, [from, to]: OutageRun["span"], timeZone: string): string {
  const [first, last] = [from, to - 1].map((at) => dayAt(at, timeZone).toString());
  const days = first === last ? first : `${first} to ${last}`;
  return source === "status" ? `Not available, ${days}` : `Standstill, ${days}`;
}

/**
 * Finds the hours of outages. Named outages come first, then those of the status, then detected ones: an hour belongs
 * to one outage. An outage named by days, in which the turbine was stopped, gets the hours from the first to the last
 * stopped one, so production before and after it is no part of the loss.
 *
 * @param neighbours Production of turbines nearby on the same hours
 * @param ratedPower Rated power, kW
 * @param limited 1 for hours with a stated power limit: without power they are no outage
 * @returns The outages in order of time, the share of each hour in which the turbine was not available (0 in normal
 * hours), and the outages named by days that turned out shorter
 */
export function findOutageHours(
  pair: HourlyPair,
  named: readonly OutageSpan[],
  neighbours: readonly Neighbour[],
  ratedPower: number,
  limited: Float64Array = new Float64Array(pair.axis.length),
) {
  const { axis: { start, length }, timeZone, produced, expected, availability } = pair;
  const idle = buildMask(findIdle(produced, neighbours, ratedPower), length);
  const runs: OutageRun[] = [];
  const notes: PerformanceFinding[] = [];
  const at = (position: number) => start + position * HOUR;
  const add = (
    source: OutageSource,
    { from, to }: Run,
    span: OutageRun["span"] = [at(from), at(to)],
    outage = nameOutage(source, span, timeZone),
  ) => runs.push({ outage, source, from, to, span, length: (span[1] - span[0]) / HOUR });

  /**
   * Finds the state of each hour outside of named outages: by the status if it is known, else by production and
   * neighbours.
   */
  const findStates = (named: readonly HourState[]): HourState[] => {
    const isKnown = (i: number) => availability !== undefined && availability[i] >= 0;
    const isUndecided = (i: number) => named[i] === undefined && !isKnown(i) && limited[i] === 0;
    const runs = detectStandstills(pair, isUndecided, neighbours, ratedPower);
    const detected = buildMask(runs, length);
    return named.map((state, i) => {
      if (state) return state;
      if (isKnown(i)) return availability![i] < 1 ? "status" : undefined;
      if (limited[i] === 1) return undefined;
      return idle[i] === 1 ? "neighbours" : detected[i] === 1 ? "detected" : undefined;
    });
  };

  const states: HourState[] = Array(length).fill(undefined);
  const unnamed = findStates(states);
  for (const { name, from, to, byDays } of named) {
    const within = (position: number) => Math.min(length, Math.max(0, position));
    // An hour in which the turbine stopped or started counts once.
    let first = within(Math.floor((from - start) / HOUR));
    if (states[first]) first++;
    const end = Math.max(first, within(Math.ceil((to - start) / HOUR)));
    const stops = byDays ? findRuns(end, (i) => i >= first && unnamed[i] !== undefined) : [];
    let [begin, last] = stops.length === 0
      ? [first, end]
      : [stops[0].from, stops[stops.length - 1].to];
    // In a missing hour next to a stop, the turbine may or may not have run.
    const isMissing = (i: number) => Number.isNaN(produced[i] + expected[i]);
    while (begin > first && isMissing(begin - 1)) begin--;
    while (last < end && isMissing(last)) last++;
    const span = stops.length === 0 ? [from, to] as const : undefined;
    add("named", { from: begin, to: last }, span, name);
    if (begin > first || last < end) {
      const [from, to] = [begin, last].map((position) => formatClock(at(position), timeZone));
      notes.push({ code: "outage_named_by_days", outage: name, from, to });
    }
    states.fill("named", begin, last);
  }

  const all = named.length === 0 ? unnamed : findStates(states);
  for (const run of findRuns(length, (i) => all[i] === "status")) add("status", run);
  for (const run of findRuns(length, (i) => all[i] === "detected" || all[i] === "neighbours")) {
    // One hour next to running neighbours is enough to attribute the stop to them.
    const isBeside = all.slice(run.from, run.to).includes("neighbours");
    add(isBeside ? "neighbours" : "detected", run);
  }
  return {
    runs: runs.sort((a, b) => a.span[0] - b.span[0]),
    stopped: Float64Array.from(
      all,
      (state, i) => state === "status" ? 1 - availability![i] : state ? 1 : 0,
    ),
    notes,
  };
}
