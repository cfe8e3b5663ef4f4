import type { DataFrame } from "nodejs-polars";
import { VindkitError } from "../api/errors.ts";
import type { Failure } from "./fan_out.ts";

/** Failures that a message tells. */
const MAX_TOLD = 5;

/** Failures in a sentence. */
export function tellFailures(failed: readonly Failure[], asked: number): string {
  const told = failed.slice(0, MAX_TOLD).map(({ turbineId, error }) =>
    `${turbineId}: ${error.message}`
  );
  const more = failed.length - told.length;
  return `${failed.length} of ${asked} turbines failed: ${told.join("; ")}${
    more > 0 ? `; and ${more} more` : ""
  }`;
}

/** Some turbines of a call failed; what the others gave is kept here. */
export class PartialError extends VindkitError {
  /** The turbines that failed, each with its error. */
  readonly failures: readonly Failure[];
  /** Frame of the others; `undefined` where all failed. */
  readonly frame: DataFrame | undefined;

  /**
   * Makes the error.
   *
   * @param failures The turbines that failed
   * @param asked How many were asked for
   * @param frame Frame of the others
   */
  constructor(failures: readonly Failure[], asked: number, frame: DataFrame | undefined) {
    super(`Cannot get all turbines: ${tellFailures(failures, asked)}`, {
      operation: failures[0].error.operation,
      status: failures[0].error.status,
      hint: 'The others are in the error\'s frame; onFailure: "collect" goes on without these',
    });
    this.failures = failures;
    this.frame = frame;
    // The message tells the story: printed, the error is not to bury it under stacks and tables.
    for (const name of ["failures", "frame"]) {
      Object.defineProperty(this, name, { enumerable: false });
    }
  }
}
