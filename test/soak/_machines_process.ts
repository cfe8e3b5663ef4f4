import { pause } from "./_processes.ts";

/** Command of a task, as `deno.json` has it, with its permissions: what a shell would take from it. */
async function commandOfTask(name: string): Promise<string[]> {
  const text = await Deno.readTextFile(new URL("../../deno.json", import.meta.url));
  const words: string[] = JSON.parse(text).tasks[name].command.replaceAll("'", "").split(" ");
  return words.slice(words.indexOf("deno") + 1);
}

/** Longest time until a process is ready, ms. */
const START_TIMEOUT = 120_000;

/** A server or a worker: a process in a group of its own, so that a signal reaches what it has started too. */
export class MachineProcess {
  /** What it printed, and what it said of problems. */
  output = "";
  readonly #child: Deno.ChildProcess;
  readonly #read: Promise<unknown>;
  #ended = false;

  private constructor(child: Deno.ChildProcess) {
    this.#child = child;
    child.status.then(() => this.#ended = true);
    this.#read = Promise.all([child.stdout, child.stderr].map(async (stream) => {
      for await (const text of stream.pipeThrough(new TextDecoderStream())) this.output += text;
    }));
  }

  /**
   * Starts it, and waits until it is ready.
   *
   * @param task Name of its task in deno.json
   * @param args What follows the task's command
   * @param env Variables that say where the storage is
   * @throws {Error} If it ends instead
   */
  static async start(
    task: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<MachineProcess> {
    const child = new Deno.Command("setsid", {
      args: [Deno.execPath(), ...await commandOfTask(task), ...args],
      env: { ...env, NO_COLOR: "1" },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const started = new MachineProcess(child);
    for (const end = performance.now() + START_TIMEOUT;; await pause(20)) {
      if (started.output.includes("stop it with Ctrl-C\n")) return started;
      if (!started.#ended && performance.now() < end) continue;
      await started.end("KILL");
      throw new Error(`deno task ${task} does not start: ${started.output}`);
    }
  }

  /** Its process. */
  get pid(): number {
    return this.#child.pid;
  }

  /** Where it listens, of a server. */
  get url(): string {
    return /at (http:\S+)/.exec(this.output)![1];
  }

  /** Sends a signal to it and to what it has started. */
  async signal(name: "KILL" | "TERM" | "STOP" | "CONT"): Promise<void> {
    await new Deno.Command("kill", { args: [`-${name}`, "--", `-${this.#child.pid}`] }).output();
  }

  /** Ends it by a signal; gives its exit code. */
  async end(signal: "KILL" | "TERM"): Promise<number> {
    await this.signal(signal);
    const { code } = await this.#child.status;
    await this.#read;
    return code;
  }
}
