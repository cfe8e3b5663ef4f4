const ROOT = new URL("../../", import.meta.url).pathname;

/** Variables of the user that must not influence the measurement. */
const UNSET = { VINDKIT_URL: "", VINDKIT_KEY: "", VINDKIT_DATA: "" };

/** A serving task in a separate process that logs to a file. */
export interface LoggedServer extends AsyncDisposable {
  /** Its address. */
  readonly url: string;
  /** Waits until the log matches a pattern, and returns its first group. */
  find(pattern: RegExp): Promise<string>;
}

/** Reads a file until it contains a text. */
async function wordFrom(path: string, pattern: RegExp): Promise<string> {
  for (let left = 600; left > 0; left--) {
    const match = pattern.exec(await Deno.readTextFile(path));
    if (match) return match[1];
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The service did not begin: ${await Deno.readTextFile(path)}`);
}

/**
 * Starts a serving task of this project on a free port, with its request log.
 *
 * @param words The task and its options
 * @param env Environment variables; `VINDKIT_HOME` is the folder of its log
 */
export async function startLogged(
  words: readonly string[],
  env: { readonly VINDKIT_HOME: string; readonly [name: string]: string },
): Promise<LoggedServer> {
  const log = await Deno.makeTempFile({ dir: env.VINDKIT_HOME, suffix: ".log" });
  const task = [Deno.execPath(), "task", "--quiet", ...words, "--port", "0", "--log"];
  const child = new Deno.Command("sh", {
    args: ["-c", 'exec "$@" > "$LOG" 2>&1', "sh", ...task],
    cwd: ROOT,
    env: { ...UNSET, ...env, LOG: log },
  }).spawn();
  const find = (pattern: RegExp) => wordFrom(log, pattern);
  return {
    url: await find(/at (http:\S+)\n/),
    find,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
    },
  };
}
