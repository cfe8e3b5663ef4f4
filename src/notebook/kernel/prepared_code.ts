import { waitFor } from "./kernel_process.ts";
import { isClosed } from "../wire/zmtp_socket.ts";
import { LOOPBACK } from "../wire/kernel_connection.ts";
import { STOP_SIGNAL } from "../../show/jupyter.ts";
import type { KernelMessage } from "../wire/kernel_message.ts";

/** Mark in the metadata of the message that a kernel sends after all outputs of a cell. */
const ALL_OUT = "vindkit_all_out";

/** Bytes sent to a kernel: the cell may end; this and all later cells may; what it waits for must end. */
const [PASS, OPEN, STOP] = [1, 2, 3];

/** How long a kernel that waits may take to answer a stop, ms: one that computes does not answer. */
const STOP_PATIENCE = 500;

/** How long a kernel waits before it continues by itself, ms: 100,000 lines take about twenty seconds. */
const PATIENCE = 120_000;

/**
 * Delays the end of a cell in the kernel until its outputs have arrived.
 *
 * Deno's kernel sends outputs from one thread and the end of the cell from another, over the same connection. So the end
 * can arrive before the outputs, or within an output of several megabytes, which corrupts both; Jupyter's own runner
 * (nbclient) loses outputs this way. But the kernel awaits `broadcastResult()`: there it sends a mark after the outputs,
 * and continues when the client has received it.
 *
 * A kernel ends when its gate closes: nothing is left running when the process that started it was killed.
 */
export class OutputGate implements Disposable {
  readonly #listener = Deno.listen({ hostname: LOOPBACK, port: 0 });
  readonly #leftovers: string;
  #kernel: Deno.TcpConn | undefined;
  /** The answer to a stop that is awaited. */
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
    sleeps.set(id, callback); // of a promise that only time resolves
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
  // Nothing ends by it. Waits for orders listen to it too, and come first: they say how the order goes on.
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
   * Stops what the kernel waits for: orders, requests, and promises that only time resolves.
   *
   * @returns Whether it answered; not while code computes
   */
  async stopWaits(): Promise<boolean> {
    if (!this.#kernel) return false;
    const answer = this.#answer ??= this.#kernel.read(new Uint8Array(1))
      .then((count) => count === 1, () => false)
      .finally(() => this.#answer = undefined);
    await this.#send(STOP);
    return await waitFor(answer, STOP_PATIENCE) ?? false;
  }

  /** Lets the kernel continue if the message is the mark after the outputs of a cell. */
  async pass({ type, metadata }: KernelMessage): Promise<void> {
    if (type === "status" && metadata[ALL_OUT]) await this.#send(PASS);
  }

  /** Lets all later cells end without waiting. */
  async open(): Promise<void> {
    await this.#send(OPEN);
  }

  async #send(what: number): Promise<void> {
    try {
      await this.#kernel?.write(Uint8Array.of(what));
    } catch (error) {
      if (!isClosed(error)) throw error; // the kernel has ended
    }
  }

  /** Closes the gate, which ends the kernel. */
  [Symbol.dispose](): void {
    (this.#kernel ?? this.#listener).close();
  }
}

/** Key of the symbol under which our kernel has the function that makes every result one that Deno's kernel shows. */
const SHOWN = "vindkit.shown";

/**
 * Code that gives a kernel that function: Deno's kernel loses NaN, an infinity, null, -0 and BigInts that are the result of
 * a cell, and shows nothing; it cannot send a frame of Polars with 64-bit integers.
 */
export const SHOW_RESULTS = `{
  const { inspect } = Deno;
  const { JSON, Number, Object } = globalThis;
  const display = Symbol.for("Jupyter.display");
  const toNumber = (_, value) =>
    typeof value !== "bigint" ? value : Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  globalThis[Symbol.for("${SHOWN}")] = (value) => {
    const isLost = value === null || typeof value === "bigint" || Object.is(value, -0) ||
      typeof value === "number" && !Number.isFinite(value);
    if (isLost) return { [display]: () => ({ "text/plain": inspect(value) }) };
    if (typeof value?._df !== "object" || typeof value[display] !== "function") return value;
    return { [display]: async () => JSON.parse(JSON.stringify(await value[display](), toNumber)) };
  };
}`;

/** Words that begin a line which is no expression of its own. */
const WORDS =
  /^(?:abstract|as|async|break|case|class|const|continue|debugger|declare|default|do|else|enum|export|for|function|if|import|in|instanceof|interface|let|module|namespace|of|return|satisfies|switch|throw|try|type|using|var|while|with|yield)\b/;

/** Texts in quotes that end in their line. */
const QUOTED = /(["'])(?:\\.|(?!\1).)*\1/g;

/** An expression in one line, its texts left out: no comment, no text of several lines, no label, and nothing after it. */
const EXPRESSION = /^(?:[\w$]|-[\w.])(?!.*(?:;|\/[*/]|\*\/|[`"']))(?![\w$]*\s*:)/;

/** The end of a line after which one that begins with a name is a new statement. */
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

/** The code of a cell whose result is shown, whatever its value: where its last line is an expression, and for sure. */
export function showResult(code: string): string {
  const [, before, last, end] = /^([^]*?)([^\n]*?)([\s;]*)$/.exec(code)!;
  const text = last.trim().replaceAll(QUOTED, "");
  if (WORDS.test(text) || !EXPRESSION.test(text) || !isBalanced(text)) return code;
  const above = before.split("\n").map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("//")).at(-1) ?? "";
  // A line that begins with an operator goes on with the one above it.
  if (!(text.startsWith("-") ? /^$|;$/ : ENDED).test(above)) return code;
  return `${before}globalThis[Symbol.for("${SHOWN}")]((${last}))${end}`;
}
