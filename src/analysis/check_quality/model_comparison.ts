import { HOUR } from "../../time/hourly.ts";
import { formatMonthLabel } from "../../time/zones.ts";
import { findClockFaults } from "../../screening/shift/clock_faults.ts";
import { computeHourMeans } from "../../screening/values/hourly_power.ts";
import { computeMonthLags, type MonthLag } from "../../screening/shift/shift.ts";
import { listMonthSpans } from "../../windindex/index/monthly_energy.ts";
import type { ReferenceHours } from "../series/reference_hours.ts";
import { listReadings } from "../series/findings.ts";
import type { QualityFound } from "./words.ts";
import type { QualitySeries } from "./quality_series.ts";
import { placeOnAxis, type SeriesFinding } from "./findings.ts";

/** Shifts and lags of a series relative to a model. */
export interface ModelComparison {
  /** Shifts of the whole record, of its summers, or from a day on. */
  readonly findings: readonly SeriesFinding[];
  /** Lag of each month with enough values. */
  readonly lags: readonly MonthLag[];
  /** What could not be checked, and why. */
  readonly notes: readonly QualityFound[];
}

/**
 * Compares the stamps of a series with the hours of a model.
 *
 * @param masked Hours of its axis that do not count: outages and impossible values
 */
export function compareWithModel(
  { values, axis, perHour, timeZone }: QualitySeries,
  masked: Uint8Array,
  model: ReferenceHours,
  seed: number | string,
): ModelComparison {
  const step = HOUR / perHour;
  const later = (model.axis.start - axis.start) / step;
  if (!Number.isInteger(later)) {
    return {
      findings: [],
      lags: [],
      notes: [{ code: "between_hours" }],
    };
  }
  const unmasked = values.map((value, i) => masked[Math.floor(i / perHour)] === 1 ? NaN : value);
  const produced = perHour === 1 ? unmasked : computeHourMeans(unmasked, perHour);
  const modelled = new Float64Array(values.length).fill(NaN);
  model.means.forEach((mean, i) => {
    const position = later + i * perHour;
    if (position >= 0 && position < modelled.length) modelled[position] = mean;
  });
  const months = listMonthSpans(axis, timeZone).map(({ year, month, from, to }) => ({
    label: formatMonthLabel({ year, month }),
    from: Math.max(0, from * perHour),
    to: Math.min(values.length, to * perHour),
  }));
  const options = { seed, perHour };
  const lags = computeMonthLags(produced, modelled, months, options);
  const findings = findClockFaults(produced, modelled, months, {
    ...options,
    start: axis.start,
    timeZone,
  });
  return {
    findings: placeOnAxis(findings, axis.start, perHour),
    lags,
    notes: [
      ...listReadings(model.notes),
      ...(lags.length < months.length
        ? [{ code: "few_lags", lags: lags.length, months: months.length } as const]
        : []),
      { code: perHour === 1 ? "no_half_hours" : "smallest_lag" },
    ],
  };
}
