import { time } from "../../api/columns/columns.ts";
import { alignToAxis, endOfAxis, HOUR, type HourAxis } from "../../time/hourly.ts";
import { dayAt, formatClock, formatMonthLabel, monthNumberOf } from "../../time/zones.ts";
import { IDLE_POWER, type Neighbour } from "../../screening/values/neighbours.ts";
import { formatInstant } from "../../screening/stamps.ts";
import { findRuns } from "../../screening/runs.ts";
import { listMonthSpans, type MonthSpan } from "../../windindex/index/monthly_energy.ts";
import { findHourlyChanges } from "./changes.ts";
import type { CheckResult, LossInterval, OutageResult, PeriodResult } from "./check_result.ts";
import type { ProducedHours } from "./produced_series.ts";
import { combineIntervals, NormalStretches } from "./lost_energy.ts";
import type { ModelHours } from "../series/model_hours.ts";
import { MIN_COMPLETENESS_OF_RATIO } from "./normal_band.ts";
import type { OutageSpan } from "./named_outages.ts";
import { refuse } from "./refuse.ts";
import { findOutageHours, type HourlyPair, OUTAGE_HOURS, type OutageRun } from "./outage_hours.ts";

/** Input of a check of hours. */
export interface HoursInput {
  readonly production: ProducedHours;
  /** Model data. */
  readonly model: ModelHours;
  /** Effect of air density on them, kW. */
  readonly density: Float64Array | undefined;
  /** Energy of a normal month, January first, MWh; NaN where it is unknown. */
  readonly normals: Float64Array | undefined;
  /** Outages that the caller names. */
  readonly named: readonly OutageSpan[];
  /** Production of turbines nearby. */
  readonly neighbours: readonly ProducedHours[];
  /** Rated power of one turbine, kW. */
  readonly ratedPower: number;
  /** Number of turbines in production and model data. */
  readonly units: number;
}

/** Fewest hours outside of outages for a turbine's own ratio: a week. */
const MIN_NORMAL_HOURS = 168;

function refuseNoOverlap({ axis }: ProducedHours, model: ModelHours): never {
  const spanOf = (own: HourAxis) =>
    `${formatInstant(own.start)} to ${formatInstant(endOfAxis(own) - HOUR)}`;
  const apart = Math.abs(axis.start - model.axis.start) % HOUR !== 0;
  return refuse(
    `no hour has a value in both. The production covers ${spanOf(axis)}, the model data ` +
      `${spanOf(model.axis)}. ${
        apart
          ? `Their hours do not begin at the same minute: average the production to those of column "${time.name}" of the model data`
          : "Ask modelData() for the time of the production"
      }`,
  );
}

/** Hours of a check, on one axis. */
interface HourlyComparison extends HourlyPair {
  /** 1 for hours with production and prediction. */
  readonly known: readonly number[];
  /** Share of each hour in which the turbine was not available. */
  readonly stopped: Float64Array;
  /** Produced over expected energy outside of outages. */
  readonly ratio: number;
  /** Power produced in an hour that was stopped as a whole, kW; 0 in other hours, whose available part produced it. */
  readonly madeStopped: (i: number) => number;
}

/** Adds up a value over the hours of a stretch that have production and prediction. */
function sumOver(
  { known }: HourlyComparison,
  [from, to]: readonly [from: number, to: number],
  value: (i: number) => number,
): number {
  let sum = 0;
  for (let i = Math.max(0, from); i < Math.min(known.length, to); i++) {
    if (known[i] === 1) sum += value(i);
  }
  return sum;
}

/** Computes the power missed in the part of an hour in which the turbine was not available, kW. */
function computeMissed({ stopped, ratio, expected }: HourlyComparison, i: number): number {
  return stopped[i] * ratio * expected[i];
}

