import { alignToAxis, HOUR } from "../../time/hour_axis.ts";
import { remedies } from "../../screening/remedies.ts";
import { formatMonthLabel } from "../../time/zones.ts";
import { findClockFaults } from "../../screening/shift/clock_faults.ts";
import type { ModelledHours } from "../../windindex/reanalyses/modelled_hours.ts";
import { listMonthSpans } from "../../windindex/index/monthly_energy.ts";
import type { TrainingInput } from "../../windindex/calibration/training.ts";

/** Number of latest months that must agree for a shift of the whole record: what is wrong today. */
const MONTHS = 36;

/** The same data give the same intervals. */
const SEED = 1;

/**
 * Describes shifts of hourly production in time against the model: wrong zone, stamps of the end of the hour, a clock
 * that is wrong from a day on or in summer.
 *
 * @param input Hourly production and its mask
 * @param modelled The hourly model
 * @param timeZone Zone of the turbine
 */
export function describeShifts(
  { production, masked }: TrainingInput,
  modelled: ModelledHours,
  timeZone: string,
): string[] {
  if (production.kind !== "hourly") return [];
  if ((production.axis.start - modelled.axis.start) % HOUR !== 0) {
    return [
      "A shift in time is not checked: the hours of this production begin between those of the climate.",
    ];
  }
  const produced = production.power.map((value, i) => masked?.[i] === 1 ? NaN : value);
  const beside = alignToAxis(production.axis, modelled.axis, modelled.power);
  const months = listMonthSpans(production.axis, timeZone).slice(-MONTHS)
    .map(({ year, month, from, to }) => ({
      label: formatMonthLabel({ year, month }),
      from: Math.max(0, from),
      to: Math.min(produced.length, to),
    }));
  const options = { start: production.axis.start, timeZone, seed: SEED };
  return findClockFaults(produced, beside, months, options)
    .map(({ kind, message }) => `${message}. ${remedies[kind]}.`);
}
