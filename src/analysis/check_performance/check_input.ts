import type { DataFrame } from "nodejs-polars";
import { checkOwnNormals } from "./check_own_normals.ts";
import { checkPredictions } from "./check_predictions.ts";
import type { CheckResult } from "./check_result.ts";
import type { CheckPerformanceOptions } from "./options.ts";
import { refuse } from "./refuse.ts";
import { convertToHours, type SeriesInHours } from "../series/convert_to_hours.ts";

/**
 * Compares production with the prediction, or with its own normals.
 *
 * @throws {ArgumentError} If neither or both are requested, or one of them does not fit
 */
export function checkInput(
  production: DataFrame,
  options: CheckPerformanceOptions,
): CheckResult {
  const produced = convertToHours(production, "the production", refuse);
  const { predicted } = options;
  const basis: string = options.basis ?? "predictions";
  if (basis !== "predictions" && basis !== "production normals") {
    refuse(`the basis "${basis}" is not "predictions" or "production normals"`);
  }
  if (basis === "production normals") {
    if (predicted) {
      refuse(
        '"predicted" was given together with basis: "production normals". Leave one of them out',
      );
    }
    return addNotes(checkOwnNormals(produced.frame, options), produced);
  }
  if (predicted) {
    const model = convertToHours(predicted, "the prediction", refuse);
    return addNotes(checkPredictions(produced.frame, model.frame, options), produced, model);
  }
  return refuse(
    "predictions are missing. Give model data or monthly indices of the time of the " +
      "production as { predicted }, or compare it with its own normals by " +
      'checkPerformance(production, { basis: "production normals" })',
  );
}

function addNotes(checked: CheckResult, ...series: readonly SeriesInHours[]): CheckResult {
  return { ...checked, notes: [...checked.notes, ...series.flatMap(({ notes }) => notes)] };
}
