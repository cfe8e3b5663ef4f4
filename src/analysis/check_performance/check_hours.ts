import { time } from "../../api/columns/columns.ts";
import { findRuns } from "../../screening/runs.ts";
import { formatInstant } from "../../screening/stamps.ts";
import { IDLE_POWER, type Neighbour } from "../../screening/values/neighbours.ts";
import { alignToAxis, endOfAxis, HOUR, type HourAxis } from "../../time/hourly.ts";
import { dayAt, formatClock, monthNumberOf } from "../../time/zones.ts";
import { listMonthSpans, type MonthSpan } from "../../windindex/index/monthly_energy.ts";
import type { ModelHours } from "../series/model_hours.ts";
import { findHourlyChanges } from "./changes.ts";
import type { CheckResult } from "./check_result.ts";
import { type ComparedPeriod, computeLosses, type OutageRun } from "./comparison.ts";
import { type OutageSpan, refuse } from "./options.ts";
import { findOutageHours, type HourlyPair, type HoursOut, OUTAGE_HOURS } from "./outage_hours.ts";
import { boundsOf, labelOf, type ProducedHours } from "./production.ts";
import type { PerformanceFound } from "./words.ts";

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
  /** Date of a change that the caller names, milliseconds since 1970 UTC. */
  readonly changed: number | undefined;
  /** Production of turbines nearby. */
  readonly neighbours: readonly ProducedHours[];
  /** Rated power of one turbine, kW. */
  readonly ratedPower: number;
  /** Number of turbines in production and model data. */
  readonly units: number;
}

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

/** A month of hours, in which those with production and prediction are compared. */
function buildPeriod(
  { year, month, from, to }: MonthSpan,
  { produced, expected }: HourlyPair,
  known: Uint8Array,
  { density, normals, model }: HoursInput,
): ComparedPeriod {
  const cells = Array.from({ length: Math.min(known.length, to) - from }, (_, i) => from + i)
    .filter((i) => known[i] === 1);
  const nanIfMissing = (energy: number) => cells.length > 0 ? energy : NaN;
  const sum = (value: (i: number) => number) =>
    nanIfMissing(cells.reduce((total, i) => total + value(i), 0) / 1000);
  const share = cells.length / (to - from);
  const number = monthNumberOf({ year, month });
  const [start, end] = boundsOf(number, "month", model.timeZone);
  return {
    number,
    label: labelOf(number, "month"),
    start,
    end,
    hours: to - from,
    compared: cells.length,
    completeness: share,
    produced: sum((i) => produced[i]),
    predicted: sum((i) => expected[i]),
    normal: nanIfMissing(normals ? normals[month - 1] * cells.length / (to - from) : NaN),
    // A missing density counts as normal, so that its effect remains with the wind.
    density: density ? sum((i) => Number.isNaN(density[i]) ? 0 : density[i]) : NaN,
    from,
    to,
  };
}

/** Compares hours with hours: periods are months, outages are found by the hour. */
export function checkHours(input: HoursInput): CheckResult {
  const { production, model, ratedPower, units } = input;
  const produced = alignToAxis(model.axis, production.axis, production.power);
  const expected = model.power;
  const known = Uint8Array.from(
    produced,
    (power, i) => Number.isNaN(power + expected[i]) ? 0 : 1,
  );
  if (!known.includes(1)) refuseNoOverlap(production, model);
  const availability = production.availability &&
    alignToAxis(model.axis, production.axis, production.availability);
  const neighbours = input.neighbours.map((other): Neighbour => ({
    power: alignToAxis(model.axis, other.axis, other.power),
    ratedPower,
  }));
  const both: HourlyPair = { ...model, produced, expected, availability };
  const { runs, stopped } = findOutageHours(both, input.named, neighbours, units * ratedPower);
  const [first, last] = [known.indexOf(1), known.lastIndexOf(1)];
  const highest = produced.reduce((max, power) => power > max ? power : max, 0);
  const losses = computeLosses({
    cell: "hour",
    produced,
    expected,
    known,
    runs: runs.map((run): OutageRun => ({
      ...run,
      name: run.name ?? nameOutage(run, model.timeZone),
      length: (run.span[1] - run.span[0]) / HOUR,
    })),
    stopped,
    periods: listMonthSpans(model.axis, model.timeZone)
      .filter(({ from, to }) => to > first && from <= last)
      .map((span) => buildPeriod(span, both, known, input)),
  });
  const { periods, outages, ratio, enough, ran, computeLoss } = losses;
  return {
    by: "month",
    hourly: true,
    hours: { axis: model.axis, produced, expected, stopped, computeLoss },
    timeZone: model.timeZone,
    periods,
    outages,
    change: findHourlyChanges({
      pair: both,
      stopped,
      neighbours: neighbours.map(({ power }) => power),
      ratedPower,
      units,
      timeZone: model.timeZone,
      named: input.changed,
      computeLoss,
    }),
    stopsSeen: true,
    stopsKnown: true,
    reference: null,
    normalRatio: ratio,
    method: { method: "stretches", by: "month", periods: losses.counted },
    notes: [
      ...describeTrimmed(runs, model.timeZone),
      ...describeGaps(known, first, last, model),
      ...(highest > IDLE_POWER * units * ratedPower
        ? []
        : [{ code: "never_power", highest, rated_power: units * ratedPower } as const]),
      ...(enough ? [] : [{ code: "few_normal_hours", hours: ran } as const]),
      ...(availability || neighbours.length > 0
        ? []
        : [{ code: "short_stops_unseen", hours: OUTAGE_HOURS } as const]),
    ],
  };
}

/** Says which hours of outages that were named by days are counted. */
function describeTrimmed(runs: readonly HoursOut[], timeZone: string): PerformanceFound[] {
  return runs.filter(({ trimmed }) => trimmed).map(({ name, span: [from, to] }) => ({
    code: "outage_named_by_days",
    outage: name!,
    from: formatClock(from, timeZone),
    to: formatClock(to, timeZone),
  }));
}

/** Describes gaps between the first and the last hour with production and prediction. */
function describeGaps(
  known: Uint8Array,
  first: number,
  last: number,
  model: ModelHours,
): PerformanceFound[] {
  const gaps = findRuns(last + 1, (i) => i >= first && known[i] === 0);
  if (gaps.length === 0) return [];
  const hours = gaps.reduce((sum, { from, to }) => sum + to - from, 0);
  const longest = gaps.reduce((a, b) => b.to - b.from > a.to - a.from ? b : a);
  return [{
    code: "hours_missing",
    hours,
    longest: longest.to - longest.from,
    from: formatClock(model.axis.start + longest.from * HOUR, model.timeZone),
  }];
}

/** Names an outage without a name by its days. */
function nameOutage({ span, source }: HoursOut, timeZone: string): string {
  const [from, to] = [span[0], span[1] - 1].map((at) => dayAt(at, timeZone).toString());
  const days = from === to ? from : `${from} to ${to}`;
  return source === "status" ? `Not available, ${days}` : `Standstill, ${days}`;
}
