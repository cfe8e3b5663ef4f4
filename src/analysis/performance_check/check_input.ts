import type { DataFrame } from "nodejs-polars";
import { checkOwnNormals } from "./check_own_normals.ts";
import { checkPredictions } from "./check_predictions.ts";
import type { Checked } from "./checked_period.ts";
import type { PerformanceCheckOptions } from "./options.ts";
import { refuse } from "./refuse.ts";

/**
 * Checks production against what it is given to be held against.
 *
 * @param production Hours, months or years
 * @param predicted Model data or monthly indices
 * @param options Options of the check
 * @throws {ArgumentError} If that is nothing, or both, or it does not fit
 */
export function checkInput(
  production: DataFrame,
  predicted: DataFrame | undefined,
  options: PerformanceCheckOptions,
): Checked {
  const basis: string = options.basis ?? "predictions";
  if (basis !== "predictions" && basis !== "production normals") {
    refuse(`the basis "${basis}" is none of "predictions", "production normals"`);
  }
  if (basis === "production normals") {
    if (predicted) {
      refuse(
        'predictions were given together with basis: "production normals". Give undefined in ' +
          "place of the predictions, or leave the basis out",
      );
    }
    return checkOwnNormals(production, options);
  }
  return predicted ? checkPredictions(production, predicted, options) : refuse(
    "there are no predictions. Give model data or monthly indices of the time of the " +
      "production as the second argument; or hold it against its own normals with " +
      'performanceCheck(production, undefined, { basis: "production normals" })',
  );
}
