import {
  NetworkError,
  OrderFailedError,
  OrderUncertainError,
  RefusedConnectionError,
  ServiceError,
  TimeoutError,
  TooManyRequestsError,
} from "../../api/errors.ts";
import { DamagedFileError } from "../../disk/damaged_file.ts";
import { isPassing } from "../../service/store/is_passing.ts";
import { type ExitCode, exitCodes } from "../exit_codes.ts";
import { UpdateRunningError } from "./lock_updates.ts";

/** Errors after which the same update may succeed by itself. */
const PASSING = [
  NetworkError,
  OrderUncertainError,
  ServiceError,
  TimeoutError,
  TooManyRequestsError,
  UpdateRunningError,
];

/** Whether the same update may succeed by itself; a damaged file is passing for a service, which has a backup put back. */
function isTemporary(error: unknown): boolean {
  if (error instanceof DamagedFileError || error instanceof RefusedConnectionError) return false;
  // A job that the source lost, or had no place for, is sent anew; one that failed there would fail again.
  if (error instanceof OrderFailedError) return "queueFull" in error;
  return PASSING.some((kind) => error instanceof kind) || isPassing(error);
}

/**
 * The exit code for what ended an update: to try again only if that may help, for all of several errors.
 *
 * @param error What was thrown
 */
export function exitCodeOf(error: unknown): ExitCode {
  const errors = error instanceof AggregateError ? error.errors : [error];
  return errors.every(isTemporary) ? exitCodes.tryAgain : exitCodes.needsPerson;
}
