import type { DataFrame } from "nodejs-polars";
import { type Column, pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { monthNumberOf } from "../../time/zones.ts";
import { computeMonthlyEnergies } from "../../windindex/index/monthly_energy.ts";
import { chooseReferencePeriod, computeNormals } from "../../windindex/index/reference_period.ts";
import { MIN_YEARS } from "../../windindex/uncertainty/error_terms.ts";
import { readComparedSeries, type SideColumns } from "../series/compared_series.ts";
import { listReadings } from "../series/findings.ts";
import { computeMonthNormals, readIndexMonths } from "../series/index_months.ts";
import type { ModelHours } from "../series/model_hours.ts";
import type { CheckResult } from "./check_result.ts";
import { type ChosenOptions, refuse, WHAT } from "./options.ts";
import type { PerformanceFound } from "./words.ts";

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

/** Energy of each calendar month in a normal year. */
export interface ExpectedNormals {
  /** Energy of a normal month of one turbine, January first, MWh, NaN where it is unknown; `undefined` where all are. */
  readonly energies: Float64Array | undefined;
  /** First and last year of which they are the mean, where they come from model data. */
  readonly years?: readonly [first: number, last: number];
  /** Source of them, and warnings. */
  readonly notes: readonly PerformanceFound[];
}

const [month, predicted, index, abnormality] = pickColumns(monthlyIndicesFrame, [
  "month",
  "predicted_production",
  "month_index",
  "month_abnormality_index",
]);

/** Reads the reference period from details, where our service answers. */
export function readReferenceYears(details: ChosenOptions["details"]): CheckResult["reference"] {
  const { reference_from: first, reference_to: last } = details ?? {};
  return Number.isInteger(first) && Number.isInteger(last)
    ? [first as number, last as number]
    : null;
}

/** Relative difference of indices and model data that rounding and single hours explain. */
const SAME = 0.005;

function hasColumns(frame: DataFrame, columns: readonly Column[]): boolean {
  const names = Object.keys(frame);
  return columns.every(({ name }) => names.includes(name));
}

/** Warns where indices and model data predict different energies for the same months. */
function warnOfOtherTurbine(indices: DataFrame, model: ModelHours): PerformanceFound[] {
  const months = sumModelMonths(model, undefined);
  let [indexed, modelled] = [0, 0];
  for (const { number, predicted } of readIndexMonths(indices, WHAT)) {
    const own = months.get(number)?.energy ?? NaN;
    if (predicted === null || !Number.isFinite(own)) continue;
    indexed += predicted;
    modelled += own;
  }
  const ratio = indexed / modelled;
  return modelled === 0 || Math.abs(ratio - 1) <= SAME
    ? []
    : [{ code: "other_prediction", ratio: 100 * ratio }];
}

function readIndexNormals(indices: DataFrame, model: ModelHours | undefined): ExpectedNormals {
  if (!hasColumns(indices, [month, index, abnormality, predicted])) {
    refuse(
      `the indices need the columns "${month.name}", "${index.name}", "${abnormality.name}" and ` +
        `"${predicted.name}"; they have ${Object.keys(indices).join(", ")}. ` +
        "Give the frame of monthlyIndices()",
    );
  }
  const { months, notes: read } = computeMonthNormals(indices, WHAT);
  const notes = listReadings(read);
  if (months.every((energy) => energy === null)) return { energies: undefined, notes };
  return {
    energies: Float64Array.from(months, (energy) => energy ?? NaN),
    notes: [...notes, ...(model ? warnOfOtherTurbine(indices, model) : [])],
  };
}

function computeModelNormals(model: ModelHours): ExpectedNormals {
  const months = computeMonthlyEnergies(model.power, model.axis, model.timeZone);
  const counts = new Map<number, number>();
  for (const { year, energy } of months) {
    if (energy !== null) counts.set(year, (counts.get(year) ?? 0) + 1);
  }
  const whole = [...counts.values()].filter((count) => count === 12).length;
  if (whole < MIN_YEARS) return { energies: undefined, notes: [] };
  const period = chooseReferencePeriod(months);
  const [from, to] = [period.years[0], period.years.at(-1)!];
  return {
    energies: Float64Array.from(computeNormals(months, period).months, (energy) => energy / 1000),
    years: [from, to],
    notes: [{ code: "normal_of_model", from, to }],
  };
}

/**
 * Finds the energy of a normal month of each name: from indices, from a prediction that has them, or from model data
 * of five or more whole years.
 *
 * @param prediction Frame that the production is compared with
 * @param model The same by the hour, where it is hourly
 * @throws {ArgumentError} If the indices lack these columns
 */
export function findExpectedNormals(
  indices: DataFrame | undefined,
  prediction: DataFrame,
  model: ModelHours | undefined,
): ExpectedNormals {
  if (indices) return readIndexNormals(indices, model);
  if (hasColumns(prediction, [month, index, abnormality])) {
    return readIndexNormals(prediction, undefined);
  }
  return model ? computeModelNormals(model) : { energies: undefined, notes: [] };
}
