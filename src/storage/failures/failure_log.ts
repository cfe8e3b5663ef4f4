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

/** What a caller of {@linkcode logFailure} may say besides. */
interface FailureFacts {
  /** What it was about, such as the identifier of an order: it differs from failure to failure of one cause. */
  readonly of?: string;
  /** Whether its cause may pass by itself. @default as {@linkcode isPassing} finds */
  readonly passes?: boolean;
  /** The present, ms. @default {performance.now()} */
  readonly now?: number;
}

/** The kind of an error: its class and the code of the system or the database, and those of its causes. */
function nameKind(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const { code = "", errcode = "" } = error as { code?: unknown; errcode?: unknown };
  return `${error.name} ${code} ${errcode}, ${nameKind(error.cause)}`;
}

/**
 * Logs a failure, one line for each cause and minute, with the number of like failures held back: a full disk, or a
 * database that is away, would otherwise fill the log. A failure that does not pass by itself gets its stack.
 *
 * @param what What failed, in words that are the same each time; empty where the error says it. With the kind of the error
 * it is the cause. Each damaged file, and other words of a failure that does not pass, are causes of their own
 */
export function logFailure(
  what: string,
  error: unknown,
  { of = "", passes = isPassing(error), now = performance.now() }: FailureFacts = {},
): void {
  const begin = what && `${what}${of && ` (${of})`}: `;
  const message = error instanceof Error ? error.message : String(error);
  const words = error instanceof DamagedFileError
    ? message
    : passes
    ? nameKind(error)
    : message.replace(/[\da-f]{8,}|\d+/g, "0");
  const cause = `${what}: ${words}`;
  const before = printed.get(cause);
  if (before && now - before.at < PERIOD) return void before.held++;
  if (printed.size >= MAX_CAUSES) printed.clear();
  printed.set(cause, { at: now, held: 0 });
  const held = before?.held ? `${before.held} more times since the last line: ` : "";
  console.error(held + begin + (passes || !hasDescriptor() ? message : Deno.inspect(error)));
}
