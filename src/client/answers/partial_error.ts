import type { DataFrame } from "nodejs-polars";
import { VindkitError } from "../../api/errors.ts";
import { shortText } from "../../show/text/short_text.ts";
import type { Failure } from "./fan_out.ts";

/** Failures that a message tells. */
const MAX_TOLD = 5;

/** Longest message of a failure that is told, in characters. */
const MAX_MESSAGE = 400;

function told(
  failed: readonly Failure[],
  asked: number,
  tell: (failure: Failure) => string,
): string {
  const first = failed.slice(0, MAX_TOLD).map(tell).join("; ");
  const more = failed.length > MAX_TOLD ? `; and ${failed.length - MAX_TOLD} more` : "";
  return `${failed.length} of ${asked} turbines failed: ${first}${more}`;
}

/** Failures with their messages. */
function tellFailures(failed: readonly Failure[], asked: number): string {
  return told(
    failed,
    asked,
    ({ turbineId, error }) => `${shortText(turbineId)}: ${shortText(error.message, MAX_MESSAGE)}`,
  );
}

/** Failures in a line that fits below a table or a chart: `failures(frame)` has the rest. */
export function noteFailures(failed: readonly Failure[], asked: number): string {
  return told(failed, asked, ({ turbineId, error }) => `${turbineId} (${error.name})`);
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
      hint: frame
        ? 'The others are in the error\'s frame; onFailure: "collect" goes on without these'
        : "There is no frame: none of them succeeded",
    });
    this.failures = failures;
    this.frame = frame;
    // The message tells the story: printed, the error is not to bury it under stacks and tables.
    for (const name of ["failures", "frame"]) {
      Object.defineProperty(this, name, { enumerable: false });
    }
  }
}
