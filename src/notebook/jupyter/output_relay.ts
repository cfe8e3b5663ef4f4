import { type Content, type KernelMessage, MessageSigner } from "../wire/kernel_message.ts";
import { LOOPBACK } from "../wire/kernel_connection.ts";
import { type Parts, ZmtpSocket } from "../wire/zmtp_socket.ts";
import { waitFor } from "../kernel/wait_for.ts";

/** How long lines of a stream are gathered before they are passed on, ms. */
const GATHERED = 50;

/** Characters that are gathered at most. */
const MAX_GATHERED = 1_000_000;

/** How long the end of a cell waits for its reply, ms: the kernel sends both at once, over two connections. */
const REPLY_PATIENCE = 2000;

/** What a relay of outputs needs to know. */
interface OutputRelayOptions {
  /** Port of the kernel. */
  readonly port: number;
  /** Key that signs the messages. */
  readonly key: string;
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
 */
export class OutputRelay implements AsyncDisposable {
  readonly #listener: Deno.TcpListener;
  readonly #options: OutputRelayOptions;
  readonly #open = new Set<ZmtpSocket>();
  readonly #serving: Promise<void>;

  /**
   * Serves the connections to a port.
   *
   * @param listener Listens at the port that Jupyter knows
   */
  constructor(listener: Deno.TcpListener, options: OutputRelayOptions) {
    this.#listener = listener;
    this.#options = options;
    this.#serving = this.#accept();
  }

  async #accept(): Promise<void> {
    const signer = await MessageSigner.of(this.#options.key);
    const served: Promise<void>[] = [];
    for await (const connection of this.#listener) {
      served.push(this.#serve(connection, signer).catch(() => {})); // Jupyter connects again
    }
    await Promise.all(served);
  }

  async #serve(connection: Deno.TcpConn, signer: MessageSigner): Promise<void> {
    const jupyter = await ZmtpSocket.accept("XPUB", connection);
    this.#open.add(jupyter);
    const kernel = await ZmtpSocket.connect("SUB", LOOPBACK, this.#options.port);
    this.#open.add(kernel);
    const close = () => {
      for (const socket of [jupyter, kernel]) {
        socket.close();
        this.#open.delete(socket);
      }
    };
    const passOutputs = async () => {
      const outputs = new OutputStream((parts) => jupyter.send(parts), signer, this.#options);
      for (let parts: Parts | null; (parts = await kernel.receive()) !== null;) {
        await outputs.pass(parts);
      }
      await outputs.flush();
    };
    const readSubscriptions = async () => {
      while (await jupyter.receive() !== null); // everything is passed on, whatever was subscribed to
    };
    await Promise.all([passOutputs().finally(close), readSubscriptions().finally(close)]);
  }

  /** Closes the port and all connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const socket of this.#open) socket.close();
    await this.#serving;
  }
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
