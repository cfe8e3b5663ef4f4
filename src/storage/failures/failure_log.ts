import { DamagedFileError } from "../../disk/files.ts";
import { isPassing } from "./is_passing.ts";

/** Time in which a cause is printed once, ms. */
const PERIOD = 60_000;

/** Most causes that are remembered. */
const MAX_CAUSES = 100;

/** When a cause was printed, and how often it was held back since. */
const printed = new Map<string, { readonly at: number; held: number }>();

/** Forgets what was printed: a service that begins prints its failures anew. */
export function resetFailureLog(): void {
  printed.clear();
}

/** Whether a file descriptor is free. Where none is, the runtime ends the process if the stack of an error is read. */
function hasDescriptor(): boolean {
  try {
    Deno.openSync("/dev/null").close();
    return true;
  } catch (error) {
    return !/os error (23|24)/.test((error as Error).message);
  }
}

/**
 * Logs a failure, one line for each cause and minute, with the number of like failures held back: a full disk, or a
 * database that is away, would otherwise fill the log. A failure that does not pass by itself gets its stack.
 *
 * @param what What failed; empty where the error says it
 * @param passes Whether its cause may pass by itself, as {@linkcode isPassing} finds unless it is given
 * @param now The present, ms
 */
export function logFailure(
  what: string,
  error: unknown,
  passes: boolean = isPassing(error),
  now: number = performance.now(),
): void {
  const begin = what && `${what}: `;
  const message = begin + (error instanceof Error ? error.message : error);
  // Names of side files and numbers of requests differ each time; a damaged file is named each.
  const cause = error instanceof DamagedFileError
    ? message
    : message.replace(/[\da-f]{8,}|\d+/g, "0");
  const before = printed.get(cause);
  if (before && now - before.at < PERIOD) return void before.held++;
  if (printed.size >= MAX_CAUSES) printed.clear();
  printed.set(cause, { at: now, held: 0 });
  const held = before?.held ? `${before.held} times more since the last line: ` : "";
  console.error(held + (passes || !hasDescriptor() ? message : begin + Deno.inspect(error)));
}
