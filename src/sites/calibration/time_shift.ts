import { alignToAxis, HOUR } from "../../time/hourly.ts";
import { type ClockLag, remedies } from "../../screening/finding.ts";
import { formatMonthLabel } from "../../time/zones.ts";
import { findClockFaults } from "../../screening/shift/clock_faults.ts";
import { computeMonthLags, type ShiftMonth } from "../../screening/shift/shift.ts";
import { correlation } from "../../stats/regression.ts";
import { median } from "../../stats/spread.ts";
import type { HourlyProduction } from "../../windindex/calibration/production.ts";
import type { ModelledHours } from "../../windindex/reanalyses/modelled_hours.ts";
import { listMonthSpans } from "../../windindex/index/monthly_energy.ts";
import type { TrainingInput } from "../../windindex/calibration/training.ts";
import type { StoredDoubt } from "../keep/site_record.ts";

/** A problem that a person must act on; turbines with the same cause share one line. */
export interface Doubt extends StoredDoubt {
  /** Lag of the clock, if it is wrong in the whole record. */
  readonly lag?: ClockLag | undefined;
}

/** Latest months that are checked for time shifts: only present faults matter. */
const MONTHS = 36;

/** Fixed, so the same data give the same intervals. */
const SEED = 1;

/** Hourly production and model on the same axis, and the latest months. */
interface ComparedHours {
  readonly produced: Float64Array;
  readonly expected: Float64Array;
  readonly months: readonly ShiftMonth[];
}

function compareHours(
  { axis, power }: HourlyProduction,
  masked: Uint8Array | undefined,
  modelled: ModelledHours,
  timeZone: string,
): ComparedHours {
  return {
    produced: power.map((value, i) => masked?.[i] === 1 ? NaN : value),
    expected: alignToAxis(axis, modelled.axis, modelled.power),
    months: listMonthSpans(axis, timeZone).slice(-MONTHS).map((span) => ({
      label: formatMonthLabel(span),
      from: Math.max(0, span.from),
      to: Math.min(power.length, span.to),
    })),
  };
}

/**
 * Computes the median lag of hourly production behind the model in the latest months, h; `null` without hourly production.
 *
 * @param timeZone Zone of the turbine
 */
export function computeLag(
  inputs: readonly TrainingInput[],
  modelled: ModelledHours,
  timeZone: string,
): number | null {
  const lags = inputs.flatMap(({ production, masked }) => {
    if (production.kind !== "hourly") return [];
    const { produced, expected, months } = compareHours(production, masked, modelled, timeZone);
    return computeMonthLags(produced, expected, months, { seed: SEED });
  });
  return lags.length === 0 ? null : median(lags.map(({ lag }) => lag));
}

/**
 * Computes the correlation of hourly production, without masked hours, with the model; `null` without hourly production.
 */
export function computeHourCorrelation(
  inputs: readonly TrainingInput[],
  modelled: ModelledHours,
): number | null {
  const [produced, predicted]: number[][] = [[], []];
  for (const { production, masked } of inputs) {
    if (production.kind !== "hourly") continue;
    const expected = alignToAxis(production.axis, modelled.axis, modelled.power);
    production.power.forEach((power, i) => {
      if (masked?.[i] === 1 || Number.isNaN(power + expected[i])) return;
      produced.push(power);
      predicted.push(expected[i]);
    });
  }
  const r = produced.length < 3 ? NaN : correlation(predicted, produced);
  return Number.isNaN(r) ? null : r;
}

/** Drops intervals and counts from a message and rounds its hours. */
const roundMessage = (message: string) =>
  message.replaceAll(/ \(.*?\)|, in \d+ of .*/g, "")
    .replaceAll(/-?\d+\.\d+/g, (hours) => Number(hours).toFixed(0));

/**
 * Describes time shifts of hourly production against the model: a wrong time zone, timestamps at the end of the hour, a
 * clock that is wrong from some day on or in summer.
 *
 * @param timeZone Zone of the turbine
 * @param stampZone Time zone of the timestamps, if they have a single one
 */
export function describeShifts(
  { production, masked }: TrainingInput,
  modelled: ModelledHours,
  timeZone: string,
  stampZone: string | undefined,
): Doubt[] {
  if (production.kind !== "hourly") return [];
  if ((production.axis.start - modelled.axis.start) % HOUR !== 0) {
    const text =
      "Vindkit cannot check for a shift in time, because the hours of this production begin between the hours of the climate.";
    return [{ text, cause: text }];
  }
  const { produced, expected, months } = compareHours(production, masked, modelled, timeZone);
  const options = { start: production.axis.start, timeZone, stampZone, seed: SEED };
  return findClockFaults(produced, expected, months, options)
    .map(({ kind, message, lag, remedy = remedies[kind] }) => ({
      lag,
      text: `${message}. ${remedy}.`,
      cause: `${roundMessage(message)}. ${remedy}`,
    }));
}
