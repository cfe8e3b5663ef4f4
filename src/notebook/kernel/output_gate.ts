import { isClosed } from "../wire/byte_reader.ts";
import { LOOPBACK } from "../wire/kernel_connection.ts";
import type { KernelMessage } from "../wire/kernel_message.ts";

/** Mark in the metadata of the message that a kernel sends behind all outputs of a cell. */
const ALL_OUT = "vindkit_all_out";

/** What is said to a kernel: that a cell may end, that all may from now on. */
const [PASS, OPEN] = [1, 2];

/** How long a kernel waits to be let on before it does without, ms: 100,000 lines take some twenty seconds. */
const PATIENCE = 120_000;

/**
 * Holds a cell back in the kernel until its outputs have arrived.
 *
 * Deno's kernel hands outputs to one thread and tells by another that the cell has ended, over the same connection. So
 * the end can come before the outputs, and into the midst of one of several megabytes, which destroys both; Jupyter's own
 * runner (nbclient) loses outputs by it. But the kernel waits for `broadcastResult()`: there it sends a mark behind the
 * outputs, and goes on when whoever listens has seen it.
 *
 * A kernel ends with its gate: so nothing stays behind when the process that started it was killed.
 */
export class OutputGate implements Disposable {
  readonly #listener = Deno.listen({ hostname: LOOPBACK, port: 0 });
  readonly #leftovers: string;
  #kernel: Deno.TcpConn | undefined;

  /** @param leftovers Folder that the kernel removes when it ends with the gate; "" for none */
  constructor(leftovers: string) {
    this.#leftovers = leftovers;
  }

  /** Code that brings a kernel to the gate; nobody else is let in. */
  get code(): string {
    const { port } = this.#listener.addr;
    return `{
  const { jupyter } = Deno[Deno.internal] ?? {};
  const { broadcast } = Deno.jupyter;
  const { exit, remove } = Deno;
  const { clearTimeout, Promise, setTimeout } = globalThis;
  const gate = await Deno.connect({ hostname: "${LOOPBACK}", port: ${port} });
  const broadcastResult = jupyter?.broadcastResult;
  let pass = () => {};
  (async () => {
    const byte = new Uint8Array(1);
    while (await gate.read(byte).catch(() => null)) {
      if (byte[0] === ${OPEN} && broadcastResult) jupyter.broadcastResult = broadcastResult;
      pass();
    }
    await remove(${JSON.stringify(this.#leftovers)}, { recursive: true }).catch(() => {});
    exit();
  })();
  if (broadcastResult) {
    jupyter.broadcastResult = async (...result) => {
      await broadcastResult(...result);
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, ${PATIENCE});
        pass = () => resolve(clearTimeout(timer));
        broadcast("status", { execution_state: "busy" }, { metadata: { ${ALL_OUT}: true } });
      });
    };
  }
}`;
  }

  /** Waits for the kernel. */
  async arrive(): Promise<void> {
    try {
      this.#kernel = await this.#listener.accept();
      this.#listener.close();
    } catch (error) {
      if (!isClosed(error)) throw error; // closed before it came
    }
  }

  /** Lets the kernel on if that is what a message asks for. */
  async pass({ type, metadata }: KernelMessage): Promise<void> {
    if (type === "status" && metadata[ALL_OUT]) await this.#say(PASS);
  }

  /** Leaves the gate open, for whoever listens no longer. */
  async open(): Promise<void> {
    await this.#say(OPEN);
  }

  async #say(what: number): Promise<void> {
    try {
      await this.#kernel?.write(Uint8Array.of(what));
    } catch (error) {
      if (!isClosed(error)) throw error; // the kernel has ended
    }
  }

  /** Ends the gate, and the kernel that has come by it. */
  [Symbol.dispose](): void {
    (this.#kernel ?? this.#listener).close();
  }
}
