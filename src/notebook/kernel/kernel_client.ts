import { VindkitError } from "../../api/errors.ts";
import { type KernelConnection, LOOPBACK } from "../wire/kernel_connection.ts";
import { type Content, type KernelMessage, MessageSigner } from "../wire/kernel_message.ts";
import { SHOW_LOST_ERRORS } from "./lost_errors.ts";
import { OutputGate } from "./output_gate.ts";
import { type SocketType, ZmtpSocket } from "../wire/zmtp_socket.ts";

/** A request under way. */
interface KernelRequest {
  readonly reply: Promise<Content>;
  /** Settles when the kernel is idle again. */
  readonly idle: Promise<void>;
}

/** What is known of a request until it is forgotten. */
interface Pending {
  readonly onMessage: (message: KernelMessage) => void;
  readonly reply: PromiseWithResolvers<Content>;
  readonly idle: PromiseWithResolvers<void>;
}

/** Pause between attempts to reach a kernel that starts, ms. */
const PAUSE = 10;

/** How long the first messages of a kernel are waited for before asking again, ms. */
const PATIENCE = 100;

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Speaks with a kernel by the Jupyter protocol: asks on its shell, listens to its outputs. */
export class KernelClient implements AsyncDisposable {
  readonly #signer: MessageSigner;
  readonly #shell: ZmtpSocket;
  readonly #iopub: ZmtpSocket;
  readonly #pending = new Map<string, Pending>();
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
        await this.#gate?.open(); // a kernel of Jupyter goes on
      }
    });
  }

  /**
   * Connects to a kernel that may still be starting.
   *
   * @param connection How it is reached
   * @param signal Gives up
   * @throws {NetworkError} If something else listens at its ports
   */
  static async connect(connection: KernelConnection, signal: AbortSignal): Promise<KernelClient> {
    const { ports, key } = connection;
    const signer = await MessageSigner.of(key);
    // First the outputs, so that none is missed.
    const iopub = await reach("SUB", ports.iopub, signal);
    try {
      return new KernelClient(signer, await reach("DEALER", ports.shell, signal), iopub);
    } catch (error) {
      iopub.close();
      throw error;
    }
  }

  /**
   * Prepares the kernel for cells: it shows the errors that no code waits for, and ends no cell before its outputs have
   * arrived here.
   *
   * @param leftovers Folder that the kernel removes when it loses this client; "" for none
   * @throws {VindkitError} If it cannot
   */
  async prepare(leftovers: string): Promise<void> {
    await this.#awaitOutputs();
    this.#gate = new OutputGate(leftovers);
    const arrived = this.#gate.arrive();
    const { reply } = await this.executeSilently(SHOW_LOST_ERRORS + this.#gate.code);
    const { status, evalue } = await reply;
    if (status !== "ok") throw new VindkitError(`Cannot prepare the kernel: ${evalue}`);
    await arrived;
  }

  /** Waits until outputs arrive: a subscription takes effect some time after it was sent. */
  async #awaitOutputs(): Promise<void> {
    while (true) {
      const { reply, idle } = await this.request("kernel_info_request", {});
      await reply;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const missed = new Promise<"missed">((resolve) => {
        timer = setTimeout(() => resolve("missed"), PATIENCE);
      });
      try {
        if (await Promise.race([idle, missed]) !== "missed") return;
      } finally {
        clearTimeout(timer);
      }
    }
  }

  /**
   * Sends a request.
   *
   * @param type What is asked for, such as `execute_request`
   * @param onMessage Told of each message that it causes, also after it is done
   * @throws {Error} That of {@linkcode fail}
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
    for (const { promise } of [reply, idle]) promise.catch(() => {}); // told to who waits
    this.#pending.set(id, { onMessage, reply, idle });
    await this.#shell.send(parts);
    return { reply: reply.promise, idle: idle.promise };
  }

  /**
   * Runs code, and waits for its reply and all its outputs.
   *
   * @param onMessage Told of each message that it causes
   * @throws {Error} That of {@linkcode fail}
   */
  async execute(code: string, onMessage: (message: KernelMessage) => void): Promise<Content> {
    const { reply, idle } = await this.request("execute_request", {
      code,
      silent: false,
      store_history: true,
      user_expressions: {},
      allow_stdin: false,
      stop_on_error: true,
    }, onMessage);
    const content = await reply;
    await idle;
    // A cell that throws does not come by the gate: what it has put out may still be on its way.
    await (await this.executeSilently("")).idle;
    this.#pending.clear();
    return content;
  }

  /** Sends code that leaves no trace. */
  executeSilently(code: string): Promise<KernelRequest> {
    const content = { code, silent: true, store_history: false, allow_stdin: false };
    return this.request("execute_request", { ...content, user_expressions: {} });
  }

  /**
   * Gives up: all that is under way fails, and all that will be asked.
   *
   * @param error Why; the first reason stays
   */
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
      else if (message.type !== "status") request.onMessage(message);
      else if (message.content.execution_state === "idle") request.idle.resolve();
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

async function reach(type: SocketType, port: number, signal: AbortSignal): Promise<ZmtpSocket> {
  while (true) {
    try {
      return await ZmtpSocket.connect(type, LOOPBACK, port, signal);
    } catch (error) {
      if (!(error instanceof Deno.errors.ConnectionRefused)) throw error;
      await pause(PAUSE);
    }
  }
}
