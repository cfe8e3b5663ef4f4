import { waitFor } from "./kernel_process.ts";
import { isClosed } from "../wire/zmtp_socket.ts";
import { LOOPBACK } from "../wire/kernel_connection.ts";
import { STOP_SIGNAL } from "../../show/jupyter.ts";
import type { KernelMessage } from "../wire/kernel_message.ts";

/** Mark in the metadata of the message that a kernel sends after the outputs of a cell. */
const ALL_OUT = "vindkit_all_out";

/** Bytes sent to a kernel: this cell may end; all cells may end from now on; pending waits must end. */
const [PASS, OPEN, STOP] = [1, 2, 3];

/** How long a waiting kernel may take to answer a stop, ms; a computing one does not answer. */
const STOP_PATIENCE = 500;

/** How long a kernel waits before it continues without an answer, ms: 100,000 lines take about twenty seconds. */
const PATIENCE = 120_000;

/**
 * Delays the end of a cell in the kernel until its outputs have arrived.
 *
 * Deno's kernel sends outputs from one thread and the end of the cell from another, over the same connection. So the end
 * can arrive before the outputs, or within an output of several megabytes, which corrupts both; Jupyter's own runner
 * (nbclient) loses outputs this way. But the kernel awaits `broadcastResult()`. There it sends a mark after the outputs,
 * and continues when the client has received it.
 *
 * A kernel ends when its gate closes, so none keeps running after the process that started it was killed.
 */
export class OutputGate implements Disposable {
  readonly #listener = Deno.listen({ hostname: LOOPBACK, port: 0 });
  readonly #leftovers: string;
  #kernel: Deno.TcpConn | undefined;
  /** The pending answer to a stop. */
  #answer: Promise<boolean> | undefined;

  /** @param leftovers Folder that the kernel removes when the gate closes; "" for none */
  constructor(leftovers: string) {
    this.#leftovers = leftovers;
  }

