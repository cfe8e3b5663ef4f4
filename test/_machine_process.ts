import { delay } from "@std/async";

/** Folder of deno.json, which names the tasks. */
const ROOT = new URL("../", import.meta.url);

/** Longest time until a process is ready, ms. */
const START_TIMEOUT = 120_000;

/** A server or a worker: a process in its own process group, so a signal reaches its children too. */
export class MachineProcess {
  /** Its output and error output. */
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
   * Starts it as a supervisor does, by `deno task`, and waits until it is ready.
   *
   * @param task Name of its task
   * @param args Arguments after its name
   * @param env Variables with the addresses of the storage
   * @throws {Error} If it ends instead
   */
  static async start(
    task: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<MachineProcess> {
    const child = new Deno.Command("setsid", {
      args: [Deno.execPath(), "task", "--quiet", task, ...args],
      cwd: ROOT,
      env: { ...env, NO_COLOR: "1" },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const started = new MachineProcess(child);
    for (const end = performance.now() + START_TIMEOUT;; await delay(20)) {
      if (started.output.includes("with Ctrl-C\n")) return started;
      if (!started.#ended && performance.now() < end) continue;
      await started.end("KILL");
      throw new Error(`deno task ${task} does not start: ${started.output}`);
    }
  }

  /** Its process. */
  get pid(): number {
    return this.#child.pid;
  }

  /** Address of a server. */
  get url(): string {
    return /at (http:\S+)/.exec(this.output)![1];
  }

  /** Sends a signal to it and its children. */
  async signal(name: "KILL" | "TERM" | "STOP" | "CONT"): Promise<void> {
    await new Deno.Command("kill", { args: [`-${name}`, "--", `-${this.#child.pid}`] }).output();
  }

  /** Ends it by a signal; returns its exit code. */
  async end(signal: "KILL" | "TERM"): Promise<number> {
    await this.signal(signal);
    const { code } = await this.#child.status;
    await this.#read;
    return code;
  }
}
