import type { DataFrame } from "nodejs-polars";
import { addedColumn, type Column, pickColumns } from "../../api/columns/column.ts";
import { month } from "../../api/columns/columns.ts";
import { joinOrigins } from "../../frames/origin/provenance.ts";
import { buildRefuse } from "../../frames/read_columns.ts";
import { checkFrame } from "../../show/check_frame.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { sumOf } from "../../stats/spread.ts";
import { monthAsDays, monthNumberOf, monthOfNumber } from "../../time/zones.ts";
import { listMonthSpans } from "../../windindex/index/monthly_energy.ts";
import { checkInput } from "../check_performance/check_performance.ts";
import { splitDeviation } from "../check_performance/deviation_steps.ts";
import { MISSING_PREDICTIONS, type TurbineFacts } from "../check_performance/options.ts";
import { findPrices } from "../check_performance/summary.ts";
import { type Answer, buildAnswer, writeFindings } from "../series/answer.ts";
import { comparisonColumns } from "../series/compared_series.ts";
import type { PriceOptions } from "../series/prices.ts";
import { units, words } from "./words.ts";

/** Options of {@linkcode priceProduction}. */
export interface PriceProductionOptions extends PriceOptions {
  /** Hourly model data of the turbine, from `modelData()`. */
  readonly predicted: DataFrame;
  /** Price of a MWh: one number, or hourly or monthly prices as `readPrices()` returns them. */
  readonly price: number | DataFrame;
  /** Details of the turbine: its zone sets the months. @default none */
  readonly details?: TurbineFacts;
  /** Number of turbines in the production. @default {1} */
  readonly units?: number;
}

/** Value of the production of a month, or of all months. */
export interface Worth {
  /** Hours with production, model data and a price. */
  readonly hours: number;
  /** Energy produced in them, MWh. */
  readonly produced: number;
  /** Value of this energy, in the currency. */
  readonly value: number;
  /** Mean price of a MWh, weighted by production. */
  readonly capture_price: number;
  /** The same, weighted by the energy that the wind allowed. */
  readonly possible_price: number;
  /** Mean price of the hours. */
  readonly mean_price: number;
  /** Capture price over mean price, %. */
  readonly capture_rate: number;
  /** Hours whose price is 0 or below. */
  readonly low_hours: number;
}

/** Value of production; it shows itself in notebooks and on the console. */
export interface PricedProduction extends Answer, Worth {
  /** Currency, such as "EUR". */
  readonly currency: string;
  /**
   * `months`: `month`, the `hours` with production, model and price, `produced` (MWh) and its `value`, the `capture_price`, the
   * `possible_price` and the `mean_price` of a MWh, `capture_rate` (%), and the `low_hours` with a price of 0 or below.
   */
  readonly frames: { readonly months: DataFrame };
}

const [produced, hours] = pickColumns(comparisonColumns, ["produced", "hours"]);

/** The frame `months`. */
const monthColumns = (currency: string): readonly Column[] => {
  const price = (name: string, label: string, description: string) =>
    addedColumn(name, "f64", label, description, `${currency}/MWh`);
  return [
    month,
    { ...hours, description: "Hours with production, model data and a price." },
    produced,
    addedColumn("value", "f64", "Value", "Value of the produced energy.", currency),
    price("capture_price", "Capture price", "Mean price, weighted by production."),
    price(
      "possible_price",
      "Possible",
      "Mean price, weighted by the energy that the wind allowed.",
    ),
    price("mean_price", "Mean price", "Mean price of the hours."),
    addedColumn("capture_rate", "f64", "Capture rate", "Capture price over mean price.", "%"),
    {
      ...hours,
      name: "low_hours",
      label: "Hours not above 0",
      description: "Hours whose price is 0 or below.",
    },
  ];
};

const ACTION = "price the production";
const refuse = buildRefuse(ACTION);

const OPTIONS = declareOptions<PriceProductionOptions>()("predicted! details price! currency", {
  units: 1,
});

/**
 * Computes the value of production: its capture price, which is the mean price weighted by production, next to the price of the energy that the
 * wind allowed and the mean of all hours, by months and in total.
 *
 * Only hours with production, model data and a price count. It is not a settlement: it excludes fees, balancing and contract
 * payments.
 *
 * @param production Hours (`time` with a zone, `power` in kW), as `readProduction()` returns them
 * @param options `predicted`: hourly model data; `price` of a MWh, as `readPrices()` returns it; `currency`; `details`;
 * `units`
 * @returns The frame `months`, figures for the whole time, and sentences
 * @throws {ArgumentError} If production or prediction is not hourly, no hour has a price, or a column or its unit does not fit
 *
 * @example At one price for all hours
 * ```ts
 * import { exampleFile, modelData, priceProduction, readProduction } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const meter = { resolution: "hour", unit: "kW", time: "time", column: "power" } as const;
 * const production = await readProduction(await exampleFile("production.csv"), meter);
 * const worth = priceProduction(production, { predicted: await modelData("T1"), price: 62 });
 * assertEquals([worth.capture_price.toFixed(2), worth.currency], ["62.00", "EUR"]);
 * ```
 */
export function priceProduction(
  production: DataFrame,
  options: PriceProductionOptions,
): PricedProduction {
  const chosen = readOptions("priceProduction()", options, OPTIONS);
  checkFrame(production, ACTION, "readProduction()");
  checkFrame(chosen.predicted ?? refuse(MISSING_PREDICTIONS), ACTION, "modelData()");
  const checked = checkInput(production, chosen);
  if (!checked.hours) {
    return refuse(
      "production and model data are not both hourly. Give hourly production and hourly model data",
    );
  }
  const { axis, produced: power, expected, price } = checked.hours;
  const { currency } = checked.value!;
  const measure = (from: number, to: number): Worth => {
    const all = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i)
      .filter((i) => !Number.isNaN(power[i] + expected[i] + price![i]));
    const sum = (of: Float64Array) => sumOf(all, (i) => of[i]) / 1000;
    const worth = (of: Float64Array) => sumOf(all, (i) => of[i] * price![i]) / 1000;
    const mean = sumOf(all, (i) => price![i]) / all.length;
    const capture = worth(power) / sum(power);
    return {
      hours: all.length,
      produced: sum(power),
      value: worth(power),
      capture_price: capture,
      possible_price: worth(expected) / sum(expected),
      mean_price: mean,
      ...{
        capture_rate: mean > 0 ? 100 * capture / mean : NaN,
        low_hours: all.filter((i) => price![i] <= 0).length,
      },
    };
  };
  const total = measure(0, axis.length);
  if (total.hours === 0) {
    refuse(
      "no hour has production, model data and a price. Give prices for the period of the production",
    );
  }
  const { results, notes } = findPrices(checked, splitDeviation(checked, null));
  const rows = listMonthSpans(axis, checked.timeZone).map(({ year, month: of, from, to }) => ({
    month: monthAsDays(monthOfNumber(monthNumberOf({ year, month: of }))),
    ...measure(Math.max(0, from), Math.min(to, axis.length)),
  })).filter(({ hours }) => hours > 0);
  const { name } = chosen.details ?? {};
  return buildAnswer({ currency, ...total }, {
    title: `Value of the production${name ? ` of ${name}` : ""}`,
    frames: {
      months: { title: "Months", columns: monthColumns(currency), rows },
    },
    findings: writeFindings<typeof words>(words, units, [
      { code: "worth", ...total, currency },
      { code: "possible", ...total, currency },
      ...results,
    ], [...notes, { code: "no_settlement" }]),
    origin: joinOrigins([chosen.predicted, production, chosen.price]),
  });
}
