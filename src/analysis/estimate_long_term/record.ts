import { MIN_SHARE } from "../../frames/production/period_shares.ts";
import { buildMask, type Finding, type FindingKind } from "../../screening/finding.ts";
import { findFlat, findOutages, findOutOfRange } from "../../screening/values/hourly_power.ts";
import { findPeriodFaults } from "../../screening/values/wrong_unit.ts";
import { formatShare } from "../../show/text/numbers.ts";
import { buildRefuse } from "../../frames/read_columns.ts";
import { alignToAxis, HOUR } from "../../time/hourly.ts";
import { formatMonthLabel, monthAt, monthNumberOf } from "../../time/zones.ts";
import { findOutagePeriods } from "../../windindex/calibration/outage_periods.ts";
import {
  countEnergyHours,
  type HourlyProduction,
  type PeriodProduction,
} from "../../windindex/calibration/production.ts";
import { listMonthSpans, MIN_COMPLETENESS } from "../../windindex/index/monthly_energy.ts";
import { assertOneUnit, assertUnit, listMixedHours, listMixedPeriods } from "../series/level.ts";
import type { MonthSpan } from "../series/compared_series.ts";
import type { IndexMonth } from "../series/index_months.ts";
import type { ModelHours } from "../series/model_hours.ts";
import type { ProductionRecord } from "../series/production_rows.ts";

/** A month or year of a record with its index. */
export interface IndexPeriod extends RecordPeriod {
  /** Mean of the month indices of its months, %; `null` if one is missing. */
  readonly index: number | null;
}

/** A month or year that counts. */
export interface UsablePeriod extends IndexPeriod {
  readonly produced: number;
  readonly index: number;
}

/** Hours of a month on average. */
const MONTH_HOURS = 730;

/** Whether a period counts. */
export function isUsable(period: IndexPeriod): period is UsablePeriod {
  return period.reason === "";
}

/**
 * Sums a figure over the months of a period; `null` if it is missing in one.
 *
 * @param values The figure by months since year 0
 */
export function sumMonths(
  { first, months }: RecordPeriod,
  values: ReadonlyMap<number, number | null>,
): number | null {
  let sum = 0;
  for (let number = first; number < first + months; number++) {
    const value = values.get(number) ?? null;
    if (value === null) return null;
    sum += value;
  }
  return sum;
}

/** Computes the mean index of the months of a period. */
function averageIndex(
  period: RecordPeriod,
  indices: ReadonlyMap<number, number | null>,
): number | null {
  const sum = sumMonths(period, indices);
  return sum === null ? null : sum / period.months;
}

/**
 * Joins the periods of a record with their index. Periods without an index do not count, nor do hidden outages: periods
 * that produced far less than expected from their index and the other periods. Calibration leaves out the same ones.
 */
export function joinIndices(
  periods: readonly RecordPeriod[],
  months: readonly IndexMonth[],
): IndexPeriod[] {
  const indices = new Map(months.map(({ number, index }) => [number, index]));
  const indexed = periods.map((period): IndexPeriod => {
    const index = averageIndex(period, indices);
    if (period.reason !== "" || (index !== null && index > 0)) return { ...period, index };
    return { ...period, index, reason: index === null ? "no index" : "an index of 0 %" };
  });
  const usable = indexed.filter(isUsable);
  const ratios = findOutagePeriods(
    Float64Array.from(usable, ({ produced }) => produced),
    Float64Array.from(usable, ({ index, months }) => index * months),
    Float64Array.from(usable, ({ months }) => MONTH_HOURS * months),
  );
  const outages = new Map(
    usable.flatMap(({ label }, i) => Number.isNaN(ratios[i]) ? [] : [[label, ratios[i]]]),
  );
  return indexed.map((period) => {
    const share = outages.get(period.label);
    if (share === undefined) return period;
    const reason = `outage: produced ${
      (100 * share).toFixed(0)
    } % of the energy expected from its index and the other periods`;
    return { ...period, reason };
  });
}

