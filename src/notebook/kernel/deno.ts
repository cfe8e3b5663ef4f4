import { ConfigurationError } from "../../api/errors.ts";
import { findDeno } from "../../disk/find_deno.ts";

/**
 * Turns the error of a failed start into one that says that Deno is missing in the PATH, if that is the cause; returns
 * any other error unchanged.
 */
export function explainStartError(error: unknown): unknown {
  if (!(error instanceof Deno.errors.NotFound) || findDeno() !== "deno") return error;
  return new ConfigurationError("Cannot start Deno: the PATH has no deno", {
    cause: error,
    hint: `Add the folder of ${Deno.execPath()} to it`,
  });
}

/** Result of a run of Deno. */
interface DenoRun {
  /** Whether its exit code was 0. */
  readonly success: boolean;
  /** Standard output. */
  readonly out: string;
  /** Standard error without Deno's own stack trace. */
  readonly err: string;
}

/** Runs Deno and waits for its end. */
export async function runDeno(
  args: readonly string[],
  options: { cwd?: string; signal?: AbortSignal } = {},
): Promise<DenoRun> {
  const { success, stdout, stderr } = await new Deno.Command(findDeno(), {
    args: [...args],
    env: { NO_COLOR: "1" },
    stdin: "null",
    ...options,
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { success, out, err: err.replace(/\n+Stack backtrace:[^]*$/, "\n") };
}
