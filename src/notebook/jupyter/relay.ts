import { LOOPBACK } from "../wire/kernel_connection.ts";
import { MessageSigner } from "../wire/kernel_message.ts";
import { type SocketType, ZmtpSocket } from "../wire/zmtp_socket.ts";

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
