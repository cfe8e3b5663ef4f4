import type { DataFrame } from "nodejs-polars";
import { VindkitError } from "../../api/errors.ts";
import { formatCount } from "../../show/text/numbers.ts";
import { shortenText } from "../../show/text/plain_text.ts";
import type { Failure } from "./fan_out.ts";

/** Failures that a message lists. */
const MAX_LISTED = 5;

/** Longest message of a listed failure, in characters. */
const MAX_MESSAGE = 400;

function listFailures(
  failed: readonly Failure[],
  requested: number,
  show: (failure: Failure) => string,
): string {
  const first = failed.slice(0, MAX_LISTED).map(show).join("; ");
  const more = failed.length > MAX_LISTED ? `; and ${failed.length - MAX_LISTED} more` : "";
  return `${failed.length} of ${formatCount(requested, "turbine")} failed: ${first}${more}`;
}

/** Formats failures with their messages. */
function formatFailures(failed: readonly Failure[], requested: number): string {
  return listFailures(
    failed,
    requested,
    ({ turbineId, error }) =>
      `${shortenText(turbineId)}: ${shortenText(error.message, MAX_MESSAGE)}`,
  );
}

/** Formats failures as short lines below a table or a chart; `failures(frame)` has their errors. */
export function noteFailures(failed: readonly Failure[], requested: number): string[] {
  const { notReady = [], others = [] } = Object.groupBy(
    failed,
    (failure) => failure.notReady ? "notReady" : "others",
  );
  const lines = [];
  if (others.length > 0) {
    lines.push(
      listFailures(others, requested, ({ turbineId, error }) => `${turbineId} (${error.name})`),
    );
  }
  if (notReady.length > 0) {
    const ids = notReady.slice(0, MAX_LISTED).map(({ turbineId }) => turbineId).join(", ");
    const more = notReady.length > MAX_LISTED ? ` and ${notReady.length - MAX_LISTED} more` : "";
    lines.push(`left out, since their data are not ready: ${ids}${more}`);
  }
  return lines;
}

/** Some turbines of a call failed; `frame` has the others. */
export class PartialError extends VindkitError {
  /** The turbines that failed, each with its error. */
  readonly failures: readonly Failure[];
  /** Frame of the others; `undefined` where all failed. */
  readonly frame: DataFrame | undefined;

  /**
   * Makes the error.
   *
   * @param failures The turbines that failed
   * @param requested How many were requested
   * @param frame Frame of the others
   */
  constructor(failures: readonly Failure[], requested: number, frame: DataFrame | undefined) {
    super(`Cannot get all turbines: ${formatFailures(failures, requested)}`, {
      operation: failures[0].error.operation,
      status: failures[0].error.status,
      hint: frame
        ? 'The others are in the error\'s frame; onFailure: "collect" goes on without these'
        : "There is no frame: none of the turbines succeeded",
    });
    this.failures = failures;
    this.frame = frame;
    // Not enumerable, so that a printed error does not bury its message under stacks and tables.
    for (const name of ["failures", "frame"]) {
      Object.defineProperty(this, name, { enumerable: false });
    }
  }
}
