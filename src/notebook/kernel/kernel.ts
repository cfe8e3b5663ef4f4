import { TimeoutError, VindkitError } from "../../api/errors.ts";
import { KernelClient } from "./kernel_client.ts";
import type { KernelMessage } from "../wire/kernel_message.ts";
import { type KernelProcess, startKernelProcess } from "./kernel_process.ts";
import { enterFolder, findWorkspace } from "./kernel_workspace.ts";
import { SourceMap } from "node:module";
import { runDeno } from "./kernel_files.ts";

/** The kernel's reply to a cell. */
export interface Reply {
  /** `error` if the cell threw or could not be compiled. */
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
  /** Time limit of the code, ms. @default no limit */
  readonly timeout?: number;
  /** Called with each message caused by the code. */
  readonly onMessage?: (message: KernelMessage) => void;
}

/** Error in the output of a kernel whose port is in use. */
export const PORT_TAKEN = "AddrInUse";

/** Time limit of the start, ms; a busy machine takes a few seconds. */
const START_TIMEOUT = 60_000;

/** Deno's Jupyter kernel in a separate process. */
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
   * Starts a kernel that can import this library by name.
   *
   * @throws {VindkitError} If it does not start
   */
  static async start(options: KernelOptions): Promise<Kernel> {
    try {
      return await Kernel.#start(options);
    } catch (error) {
      if (!(error instanceof VindkitError && error.code === "port_taken")) throw error;
      return await Kernel.#start(options); // two kernels chose the same port
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
      starting.abort(
        new TimeoutError(
          `Cannot start the Deno kernel: it was not ready within ${
            START_TIMEOUT / 1000
          } s. Try again`,
        ),
      );
    }, START_TIMEOUT);
    process.ended.then((how) => {
      const facts = how.includes(PORT_TAKEN) ? { code: "port_taken" } as const : {};
      starting.abort(
        new VindkitError(
          started
            ? `The Deno kernel has ended: its process ended ${how}`
            : `Cannot start the Deno kernel: its process ended ${how}`,
          facts,
        ),
      );
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
   * @param options Time limit, and a callback for its messages
   * @throws {TimeoutError} If it takes too long; this ends the kernel
   * @throws {VindkitError} If the kernel ends
   */
  async run(code: string, options: RunOptions = {}): Promise<Reply> {
    const { timeout, onMessage = () => {} } = options;
    // An interrupt does not stop waiting code; only ending the kernel does.
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

  /** Ends the kernel at once; running code fails. */
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

/** A fault in the code of a cell and its position. */
interface CodeFault {
  /** Message of the compiler. */
  readonly message: string;
  /** Line and column, both from 1. */
  readonly line: number;
  readonly column: number;
}

/** A message of Deno about a file: the text, then lines of code, then the position. */
const FAULT = /^(?:error: )?([^\n]+)\n[^]*?^ {4}at file:\/\/\S+:(\d+):(\d+)$/m;

/** Compiles the code of a cell in the same way as Deno's kernel. */
export async function transpile(
  source: string,
): Promise<{ map?: SourceMap; fault?: CodeFault }> {
  const file = await Deno.makeTempFile({ prefix: "vindkit-cell-", suffix: ".ts" });
  try {
    await Deno.writeTextFile(file, source);
    const { success, out, err } = await runDeno([
      "transpile",
      "--quiet",
      "--source-map",
      "inline",
      file,
    ]);
    if (success) {
      const [, map] = /sourceMappingURL=data:application\/json;base64,(\S+)/.exec(out)!;
      const text = new TextDecoder().decode(Uint8Array.fromBase64(map));
      return { map: new SourceMap(JSON.parse(text)) };
    }
    const [, message, line, column] = FAULT.exec(err) ?? [];
    return {
      fault: {
        message: message ?? err.trim(),
        line: Number(line ?? 1),
        column: Number(column ?? 1),
      },
    };
  } finally {
    await Deno.remove(file);
  }
}

/** Message of the kernel about code that it cannot compile. */
const NOT_COMPILED = "Execution failed";

/** Reply of Deno's kernel to a failed cell. */
export interface FailedReply {
  /** Class of the error. */
  readonly name: string;
  readonly message: string;
}

/** Explains a cell that failed without an error output: if its code cannot be compiled, the kernel gives no details. */
export async function explainFailure(
  source: string,
  { name, message }: FailedReply,
): Promise<{ readonly line?: number; readonly message: string }> {
  const { fault } = message === NOT_COMPILED ? await transpile(source) : {};
  return fault
    ? { line: fault.line, message: `${fault.message} (column ${fault.column})` }
    : { message: `${name}: ${message}` };
}
