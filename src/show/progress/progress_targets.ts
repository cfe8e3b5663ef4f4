import { formatProgress, type ProgressState, renderProgress } from "./progress_text.ts";

/** Where one progress bar is shown. */
export interface ProgressTarget {
  /** Shows a state in place of the last one. */
  show(state: ProgressState): void;
  /** Removes the bar. */
  clear(): void;
}

/** A terminal. Its last line has room for one progress bar, that of `holder`. */
export interface Screen {
  /** Writes at the cursor. */
  write(text: string): void;
  /** Width, characters. */
  columns(): number;
  /** The bar that is shown now. */
  holder?: ProgressTarget | undefined;
}

/** Sends a message to the front ends of a notebook. Deno declares a promise; Deno 2.9 returns nothing. */
type Broadcast = (type: string, content: Record<string, unknown>) => Promise<void> | void;

/** The process as far as it decides where progress is shown. */
export interface Surroundings {
  /** A variable of the environment; `undefined` without the permission to read it. */
  variable(name: string): string | undefined;
  /** Function that reaches the front ends; `undefined` outside of Deno's Jupyter kernel. */
  broadcast(): Broadcast | undefined;
  /** The terminal of standard error; `undefined` if that is a file or a pipe. */
  screen(): Screen | undefined;
}

const ERASE_TO_END = "\x1b[K";
const PLAIN_COLUMNS = 79;

/** Shows a bar on the last line of a terminal; if another bar is there, it waits for its end. */
export class TerminalTarget implements ProgressTarget {
  readonly #screen: Screen;
  #line = "";

  /** @param screen The terminal, shared by all bars of a process */
  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** Overwrites the line. */
  show(state: ProgressState): void {
    this.#screen.holder ??= this;
    if (this.#screen.holder !== this) return;
    // A character in the last column makes some terminals go to the next line.
    const line = formatProgress(state, this.#screen.columns() - 1);
    if (line !== this.#line) this.#screen.write(`\r${line}${ERASE_TO_END}`);
    this.#line = line;
  }

  /** Leaves an empty line with the cursor at its beginning. */
  clear(): void {
    if (this.#screen.holder !== this) return;
    this.#screen.holder = undefined;
    this.#screen.write(`\r${ERASE_TO_END}`);
  }
}

/** Shows a bar as one output of the running cell. */
export class NotebookTarget implements ProgressTarget {
  readonly #broadcast: Broadcast;
  readonly #id = crypto.randomUUID();
  #shown = "";
  #pending = 0;

  /** @param broadcast Sends messages to the front ends */
  constructor(broadcast: Broadcast) {
    this.#broadcast = broadcast;
  }

  /** Shows the output, later updates it; states are skipped while a message is still being sent. */
  show(state: ProgressState): void {
    const html = renderProgress(state);
    if (html === this.#shown || this.#pending > 0) return;
    this.#send({ "text/html": html, "text/plain": formatProgress(state, PLAIN_COLUMNS) });
    this.#shown = html;
  }

  /**
   * Makes the output empty. It cannot be removed: `clear_output` would remove the other outputs of the cell as well, and
   * nbconvert warns of an output without any format. It is sent at once, so that it arrives before the cell ends.
   */
  clear(): void {
    if (this.#shown !== "") this.#send({ "text/html": "", "text/plain": "" });
  }

  #send(data: Record<string, string>): void {
    const type = this.#shown === "" ? "display_data" : "update_display_data";
    const content = { data, metadata: {}, transient: { display_id: this.#id } };
    const sent = this.#broadcast(type, content);
    if (!sent) return;
    this.#pending++;
    // The work must not fail because a front end was closed.
    sent.catch(() => {}).finally(() => this.#pending--);
  }
}

const encoder = new TextEncoder();

/** Shared by all bars: only one of them can have the last line of standard error. */
const standardError: Screen = {
  write: (text) => void Deno.stderr.writeSync(encoder.encode(text)),
  columns: () => {
    try {
      return Deno.consoleSize().columns || 80;
    } catch {
      return 80;
    }
  },
};

/** This process; no permission is requested. */
const here: Surroundings = {
  variable: (name) =>
    Deno.permissions.querySync({ name: "env", variable: name }).state === "granted"
      ? Deno.env.get(name)
      : undefined,
  broadcast: () => {
    try { // outside of a kernel `Deno.jupyter` throws
      const { jupyter } = Deno as unknown as { jupyter?: { broadcast: Broadcast } };
      return jupyter && ((type, content) => jupyter.broadcast(type, content));
    } catch {
      return undefined;
    }
  },
  screen: () => Deno.stderr.isTerminal() ? standardError : undefined,
};

/**
 * Finds where progress is shown: in the notebook, else on the terminal of standard error; nowhere in CI or if standard
 * error is a file. The notebook comes first, as a kernel may have been started from a terminal.
 *
 * @param surroundings This process, or another in its place
 * @returns `undefined` if progress is not shown
 */
export function detectTarget(surroundings: Surroundings = here): ProgressTarget | undefined {
  if (!["", "0", "false", undefined].includes(surroundings.variable("CI"))) return undefined;
  const broadcast = surroundings.broadcast();
  if (broadcast) return new NotebookTarget(broadcast);
  const screen = surroundings.screen();
  return screen && surroundings.variable("TERM") !== "dumb"
    ? new TerminalTarget(screen)
    : undefined;
}
