import { type Column, pickColumns } from "../../api/columns/column.ts";
import { figures, monthState } from "../../api/columns/columns.ts";
import { HOUR } from "../../time/hourly.ts";
import { formatClock } from "../../time/zones.ts";
import { findMonthStart } from "../../time/month_start.ts";
import { formatNumber } from "../../show/text/numbers.ts";
import type { MonthlyEnergy } from "../../windindex/index/monthly_energy.ts";
import type { CurvePower } from "../series/curve_power.ts";
import type { ModelHours } from "../series/model_hours.ts";
import type { ServedFigures, Step } from "./index_steps.ts";

const [predicted] = pickColumns(figures, ["predicted_production"]);
const [completeness] = pickColumns(monthState, ["completeness"]);

/** Positions of a month's hours in the model data. */
interface HourRange {
  readonly from: number;
  readonly to: number;
}

function findHours({ axis, timeZone }: ModelHours, month: Temporal.PlainYearMonth): HourRange {
  return {
    from: Math.max(0, findMonthStart(axis, month, timeZone)),
    to: Math.min(axis.length, findMonthStart(axis, month.add({ months: 1 }), timeZone)),
  };
}

/** Finds the hour whose power is closest to half of the largest: the curve is steep there, so each number has an effect. */
function findExampleHour(power: Float64Array, { from, to }: HourRange): number | undefined {
  const known = [...power.subarray(from, to).keys()].map((i) => from + i)
    .filter((i) => power[i] === power[i]);
  const half = known.reduce((most, i) => Math.max(most, power[i]), 0) / 2;
  return known.reduce<number | undefined>(
    (best, i) =>
      best === undefined || Math.abs(power[i] - half) < Math.abs(power[best] - half) ? i : best,
    undefined,
  );
}

/** Builds the steps to the power of one hour, from its wind speed and air density; where these are instants, from both of its ends. */
function buildHourSteps(hours: ModelHours, curve: CurvePower, i: number): Step[] {
  const clock = (at: number) => formatClock(hours.axis.start + at * HOUR, hours.timeZone);
  const point = (at: number) =>
    `P(${formatNumber(hours.windSpeed![at], 2)} m/s, ${
      formatNumber(hours.airDensity![at], 3)
    } kg/m3)`;
  const kW = { unit: "kW", served: null };
  const ends = curve.stamp === "instant" ? [i, i + 1] : [];
  return [
    ...ends.map((at) => ({
      quantity: `Power at ${clock(at)}`,
      calculation: point(at),
      value: curve.atStamps[at],
      ...kW,
    })),
    {
      quantity: `Power in the hour from ${clock(i)}`,
      calculation: ends.length > 0
        ? ends.map((at) => formatNumber(curve.atStamps[at], 1)).join(" and ") + ", their mean"
        : point(i),
      value: curve.hourly[i],
      ...kW,
      served: hours.power[i],
    },
  ];
}

function sumHours(
  values: Float64Array,
  counted: Float64Array,
  { from, to }: HourRange,
): number | null {
  let [total, missing] = [0, 0];
  for (let i = from; i < to; i++) {
    if (counted[i] !== counted[i]) continue;
    if (values[i] !== values[i]) missing++;
    else total += values[i];
  }
  // The last stamp of a record has no next one for an average.
  return missing > 1 ? null : total;
}

/** Computes the mean of hourly values over a month; `null` without values. */
export function computeMonthMean(
  values: Float64Array | undefined,
  hours: ModelHours,
  month: Temporal.PlainYearMonth,
): number | null {
  const { from, to } = findHours(hours, month);
  const known = [...values?.subarray(from, to) ?? []].filter((value) => value === value);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** Builds the steps from the hours of a month to its energy. */
export function buildEnergySteps(
  hours: ModelHours,
  curve: CurvePower | undefined,
  entry: MonthlyEnergy,
  served: ServedFigures,
): Step[] {
  const month = Temporal.PlainYearMonth.from({ year: entry.year, month: entry.month });
  const own = findHours(hours, month);
  const steps: Step[] = [];
  const add = (
    quantity: string,
    calculation: string,
    value: number | null,
    unit: string,
    servedValue: number | null = null,
  ) => steps.push({ quantity, calculation, value, unit, served: servedValue });
  const share = (column: Column) => {
    const value = served(column);
    return value === null ? null : 100 * value;
  };
  add(
    "Hours of the month",
    `midnight to midnight in ${hours.timeZone}`,
    entry.hours,
    "h",
  );
  add("Valid hours", "those with a power", entry.validHours, "h");
  add(
    completeness.label,
    `100 × ${entry.validHours} / ${entry.hours}`,
    100 * entry.completeness,
    "%",
    share(completeness),
  );
  const { power } = hours;
  if (curve) {
    add(
      "Smoothing of the power curve",
      "standard deviation of the wind speeds over which P is the mean, by which it fits the served power best",
      curve.smoothing,
      "m/s",
    );
  }
  const example = curve && findExampleHour(power, own);
  if (curve && example !== undefined) steps.push(...buildHourSteps(hours, curve, example));
  const summed = sumHours(power, power, own);
  if (curve) {
    const again = sumHours(curve.hourly, power, own);
    add(
      "Energy by the power curve",
      "sum of P(wind speed, air density) over the hours",
      again === null ? null : again / 1000,
      "MWh",
      summed === null ? null : summed / 1000,
    );
  }
  add(
    "Energy of the valid hours",
    "sum of the hourly power of the model data",
    summed === null ? null : summed / 1000,
    "MWh",
  );
  add(
    predicted.label,
    summed === null
      ? "energy of the valid hours × hours / valid hours"
      : `${formatNumber(summed / 1000, 3)} × ${entry.hours} / ${entry.validHours}`,
    entry.energy === null ? null : entry.energy / 1000,
    "MWh",
    served(predicted),
  );
  return steps;
}
