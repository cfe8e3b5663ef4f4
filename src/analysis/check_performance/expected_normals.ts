import type { DataFrame } from "nodejs-polars";
import { type Column, pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { computeMonthlyEnergies } from "../../windindex/index/monthly_energy.ts";
import { chooseReferencePeriod, computeNormals } from "../../windindex/index/reference_period.ts";
import { MIN_YEARS } from "../../windindex/uncertainty/error_terms.ts";
import { readIndexMonths } from "../series/index_months.ts";
import type { ModelHours } from "../series/model_hours.ts";
import { computeMonthNormals } from "../series/month_normals.ts";
import { sumModelMonths } from "./model_months.ts";
import { refuse, WHAT } from "./refuse.ts";

/** Energy of each calendar month in a normal year. */
export interface ExpectedNormals {
  /** Energy of a normal month of one turbine, January first, MWh, NaN where it is unknown; `undefined` where all are. */
  readonly energies: Float64Array | undefined;
  /** Source of them, and warnings. */
  readonly notes: readonly string[];
}

const [month, predicted, index, abnormality] = pickColumns(monthlyIndicesFrame, [
  "month",
  "predicted_production",
  "month_index",
  "month_abnormality_index",
]);

/** Relative difference of indices and model data that rounding and single hours explain. */
const SAME = 0.005;

function hasColumns(frame: DataFrame, columns: readonly Column[]): boolean {
  const names = Object.keys(frame);
  return columns.every(({ name }) => names.includes(name));
}

/** Warns where indices and model data predict different energies for the same months. */
function warnOfOtherTurbine(indices: DataFrame, model: ModelHours): string[] {
  const months = sumModelMonths(model, undefined);
  let [indexed, modelled] = [0, 0];
  for (const { number, predicted } of readIndexMonths(indices, WHAT)) {
    const own = months.get(number)?.energy ?? NaN;
    if (predicted === null || !Number.isFinite(own)) continue;
    indexed += predicted;
    modelled += own;
  }
  const ratio = indexed / modelled;
  return modelled === 0 || Math.abs(ratio - 1) <= SAME ? [] : [
    `In the same months the indices predict ${
      (100 * ratio).toFixed(1)
    } % of the model data: the step of ` +
    "the wind includes the difference. Give indices and model data of one turbine and one revision.",
  ];
}

function readIndexNormals(indices: DataFrame, model: ModelHours | undefined): ExpectedNormals {
  if (!hasColumns(indices, [month, index, abnormality, predicted])) {
    refuse(
      `the indices need the columns "${month.name}", "${index.name}", "${abnormality.name}" and ` +
        `"${predicted.name}"; they have ${Object.keys(indices).join(", ")}. ` +
        "Give the frame of monthlyIndices()",
    );
  }
  const { months, notes } = computeMonthNormals(indices, WHAT);
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
  return {
    energies: Float64Array.from(computeNormals(months, period).months, (energy) => energy / 1000),
    notes: [
      `Normal is the mean of the model data of ${period.years[0]} to ${period.years.at(-1)}. For ` +
      "the reference period of the indices, give { indices: await monthlyIndices(id) }.",
    ],
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
