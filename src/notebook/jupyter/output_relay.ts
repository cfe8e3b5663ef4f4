import type { Content, KernelMessage, MessageSigner } from "../wire/kernel_message.ts";
import type { Parts } from "../wire/zmtp_socket.ts";
import { waitFor } from "../kernel/wait_for.ts";
import { Relay, type RelayedKernel } from "./relay.ts";

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