  /** Code that connects a kernel to the gate, which accepts one connection. */
  get code(): string {
    const { port } = this.#listener.addr;
    return `{
  const { jupyter } = Deno[Deno.internal] ?? {};
  const { broadcast } = Deno.jupyter;
  const { exit, remove } = Deno;
  const { clearTimeout, Promise, setTimeout } = globalThis;
  const { addSignalListener, kill, pid } = Deno;
  const sleeps = new Map();
  const isResolver = (callback) =>
    typeof callback === "function" && /^function \\(\\) \\{ \\[native code\\] \\}$/.test(String(callback));
  globalThis.setTimeout = (callback, ...rest) => {
    if (!isResolver(callback)) return setTimeout(callback, ...rest);
    const id = setTimeout((...given) => {
      sleeps.delete(id);
      callback(...given);
    }, ...rest);
    sleeps.set(id, callback); // for a promise that only a timer resolves
    return id;
  };
  let requests = new AbortController();
  globalThis[Symbol.for("${STOP_SIGNAL}")] = () => requests.signal;
  const stopRest = () => {
    const reason = new DOMException("Interrupted: the pending calls of the cell were stopped", "AbortError");
    requests.abort(reason);
    requests = new AbortController();
    for (const [id, callback] of sleeps) {
      clearTimeout(id);
      callback(Promise.reject(reason));
    }
    sleeps.clear();
  };
  // This ends nothing itself. Waits for orders listen first, because they print how to resume the order.
  addSignalListener("SIGINT", () => void setTimeout(stopRest, 10));
  const gate = await Deno.connect({ hostname: "${LOOPBACK}", port: ${port} });
  const broadcastResult = jupyter?.broadcastResult;
  let pass = () => {};
  (async () => {
    const byte = new Uint8Array(1);
    while (await gate.read(byte).catch(() => null)) {
      if (byte[0] === ${STOP}) {
        await gate.write(byte);
        kill(pid, "SIGINT");
        continue;
      }
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

  /** Waits until the kernel has connected. */
  async arrive(): Promise<void> {
    try {
      this.#kernel = await this.#listener.accept();
      this.#listener.close();
    } catch (error) {
      if (!isClosed(error)) throw error; // closed before the kernel connected
    }
  }

  /**
   * Stops pending waits of the kernel: orders, requests, and promises that only timers resolve.
   *
   * @returns Whether it answered; it does not while code computes
   */
  async stopWaits(): Promise<boolean> {
    if (!this.#kernel) return false;
    const answer = this.#answer ??= this.#kernel.read(new Uint8Array(1))
      .then((count) => count === 1, () => false)
      .finally(() => this.#answer = undefined);
    await this.#send(STOP);
    return await waitFor(answer, STOP_PATIENCE) ?? false;
  }

  /** Lets the kernel continue if the message is the mark after a cell's outputs. */
  async pass({ type, metadata }: KernelMessage): Promise<void> {
    if (type === "status" && metadata[ALL_OUT]) await this.#send(PASS);
  }

  /** Lets all later cells end without waiting. */
  async open(): Promise<void> {
    await this.#send(OPEN);
  }

  async #send(signal: number): Promise<void> {
    try {
      await this.#kernel?.write(Uint8Array.of(signal));
    } catch (error) {
      if (!isClosed(error)) throw error; // the kernel has ended
    }
  }

  /** Closes the gate, which ends the kernel. */
  [Symbol.dispose](): void {
    (this.#kernel ?? this.#listener).close();
  }
}

/** Key of the symbol with our kernel's function that converts every result to one that Deno's kernel can show. */
const SHOW_SYMBOL = "vindkit.shown";

/**
 * Code that gives a kernel that function. Deno's kernel shows nothing if the result of a cell is NaN, an infinity, null, -0
 * or a BigInt, and cannot send a Polars frame with 64-bit integers.
 */
export const SHOW_RESULTS = `{
  const { inspect } = Deno;
  const { JSON, Number, Object } = globalThis;
  const display = Symbol.for("Jupyter.display");
  const toNumber = (_, value) =>
    typeof value !== "bigint" ? value : Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  globalThis[Symbol.for("${SHOW_SYMBOL}")] = (value) => {
    const isLost = value === null || typeof value === "bigint" || Object.is(value, -0) ||
      typeof value === "number" && !Number.isFinite(value);
    if (isLost) return { [display]: () => ({ "text/plain": inspect(value) }) };
    if (typeof value?._df !== "object" || typeof value[display] !== "function") return value;
    return { [display]: async () => JSON.parse(JSON.stringify(await value[display](), toNumber)) };
  };
}`;

/** Words at the beginning of a line that is not a complete expression. */
const WORDS =
  /^(?:abstract|as|async|break|case|class|const|continue|debugger|declare|default|do|else|enum|export|for|function|if|import|in|instanceof|interface|let|module|namespace|of|return|satisfies|switch|throw|try|type|using|var|while|with|yield)\b/;

/** Quoted texts that end on the same line. */
const QUOTED = /(["'])(?:\\.|(?!\1).)*\1/g;

/** An expression on one line without its texts: no comment, no multi-line text, no label, and nothing after it. */
const EXPRESSION = /^(?:[\w$]|-[\w.])(?!.*(?:;|\/[*/]|\*\/|[`"']))(?![\w$]*\s*:)/;

/** The end of a line after which a line that begins with a name is a new statement. */
const ENDED = /(?:^|[;}\])\w"'`]|\*\/)$/;

/** Whether all brackets of a text are closed in it. */
function isBalanced(text: string): boolean {
  const pairs: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
  const open: string[] = [];
  for (const character of text) {
    if ("([{".includes(character)) open.push(character);
    else if (character in pairs && open.pop() !== pairs[character]) return false;
  }
  return open.length === 0;
}

/** Changes code so its result is shown for every value, if its last line is certainly an expression. */
export function showResult(code: string): string {
  const [, before, last, end] = /^([^]*?)([^\n]*?)([\s;]*)$/.exec(code)!;
  const text = last.trim().replaceAll(QUOTED, "");
  if (WORDS.test(text) || !EXPRESSION.test(text) || !isBalanced(text)) return code;
  const above = before.split("\n").map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("//")).at(-1) ?? "";
  // A line that begins with an operator continues the line above it.
  if (!(text.startsWith("-") ? /^$|;$/ : ENDED).test(above)) return code;
  return `${before}globalThis[Symbol.for("${SHOW_SYMBOL}")]((${last}))${end}`;
}
