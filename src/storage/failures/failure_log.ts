import { DamagedFileError } from "../../disk/files.ts";
import { isPassing } from "./is_passing.ts";

/** Each cause is printed once per period, ms. */
const PERIOD = 60_000;

/** Most causes to remember. */
const MAX_CAUSES = 100;

/** When each cause was printed, and how often it was held back since. */
const printed = new Map<string, { readonly at: number; held: number }>();

/** Forgets what was printed, so a newly started service prints its failures again. */
export function resetFailureLog(): void {
  printed.clear();
}

/** Whether a file descriptor is free. Without one, reading the stack of an error crashes the runtime. */
function hasDescriptor(): boolean {
  try {
    Deno.openSync("/dev/null").close();
    return true;
  } catch (error) {
    return !/os error (23|24)/.test((error as Error).message);
  }
}

/** Optional facts for {@linkcode logFailure}. */
interface FailureFacts {
  /** Subject of the failure, such as the identifier of an order; it differs between failures of one cause. */
  readonly of?: string;
  /** Whether its cause may pass by itself. @default by {@linkcode isPassing} */
  readonly passes?: boolean;
  /** The present, ms. @default {performance.now()} */
  readonly now?: number;
}

/** Names the kind of an error: class and system or database code of it and its causes. */
function nameKind(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const { code = "", errcode = "" } = error as { code?: unknown; errcode?: unknown };
  return `${error.name} ${code} ${errcode}, ${nameKind(error.cause)}`;
}

/**
 * Logs a failure, at most one line per cause and minute, with the number of failures held back: a full disk or a lost
 * database would otherwise fill the log. A failure that does not pass by itself gets its stack.
 *
 * @param what What failed, in the same words each time; empty if the error says it. It identifies the cause together
 * with the kind of the error, or with the message if a file is damaged or the failure does not pass
 */
export function logFailure(
  what: string,
  error: unknown,
  { of = "", passes = isPassing(error), now = performance.now() }: FailureFacts = {},
): void {
  const prefix = what && `${what}${of && ` (${of})`}: `;
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
  console.error(held + prefix + (passes || !hasDescriptor() ? message : Deno.inspect(error)));
}
