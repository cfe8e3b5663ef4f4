import pl, { type DataFrame } from "nodejs-polars";
import { month, time } from "../../api/columns/columns.ts";
import { describeValue } from "../../api/error_text.ts";
import { priceColumn } from "../../frames/presets/read_prices.ts";
import { productionColumns } from "../../frames/production/production_columns.ts";
import { averageToHours } from "../../frames/production/to_hours.ts";
import { extractEpochs, extractNumbers } from "../../frames/frame.ts";
import { readMonths, readNumbers, type Refuse } from "../../frames/read_columns.ts";
import { checkFrame } from "../../show/check_frame.ts";
import {
  alignToAxis,
  buildHourlyGrid,
  HOUR,
  type HourAxis,
  placeOnGrid,
} from "../../time/hourly.ts";
import { monthNumberOf } from "../../time/zones.ts";
import { listMonthSpans } from "../../windindex/index/monthly_energy.ts";
import { columnOf } from "./turbine_stamps.ts";

/** Options of an analysis that values energy. */
export interface PriceOptions {
  /**
   * Price of a MWh: a number for all times, or the prices of hours or months as `readPrices()` gives them. With it each energy
   * has its value. @default none
   */
  readonly price?: number | DataFrame | undefined;
  /** Currency of the price, such as "DKK". @default that of the frame, else "EUR" */
  readonly currency?: string | undefined;
}

/** Prices of a MWh; NaN where none is known. */
export interface Prices {
  readonly currency: string;
  /** Of each hour of an axis. */
  ofHours(axis: HourAxis, timeZone: string): Float64Array;
  /** Of months or years, by their numbers. */
  ofPeriods(by: "month" | "year", numbers: readonly number[]): Float64Array;
}

/** A mean price below this, as an absolute value, is one of a kWh. */
const MIN_MEAN = 1;

/**
 * Reads the price of an option.
 *
 * @returns `undefined` without one
 * @throws {ArgumentError} If it is not finite, of a kWh, or a frame that has no prices of hours or months
 */
export function readPrice({ price, currency }: PriceOptions, refuse: Refuse): Prices | undefined {
  if (price === undefined) {
    if (currency !== undefined) refuse(`the currency ${currency} has no price. Give { price } too`);
    return undefined;
  }
  if (currency !== undefined && !/^[A-Z]{3}$/.test(currency)) {
    refuse(`${describeValue(currency)} is not a currency. Give three letters, such as "EUR"`);
  }
  const assertMean = (mean: number) => {
    if (Math.abs(mean) >= MIN_MEAN || mean === 0) return;
    refuse(`a mean price of ${mean.toPrecision(2)} is one of a kWh. Give that of a MWh`);
  };
  if (typeof price === "number") {
    if (!Number.isFinite(price)) refuse(`the price is ${price}. Give a number, or readPrices()`);
    assertMean(price);
    return {
      currency: currency ?? "EUR",
      ofHours: ({ length }) => new Float64Array(length).fill(price),
      ofPeriods: (_, numbers) => new Float64Array(numbers.length).fill(price),
    };
  }
  checkFrame(price, "value the energy", "readPrices()");
  const { name } = priceColumn;
  const [key] = [time, month].filter((column) => price.columns.includes(column.name));
  if (!key || !price.columns.includes(name)) {
    return refuse(
      `the prices need the columns "${time.name}" or "${month.name}", and "${name}"; they have ${
        price.columns.join(", ")
      }. Read them with readPrices()`,
    );
  }
  const { unit = priceColumn.unit! } = columnOf(price, name);
  const [own, energy] = unit.split("/");
  if (energy !== "MWh") refuse(`the prices are in ${unit}. Read them with readPrices()`);
  if (currency !== undefined && currency !== own && columnOf(price, name).unit) {
    refuse(`the prices are in ${own}, and the currency is ${currency}. Leave the currency out`);
  }
  const values = readNumbers(price, name, refuse);
  const known = values.filter((one) => !Number.isNaN(one));
  if (known.length === 0) {
    refuse("the prices have no value. Give prices of the time of the production");
  }
  assertMean(known.reduce((sum, one) => sum + one, 0) / known.length);
  const base = { currency: currency ?? own };
  if (key === time) return { ...base, ...readHours(price, refuse) };
  const numbers = readMonths(price, month.name, refuse);
  const byMonth = new Map(numbers.map((number, i) => [number, values[i]]));
  if (byMonth.size < numbers.length) refuse("the prices repeat a month. Give each once");
  const of = (number: number) => byMonth.get(number) ?? NaN;
  return {
    ...base,
    ofHours(axis, timeZone) {
      const hours = new Float64Array(axis.length).fill(NaN);
      for (const span of listMonthSpans(axis, timeZone)) {
        hours.fill(of(monthNumberOf(span)), Math.max(0, span.from), span.to);
      }
      return hours;
    },
    ofPeriods: (by, numbers) =>
      by === "month"
        ? Float64Array.from(numbers, of)
        : refuse("the prices are those of months, the energies those of years. Give one price"),
  };
}

/** Reads prices of hours, or of parts of them, which are averaged. */
function readHours(price: DataFrame, refuse: Refuse): Omit<Prices, "currency"> {
  const [, power] = productionColumns.hour;
  const steps = price.select(pl.col(time.name), pl.col(priceColumn.name).alias(power.name));
  const { frame } = averageToHours(steps, {}, refuse);
  const epochs = extractEpochs(frame, time.name);
  const grid = buildHourlyGrid(epochs, { file: "the prices", clockShift: epochs[0] % HOUR });
  const values = placeOnGrid(grid, extractNumbers(frame, power.name));
  return {
    ofHours: (axis) => alignToAxis(axis, grid.axis, values),
    ofPeriods: (by) =>
      refuse(`the prices are those of hours, the energies those of ${by}s. Give prices of months`),
  };
}
