import { TimeoutError, VindkitError } from "../../api/errors.ts";
import { KernelClient } from "./kernel_client.ts";
import type { KernelMessage } from "../wire/kernel_message.ts";
import { type KernelProcess, startKernelProcess } from "./kernel_process.ts";
import { enterFolder, findWorkspace, type KernelWorkspace } from "./kernel_workspace.ts";

/** How a cell ended, by the kernel's own word. */
export interface Reply {
  /** `ok`, or `error` where the cell threw or is no code. */
  readonly status: "ok" | "error";
  /** Kind of the error. */
  readonly name: string;
  readonly message: string;
}

/** Options of {@linkcode Kernel.start}. */
interface KernelOptions {
  /** Folder that relative paths and imports of the code start from. */
  readonly folder: string;
  /** Gives up the start. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@linkcode Kernel.run}. */
interface RunOptions {
  /** How long the code may take, ms. @default without end */
  readonly timeout?: number;
  /** Told of each message that the code causes. */
  readonly onMessage?: (message: KernelMessage) => void;
}

/** What a kernel says that finds one of its ports taken. */
export const PORT_TAKEN = "AddrInUse";

/** How long a kernel may take to start, ms; a busy machine takes a few seconds. */
const START_TIMEOUT = 60_000;

/** Deno's Jupyter kernel in a process of its own. */
export class Kernel implements AsyncDisposable {
  readonly #process: KernelProcess;
  readonly #client: KernelClient;
  readonly #workspace: KernelWorkspace;

  private constructor(process: KernelProcess, client: KernelClient, workspace: KernelWorkspace) {
    this.#process = process;
    this.#client = client;
    this.#workspace = workspace;
  }

  /**
   * Starts a kernel that knows this library by its name.
   *
   * @param options Where; what gives up
   * @throws {VindkitError} If it does not start
   */
  static async start(options: KernelOptions): Promise<Kernel> {
    try {
      return await Kernel.#start(options);
    } catch (error) {
      if (!(error instanceof VindkitError && error.message.includes(PORT_TAKEN))) throw error;
      return await Kernel.#start(options); // two kernels had drawn the same port
    }
  }

  static async #start({ folder, signal }: KernelOptions): Promise<Kernel> {
    signal?.throwIfAborted();
    const workspace = await findWorkspace(folder);
    let process: KernelProcess;
    try {
      process = await startKernelProcess(workspace.startFolder);
    } catch (error) {
      await workspace[Symbol.asyncDispose]();
      throw error;
    }
    const starting = new AbortController();
    const timer = setTimeout(() => {
      const seconds = START_TIMEOUT / 1000;
      starting.abort(new TimeoutError(`Cannot start the Deno kernel: it took over ${seconds} s`));
    }, START_TIMEOUT);
    const giveUp = () => starting.abort(signal?.reason);
    signal?.addEventListener("abort", giveUp);
    if (signal?.aborted) giveUp();
    let started = false;
    let client: KernelClient | undefined;
    starting.signal.addEventListener("abort", () => client?.fail(starting.signal.reason));
    process.ended.then((how) => {
      const what = started ? "The Deno kernel is gone" : "Cannot start the Deno kernel";
      starting.abort(new VindkitError(`${what}: it ended ${how}`));
    });
    try {
      client = await KernelClient.connect(process.connection, starting.signal);
      starting.signal.throwIfAborted();
      await process.removeFile();
      await client.prepare(workspace.temporary);
      await enterFolder(workspace, client);
      started = true;
      return new Kernel(process, client, workspace);
    } catch (error) {
      process.kill();
      await process.ended;
      await client?.[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
      throw starting.signal.aborted ? starting.signal.reason : error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
    }
  }

  /**
   * Runs code, and waits for its reply and all its outputs.
   *
   * @param code The code
   * @param options How long it may take; who is told of what it causes
   * @throws {TimeoutError} If it takes too long; the kernel is ended then
   * @throws {VindkitError} If the kernel ends
   */
  async run(code: string, options: RunOptions = {}): Promise<Reply> {
    const { timeout, onMessage = () => {} } = options;
    // An interrupt does not reach code that waits, so there is only one way.
    const timer = timeout === undefined ? undefined : setTimeout(
      () => this.end(new TimeoutError(`the cell took longer than ${timeout / 1000} s`)),
      timeout,
    );
    try {
      const { status, ename, evalue } = await this.#client.execute(code, onMessage);
      return {
        status: status === "ok" ? "ok" : "error",
        name: String(ename ?? ""),
        message: String(evalue ?? ""),
      };
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Ends the kernel at once: what runs in it fails.
   *
   * @param reason The error it fails with
   */
  end(reason: Error): void {
    this.#client.fail(reason);
    this.#process.kill();
  }

  /** Ends the kernel, and waits for its end. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.end(new VindkitError("the kernel was ended"));
    await this.#process.ended;
    await this.#client[Symbol.asyncDispose]();
    await this.#workspace[Symbol.asyncDispose]();
  }
}
