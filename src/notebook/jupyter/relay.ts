import { LOOPBACK } from "../wire/kernel_connection.ts";
import { type Content, type KernelMessage, MessageSigner } from "../wire/kernel_message.ts";
import { type Parts, type SocketType, ZmtpSocket } from "../wire/zmtp_socket.ts";
import { waitFor } from "../kernel/kernel_process.ts";

/** Properties of the kernel that a relay needs. */
export interface RelayedKernel {
  /** Port of the kernel. */
  readonly port: number;
  /** Key that signs the messages. */
  readonly key: string;
}

/** The two ends of a relayed connection. */
export interface RelayedConnection {
  readonly jupyter: ZmtpSocket;
  readonly kernel: ZmtpSocket;
  readonly signer: MessageSigner;
}

/** Accepts the connections of Jupyter to a port, and connects each to a socket of the kernel. */
export class Relay implements AsyncDisposable {
  readonly #listener: Deno.TcpListener;
  readonly #open = new Set<ZmtpSocket>();
  readonly #serving: Promise<void>;

  /**
   * Serves the connections to a port.
   *
   * @param listener Listener on Jupyter's port
   * @param types Types of the socket for Jupyter, and of the socket to the kernel
   * @param pass Forwards the messages of a connection in both directions; both ends are closed when one direction ends
   */
  constructor(
    listener: Deno.TcpListener,
    kernel: RelayedKernel,
    types: readonly [jupyter: SocketType, kernel: SocketType],
    pass: (connection: RelayedConnection) => readonly Promise<void>[],
  ) {
    this.#listener = listener;
    this.#serving = this.#accept(kernel, async (connection, signer) => {
      using sockets = new DisposableStack();
      const hold = (socket: ZmtpSocket) => {
        this.#open.add(socket);
        sockets.defer(() => {
          socket.close();
          this.#open.delete(socket);
        });
        return socket;
      };
      const jupyter = hold(await ZmtpSocket.accept(types[0], connection));
      const ends = {
        jupyter,
        kernel: hold(await ZmtpSocket.connect(types[1], LOOPBACK, kernel.port)),
        signer,
      };
      await Promise.all(pass(ends).map((way) => way.finally(() => sockets.dispose())));
    });
  }

  async #accept(
    { key }: RelayedKernel,
    serve: (connection: Deno.TcpConn, signer: MessageSigner) => Promise<void>,
  ): Promise<void> {
    const signer = await MessageSigner.of(key);
    const served: Promise<void>[] = [];
    for await (const connection of this.#listener) {
      served.push(serve(connection, signer).catch(() => {})); // Jupyter connects again
    }
    await Promise.all(served);
  }

  /** Closes the port and all connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const socket of this.#open) socket.close();
    await this.#serving;
  }
}

/** How long lines of a stream are collected before they are forwarded, ms. */
const GATHER_TIME = 50;

/** Most characters collected. */
const MAX_GATHERED = 1_000_000;

/** How long the end of a cell waits for its reply, ms: the kernel sends both at the same time, over two connections. */
const REPLY_PATIENCE = 2000;

/** Options of an output relay. */
interface OutputRelayOptions extends RelayedKernel {
  /** The error in the reply to a cell; `undefined` if there is none, or the request is not a cell. */
  readonly findError: (request: string) => Promise<Content | undefined>;
}

/** Collected lines of one stream of one cell, to be forwarded together. */
interface Gathered {
  readonly parts: Parts;
  readonly message: KernelMessage;
  readonly texts: string[];
  readonly timer: ReturnType<typeof setTimeout>;
  length: number;
}

/**
 * Forwards the outputs of a kernel to Jupyter. Deno's kernel sends no error output for a cell that it cannot compile or
 * that was stopped; the relay inserts one before the end of the cell, so every front end shows it. Lines of a stream are
 * forwarded together, because front ends lose the last of thousands of messages.
 *
 * @param listener Listener on Jupyter's port
 */
export function relayOutputs(listener: Deno.TcpListener, options: OutputRelayOptions): Relay {
  return new Relay(listener, options, ["XPUB", "SUB"], ({ jupyter, kernel, signer }) => {
    const passOutputs = async () => {
      const outputs = new OutputStream((parts) => jupyter.send(parts), signer, options);
      for (let parts: Parts | null; (parts = await kernel.receive()) !== null;) {
        await outputs.pass(parts);
      }
      await outputs.flush();
    };
    const readSubscriptions = async () => {
      while (await jupyter.receive() !== null); // forwards everything, regardless of subscriptions
    };
    return [passOutputs(), readSubscriptions()];
  });
}

/** The outputs for one front end. */
class OutputStream {
  readonly #send: (parts: Parts) => Promise<void>;
  readonly #signer: MessageSigner;
  readonly #findError: OutputRelayOptions["findError"];
  /** Running cells that have already shown an error. */
  readonly #failed = new Set<string>();
  #gathered: Gathered | undefined;
  #flushed: Promise<void> = Promise.resolve();

  constructor(
    send: (parts: Parts) => Promise<void>,
    signer: MessageSigner,
    { findError }: Pick<OutputRelayOptions, "findError">,
  ) {
    this.#send = send;
    this.#signer = signer;
    this.#findError = findError;
  }

  async pass(parts: Parts): Promise<void> {
    const message = await this.#signer.read(parts);
    if (message.type === "stream" && this.#gather(message)) return;
    await this.flush();
    if (message.type === "stream") {
      const timer = setTimeout(() => void this.flush().catch(() => {}), GATHER_TIME); // Jupyter has disconnected
      const text = String(message.content.text);
      this.#gathered = { parts, message, texts: [text], timer, length: text.length };
      return;
    }
    if (message.type === "error") this.#failed.add(message.parent);
    if (message.type === "status" && message.content.execution_state === "idle") {
      await this.#end(parts, message);
    }
    await this.#send(parts);
  }

  /** Adds a text to the collected ones if it is from the same cell and stream. */
  #gather({ parent, content }: KernelMessage): boolean {
    const waiting = this.#gathered;
    if (!waiting || waiting.message.parent !== parent || waiting.length > MAX_GATHERED) {
      return false;
    }
    if (waiting.message.content.name !== content.name) return false;
    const text = String(content.text);
    waiting.texts.push(text);
    waiting.length += text.length;
    return true;
  }

  /** Forwards the collected text. */
  flush(): Promise<void> {
    const waiting = this.#gathered;
    if (!waiting) return this.#flushed;
    this.#gathered = undefined;
    clearTimeout(waiting.timer);
    const { parts, message: { content }, texts } = waiting;
    return this.#flushed = this.#flushed.then(async () =>
      await this.#send(
        await this.#signer.replaceContent(parts, { ...content, text: texts.join("") }),
      )
    );
  }

  /** Shows the error of a cell that ends without having shown one. */
  async #end(parts: Parts, { parent }: KernelMessage): Promise<void> {
    const hasShown = this.#failed.delete(parent);
    const error = await waitFor(this.#findError(parent), REPLY_PATIENCE);
    if (error && !hasShown) await this.#send(await this.#signer.publish("error", parts, error));
  }
}
