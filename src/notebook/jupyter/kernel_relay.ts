import { type Content, type KernelMessage, MessageSigner } from "../wire/kernel_message.ts";
import { LOOPBACK } from "../wire/kernel_connection.ts";
import { type Parts, ZmtpSocket } from "../wire/zmtp_socket.ts";

/** Requests whose replies can be improved. */
const IMPROVABLE: readonly string[] = ["execute_request", "complete_request", "inspect_request"];

/** What a relay does with the requests of Jupyter. */
interface RelayOptions {
  /** Port of the kernel. */
  readonly port: number;
  /** Key that signs the messages. */
  readonly key: string;
  /** Answers a request in the place of the kernel; `undefined` passes it on. */
  readonly answer?: (request: KernelMessage) => Promise<Content | undefined>;
  /** Finds a better content for the kernel's reply to a request that runs, completes or inspects code; `undefined` keeps the kernel's. */
  readonly improve?: (
    request: KernelMessage,
    reply: Promise<Content>,
  ) => Promise<Content | undefined>;
}

/** Passes the messages between Jupyter and a socket of a kernel on, and can answer requests or improve replies on the way. */
export class KernelRelay implements AsyncDisposable {
  readonly #listener: Deno.TcpListener;
  readonly #options: RelayOptions;
  readonly #open = new Set<ZmtpSocket>();
  readonly #serving: Promise<void>;

  /**
   * Serves the connections to a port.
   *
   * @param listener Listens at the port that Jupyter knows
   */
  constructor(listener: Deno.TcpListener, options: RelayOptions) {
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
    const jupyter = await ZmtpSocket.accept("ROUTER", connection);
    this.#open.add(jupyter);
    try {
      const kernel = await ZmtpSocket.connect("DEALER", LOOPBACK, this.#options.port);
      this.#open.add(kernel);
      const replies = new Map<string, (content: Content) => Promise<Content | undefined>>();
      const close = () => {
        for (const socket of [jupyter, kernel]) {
          socket.close();
          this.#open.delete(socket);
        }
      };
      await Promise.all([
        this.#passRequests(jupyter, kernel, signer, replies).finally(close),
        this.#passReplies(kernel, jupyter, signer, replies).finally(close),
      ]);
    } finally {
      jupyter.close();
      this.#open.delete(jupyter);
    }
  }

  async #passRequests(
    jupyter: ZmtpSocket,
    kernel: ZmtpSocket,
    signer: MessageSigner,
    replies: Map<string, (content: Content) => Promise<Content | undefined>>,
  ): Promise<void> {
    for (let parts: Parts | null; (parts = await jupyter.receive()) !== null;) {
      const request = await signer.read(parts).catch(() => undefined); // the kernel refuses it
      const content = request && await this.#options.answer?.(request).catch(() => undefined);
      if (content) {
        await jupyter.send(await signer.reply(parts, content));
        continue;
      }
      const { improve } = this.#options;
      if (improve && request && IMPROVABLE.includes(request.type)) {
        const { promise, resolve } = Promise.withResolvers<Content>();
        const improved = improve(request, promise).catch(() => undefined);
        replies.set(request.id, (content) => {
          resolve(content);
          return improved;
        });
      }
      await kernel.send(parts);
    }
  }

  async #passReplies(
    kernel: ZmtpSocket,
    jupyter: ZmtpSocket,
    signer: MessageSigner,
    replies: Map<string, (content: Content) => Promise<Content | undefined>>,
  ): Promise<void> {
    for (let parts: Parts | null; (parts = await kernel.receive()) !== null;) {
      const received = parts;
      const { parent, content } = await signer.read(received);
      const improved = replies.get(parent)?.(content) ?? Promise.resolve(undefined);
      replies.delete(parent);
      // Later replies do not wait for one that is being improved.
      void improved.then(async (content) => {
        const sent = content ? await signer.replaceContent(received, content) : received;
        await jupyter.send(sent);
      }).catch(() => {}); // Jupyter has gone
    }
  }

  /** Closes the port and all connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const socket of this.#open) socket.close();
    await this.#serving;
  }
}
