/** Whoever answers: lines that come in, and text that goes out. */
export interface Terminal {
  write(text: string): void;
  /**
   * Waits for a line.
   *
   * @returns The line without its end; `undefined` where the input has ended
   * @throws What the signal was aborted with
   */
  readLine(signal: AbortSignal): Promise<string | undefined>;
}

/** The terminal of this process. The reading does not block, so that Ctrl-C is noticed. */
class ProcessTerminal implements Terminal {
  readonly #lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream()).getReader();
  #rest = "";
  #ended = false;

  write(text: string): void {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
  }

  async readLine(signal: AbortSignal): Promise<string | undefined> {
    signal.throwIfAborted();
    const stopped = Promise.withResolvers<never>();
    const stop = () => stopped.reject(signal.reason);
    signal.addEventListener("abort", stop);
    try {
      for (;;) {
        const end = this.#rest.indexOf("\n");
        if (end !== -1 || this.#ended) {
          const line = end === -1 ? this.#rest : this.#rest.slice(0, end);
          const none = end === -1 && line === "";
          this.#rest = end === -1 ? "" : this.#rest.slice(end + 1);
          return none ? undefined : line.replace(/\r$/, "");
        }
        const { value = "", done } = await Promise.race([this.#lines.read(), stopped.promise]);
        this.#rest += value;
        this.#ended = done;
      }
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }
}

/** Opens the terminal of this process; `undefined` where nobody sees the questions, or can answer. */
export function openTerminal(): Terminal | undefined {
  return Deno.stdin.isTerminal() && Deno.stdout.isTerminal() ? new ProcessTerminal() : undefined;
}
