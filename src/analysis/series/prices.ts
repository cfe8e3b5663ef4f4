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
import { mean } from "../../stats/spread.ts";
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

/** Prices of a frame. */
interface PriceSeries {
  readonly values: Float64Array;
  readonly currency?: string;
  /** The values by hour. @default they are of months */
  readonly axis?: HourAxis;
  /** Price of a month by its number; NaN without one. */
  readonly ofMonth?: (number: number) => number;
}

/** Reads prices of hours, of parts of them, which are averaged, or of months. */
function readSeries(price: DataFrame, refuse: Refuse): PriceSeries {
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
  const { unit = "" } = columnOf(price, name);
  const [, currency] = /^([A-Z]{3})\/MWh$/.exec(unit) ?? [];
  if (unit && !currency) refuse(`the prices are in ${unit}. Read them with readPrices()`);
  if (key === month) {
    const values = readNumbers(price, name, refuse);
    const byMonth = new Map(
      readMonths(price, month.name, refuse).map((number, i) => [number, values[i]]),
    );
    if (byMonth.size < values.length) refuse("the prices repeat a month. Give each once");
    return { values, currency, ofMonth: (number) => byMonth.get(number) ?? NaN };
  }
  const [, power] = productionColumns.hour;
  const steps = price.select(pl.col(time.name), pl.col(name).alias(power.name));
  const { frame } = averageToHours(steps, {}, refuse);
  const epochs = extractEpochs(frame, time.name);
  const grid = buildHourlyGrid(epochs, { file: "the prices", clockShift: epochs[0] % HOUR });
  const values = placeOnGrid(grid, extractNumbers(frame, power.name));
  return { values, currency, axis: grid.axis };
}

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
  const { values, axis: own, ofMonth = () => price as number, currency: stated }: PriceSeries =
    typeof price === "number" ? { values: Float64Array.of(price) } : readSeries(price, refuse);
  const known = values.filter(Number.isFinite);
  if (known.length === 0) refuse("no price is a number. Give prices of the time of the production");
  const average = mean(known);
  if (average !== 0 && Math.abs(average) < MIN_MEAN) {
    refuse(`a mean price of ${average.toPrecision(2)} is one of a kWh. Give that of a MWh`);
  }
  const named = currency ?? stated ?? "EUR";
  if (!/^[A-Z]{3}$/.test(named) || named !== (stated ?? named)) {
    refuse(
      `the currency is ${describeValue(named)}. Give ${stated ?? 'three letters, such as "EUR"'}`,
    );
  }
  return {
    currency: named,
    ofHours(axis, timeZone) {
      if (own) return alignToAxis(axis, own, values);
      const hours = new Float64Array(axis.length);
      for (const span of listMonthSpans(axis, timeZone)) {
        hours.fill(ofMonth(monthNumberOf(span)), Math.max(0, span.from), span.to);
      }
      return hours;
    },
    ofPeriods(by, numbers) {
      if (own || typeof price !== "number" && by === "year") {
        refuse(
          `the prices are those of ${
            own ? "hours" : "months"
          }, the energies those of ${by}s. Give ${
            by === "month" ? "prices of months" : "one price"
          }`,
        );
      }
      return Float64Array.from(numbers, ofMonth);
    },
  };
}
