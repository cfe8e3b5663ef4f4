import type { DataFrame } from "nodejs-polars";
import { month, time } from "../../api/columns/columns.ts";
import { describeValue } from "../../api/error_text.ts";
import { ArgumentError } from "../../api/errors.ts";
import { priceColumn } from "../../frames/presets/read_prices.ts";
import { productionColumns } from "../../frames/production/production_columns.ts";
import { averageToHours } from "../../frames/production/to_hours.ts";
import { buildNumbers, extractEpochs, extractNumbers } from "../../frames/frame.ts";
import { readMonths, readNumbers, readStamps, type Refuse } from "../../frames/read_columns.ts";
import { checkFrame } from "../../show/check_frame.ts";
import {
  alignToAxis,
  buildHourlyGrid,
  HOUR,
  type HourAxis,
  placeOnGrid,
} from "../../time/hourly.ts";
import { mean } from "../../stats/spread.ts";
import { monthNumberOf } from "../../time/zones.ts";
import { listMonthSpans } from "../../windindex/index/monthly_energy.ts";
import { columnOf } from "./turbine_stamps.ts";

/** Options of an analysis that values energy. */
export interface PriceOptions {
  /**
   * Price of a MWh: one number, or hourly or monthly prices as `readPrices()` returns them. With it each energy has its
   * value. @default none
   */
  readonly price?: number | DataFrame | undefined;
  /** Currency of the price, such as "DKK". @default the frame's, else "EUR" */
  readonly currency?: string | undefined;
}

/** Prices of a MWh; NaN if unknown. */
export interface Prices {
  readonly currency: string;
  /** Price of each hour of an axis. */
  ofHours(axis: HourAxis, timeZone: string): Float64Array;
  /** Prices of months or years, by their numbers; `undefined` if the prices cover shorter times. */
  ofPeriods(by: "month" | "year", numbers: readonly number[]): Float64Array | undefined;
}

/** A smaller mean price, whatever the signs, must be per kWh. */
const MIN_MEAN = 1;

/** Names the field of the price, because the error concerns all turbines. */
const refuse: Refuse = (problem) => {
  throw new ArgumentError(`Cannot use the price: ${problem}`, { field: "price" });
};

/** Prices of a frame. */
interface PriceSeries {
  readonly values: Float64Array;
  readonly currency?: string;
  /** Hours of the values. @default the values are monthly */
  readonly axis?: HourAxis;
  /** Price of a month by its number; NaN if unknown. */
  readonly ofMonth?: (number: number) => number;
}

/** Reads prices of hours, of parts of hours (averaged), or of months. */
function readSeries(price: DataFrame): PriceSeries {
  checkFrame(price, "value the energy", "readPrices()");
  const { name } = priceColumn;
  const [key] = [time, month].filter((column) => price.columns.includes(column.name));
  if (!key || !price.columns.includes(name)) {
    return refuse(
      `the prices need the columns "${time.name}" or "${month.name}", and "${name}". Their columns are ${
        price.columns.join(", ")
      }. Read them with readPrices()`,
    );
  }
  const { unit = "" } = columnOf(price, name);
  const [, currency] = /^([A-Z]{3})\/MWh$/.exec(unit) ?? [];
  if (unit && !currency) {
    refuse(`the prices are in ${unit}, not in a currency per MWh. Read them with readPrices()`);
  }
  if (key === month) {
    const values = readNumbers(price, name, refuse);
    const byMonth = new Map(
      readMonths(price, month.name, refuse).map((number, i) => [number, values[i]]),
    );
    if (byMonth.size < values.length) refuse("the prices repeat a month. Give each month once");
    return { values, currency, ofMonth: (number) => byMonth.get(number) ?? NaN };
  }
  const [, power] = productionColumns.hour;
  const prices = readNumbers(price, name, refuse);
  const { epochs: stamps } = readStamps(price, time.name, refuse);
  const sorted = stamps.toSorted();
  const step = sorted.reduce(
    (least, at, i) => Math.min(least, at - (sorted[i - 1] ?? -Infinity)),
    HOUR,
  );
  if (sorted.length > 1 && sorted.every((at, i) => i === 0 || at - sorted[i - 1] > HOUR)) {
    refuse("the prices are more than an hour apart. Give hourly, sub-hourly or monthly prices");
  }
  const steps = price.select(time.name).withColumn(buildNumbers(power.name, prices));
  // Files switch from hours to quarter hours on some day.
  const { frame } = averageToHours(steps, { minShare: 0, step }, refuse);
  const epochs = extractEpochs(frame, time.name);
  const grid = buildHourlyGrid(epochs, { file: "the prices", clockShift: epochs[0] % HOUR });
  const values = placeOnGrid(grid, extractNumbers(frame, power.name));
  return { values, currency, axis: grid.axis };
}

/**
 * Reads the option `price`.
 *
 * @returns `undefined` without the option
 * @throws {ArgumentError} If it is not finite, is per kWh, or is a frame without prices of hours or months
 */
export function readPrice({ price, currency }: PriceOptions): Prices | undefined {
  if (price === undefined) {
    if (currency !== undefined) {
      refuse(`the currency is ${currency}, but the price is missing. Give { price } too`);
    }
    return undefined;
  }
  const { values, axis: priceAxis, ofMonth = () => price as number, currency: stated }:
    PriceSeries = typeof price === "number"
      ? { values: Float64Array.of(price) }
      : readSeries(price);
  const known = values.filter(Number.isFinite);
  if (known.length === 0) {
    refuse("no price is a finite number. Give prices for the period of the production");
  }
  const average = mean(known.map(Math.abs));
  if (average > 0 && average < MIN_MEAN) {
    refuse(
      `a mean price of ${average.toPrecision(2)} looks like a price per kWh. Give prices per MWh`,
    );
  }
  const named = currency ?? stated ?? "EUR";
  if (!/^[A-Z]{3}$/.test(named) || named !== (stated ?? named)) {
    refuse(
      `the currency is ${describeValue(named)}, but must be ${
        stated ?? 'three letters, such as "EUR"'
      }`,
    );
  }
  return {
    currency: named,
    ofHours(axis, timeZone) {
      if (priceAxis) {
        // An hour that begins at another minute gets the mean of the two hours that it overlaps.
        const later = (axis.start - priceAxis.start) / HOUR;
        const part = later - Math.floor(later);
        const [first, next] = [0, 1].map((more) => {
          const start = priceAxis.start + (Math.floor(later) + more) * HOUR;
          return alignToAxis({ start, length: axis.length }, priceAxis, values);
        });
        return part === 0 ? first : first.map((price, i) => (1 - part) * price + part * next[i]);
      }
      const hours = new Float64Array(axis.length);
      for (const span of listMonthSpans(axis, timeZone)) {
        hours.fill(ofMonth(monthNumberOf(span)), Math.max(0, span.from), span.to);
      }
      return hours;
    },
    ofPeriods: (by, numbers) =>
      priceAxis || typeof price !== "number" && by === "year"
        ? undefined
        : Float64Array.from(numbers, ofMonth),
  };
}
