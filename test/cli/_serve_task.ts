/**
 * `deno task serve` as a child process, as its user runs it.
 *
 * @module
 */

/** Options of a run. */
export interface ServeTaskOptions {
  /** Environment variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether to run it as `deno task shared serve`. */
  readonly shared?: boolean;
  /** Limit of its file descriptors. */
  readonly fileLimit?: number;
}

/** A service in a separate process. */
export interface ServeTask {
  /** Its URL. */
  readonly url: string;
  /** The printed key; empty without `--new-key`. */
  readonly key: string;
  /** Its output until it listened. */
  readonly begun: string;
  /** Stops reading its output, as `head` does when it has enough. */
  hangUp(): Promise<void>;
  /** Sends Ctrl-C, without waiting for the end. */
  interrupt(): void;
  /** Its end, as soon as it has ended. */
  readonly ended: Promise<ServeTaskEnd>;
  /** Sends a signal, and waits for the end. */
  stop(signal?: "SIGTERM" | "SIGINT" | "SIGKILL"): Promise<ServeTaskEnd>;
}

/** The end of a service. */
export interface ServeTaskEnd {
  readonly code: number;
  /** Its output after it started to listen. */
  readonly out: string;
  readonly err: string;
}

/** The command of the task in `deno.json`: `deno task` would not pass SIGKILL on. */
async function commandOfTask(): Promise<{ env: Record<string, string>; args: string[] }> {
  const text = await Deno.readTextFile(new URL("../../deno.json", import.meta.url));
  const words: string[] = JSON.parse(text).tasks.serve.command.split(" ");
  const i = words.indexOf("deno");
  return {
    env: Object.fromEntries(words.slice(0, i).map((word) => word.split("=", 2))),
    args: words.slice(i + 1),
  };
}

async function serveCommand(
  given: readonly string[],
  { env, fileLimit, shared }: ServeTaskOptions,
  asTask: boolean,
): Promise<Deno.Command> {
  const words = ["task", "--quiet", ...shared ? ["shared"] : [], "serve"];
  const task = asTask ? { env: {}, args: words } : await commandOfTask();
  const deno = [Deno.execPath(), ...task.args, "--port", "0", ...given];
  const command = fileLimit === undefined
    ? deno
    : ["sh", "-c", `ulimit -n ${fileLimit}; exec "$0" "$@"`, ...deno];
  return new Deno.Command(command[0], {
    args: command.slice(1),
    env: { NO_COLOR: "1", ...env, ...task.env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}

/** Runs it until it ends by itself, for example when it refuses to start. */
export async function failServeTask(
  args: readonly string[],
  options: ServeTaskOptions = {},
): Promise<ServeTaskEnd> {
  const { code, stdout, stderr } = await (await serveCommand(args, options, true)).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, out, err };
}

/**
 * Starts it on a free port, and waits until it listens.
 *
 * @param asTask Whether to start it with `deno task`; else with the task's command, so it receives every signal
 */
export async function startServeTask(
  args: readonly string[],
  options: ServeTaskOptions = {},
  asTask = true,
): Promise<ServeTask> {
  const child = (await serveCommand(args, options, asTask)).spawn();
  const err = new Response(child.stderr).text();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let begun = "";
  while (!begun.includes("with Ctrl-C\n")) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`deno task serve has ended: ${begun}${await err}`);
    begun += value;
  }
  const rest = (async () => {
    let out = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) out += part.value;
    return out;
  })();
  const ended = (async () => {
    const { code } = await child.status;
    return { code, out: await rest, err: await err };
  })();
  return {
    url: /at (http:\S+)/.exec(begun)![1],
    key: /[0-9a-f]{64}/.exec(begun)?.[0] ?? "",
    begun,
    hangUp: async () => await reader.cancel(),
    interrupt: () => child.kill("SIGINT"),
    ended,
    stop: async (signal = "SIGTERM") => {
      child.kill(signal);
      return await ended;
    },
  };
}
