import { VindkitError } from "../../api/errors.ts";
import { delay } from "@std/async";
import { type KernelConnection, LOOPBACK } from "../wire/kernel_connection.ts";
import { type Content, type KernelMessage, MessageSigner } from "../wire/kernel_message.ts";
import { OutputGate, SHOW_RESULTS, showResult } from "./prepared_code.ts";
import { waitFor } from "./kernel_process.ts";
import { type SocketType, ZmtpSocket } from "../wire/zmtp_socket.ts";

/**
 * Code that makes a kernel show uncaught errors of promises and timers: Deno's kernel hides the former, and
 * stops answering after the latter.
 */
const SHOW_LOST_ERRORS = `{
  const { console } = globalThis;
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    console.error("Error in a promise without await:", event.reason);
  });
  addEventListener("error", (event) => {
    event.preventDefault();
    console.error("Uncaught error:", event.error);
  });
}`;

/** A sent request. */
interface KernelRequest {
  readonly reply: Promise<Content>;
  /** Settles when the kernel is idle again. */
  readonly idle: Promise<void>;
}

/** A request with pending messages. */
interface PendingRequest {
  readonly onMessage: (message: KernelMessage) => void;
  readonly reply: PromiseWithResolvers<Content>;
  readonly idle: PromiseWithResolvers<void>;
}

/** Pause between attempts to connect to a kernel that is starting, ms. */
const PAUSE = 10;

/** How long to wait for the first outputs of a kernel before repeating the request, ms. */
const PATIENCE = 100;

/** Client of a kernel in the Jupyter protocol: sends requests on the shell socket, reads outputs from the iopub socket. */
export class KernelClient implements AsyncDisposable {
  readonly #signer: MessageSigner;
  readonly #shell: ZmtpSocket;
  readonly #iopub: ZmtpSocket;
  readonly #pending = new Map<string, PendingRequest>();
  readonly #readers: Promise<void>[];
  #gate: OutputGate | undefined;
  #failure: Error | undefined;

  private constructor(signer: MessageSigner, shell: ZmtpSocket, iopub: ZmtpSocket) {
    this.#signer = signer;
    this.#shell = shell;
    this.#iopub = iopub;
    this.#readers = [iopub, shell].map(async (socket) => {
      try {
        await this.#read(socket);
      } catch (error) {
        this.fail(error as Error);
        await this.#gate?.open(); // a kernel started by Jupyter must not wait for this client
      }
    });
  }

  /**
   * Connects to a kernel that may still be starting up.
   *
   * @param connection Ports and key of the kernel
   * @param signal Cancels the attempts
   * @throws {NetworkError} If another program listens at its ports
   */
  static async connect(connection: KernelConnection, signal: AbortSignal): Promise<KernelClient> {
    const { ports, key } = connection;
    const signer = await MessageSigner.of(key);
    // the socket of the outputs first, so none is missed
    const iopub = await reach("SUB", ports.iopub, signal);
    try {
      return new KernelClient(signer, await reach("DEALER", ports.shell, signal), iopub);
    } catch (error) {
      iopub.close();
      throw error;
    }
  }

  /**
   * Prepares the kernel for cells: it will show uncaught errors, and end a cell only after its outputs have arrived here.
   *
   * @param leftovers Folder that the kernel removes when this client disconnects; "" for none
   * @throws {VindkitError} If the kernel refuses
   */
  async prepare(leftovers: string): Promise<void> {
    await this.#awaitOutputs();
    this.#gate = new OutputGate(leftovers);
    const arrived = this.#gate.arrive();
    const { reply } = await this.executeSilently(
      SHOW_LOST_ERRORS + SHOW_RESULTS + this.#gate.code,
    );
    const { status, evalue } = await reply;
    if (status !== "ok") throw new VindkitError(`Cannot prepare the kernel: ${evalue}`);
    await arrived;
  }

  /** Waits until outputs arrive: a subscription takes effect some time after it was sent. */
  async #awaitOutputs(): Promise<void> {
    while (true) {
      const { reply, idle } = await this.request("kernel_info_request", {});
      await reply;
      if (await waitFor(idle.then(() => true), PATIENCE)) return;
    }
  }

  /**
   * Sends a request.
   *
   * @param type Message type, such as `execute_request`
   * @param onMessage Called with each message caused by the request, also after its reply
   * @throws {Error} The error given to {@linkcode fail}
   */
  async request(
    type: string,
    content: Content,
    onMessage: (message: KernelMessage) => void = () => {},
  ): Promise<KernelRequest> {
    const { id, parts } = await this.#signer.request(type, content);
    if (this.#failure) throw this.#failure;
    const reply = Promise.withResolvers<Content>();
    const idle = Promise.withResolvers<void>();
    for (const { promise } of [reply, idle]) promise.catch(() => {}); // its caller gets the error
    this.#pending.set(id, { onMessage, reply, idle });
    await this.#shell.send(parts);
    return { reply: reply.promise, idle: idle.promise };
  }

  /**
   * Runs code, and waits for its reply and all its outputs.
   *
   * @param onMessage Called with each message caused by the code
   * @throws {Error} The error given to {@linkcode fail}
   */
  async execute(code: string, onMessage: (message: KernelMessage) => void): Promise<Content> {
    const { reply, idle } = await this.request("execute_request", {
      code: showResult(code),
      silent: false,
      store_history: true,
      user_expressions: {},
      allow_stdin: false,
      stop_on_error: true,
    }, onMessage);
    const content = await reply;
    await idle;
    // A cell that throws does not pass the gate: its outputs may still be in transit.
    await (await this.executeSilently("")).idle;
    this.#pending.clear();
    return content;
  }

  /**
   * Sends code without outputs and without an entry in the history.
   *
   * @param onMessage Called with each message caused by the code
   */
  executeSilently(
    code: string,
    onMessage?: (message: KernelMessage) => void,
  ): Promise<KernelRequest> {
    const content = { code, silent: true, store_history: false, allow_stdin: false };
    return this.request("execute_request", { ...content, user_expressions: {} }, onMessage);
  }

  /**
   * Makes pending waits in the kernel fail.
   *
   * @returns Whether it worked; not while code computes
   */
  async stopWaits(): Promise<boolean> {
    return await this.#gate?.stopWaits() ?? false;
  }

  /** Makes all pending and later requests fail. */
  fail(error: Error): void {
    this.#failure ??= error;
    for (const { reply, idle } of this.#pending.values()) {
      reply.reject(this.#failure);
      idle.reject(this.#failure);
    }
  }

  async #read(socket: ZmtpSocket): Promise<void> {
    while (true) {
      const parts = await socket.receive();
      if (parts === null) return;
      const message = await this.#signer.read(parts);
      await this.#gate?.pass(message);
      const request = this.#pending.get(message.parent);
      if (!request) continue;
      if (message.type.endsWith("_reply")) request.reply.resolve(message.content);
      else request.onMessage(message);
      const { execution_state } = message.content;
      if (message.type === "status" && execution_state === "idle") request.idle.resolve();
    }
  }

  /** Closes the connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#shell.close();
    this.#iopub.close();
    await Promise.all(this.#readers);
    this.#gate?.[Symbol.dispose]();
  }
}

/** Connects to a port, and retries until the kernel listens. */
async function reach(type: SocketType, port: number, signal: AbortSignal): Promise<ZmtpSocket> {
  while (true) {
    try {
      return await ZmtpSocket.connect(type, LOOPBACK, port, signal);
    } catch (error) {
      if (!(error instanceof Deno.errors.ConnectionRefused)) throw error;
      await delay(PAUSE);
    }
  }
}
