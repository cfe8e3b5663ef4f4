import { formatProgress, type ProgressState, renderProgress } from "./progress_text.ts";

/** Where one progress bar is shown. */
export interface ProgressTarget {
  /** Shows a state in place of the one before. */
  show(state: ProgressState): void;
  /** Takes away what was shown. */
  clear(): void;
}

/** A terminal. Its last line can hold one progress bar: `holder` is whose it is. */
export interface Screen {
  /** Writes at the cursor. */
  write(text: string): void;
  /** Width. */
  columns(): number;
  /** The bar that is shown now. */
  holder?: ProgressTarget | undefined;
}

/** Sends a message to the front ends of a notebook. Deno declares a promise, Deno 2.9 gives none. */
type Broadcast = (type: string, content: Record<string, unknown>) => Promise<void> | void;

/** What decides where progress is shown. */
export interface Surroundings {
  /** A variable of the environment, if it may be read without asking. */
  variable(name: string): string | undefined;
  /** The way to the front ends, in Deno's Jupyter kernel. */
  broadcast(): Broadcast | undefined;
  /** The terminal that a person looks at. */
  screen(): Screen | undefined;
}

const ERASE_TO_END = "\x1b[K";
const PLAIN_COLUMNS = 79;

/** Shows a bar on the last line of a terminal; where another bar is, it waits for that one's end. */
export class TerminalTarget implements ProgressTarget {
  readonly #screen: Screen;
  #line = "";

  /** Shows on this screen. */
  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** Writes over the line. */
  show(state: ProgressState): void {
    this.#screen.holder ??= this;
    if (this.#screen.holder !== this) return;
    // In the last column some terminals go on to the next line.
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
  #underWay = 0;

  /** Shows by these messages. */
  constructor(broadcast: Broadcast) {
    this.#broadcast = broadcast;
  }

  /** Shows the output, and from then on updates it; where front ends are slower than we are, states are left out. */
  show(state: ProgressState): void {
    const html = renderProgress(state);
    if (html === this.#shown || this.#underWay > 0) return;
    this.#send({ "text/html": html, "text/plain": formatProgress(state, PLAIN_COLUMNS) });
    this.#shown = html;
  }

  /**
   * Leaves an output without height. It cannot be taken out: `clear_output` would take the other outputs of the cell as
   * well, and nbconvert warns of an output without any format. It is sent at once, so that it comes before the cell ends.
   */
  clear(): void {
    if (this.#shown !== "") this.#send({ "text/html": "", "text/plain": "" });
  }

  #send(data: Record<string, string>): void {
    const type = this.#shown === "" ? "display_data" : "update_display_data";
    const content = { data, metadata: {}, transient: { display_id: this.#id } };
    const sent = this.#broadcast(type, content);
    if (!sent) return;
    this.#underWay++;
    // A front end that is gone is no reason for the work to fail.
    sent.catch(() => {}).finally(() => this.#underWay--);
  }
}

const encoder = new TextEncoder();

/** There is one standard error, so there is one holder of its last line. */
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

/** This process. Nothing of it asks for a permission. */
const here: Surroundings = {
  variable: (name) =>
    Deno.permissions.querySync({ name: "env", variable: name }).state === "granted"
      ? Deno.env.get(name)
      : undefined,
  broadcast: () => {
    try { // outside of a kernel reading it throws
      const { jupyter } = Deno as unknown as { jupyter?: { broadcast: Broadcast } };
      return jupyter && ((type, content) => jupyter.broadcast(type, content));
    } catch {
      return undefined;
    }
  },
  screen: () => Deno.stderr.isTerminal() ? standardError : undefined,
};

/**
 * Finds where progress is shown: in the notebook, else on the terminal of standard error; nowhere where no person looks
 * on. A kernel may have been started from a terminal, so the notebook comes first.
 *
 * @param surroundings What decides
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
