import { computeShares, describeShares } from "../../frames/production/period_shares.ts";
import { findRuns } from "../../screening/runs.ts";
import { HOUR } from "../../time/hourly.ts";
import { findOutagePeriods } from "../../windindex/calibration/outage_periods.ts";
import { listReadings } from "../series/findings.ts";
import { MIN_COMPLETENESS_OF_RATIO } from "./band.ts";
import type { CheckResult, OutageSource } from "./check_result.ts";
import { computeLosses, type OutageRun } from "./comparison.ts";
import type { OutageSpan } from "./options.ts";
import { boundsOf, labelOf, type ProducedPeriods } from "./production.ts";
import type { PerformanceFound } from "./words.ts";

/** Input of a check of months or years. */
export interface PeriodsInput {
  readonly production: ProducedPeriods;
  /** Expected energy of each of its periods, MWh; missing is NaN. */
  readonly expected: Float64Array;
  /** Effect of air density on it, MWh; missing is NaN. */
  readonly density: Float64Array;
  /** Energy of a normal period of each name, MWh; missing is NaN. */
  readonly normal: Float64Array;
  /** Share of the hours that are compared; NaN where it is unknown. */
  readonly completeness: Float64Array;
  /** Outages that the caller names. */
  readonly named: readonly OutageSpan[];
  /** Zone whose calendar counts. */
  readonly timeZone: string;
}

/** Names an outage by its months or years. */
function nameOutage(source: OutageSource, labels: readonly string[]): string {
  const [from, to] = [labels[0], labels[labels.length - 1]];
  const span = from === to ? from : `${from} to ${to}`;
  return source === "status" ? `Not available, ${span}` : `Outage, ${span}`;
}

/**
 * Finds months and years far below their expected energy and the others.
 *
 * @param energy Energy of each, MWh; NaN where it must not be judged
 * @param expected Expected energy of each, MWh
 * @returns 1 for outages
 */
function findOutagesByModel(
  energy: Float64Array,
  expected: Float64Array,
  hours: Float64Array,
): Uint8Array {
  const known = [...energy.keys()].filter((i) => Number.isFinite(energy[i]) && expected[i] > 0);
  const pick = (values: Float64Array) => Float64Array.from(known, (i) => values[i]);
  const found = findOutagePeriods(pick(energy), pick(expected), pick(hours));
  const outages = new Uint8Array(energy.length);
  known.forEach((i, position) => outages[i] = Number.isNaN(found[position]) ? 0 : 1);
  return outages;
}

/** Finds the outages, and the share of each period that they take; a period belongs to one outage at most. */
function findOutages(
  { production, expected, completeness, named }: PeriodsInput,
  bounds: readonly (readonly [number, number])[],
  notes: PerformanceFound[],
): { runs: OutageRun[]; stopped: Float64Array } {
  const { kind, numbers, energy, availability } = production;
  const labels = numbers.map((number) => labelOf(number, kind));
  const owner = new Map<number, string>();
  const stopped = new Float64Array(numbers.length);
  const runs: OutageRun[] = [];
  const take = (source: OutageSource, from: number, to: number, share = 1) => {
    stopped.fill(share, from, to);
    const name = nameOutage(source, labels.slice(from, to));
    const span = [bounds[from][0], bounds[to - 1][1]] as const;
    runs.push({ name, source, from, to, span, length: to - from });
  };
  for (const { name, from, to } of named) {
    const touched = [...bounds.keys()].filter((i) => bounds[i][0] < to && bounds[i][1] > from);
    const own = touched.filter((i) => !owner.has(i));
    for (const i of touched.filter((i) => owner.has(i))) {
      notes.push({
        code: "period_in_two_outages",
        period: labels[i],
        outage: owner.get(i)!,
        other: name,
      });
    }
    for (const i of own) owner.set(i, name);
    const [first, end] = [own[0] ?? 0, own.length === 0 ? 0 : own[own.length - 1] + 1];
    stopped.fill(1, first, end);
    runs.push({
      name,
      source: "named",
      from: first,
      to: end,
      span: [from, to],
      length: own.length,
    });
  }
  const known = (i: number) => availability !== undefined && !Number.isNaN(availability[i]);
  for (const i of numbers.keys()) {
    if (owner.has(i) || !known(i) || availability![i] === 1) continue;
    take("status", i, i + 1, 1 - availability![i]);
  }
  const hours = Float64Array.from(bounds, ([from, to]) => (to - from) / HOUR);
  // Of a period with few valid hours it is unknown which these are: it may have lacked the windy ones.
  const judged = energy.map((value, i) =>
    owner.has(i) || known(i) || completeness[i] < MIN_COMPLETENESS_OF_RATIO ? NaN : value
  );
  const found = findOutagesByModel(judged, expected, hours);
  const isOut = (i: number) => found[i] === 1 && Number.isFinite(judged[i]);
  for (const { from, to } of findRuns(numbers.length, isOut)) {
    // Months in a row are one outage; years may have one each.
    if (kind === "month") take("detected", from, to);
    else for (let i = from; i < to; i++) take("detected", i, i + 1);
  }
  return { runs: runs.sort((a, b) => a.span[0] - b.span[0]), stopped };
}

