import { computeShares, describeShares } from "../../frames/production/period_shares.ts";
import { findRuns } from "../../screening/finding.ts";
import { findOutagePeriods } from "../../windindex/calibration/outage_periods.ts";
import { listReadings } from "../series/answer.ts";
import { assertOneUnit, listMixedPeriods } from "../series/level.ts";
import type { Prices } from "../series/prices.ts";
import { findPeriodChanges } from "./changes/changes.ts";
import type { CheckedPeriods } from "./check_result.ts";
import {
  computeLosses,
  MIN_COMPLETENESS_OF_RATIO,
  type OutageRun,
  type OutageSource,
} from "./losses/lost_energy.ts";
import { type Expectation, type ModelMonths, sumYears } from "./expectation.ts";
import { type ChosenOptions, type OutageSpan, readNamedOutages, refuse } from "./options.ts";
import {
  labelOf,
  type PeriodKind,
  type ProducedPeriod,
  type ProducedPeriods,
} from "./production.ts";
import type { PerformanceFinding } from "./words.ts";

/** A month or year to be compared; energies in MWh, missing is NaN. */
interface ExpectedPeriod extends ProducedPeriod {
  readonly expected: number;
  /** Effect of air density on the expected energy. */
  readonly density: number;
  /** Energy of a normal period of this name. */
  readonly normal: number;
}

/** Selects the periods of production from the first to the last that can be compared, with their expected energies. */
function selectCommonPeriods(
  { kind, periods }: ProducedPeriods,
  expected: ModelMonths,
  normals: Float64Array | undefined,
): ExpectedPeriod[] {
  const isKnown = (energy: number | undefined) => Number.isFinite(energy ?? NaN);
  const isCommon = ({ number, energy }: ProducedPeriod) =>
    isKnown(energy) && isKnown(expected.get(number)?.energy);
  const [first, last] = [periods.findIndex(isCommon), periods.findLastIndex(isCommon)];
  if (first === -1) {
    const span = (all: readonly number[]) =>
      all.length === 0
        ? `no whole ${kind}`
        : `${labelOf(Math.min(...all), kind)} to ${labelOf(Math.max(...all), kind)}`;
    const producedNumbers = periods.filter(({ energy }) => isKnown(energy)).map(({ number }) =>
      number
    );
    const model = [...expected.keys()].filter((number) => isKnown(expected.get(number)?.energy));
    refuse(
      `no ${kind} has a value in both. The production has ${
        span(producedNumbers)
      }, and the prediction has ${span(model)}. A ${kind} counts if it has 98 % of its hours. ` +
        "Give a prediction for the period of the production",
    );
  }
  const year = normals?.reduce((sum, energy) => sum + energy, 0) ?? NaN;
  return periods.slice(first, last + 1).map((period) => {
    const model = expected.get(period.number);
    return {
      ...period,
      expected: model?.energy ?? NaN,
      density: model?.density ?? NaN,
      normal: kind === "year" ? year : normals?.[period.number % 12] ?? NaN,
      completeness: Number.isNaN(period.completeness)
        ? model?.completeness ?? NaN
        : period.completeness,
    };
  });
}

/**
 * Finds months and years far below their expected energy relative to the others; periods with NaN energy are not
 * judged.
 */
function findOutagesByModel(periods: readonly ExpectedPeriod[]): Set<ExpectedPeriod> {
  const known = periods.filter(({ energy, expected }) => Number.isFinite(energy) && expected > 0);
  const of = (name: "energy" | "expected" | "hours") =>
    Float64Array.from(known, (period) => period[name]);
  const ratios = findOutagePeriods(of("energy"), of("expected"), of("hours"));
  return new Set(known.filter((_, i) => !Number.isNaN(ratios[i])));
}

/** Finds the outages, and the share of each period that they take; a period belongs to one outage at most. */
function findOutages(
  periods: readonly ExpectedPeriod[],
  named: readonly OutageSpan[],
  by: PeriodKind,
  notes: PerformanceFinding[],
) {
  const owner = new Map<number, string>();
  const stopped = new Float64Array(periods.length);
  const runs: OutageRun[] = [];
  const take = (source: OutageSource, from: number, to: number, share = 1) => {
    stopped.fill(share, from, to);
    const [first, last] = [periods[from], periods[to - 1]];
    const label = source === "status" ? "Not available" : "Outage";
    const labels = first === last ? first.label : `${first.label} to ${last.label}`;
    const span = [first.start, last.end] as const;
    runs.push({ outage: `${label}, ${labels}`, source, from, to, span, length: to - from });
  };
  for (const { name, from, to } of named) {
    const positions: number[] = [];
    for (const [i, { label: period, start, end }] of periods.entries()) {
      if (start >= to || end <= from) continue;
      const outage = owner.get(i);
      if (outage === undefined) positions.push(i);
      else notes.push({ code: "period_in_two_outages", period, outage, other: name });
    }
    for (const i of positions) owner.set(i, name);
    const [first, end] = positions.length === 0
      ? [0, 0]
      : [positions[0], positions[positions.length - 1] + 1];
    stopped.fill(1, first, end);
    const span = [from, to] as const;
    runs.push({
      outage: name,
      source: "named",
      from: first,
      to: end,
      span,
      length: positions.length,
    });
  }
  const isKnown = ({ availability = NaN }: ExpectedPeriod) => !Number.isNaN(availability);
  for (const [i, period] of periods.entries()) {
    if (owner.has(i) || !isKnown(period) || period.availability === 1) continue;
    take("status", i, i + 1, 1 - period.availability!);
  }
  // If a period has few valid hours, they may lack the windy ones.
  const judged = periods.filter((period, i) =>
    !owner.has(i) && !isKnown(period) && !(period.completeness < MIN_COMPLETENESS_OF_RATIO)
  );
  const detected = findOutagesByModel(judged);
  for (const { from, to } of findRuns(periods.length, (i) => detected.has(periods[i]))) {
    // Months in a row are one outage; years may have one each.
    if (by === "month") take("detected", from, to);
    else for (let i = from; i < to; i++) take("detected", i, i + 1);
  }
  return { runs: runs.sort((a, b) => a.span[0] - b.span[0]), stopped };
}

