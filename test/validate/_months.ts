import type { SiteData } from "../../src/sites/site_data.ts";
import { correlation } from "../../src/stats/regression.ts";
import { mean } from "../../src/stats/spread.ts";
import { formatMonthLabel } from "../../src/time/zones.ts";
import type { HourlyProduction } from "../../src/windindex/calibration/production.ts";
import { listMonthSpans } from "../../src/windindex/index/monthly_energy.ts";
import { maskedHours } from "./_site_data.ts";

/** Fewest hours of a month to predict, at the ends of a record. */
const MONTH_HOURS = 600;

/** A month of a record. */
export interface MonthSpan {
  /** "2018-05". */
  readonly label: string;
  /** Position of its first hour. */
  readonly from: number;
  /** Position after its last one. */
  readonly to: number;
}

/** A month predicted by a model that has not seen it; energies of the compared hours, kWh. */
export interface PredictedMonth {
  readonly label: string;
  readonly produced: number;
  readonly predicted: number;
}

/** Hours and months of a turbine that are compared. */
export interface ComparedMonths {
  readonly production: HourlyProduction;
  /** 1 for hours that are neither fitted nor compared. */
  readonly mask: Uint8Array;
  /** The months to be predicted. */
  readonly months: readonly MonthSpan[];
}

/**
 * Lists the months of a turbine to predict, and the hours to compare.
 *
 * @param data The site
 * @param position Which of its turbines
 * @param masked Whether to mask outages that production shows
 */
export function listComparedMonths(
  data: SiteData,
  position: number,
  masked: boolean,
): ComparedMonths {
  const { production, masked: outageMask } = maskedHours(data, position);
  const { axis, power } = production;
  const months = listMonthSpans(axis, data.turbines[position].turbine.timeZone).map((span) => ({
    label: formatMonthLabel(span),
    from: Math.max(0, span.from),
    to: Math.min(axis.length, span.to),
  })).filter(({ from, to }) => to - from >= MONTH_HOURS);
  return { production, mask: masked ? outageMask : new Uint8Array(power.length), months };
}

/**
 * Adds up the compared hours of a month.
 *
 * @param values Values of the hours of the record
 * @param production Production; its missing hours do not count
 * @param mask 1 for hours that do not count
 */
export function sumCompared(
  values: Float64Array,
  { power }: HourlyProduction,
  mask: Uint8Array,
  { from, to }: MonthSpan,
): number {
  let sum = 0;
  for (let i = from; i < to; i++) {
    if (mask[i] === 0 && power[i] === power[i]) sum += values[i];
  }
  return sum;
}

/** Mean absolute error of the energies of months, %. */
export function meanAbsoluteError(months: readonly PredictedMonth[]): number {
  return 100 * mean(months.map(({ produced, predicted }) => Math.abs(predicted / produced - 1)));
}

/** Correlation of predicted and produced energies of months. */
export function correlateMonths(months: readonly PredictedMonth[]): number {
  return correlation(
    months.map(({ predicted }) => predicted),
    months.map(({ produced }) => produced),
  );
}
