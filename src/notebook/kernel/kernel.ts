import { TimeoutError, VindkitError } from "../../api/errors.ts";
import { KernelClient } from "./kernel_client.ts";
import type { KernelMessage } from "../wire/kernel_message.ts";
import { type KernelProcess, startKernelProcess } from "./kernel_process.ts";
import { enterFolder, findWorkspace } from "./kernel_workspace.ts";

/** The kernel's reply to a cell. */
export interface Reply {
  /** `error` where the cell threw or could not be compiled. */
  readonly status: "ok" | "error";
  /** Class of the error; "" for `ok`. */
  readonly name: string;
  readonly message: string;
}

/** Options of {@linkcode Kernel.start}. */
interface KernelOptions {
  /** Folder from which relative paths and imports of the code are resolved. */
  readonly folder: string;
  /** Cancels the start. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@linkcode Kernel.run}. */
interface RunOptions {
  /** How long the code may take, ms. @default no limit */
  readonly timeout?: number;
  /** Called with each message that the code causes. */
  readonly onMessage?: (message: KernelMessage) => void;
}

/** Error in the output of a kernel whose port is in use. */
export const PORT_TAKEN = "AddrInUse";

/** How long a kernel may take to start, ms; a busy machine takes a few seconds. */
const START_TIMEOUT = 60_000;

/** Deno's Jupyter kernel in a process of its own. */
export class Kernel implements AsyncDisposable {
  readonly #process: KernelProcess;
  readonly #client: KernelClient;
  readonly #parts: AsyncDisposable;

  private constructor(process: KernelProcess, client: KernelClient, parts: AsyncDisposable) {
    this.#process = process;
    this.#client = client;
    this.#parts = parts;
  }

  /**
   * Starts a kernel that knows this library by its name.
   *
   * @throws {VindkitError} If it does not start
   */
  static async start(options: KernelOptions): Promise<Kernel> {
    try {
      return await Kernel.#start(options);
    } catch (error) {
      if (!(error instanceof VindkitError && error.code === "port_taken")) throw error;
      return await Kernel.#start(options); // two kernels had chosen the same port
    }
  }

  static async #start({ folder, signal }: KernelOptions): Promise<Kernel> {
    await using parts = new AsyncDisposableStack();
    const workspace = parts.use(await findWorkspace(folder));
    const process = await startKernelProcess(workspace.startFolder);
    let started = false;
    let client: KernelClient | undefined;
    parts.defer(() => client?.[Symbol.asyncDispose]()); // after the end of the process
    parts.defer(async () => {
      process.kill();
      await process.ended;
    });
    const starting = new AbortController();
    const timer = setTimeout(() => {
      const seconds = START_TIMEOUT / 1000;
      starting.abort(new TimeoutError(`Cannot start the Deno kernel: it took over ${seconds} s`));
    }, START_TIMEOUT);
    process.ended.then((how) => {
      const what = started ? "The Deno kernel has ended" : "Cannot start the Deno kernel";
      const facts = how.includes(PORT_TAKEN) ? { code: "port_taken" } as const : {};
      starting.abort(new VindkitError(`${what}: its process ended ${how}`, facts));
    });
    starting.signal.addEventListener("abort", () => client?.fail(starting.signal.reason));
    const cancel = () => starting.abort(signal?.reason);
    signal?.addEventListener("abort", cancel);
    if (signal?.aborted) cancel();
    try {
      client = await KernelClient.connect(process.connection, starting.signal);
      starting.signal.throwIfAborted();
      await process.removeFile();
      await client.prepare(workspace.temporary);
      await enterFolder(workspace, client);
      started = true;
      return new Kernel(process, client, parts.move());
    } catch (error) {
      throw starting.signal.aborted ? starting.signal.reason : error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    }
  }

  /**
   * Runs code, and waits for its reply and all its outputs.
   *
   * @param options Time limit, and the function that takes its messages
   * @throws {TimeoutError} If it takes too long; the kernel is ended then
   * @throws {VindkitError} If the kernel ends
   */
  async run(code: string, options: RunOptions = {}): Promise<Reply> {
    const { timeout, onMessage = () => {} } = options;
    // An interrupt does not stop code that waits: only ending the kernel does.
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

  /** Ends the kernel at once: code that runs in it fails. */
  end(reason: Error): void {
    this.#client.fail(reason);
    this.#process.kill();
  }

  /** Ends the kernel, and waits for its end. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.end(new VindkitError("the kernel was ended"));
    await this.#parts[Symbol.asyncDispose]();
  }
}