/** Scales the expected energy to the share of the hours for which the energy of a period is known. */
function scaleToValid(periods: readonly ExpectedPeriod[], notes: PerformanceFinding[]) {
  if (periods.every(({ validHours }) => validHours === undefined)) return periods;
  const shares = computeShares(
    periods.map(({ hours }) => hours),
    Float64Array.from(periods, ({ validHours }) => validHours ?? NaN),
  );
  const sentence = describeShares(shares.filter((_, i) => Number.isFinite(periods[i].energy)));
  if (sentence) notes.push({ code: "energies_of_part", shares: sentence });
  return periods.map((period, i): ExpectedPeriod => ({
    ...period,
    expected: period.expected * shares[i],
    density: period.density * shares[i],
    normal: period.normal * shares[i],
    completeness: Number.isNaN(period.completeness) ? shares[i] : period.completeness * shares[i],
  }));
}

/** Compares months with months, or years with years: an outage takes whole periods. */
export function checkPeriods(
  production: ProducedPeriods,
  months: ModelMonths,
  { normals, ratedPower }: Expectation,
  { outages: namedOutages = [], units }: ChosenOptions,
  prices?: Prices,
): CheckedPeriods {
  const { kind: by, timeZone } = production;
  const expected = by === "year" ? sumYears(months) : months;
  const common = selectCommonPeriods(production, expected, normals);
  const named = readNamedOutages(namedOutages, timeZone);
  const judged = common.map(({ start, end, label, hours, energy, expected }) => ({
    label,
    hours,
    expected: 1000 * expected,
    energy: named.some(({ from, to }) => from < end && to > start) ? NaN : 1000 * energy,
  }));
  const doubt = assertOneUnit(listMixedPeriods(judged, units * ratedPower, by), refuse);
  const notes: PerformanceFinding[] = listReadings(production.notes);
  const rows = scaleToValid(common, notes);
  const { runs, stopped } = findOutages(rows, named, by, notes);
  const known = rows.map(({ energy, expected }) => Number.isFinite(energy) && expected > 0 ? 1 : 0);
  /** Compares the periods, in MWh, or in the currency of a price. */
  const compare = (price?: Float64Array) =>
    computeLosses({
      hourly: false,
      known,
      runs,
      stopped,
      price,
      produced: Float64Array.from(rows, ({ energy }) => energy),
      expected: Float64Array.from(rows, ({ expected }) => expected),
      periods: rows.map(({ energy, expected, normal, density, validHours, ...period }, i) => {
        const worth = price?.[i] ?? 1;
        return {
          ...period,
          from: i,
          to: i + 1,
          produced: worth * energy,
          predicted: worth * expected,
          compared: Math.round(validHours ?? NaN),
          normal: known[i] === 1 ? worth * normal : NaN,
          density: known[i] === 1 ? worth * density : NaN,
        };
      }),
    });
  const { periods, outages, ratio, hasEnough, counted } = compare();
  const price = prices?.ofPeriods(by, rows.map(({ number }) => number));
  const valued = price && compare(price);
  if (prices && !price) notes.push({ code: "prices_unused", by });
  if (!hasEnough) notes.push({ code: "all_in_outages", by });
  if (doubt !== undefined) notes.push({ code: "unit_in_doubt", doubt });
  const stopsKnown = rows.some(({ availability }) => availability !== undefined);
  return {
    by,
    timeZone,
    periods,
    outages,
    counted,
    notes,
    normalRatio: ratio,
    stopsKnown,
    limits: [],
    ...(valued && {
      value: {
        currency: prices!.currency,
        limits: [],
        periods: valued.periods,
        outages: valued.outages,
      },
    }),
    change: findPeriodChanges(by, periods),
    stopsSeen: runs.length > 0 || stopsKnown,
  };
}