/** A month or year of a record, without its index. */
export interface RecordPeriod {
  /** "2018-05", or "2018". */
  readonly label: string;
  /** Its first month, in months since year 0. */
  readonly first: number;
  /** 1 or 12. */
  readonly months: number;
  /** Energy of all its hours, MWh; `null` if it is incomplete. */
  readonly produced: number | null;
  /**
   * Weight of the period: the share of its hours that a monthly or annual energy covered before it was scaled to all
   * hours.
   */
  readonly weight: number;
  /** Share of its hours with production that counts; `null` if only the energy is known. */
  readonly completeness: number | null;
  /** Why it does not count; empty if it does. */
  readonly reason: string;
}

/** First and last month of a record. */
export function spanOfPeriods(periods: readonly RecordPeriod[]): MonthSpan {
  const last = periods[periods.length - 1];
  return [periods[0].first, last.first + last.months - 1];
}

/** A record with its mask and periods, by production alone. */
export interface RecordScreening extends ProductionRecord {
  /** 1 for hours or periods that do not count. */
  readonly masked: Uint8Array;
  /** Its months or years, in order of time. */
  readonly periods: readonly RecordPeriod[];
}

const LEFT_OUT = "left out by the caller";

/** Largest power, kW: stands in for the rated power if that is not given. */
const findLargest = (power: Float64Array) =>
  power.reduce((max, value) => value > max ? value : max, 1);

/** Finds hours of faults and outages, which are masked, never repaired. */
function findHourFaults(
  power: Float64Array,
  ratedPower: number | undefined,
  expected: Float64Array | undefined,
): Finding[] {
  const scale = ratedPower ?? findLargest(power);
  return [
    ...(ratedPower === undefined ? [] : findOutOfRange(power, ratedPower)),
    ...findOutages(power, scale, expected),
    ...findFlat(power, scale),
  ];
}

/** Names the kind of finding that masks most hours of a stretch. */
function describeMainFinding(findings: readonly Finding[], from: number, to: number): string {
  const hours = new Map<FindingKind, number>();
  for (const finding of findings) {
    const overlap = Math.min(to, finding.to) - Math.max(from, finding.from);
    if (overlap > 0) hours.set(finding.kind, (hours.get(finding.kind) ?? 0) + overlap);
  }
  const [kind, count] = [...hours].reduce((max, entry) => entry[1] > max[1] ? entry : max);
  return `${kind.replaceAll("_", " ")}: ${count} h`;
}

function screenHours(
  { axis, power }: HourlyProduction,
  timeZone: string,
  ratedPower: number | undefined,
  leftOut: ReadonlySet<number>,
  model: ModelHours | undefined,
): Omit<RecordScreening, keyof ProductionRecord> {
  const expected = model && alignToAxis(axis, model.axis, model.power);
  const findings = findHourFaults(power, ratedPower, expected);
  const masked = buildMask(findings, power.length);
  const periods = listMonthSpans(axis, timeZone).map(({ year, month, from, to }): RecordPeriod => {
    const [start, end] = [Math.max(0, from), Math.min(to, power.length)];
    let [sum, known, valid] = [0, 0, 0];
    for (let i = start; i < end; i++) {
      if (Number.isNaN(power[i])) continue;
      known++;
      if (masked[i] === 1) continue;
      valid++;
      sum += power[i];
    }
    const number = monthNumberOf({ year, month });
    if (leftOut.has(number)) masked.fill(1, start, end);
    const share = (hours: number) => hours / (to - from);
    const isComplete = share(valid) >= MIN_COMPLETENESS;
    const reason = leftOut.has(number)
      ? LEFT_OUT
      : isComplete
      ? ""
      : known - valid > to - from - known // more hours masked than missing
      ? describeMainFinding(findings, start, end)
      : `only ${formatShare(share(known))} % of its hours have values`;
    const produced = isComplete ? sum / 1000 / share(valid) : null;
    const label = formatMonthLabel({ year, month });
    const completeness = share(valid);
    return { label, first: number, months: 1, produced, weight: 1, completeness, reason };
  });
  return { masked, periods };
}

