import { ArgumentError } from "../../api/errors.ts";
import { HOUR, positionAtOrAfter } from "../../frames/hour_axis.ts";
import { startOfDay } from "../../frames/zones.ts";
import { type Finding, maskOf } from "../../quality/finding.ts";
import { findOutages, findOutOfRange, POWER_RANGE } from "../../quality/hourly_power.ts";
import { findPeriodFaults } from "../../quality/period_energy.ts";
import type { HourlyProduction, PeriodProduction, Production } from "../../windindex/production.ts";
import type { TrainingInput } from "../../windindex/training.ts";
import type { Turbine } from "../../windindex/turbine.ts";
import type { Exclusion } from "./site_data.ts";

/** Share of hours out of range from which the unit, not the turbine, is in doubt. */
const WRONG_UNIT_SHARE = 0.05;

/** Largest hourly power, as a share of the rated power, below which the unit is in doubt: any turbine has passed it once. */
const LEAST_LARGEST_POWER = 0.05;

/** Production made ready for training, and what was found in it. */
export interface CheckedProduction {
  /** Production with masks. */
  readonly inputs: readonly TrainingInput[];
  /** What was found, in words. */
  readonly findings: readonly string[];
}

function stamp(instant: number): string {
  return Temporal.Instant.fromEpochMilliseconds(instant).toString().slice(0, 13) + "Z";
}

function checkHours(production: HourlyProduction, turbine: Turbine): [TrainingInput, string[]] {
  const { power, axis } = production;
  const outside = findOutOfRange(power, turbine.ratedPower);
  const hoursOutside = outside.reduce((sum, { from, to }) => sum + to - from, 0);
  if (hoursOutside > WRONG_UNIT_SHARE * power.length) {
    const range = POWER_RANGE.map((share) => Math.round(share * turbine.ratedPower)).join(" to ");
    throw new ArgumentError(
      `Cannot use the production of ${turbine.id}: ${hoursOutside} of ${power.length} h lie outside of ` +
        `${range} kW a unit. Check its unit, the rated power and the number of units`,
    );
  }
  const largest = power.reduce((most, value) => value > most ? value : most, 0);
  const empty = power.every((value) => Number.isNaN(value));
  if (!empty && largest < LEAST_LARGEST_POWER * turbine.ratedPower) {
    throw new ArgumentError(
      `Cannot use the production of ${turbine.id}: no hour has more than ${
        largest.toPrecision(3)
      } kW a unit, ` +
        `of ${turbine.ratedPower} kW rated. Check its unit, the rated power and the number of units`,
    );
  }
  const findings: Finding[] = [...outside, ...findOutages(power, turbine.ratedPower)];
  return [
    { production, masked: maskOf(findings, power.length) },
    findings.map(({ from, message }) => `${stamp(axis.start + from * HOUR)}: ${message}, masked`),
  ];
}

function checkPeriods(production: PeriodProduction, turbine: Turbine): [TrainingInput, string[]] {
  const periods = production.periods.map(({ label, energy, start, end }) => ({
    label,
    energy,
    hours: (end - start) / HOUR,
  }));
  const findings = findPeriodFaults(periods, turbine.ratedPower);
  const impossible = findings.find(({ kind }) => kind === "out_of_range");
  if (impossible) {
    throw new ArgumentError(
      `Cannot use the production of ${turbine.id}: ${impossible.message}. Check its unit, the rated ` +
        "power and the number of units",
    );
  }
  if (findings.length === periods.length) {
    throw new ArgumentError(
      `Cannot use the production of ${turbine.id}: it is next to nothing all the time (${
        findings[0].message
      }). ` +
        "Check its unit, the rated power and the number of units",
    );
  }
  return [
    { production, masked: maskOf(findings, periods.length) },
    findings.map(({ message }) => `${message}, masked`),
  ];
}

/**
 * Looks for outages and impossible values in production, by production alone; they are masked, not repaired.
 *
 * @param production Production of one unit
 * @param turbine The turbine
 * @param exclusions Days that the site file leaves out
 * @throws {ArgumentError} If the values cannot be of such a turbine: a wrong unit
 */
export function checkProduction(
  production: readonly Production[],
  turbine: Turbine,
  exclusions: readonly Exclusion[] = [],
): CheckedProduction {
  const checked = production.map((entry) =>
    entry.kind === "hourly" ? checkHours(entry, turbine) : checkPeriods(entry, turbine)
  );
  return {
    inputs: checked.map(([input]) => exclude(input, exclusions, turbine.timeZone)),
    findings: checked.flatMap(([, findings]) => findings),
  };
}

/** Masks declared days: hours that lie in them, and periods that they touch. */
function exclude(
  { production, masked }: TrainingInput,
  exclusions: readonly Exclusion[],
  timeZone: string,
): TrainingInput {
  const mask = masked ?? new Uint8Array(
    production.kind === "hourly" ? production.power.length : production.periods.length,
  );
  for (const { from, to } of exclusions) {
    const start = startOfDay(Temporal.PlainDate.from(from), timeZone);
    const end = startOfDay(Temporal.PlainDate.from(to).add({ days: 1 }), timeZone);
    if (production.kind === "hourly") {
      const position = (instant: number) =>
        Math.max(0, positionAtOrAfter(production.axis, instant));
      mask.fill(1, position(start), position(end));
    } else {
      production.periods.forEach((period, i) => {
        if (period.start < end && period.end > start) mask[i] = 1;
      });
    }
  }
  return { production, masked: mask };
}
