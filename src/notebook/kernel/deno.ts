import { ConfigurationError } from "../../api/errors.ts";

/**
 * The Deno to run: the one that runs now where the permission allows it, else that of the PATH, which
 * `--allow-run=deno` means.
 */
export function findDeno(): string {
  const command = Deno.execPath();
  const { state } = Deno.permissions.querySync({ name: "run", command });
  return state === "granted" ? command : "deno";
}

/**
 * Why Deno could not be started: where it is not in the PATH that says so, else the error itself.
 *
 * @param error What the start threw
 */
export function explainStartError(error: unknown): unknown {
  if (!(error instanceof Deno.errors.NotFound) || findDeno() !== "deno") return error;
  return new ConfigurationError("Cannot start Deno: the PATH has no deno", {
    cause: error,
    hint: `Add the folder of ${Deno.execPath()} to it`,
  });
}

/** What a run of Deno came to. */
interface DenoRun {
  /** Whether it succeeded. */
  readonly success: boolean;
  /** What it wrote. */
  readonly out: string;
  /** What it complained of, without the parts that only its makers need. */
  readonly err: string;
}

/**
 * Runs Deno to its end.
 *
 * @param args Its arguments
 * @param options Folder it runs in; what ends it
 */
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
