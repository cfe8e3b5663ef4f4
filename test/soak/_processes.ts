/**
 * The service and an import as separate processes that a run can kill, started as their tasks start them.
 *
 * @module
 */

const permissions = [
  "--allow-ffi",
  "--allow-sys=cpus,hostname,networkInterfaces",
  "--allow-read",
  "--allow-write",
  "--allow-env",
];

function command(name: string, given: readonly string[], net: readonly string[] = []) {
  const path = new URL(`../../src/cli/mod.ts`, import.meta.url).pathname;
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", ...permissions, ...net, path, name, ...given],
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}

/** Collects the output of a process. */
async function collect(stream: ReadableStream<Uint8Array>, take: (text: string) => void) {
  for await (const text of stream.pipeThrough(new TextDecoderStream())) take(text);
}

/** A service in a separate process. */
export class ServiceProcess {
  /** Its address. */
  readonly url: string;
  /** Its process. */
  readonly pid: number;
  /** Its error output so far. */
  errors = "";
  readonly #child: Deno.ChildProcess;
  readonly #read: Promise<unknown>;
  #ended = false;

  private constructor(child: Deno.ChildProcess, url: string, rest: ReadableStream<Uint8Array>) {
    this.#child = child;
    this.pid = child.pid;
    this.url = url;
    this.#read = Promise.all([
      collect(rest, () => {}),
      collect(child.stderr, (text) => this.errors += text),
    ]);
  }

  /**
   * Starts the service on a data directory, and resolves when it answers.
   *
   * @param data The data directory
   * @param given Further arguments of `deno task serve`
   */
  static async start(data: string, ...given: string[]): Promise<ServiceProcess> {
    const args = ["--data", data, "--port", "0", ...given];
    const child = command("serve", args, ["--allow-net=127.0.0.1", "--allow-run=deno"]).spawn();
    const [first, rest] = child.stdout.tee();
    let out = "";
    for await (const text of first.pipeThrough(new TextDecoderStream())) {
      const url = /at (http:\S+)\n/.exec(out += text)?.[1];
      if (url) return new ServiceProcess(child, url, rest);
    }
    await rest.cancel();
    const errors = await new Response(child.stderr).text();
    throw new Error(`The service on ${data} does not start: ${errors}`);
  }

  /** Ends it, by SIGKILL or by SIGTERM. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    this.#ended = true;
    this.#child.kill(signal);
    await this.#child.status;
    await this.#read;
  }

  /** Ends the process if a run fails. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#ended) await this.end("SIGKILL");
  }
}

/** An import in a separate process. */
export class ImportProcess {
  readonly #child: Deno.ChildProcess;
  readonly #read: Promise<unknown>;
  #errors = "";
  #over = false;

  /**
   * Starts it.
   *
   * @param siteFile The site file
   * @param data The data directory
   */
  constructor(siteFile: string, data: string) {
    this.#child = command("import", [siteFile, "--data", data]).spawn();
    this.#child.status.then(() => this.#over = true);
    this.#read = Promise.all([
      collect(this.#child.stdout, () => {}),
      collect(this.#child.stderr, (text) => this.#errors += text),
    ]);
  }

  /** Whether it has ended. */
  get over(): boolean {
    return this.#over;
  }

  /** Kills it; returns whether it was still running. */
  async kill(): Promise<boolean> {
    if (!this.#over) this.#child.kill("SIGKILL");
    const { signal } = await this.#child.status;
    await this.#read;
    return signal === "SIGKILL";
  }

  /**
   * Waits until it ends.
   *
   * @throws {Error} If it fails
   */
  async through(): Promise<void> {
    const { success } = await this.#child.status;
    await this.#read;
    if (!success) throw new Error(`The import failed: ${this.#errors}`);
  }
}

/** Waits, ms. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