function checkPeriod(
  span: MonthSpan,
  hours: HourlyComparison,
  lostInterval: LossInterval,
  density: Float64Array | undefined,
  normals: Float64Array | undefined,
): PeriodResult {
  const { produced, expected, stopped } = hours;
  const all = span.to - span.from;
  const sum = (value: (i: number) => number) => sumOver(hours, [span.from, span.to], value);
  const running = (value: (i: number) => number) => sum((i) => stopped[i] === 0 ? value(i) : 0);
  const compared = sum(() => 1);
  const nanIfMissing = (energy: number) => compared > 0 ? energy : NaN;
  return {
    number: monthNumberOf(span),
    label: formatMonthLabel(span),
    hours: all,
    compared,
    completeness: compared / all,
    produced: nanIfMissing(sum((i) => produced[i]) / 1000),
    predicted: nanIfMissing(sum((i) => expected[i]) / 1000),
    normal: nanIfMissing(normals ? normals[span.month - 1] * compared / all : NaN),
    // A missing density counts as normal, so that its effect remains with the wind.
    density: nanIfMissing(
      density ? sum((i) => Number.isNaN(density[i]) ? 0 : density[i]) / 1000 : NaN,
    ),
    running: running(() => 1) >= MIN_COMPLETENESS_OF_RATIO * all
      ? running((i) => produced[i]) / running((i) => expected[i])
      : NaN,
    lost: sum((i) => stopped[i] > 0 ? computeMissed(hours, i) - hours.madeStopped(i) : 0) / 1000,
    lostInterval,
    short: false,
  };
}

function checkOutage(
  run: OutageRun,
  hours: HourlyComparison,
  stretches: NormalStretches,
  timeZone: string,
): OutageResult {
  const sum = (value: (i: number) => number) => sumOver(hours, [run.from, run.to], value);
  const count = sum(() => 1);
  const expected = sum((i) => computeMissed(hours, i)) / 1000;
  const produced = sum(hours.madeStopped) / 1000;
  const range = count === 0
    ? undefined
    : stretches.estimateRange(count, 1000 * expected / sum((i) => hours.stopped[i]));
  const nanIfMissing = (energy: number) => count > 0 ? energy : NaN;
  return {
    name: run.name ?? nameOutage(run, timeZone),
    from: run.span[0],
    to: run.span[1],
    source: run.source,
    completeness: Math.min(1, count * HOUR / (run.span[1] - run.span[0])),
    expected: nanIfMissing(expected),
    produced: nanIfMissing(produced),
    lost: nanIfMissing(expected - produced),
    low: range ? range.low * expected - produced : NaN,
    high: range ? range.high * expected - produced : NaN,
  };
}

