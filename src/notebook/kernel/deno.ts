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

/** Runs Deno and waits for its end: whether it succeeded, and what it wrote, but for a stack trace of Deno's own. */
export async function runDeno(
  args: readonly string[],
  options: { cwd?: string; signal?: AbortSignal } = {},
) {
  const { success, stdout, stderr } = await new Deno.Command(findDeno(), {
    args: [...args],
    env: { NO_COLOR: "1" },
    stdin: "null",
    ...options,
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { success, out, err: err.replace(/\n+Stack backtrace:[^]*$/, "\n") };
}