function screenPeriods(
  { periods }: PeriodProduction,
  timeZone: string,
  ratedPower: number | undefined,
  leftOut: ReadonlySet<number>,
  months: number,
): Omit<RecordScreening, keyof ProductionRecord> {
  const timed = periods.map((period) => ({ ...period, hours: countEnergyHours(period) }));
  const faults = ratedPower === undefined ? [] : findPeriodFaults(timed, ratedPower);
  const masked = new Uint8Array(periods.length);
  const screened = periods.map(({ label, start, energy, share }, i): RecordPeriod => {
    const first = monthNumberOf(monthAt(start, timeZone));
    const fault = faults.find(({ from }) => from === i);
    const isLeftOut = Array.from({ length: months }, (_, j) => first + j).some((one) =>
      leftOut.has(one)
    );
    const weight = share ?? 1;
    const isPartial = weight < MIN_SHARE;
    const unfit = isLeftOut
      ? LEFT_OUT
      : Number.isNaN(energy)
      ? "no energy"
      : fault
      ? fault.message.replace(`${label}: `, "")
      : energy <= 0 && !isPartial
      ? "standstill: no energy produced"
      : "";
    masked[i] = unfit === "" ? 0 : 1; // a partial one counts for the time-step calibration, as incomplete hours do
    const reason = unfit ||
      (isPartial ? `its energy covers only ${formatShare(weight)} % of its hours` : "");
    const produced = Number.isNaN(energy) || isPartial ? null : energy / 1000 / weight;
    return { label, first, months, produced, weight, completeness: share ?? null, reason };
  });
  return { masked, periods: screened };
}

/**
 * Selects the months or years of a record that count: complete ones without days of standstill, and not left out by the
 * caller.
 *
 * @param ratedPower Rated power, kW, if known
 * @param leftOut Months that the caller leaves out, in months since year 0
 * @param action Action named in messages
 * @param model Model data, if known: days without power are a calm if the model expects none
 * @throws {ArgumentError} If the values do not fit the rated power, because of a wrong unit
 */
export function screenRecord(
  record: ProductionRecord,
  ratedPower: number | undefined,
  leftOut: ReadonlySet<number>,
  action: string,
  model?: ModelHours,
): RecordScreening {
  const { production, timeZone } = record;
  const isLeft = (instant: number) => leftOut.has(monthNumberOf(monthAt(instant, timeZone)));
  const refuse = buildRefuse(action);
  if (production.kind === "hourly") {
    const { axis, power } = production;
    const kept = leftOut.size === 0
      ? power
      : power.map((value, i) => isLeft(axis.start + i * HOUR) ? NaN : value);
    const expected = model && alignToAxis(axis, model.axis, model.power);
    const scale = ratedPower ?? findLargest(kept);
    assertOneUnit(
      listMixedHours({ axis, power: kept }, record.stampZone, scale, expected),
      refuse,
    );
    if (ratedPower !== undefined) {
      assertUnit(production.power.map((value) => value / ratedPower), "hours", action);
    }
    return { ...record, ...screenHours(production, timeZone, ratedPower, leftOut, model) };
  }
  if (ratedPower !== undefined) {
    const kept = production.periods.map((period) => ({
      label: period.label,
      energy: isLeft(period.start) ? NaN : period.energy,
      hours: countEnergyHours(period),
    }));
    assertOneUnit(
      listMixedPeriods(kept, ratedPower, record.resolution === "year" ? "year" : "month"),
      refuse,
    );
    const factors = production.periods
      .map((period) => period.energy / countEnergyHours(period) / ratedPower)
      .filter(Number.isFinite);
    assertUnit(Float64Array.from(factors), "periods", action);
  }
  const months = record.resolution === "year" ? 12 : 1;
  return { ...record, ...screenPeriods(production, timeZone, ratedPower, leftOut, months) };
}
