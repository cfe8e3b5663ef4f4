import { LOOPBACK } from "../wire/kernel_connection.ts";
import { type Content, type KernelMessage, MessageSigner } from "../wire/kernel_message.ts";
import { type Parts, type SocketType, ZmtpSocket } from "../wire/zmtp_socket.ts";
import { waitFor } from "../kernel/kernel_process.ts";

/** What a relay needs to know of the kernel. */
export interface RelayedKernel {
  /** Port of the kernel. */
  readonly port: number;
  /** Key that signs the messages. */
  readonly key: string;
}

/** The two ends of a connection that is relayed. */
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
   * @param listener Listens at the port that Jupyter knows
   * @param types Type of the socket for Jupyter, and of that to the kernel
   * @param pass Passes the messages of a connection on, in both directions; both ends are closed when one direction ends
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

/** How long lines of a stream are gathered before they are passed on, ms. */
const GATHERED = 50;

/** Characters that are gathered at most. */
const MAX_GATHERED = 1_000_000;

/** How long the end of a cell waits for its reply, ms: the kernel sends both at once, over two connections. */
const REPLY_PATIENCE = 2000;

/** What a relay of outputs needs to know. */
interface OutputRelayOptions extends RelayedKernel {
  /** The error that the reply to a cell names; `undefined` where it has none, or the request is no cell. */
  readonly findError: (request: string) => Promise<Content | undefined>;
}

/** Lines of one stream of one cell that wait to be passed on together. */
interface Gathered {
  readonly parts: Parts;
  readonly message: KernelMessage;
  readonly texts: string[];
  readonly timer: ReturnType<typeof setTimeout>;
  length: number;
}

/**
 * Passes the outputs of a kernel on to Jupyter. Deno's kernel sends no error for a cell that it cannot compile, or that
 * was stopped: then one is put before the end of the cell, so that every front end shows it. The lines of a stream go
 * together, since front ends lose the last of thousands of messages.
 *
 * @param listener Listens at the port that Jupyter knows
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
      while (await jupyter.receive() !== null); // everything is passed on, whatever was subscribed to
    };
    return [passOutputs(), readSubscriptions()];
  });
}

/** The outputs on their way to one front end. */
class OutputStream {
  readonly #send: (parts: Parts) => Promise<void>;
  readonly #signer: MessageSigner;
  readonly #findError: OutputRelayOptions["findError"];
  /** Cells that have shown an error and have not ended yet. */
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
      const timer = setTimeout(() => void this.flush().catch(() => {}), GATHERED); // Jupyter has gone
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

  /** Adds a text to those that wait, if it is of the same cell and stream. */
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

  /** Passes on what was gathered. */
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

  /** Shows the error of a cell that ends without having shown it. */
  async #end(parts: Parts, { parent }: KernelMessage): Promise<void> {
    const hasShown = this.#failed.delete(parent);
    const error = await waitFor(this.#findError(parent), REPLY_PATIENCE);
    if (error && !hasShown) await this.#send(await this.#signer.publish("error", parts, error));
  }
}