/** Compares hours with hours: periods are months, outages are found by the hour. */
export function checkHours(input: HoursInput): CheckResult {
  const { production, model, density, normals, ratedPower, units } = input;
  const produced = alignToAxis(model.axis, production.axis, production.power);
  const expected = model.power;
  const known = Array.from(produced, (power, i) => Number.isNaN(power + expected[i]) ? 0 : 1);
  if (!known.includes(1)) refuseNoOverlap(production, model);
  const availability = production.availability &&
    alignToAxis(model.axis, production.axis, production.availability);
  const neighbours = input.neighbours.map((other): Neighbour => ({
    power: alignToAxis(model.axis, other.axis, other.power),
    ratedPower,
  }));
  const both: HourlyPair = { axis: model.axis, produced, expected, availability };
  const { runs, stopped } = findOutageHours(both, input.named, neighbours, units * ratedPower);

  const normal = [...known.keys()].filter((i) => known[i] === 1 && stopped[i] === 0);
  const sum = (values: Float64Array) => normal.reduce((total, i) => total + values[i], 0);
  const enough = normal.length >= MIN_NORMAL_HOURS && sum(expected) > 0;
  const ratio = enough ? sum(produced) / sum(expected) : 1;
  const stretches = new NormalStretches(
    Float64Array.from(enough ? normal : [], (i) => produced[i]),
    Float64Array.from(enough ? normal : [], (i) => ratio * expected[i]),
  );
  const madeStopped = (i: number) => stopped[i] === 1 ? produced[i] : 0;
  const hours: HourlyComparison = { ...both, known, stopped, ratio, madeStopped };

  const checkRun = (run: OutageRun) => checkOutage(run, hours, stretches, model.timeZone);
  const [first, last] = [known.indexOf(1), known.lastIndexOf(1)];
  const highest = produced.reduce((max, power) => power > max ? power : max, 0);
  return {
    by: "month",
    hourly: true,
    timeZone: model.timeZone,
    periods: listMonthSpans(model.axis, model.timeZone)
      .filter(({ from, to }) => to > first && from <= last)
      .map((span) => {
        const losses = runs.filter(({ from, to }) => from < span.to && to > span.from)
          .map((run) => checkRun(cutRun(run, span)));
        return checkPeriod(span, hours, combineIntervals(losses), density, normals);
      }),
    outages: runs.map(checkRun),
    change: findHourlyChanges({
      pair: both,
      stopped,
      neighbours: neighbours.map(({ power }) => power),
      ratedPower,
      units,
      timeZone: model.timeZone,
    }),
    stopsSeen: true,
    normalRatio: ratio,
    method: "stretches of the turbine's own normal hours, of the same length and with similar wind",
    notes: [
      ...describeTrimmed(runs, model.timeZone),
      ...describeGaps(known, first, last, model),
      ...(highest > IDLE_POWER * units * ratedPower ? [] : [
        `Column "power" of the production never passes ${highest.toPrecision(2)} kW, of ${
          (units * ratedPower).toFixed(0)
        } kW rated: the turbine was stopped all the time, or the unit is wrong.`,
      ]),
      ...(enough ? [] : [
        `Only ${normal.length} hours are outside of outages, too few for the usual ratio of the ` +
        "turbine: losses are those of the prediction, without an interval. Give a longer time.",
      ]),
      ...(availability || neighbours.length > 0 ? [] : [
        `Stops of less than ${OUTAGE_HOURS} hours are not detected: what they cost is unexplained. ` +
        'A column "availability" of the production, or neighbours, would show them.',
      ]),
    ],
  };
}

/** The part of an outage within a month. */
function cutRun(run: OutageRun, { from, to }: MonthSpan): OutageRun {
  return { ...run, from: Math.max(run.from, from), to: Math.min(run.to, to) };
}

/** Says which hours of outages that were named by days are counted. */
function describeTrimmed(runs: readonly OutageRun[], timeZone: string): string[] {
  return runs.filter(({ trimmed }) => trimmed).map(({ name, span: [from, to] }) =>
    `"${name}" is named by days. It is counted from ${formatClock(from, timeZone)} to ` +
    `${
      formatClock(to, timeZone)
    }, from the first to the last stopped hour: before and after, the ` +
    "turbine ran. Name it by hours to count others."
  );
}

/** Describes gaps between the first and the last hour with production and prediction. */
function describeGaps(
  known: readonly number[],
  first: number,
  last: number,
  model: ModelHours,
): string[] {
  const gaps = findRuns(last + 1, (i) => i >= first && known[i] === 0);
  if (gaps.length === 0) return [];
  const hours = gaps.reduce((sum, { from, to }) => sum + to - from, 0);
  const longest = gaps.reduce((a, b) => b.to - b.from > a.to - a.from ? b : a);
  const start = formatClock(model.axis.start + longest.from * HOUR, model.timeZone);
  const count = longest.to - longest.from;
  return [
    `${hours} ${hours === 1 ? "hour is" : "hours are"} missing in production or model data` +
    `${
      count < hours ? `, ${count} of them` : ""
    } from ${start} on: no loss is counted there, and ` +
    "the normal is scaled to the hours compared.",
  ];
}

/** Names an outage without a name by its days. */
function nameOutage({ span, source }: OutageRun, timeZone: string): string {
  const [from, to] = [span[0], span[1] - 1].map((at) => dayAt(at, timeZone).toString());
  const days = from === to ? from : `${from} to ${to}`;
  return source === "status" ? `Not available, ${days}` : `Standstill, ${days}`;
}
