import type { DataFrame } from "nodejs-polars";
import { pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { monthNumberOf } from "../../time/zones.ts";
import { computeMonthlyEnergies } from "../../windindex/index/monthly_energy.ts";
import { readComparedSeries, type SideColumns } from "../series/compared_series.ts";
import type { ModelHours } from "../series/model_hours.ts";

/** Expected energy of a month; energies in MWh, missing is NaN. */
export interface ModelMonth {
  /** Energy of the whole month. */
  readonly energy: number;
  /** Effect of its air density. */
  readonly density: number;
  /** Share of its hours that are valid. */
  readonly completeness: number;
}

/** Months by months since year 0. */
export type ModelMonths = ReadonlyMap<number, ModelMonth>;

const [completeness] = pickColumns(monthlyIndicesFrame, ["completeness"]);

/**
 * Adds up model data by months: those of which at least 98 % of the hours are valid have an energy, scaled to all hours.
 *
 * @param density Effect of air density on them, kW
 */
export function sumModelMonths(hours: ModelHours, density: Float64Array | undefined): ModelMonths {
  const months = computeMonthlyEnergies(hours.power, hours.axis, hours.timeZone);
  const effects = density && computeMonthlyEnergies(density, hours.axis, hours.timeZone);
  return new Map(months.map((month, i) => [monthNumberOf(month), {
    energy: month.energy === null ? NaN : month.energy / 1000,
    density: (effects?.[i].energy ?? NaN) / 1000,
    completeness: month.completeness,
  }]));
}

/**
 * Reads the months of a monthly prediction.
 *
 * @param predicted Frame with `month` and `predicted_production`
 * @param units Number of turbines by which energies are multiplied
 */
export function readPredictedMonths(
  predicted: DataFrame,
  side: SideColumns,
  units: number,
): ModelMonths {
  const series = readComparedSeries(predicted, side, completeness);
  if (series.kind === "hourly") throw new Error("Cannot read months: the prediction is of hours");
  return new Map(series.months.map(({ number, energy, completeness }) => [number, {
    energy: energy * units,
    density: NaN,
    completeness,
  }]));
}

/** Adds up years from months; a year with a missing month is left out. */
export function sumYears(months: ModelMonths): ModelMonths {
  const years = new Set([...months.keys()].map((number) => Math.floor(number / 12)));
  return new Map(
    [...years].flatMap((year) => {
      const own = Array.from({ length: 12 }, (_, i) => months.get(12 * year + i));
      if (own.includes(undefined)) return [];
      const sum = (value: (month: ModelMonth) => number) =>
        own.reduce((total, month) => total + value(month!), 0);
      return [
        [year, {
          energy: sum(({ energy }) => energy),
          density: sum(({ density }) => density),
          completeness: sum(({ completeness }) => completeness) / 12,
        }] as const,
      ];
    }),
  );
}