/** Scales what is expected to the share of the hours for which the energy of a period is known. */
function scaleToValid(
  input: PeriodsInput,
  bounds: readonly (readonly [number, number])[],
  notes: PerformanceFound[],
): PeriodsInput {
  const { validHours } = input.production;
  if (!validHours) return input;
  const shares = computeShares(bounds.map(([from, to]) => (to - from) / HOUR), validHours);
  const found = describeShares(
    shares.filter((_, i) => Number.isFinite(input.production.energy[i])),
  );
  if (found) notes.push({ code: "energies_of_part", shares: found });
  const times = (values: Float64Array) => values.map((value, i) => value * shares[i]);
  return {
    ...input,
    expected: times(input.expected),
    density: times(input.density),
    normal: times(input.normal),
    completeness: input.completeness.map((value, i) =>
      Number.isNaN(value) ? shares[i] : value * shares[i]
    ),
  };
}

/** Compares months with months, or years with years: an outage takes whole ones. */
export function checkPeriods(given: PeriodsInput): Omit<CheckResult, "change"> {
  const { production, timeZone } = given;
  const { kind, numbers, energy, availability } = production;
  const notes: PerformanceFound[] = listReadings(production.notes);
  const bounds = numbers.map((number) => boundsOf(number, kind, timeZone));
  const input = scaleToValid(given, bounds, notes);
  const { expected, density, normal, completeness } = input;
  const { runs, stopped } = findOutages(input, bounds, notes);
  const known = Uint8Array.from(
    energy,
    (value, i) => Number.isFinite(value) && expected[i] > 0 ? 1 : 0,
  );
  const losses = computeLosses({
    cell: kind,
    produced: energy,
    expected,
    known,
    runs,
    stopped,
    periods: numbers.map((number, i) => ({
      number,
      label: labelOf(number, kind),
      start: bounds[i][0],
      end: bounds[i][1],
      hours: (bounds[i][1] - bounds[i][0]) / HOUR,
      compared: Math.round(production.validHours?.[i] ?? NaN),
      completeness: completeness[i],
      produced: energy[i],
      predicted: expected[i],
      normal: known[i] === 1 ? normal[i] : NaN,
      density: known[i] === 1 ? density[i] : NaN,
      from: i,
      to: i + 1,
    })),
  });
  const { periods, outages, ratio, enough, counted } = losses;
  if (!enough) {
    notes.push({ code: "all_in_outages", by: kind });
  }
  return {
    by: kind,
    hourly: false,
    timeZone,
    periods,
    outages,
    stopsSeen: runs.length > 0 || availability !== undefined,
    stopsKnown: availability !== undefined,
    reference: null,
    normalRatio: ratio,
    method: { method: "periods", by: kind, periods: counted },
    notes,
  };
}
