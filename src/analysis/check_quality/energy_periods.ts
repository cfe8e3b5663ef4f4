import { formatCount } from "../../show/text/numbers.ts";
import type { DataFrame } from "nodejs-polars";
import { pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { HOUR } from "../../time/hourly.ts";
import {
  computeShares,
  countDayHours,
  describeUnknownShares,
  readAvailabilityColumn,
  readValidHoursColumn,
} from "../../frames/production/period_shares.ts";
import { productionColumns } from "../../frames/production/production.ts";
import { dayAt, monthOfNumber, startOfMonth } from "../../time/zones.ts";
import { POWER_RANGE } from "../../screening/values/hourly_power.ts";
import { findPeriodFaults, suspectUnit } from "../../screening/values/wrong_unit.ts";
import { findCopiedPeriods } from "../../screening/values/copied.ts";
import { listMixedUnits } from "../../screening/values/describe_mixed_units.ts";
import { findMixedPeriods } from "../../screening/values/mixed_units.ts";
import { readMonths, readNumbers, readStamps, type Refuse } from "../../frames/read_columns.ts";
import type { MonthShare } from "./summary.ts";
import type { SeriesFinding } from "./findings.ts";
import { sumOf } from "../../stats/spread.ts";

const [monthColumn, energy] = productionColumns.month;
const [yearColumn] = productionColumns.year;
const [completeness] = pickColumns(monthlyIndicesFrame, ["completeness"]);

/** A month or a year with its energy. */
interface Period {
  /** "2018-05", or "2018". */
  readonly label: string;
  /** First month, in months since year 0. */
  readonly number: number;
  /** Start and end, exclusive, ms since 1970 UTC. */
  readonly start: number;
  readonly end: number;
  readonly hours: number;
  /** Energy, kWh; NaN if missing. */
  readonly energy: number;
  /** Share of its hours that have a value. */
  readonly share: number;
  /** Hours that the energy covers: those with a value in which the turbine could run. */
  readonly energyHours: number;
}

/** Monthly or annual energies, in the order of the rows. */
export interface EnergyPeriods {
  /** Whether a row is a month or a year. */
  readonly resolution: "month" | "year";
  readonly periods: readonly Period[];
  /** Sentences on periods whose share of the hours is unknown. */
  readonly notes: readonly string[];
}

/** Whether a frame has energies of months or years. */
export function hasPeriods(frame: DataFrame): boolean {
  const names = frame.columns;
  return names.includes(energy.name) &&
    (names.includes(monthColumn.name) || names.includes(yearColumn.name));
}

/** Reads energies of months or years. */
export function readEnergyPeriods(
  frame: DataFrame,
  timeZone: string,
  refuse: Refuse,
): EnergyPeriods {
  const byMonth = frame.columns.includes(monthColumn.name);
  const { name } = byMonth ? monthColumn : yearColumn;
  const firsts = byMonth
    ? readMonths(frame, name, refuse)
    : [...readNumbers(frame, name, refuse)].map((year) => 12 * year);
  if (!firsts.every(Number.isInteger)) {
    refuse(`column "${name}" has a value that is not a whole year. Remove the row of this value`);
  }
  const energies = readNumbers(frame, energy.name, refuse);
  const shares = frame.columns.includes(completeness.name)
    ? readNumbers(frame, completeness.name, refuse)
    : undefined;
  const bounds = firsts.map((number) => {
    const month = monthOfNumber(number);
    const end = month.add({ months: byMonth ? 1 : 12 });
    return [startOfMonth(month, timeZone), startOfMonth(end, timeZone)] as const;
  });
  const hours = bounds.map(([start, end]) => (end - start) / HOUR);
  const validHours = readValidHoursColumn(frame, hours, refuse);
  const valid = computeShares(hours, validHours);
  const available = computeShares(hours, validHours, readAvailabilityColumn(frame, refuse));
  const periods = firsts.map((number, row): Period => {
    const month = monthOfNumber(number);
    const [start, end] = bounds[row];
    const known = !Number.isNaN(energies[row]);
    const share = shares && !Number.isNaN(shares[row]) ? shares[row] : valid[row];
    return {
      label: byMonth ? month.toString() : String(month.year),
      number,
      start,
      end,
      hours: hours[row],
      energy: energies[row] * 1000,
      share: known ? share : 0,
      energyHours: available[row] * hours[row],
    };
  });
  const notes = describeUnknownShares(frame).map((note) => `${note}.`);
  return { resolution: byMonth ? "month" : "year", periods, notes };
}

const sortPeriods = (periods: readonly Period[]) => periods.toSorted((a, b) => a.number - b.number);

/** Drops duplicated periods and sorts the others; of several rows, the first one with a value counts. */
function dropRepeats(periods: readonly Period[]): Period[] {
  const first = new Map<number, Period>();
  for (const period of periods) {
    const known = first.get(period.number);
    if (!known || Number.isNaN(known.energy)) first.set(period.number, period);
  }
  return sortPeriods([...first.values()]);
}

const buildFinding = (
  kind: SeriesFinding["kind"],
  { start, end, hours }: Pick<Period, "start" | "end" | "hours">,
  message: string,
): SeriesFinding => ({ kind, message, start, end, hours });

/**
 * Finds problems in monthly or annual energies.
 *
 * @param ratedPower Rated power of the turbine or park, kW; without it the values are not checked
 */
export function judgeEnergies(
  { periods, resolution }: EnergyPeriods,
  ratedPower: number | undefined,
  timeZone: string,
): SeriesFinding[] {
  const findings: SeriesFinding[] = [];
  const seen = new Set<number>();
  periods.forEach((period, row) => {
    const { label, number } = period;
    if (seen.has(number)) {
      findings.push(buildFinding("duplicate", period, `${label} is duplicated`));
    } else if (row > 0 && number < periods[row - 1].number) {
      findings.push(
        buildFinding("unsorted", period, `${label} comes after ${periods[row - 1].label}`),
      );
    }
    seen.add(number);
  });
  const sorted = dropRepeats(periods);
  const length = resolution === "month" ? 1 : 12;
  sorted.forEach((period, i) => {
    if (Number.isNaN(period.energy)) {
      findings.push(buildFinding("gap", period, `${period.label} without a value`));
    }
    const next = sorted[i + 1];
    const missing = next ? (next.number - period.number) / length - 1 : 0;
    if (missing < 1) return;
    const [start, end] = [period.number + length, next.number].map((number) =>
      startOfMonth(monthOfNumber(number), timeZone)
    );
    const message = `${
      formatCount(missing, resolution)
    } without a row between ${period.label} and ${next.label}`;
    findings.push(buildFinding("gap", { start, end, hours: (end - start) / HOUR }, message));
  });
  for (const { kind, from, message } of findCopiedPeriods(sorted)) {
    findings.push(buildFinding(kind, sorted[from], message));
  }
  if (ratedPower === undefined) return findings;
  const mixed = listMixedUnits(
    findMixedPeriods(
      sorted.map(({ energy, energyHours: hours }) => ({ energy, hours })),
      ratedPower,
    ),
    resolution,
  );
  for (const { from, to, kind, message } of mixed) {
    const [{ start }, { end }] = [sorted[from], sorted[to - 1]];
    const hours = sumOf(sorted.slice(from, to), (period) => period.hours);
    findings.push(buildFinding(kind, { start, end, hours }, message));
  }
  const isMixed = (i: number) => mixed.some(({ from, to }) => i >= from && i < to);
  const factors = sorted.filter(({ energyHours }, i) => energyHours > 0 && !isMixed(i))
    .map(({ energy, energyHours }) => energy / (energyHours * ratedPower));
  const [doubt] = suspectUnit(Float64Array.from(factors), "periods");
  // Zero is zero in any unit.
  if (doubt && factors.some((factor) => factor > 0)) {
    const [{ start }, { end }] = [sorted[0], sorted[sorted.length - 1]];
    const hours = sumOf(sorted, (period) => period.hours);
    return [...findings, buildFinding(doubt.kind, { start, end, hours }, doubt.message)];
  }
  return [
    ...findings,
    ...findPeriodFaults(
      sorted.map(({ label, energy, energyHours: hours }) => ({ label, energy, hours })),
      ratedPower,
    )
      .filter(({ from }) => !isMixed(from))
      .map(({ kind, message, from }) => buildFinding(kind, sorted[from], message)),
  ];
}

/** Finds days with an impossible mean power; the sum of their month may hide them. */
export function judgeDays(
  days: DataFrame,
  ratedPower: number | undefined,
  refuse: Refuse,
): SeriesFinding[] {
  if (ratedPower === undefined) return [];
  const [time, power] = productionColumns.day;
  const { epochs, timeZone } = readStamps(days, time.name, refuse);
  const [low, high] = POWER_RANGE.map((share) => share * ratedPower);
  return [...readNumbers(days, power.name, refuse).entries()].flatMap(([row, kW]) => {
    if (!(kW < low || kW > high)) return [];
    const [start, hours] = [epochs[row], countDayHours(epochs[row], timeZone)];
    const message = `${dayAt(start, timeZone)}: mean power of ${kW.toFixed(0)} kW`;
    return buildFinding("out_of_range", { start, end: start + hours * HOUR, hours }, message);
  });
}

/** Lists the completeness of the months of the record; a year counts for each of its months. */
export function listPeriodShares({ periods, resolution }: EnergyPeriods): MonthShare[] {
  const sorted = dropRepeats(periods);
  const length = resolution === "month" ? 1 : 12;
  const known = new Map(
    sorted.flatMap(({ number, share }) =>
      Array.from({ length }, (_, i) => [number + i, share] as const)
    ),
  );
  const first = sorted[0].number;
  const end = sorted[sorted.length - 1].number + length;
  return Array.from({ length: end - first }, (_, i) => {
    const { year, month } = monthOfNumber(first + i);
    return { year, month, share: known.get(first + i) ?? 0 };
  });
}
