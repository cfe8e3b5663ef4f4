import {
  NetworkError,
  OrderFailedError,
  OrderUncertainError,
  RefusedConnectionError,
  ServiceError,
  TimeoutError,
  TooManyRequestsError,
} from "../../api/errors.ts";
import { DamagedFileError } from "../../disk/files.ts";
import { isPassing } from "../../storage/mod.ts";
import { type ExitCode, exitCodes } from "../command.ts";
import { UpdateRunningError } from "./update_report.ts";

/** No update has succeeded for days: what should have passed by itself did not. */
class LastingFailureError extends Error {}

/** Hours after which it is a lasting failure: source and disk had their time, and nobody reads what ends with 75. */
const LASTING_AFTER = 72;

/** Errors after which the same update may succeed by itself. */
const PASSING = [
  NetworkError,
  OrderUncertainError,
  ServiceError,
  TimeoutError,
  TooManyRequestsError,
  UpdateRunningError,
];

/** Errors after which it does not, also as a cause; a damaged file is passing for a service, which has a backup put back. */
const LASTING = [DamagedFileError, RefusedConnectionError, LastingFailureError];

function isLasting(error: unknown): boolean {
  return error instanceof Error &&
    (LASTING.some((kind) => error instanceof kind) || isLasting(error.cause));
}

function isTemporary(error: unknown): boolean {
  if (isLasting(error)) return false;
  // A job that the source lost, or had no place for, is sent anew; one that failed there would fail again.
  if (error instanceof OrderFailedError) return "queueFull" in error;
  return PASSING.some((kind) => error instanceof kind) || isPassing(error);
}

/** The exit code for what ended an update: to try again only if that may help, for all of several errors. */
export function exitCodeOf(error: unknown): ExitCode {
  const errors = error instanceof AggregateError ? error.errors : [error];
  return errors.every(isTemporary) ? exitCodes.tryAgain : exitCodes.needsPerson;
}

/**
 * Makes a failure one that needs a person, if it should have passed by itself and has not for three days.
 *
 * @param since When the first update began that failed since one succeeded, ISO 8601 UTC, if there is any
 * @returns The same error, or one that says since when
 */
export function judgeFailure(error: unknown, since: string | null | undefined): unknown {
  if (!since || exitCodeOf(error) !== exitCodes.tryAgain) return error;
  const failing = Temporal.Instant.from(since).until(Temporal.Now.instant());
  if (failing.total("hours") < LASTING_AFTER) return error;
  return new LastingFailureError(
    `No update has succeeded since that of ${since.slice(0, 16)} UTC failed: ${
      (error as Error).message
    }`,
    { cause: error },
  );
}
