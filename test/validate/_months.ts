import type { SiteData } from "../../src/sites/site_data.ts";
import { correlation } from "../../src/stats/regression.ts";
import { mean } from "../../src/stats/spread.ts";
import { formatMonthLabel } from "../../src/time/zones.ts";
import type { HourlyProduction } from "../../src/windindex/calibration/production.ts";
import { listMonthSpans } from "../../src/windindex/index/monthly_energy.ts";
import { maskedHours } from "./_site_data.ts";

/** Hours from which a stretch at the end of a record is a month to be predicted. */
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

/** A month that was predicted by a model that has not seen it; energies over the hours compared, kWh. */
export interface PredictedMonth {
  readonly label: string;
  readonly produced: number;
  readonly predicted: number;
}

/** What is compared of a turbine. */
export interface ComparedMonths {
  readonly production: HourlyProduction;
  /** 1 for hours that are neither fitted nor compared. */
  readonly mask: Uint8Array;
  /** The months to be predicted. */
  readonly months: readonly MonthSpan[];
}

/**
 * Lists the months of a turbine that models predict, each without having seen it.
 *
 * @param data The site
 * @param position Which of its turbines
 * @param masked Whether outages found in production are masked
 */
export function listComparedMonths(
  data: SiteData,
  position: number,
  masked: boolean,
): ComparedMonths {
  const { production, masked: found } = maskedHours(data, position);
  const { axis, power } = production;
  const months = listMonthSpans(axis, data.turbines[position].turbine.timeZone).map((span) => ({
    label: formatMonthLabel(span),
    from: Math.max(0, span.from),
    to: Math.min(axis.length, span.to),
  })).filter(({ from, to }) => to - from >= MONTH_HOURS);
  return { production, mask: masked ? found : new Uint8Array(power.length), months };
}

/**
 * Adds up the values of the hours of a month that are compared.
 *
 * @param values Values of the hours of the record
 * @param production Production, whose missing hours are left out
 * @param mask 1 for hours that are left out
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
