/**
 * Progress of work that takes longer than a second: in a terminal or a notebook, and nowhere if no person is watching.
 *
 * @module
 */
import { escapeHtml } from "./text/html.ts";
import { formatNumber } from "./text/numbers.ts";
import { measureText } from "./text/plain_text.ts";

/** State of a progress bar. */
export interface ProgressState {
  /** Name of the work. */
  readonly label: string;
  /** Unit of the amounts; `bytes` are shown as MB. */
  readonly unit: string | undefined;
  /** Amount that is done. */
  readonly done: number;
  /** Amount of work; `undefined` if it is not known. */
  readonly total: number | undefined;
  /** Whole seconds since the beginning. */
  readonly seconds: number;
  /** Last note, such as the status of an order; may be empty. */
  readonly note: string;
}

const MAX_TEXT = 200; // characters; a service may send more as a status
const BAR = 24;
const MIN_NOTE = 12;

/**
 * Puts a text on one line without control characters: terminals, and notebooks in plain text, would execute escape
 * sequences in it. Marks that change the direction of writing are removed as well.
 */
export function cleanText(text: string): string {
  const short = Array.from(text.slice(0, 2 * MAX_TEXT)).slice(0, MAX_TEXT).join("");
  return short.replace(/[\p{C}\s]+/gu, " ").trim();
}

function cut(text: string, columns: number): string {
  if (measureText(text) <= columns) return text;
  let short = "";
  let left = columns - 1; // for the dots
  for (const character of text) {
    left -= measureText(character);
    if (left < 0) break;
    short += character;
  }
  return columns > 0 ? `${short.trimEnd()}…` : "";
}

/** Formats amounts and time, as "3 of 10 turbines, 12 s"; without the amounts if they are not known. */
function formatFigures({ unit, done, total, seconds }: ProgressState): string {
  const amount = (value: number) =>
    unit === "bytes" ? formatNumber(value / 1e6, 1) : formatNumber(value);
  const counted = total === undefined
    ? done > 0 ? amount(done) : undefined
    : `${amount(done)} of ${amount(total)}`;
  const named = unit === "bytes" ? "MB" : (total ?? done) === 1 ? unit?.replace(/s$/, "") : unit;
  const count = counted && named ? `${counted} ${named}` : counted;
  return [count, `${formatNumber(seconds)} s`].filter(Boolean).join(", ");
}

/** Share that is done, 0 to 1; limited to 1, as the length that a server announces may be too short. */
function computeShare({ done, total }: ProgressState): number | undefined {
  return total === undefined ? undefined : Math.min(1, done / total);
}

/**
 * Formats the state on one line of plain text.
 *
 * @param columns Width of the line: if it is too short, first the note is cut, then the bar, then the label, then the end
 */
export function formatProgress(state: ProgressState, columns: number): string {
  const share = computeShare(state);
  const filled = Math.floor((share ?? 0) * BAR);
  const bar = share === undefined ? "" : ` [${"#".repeat(filled)}${"-".repeat(BAR - filled)}]`;
  const figures = ` ${formatFigures(state)}`;
  const whole = state.label + bar + figures;
  if (measureText(whole) > columns) {
    return cut(cut(state.label, Math.max(1, columns - measureText(figures))) + figures, columns);
  }
  const left = columns - measureText(whole);
  if (state.note === "" || left < Math.min(MIN_NOTE, measureText(state.note) + 2)) return whole;
  return `${whole}, ${cut(state.note, left - 2)}`;
}

/** Renders the state as HTML; label, unit and note are escaped. */
export function renderProgress(state: ProgressState): string {
  const share = computeShare(state);
  const value = share === undefined ? "" : ` max="1" value="${share.toFixed(4)}"`;
  const words = [`${state.label} ${formatFigures(state)}`, state.note].filter(Boolean).join(", ");
  return `<div><progress${value}></progress> ${escapeHtml(words)}</div>`;
}

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

const DELAY = 1000; // ms before it is first shown
const PAUSE = 100; // ms between updates

/** Options of {@linkcode startProgress}. */
interface ProgressOptions {
  /** Amount of work. @default {undefined} Not known */
  readonly total?: number | undefined;
  /** Unit of the amount, such as `turbines`; `bytes` are shown as MB. @default {undefined} Only the figure is shown */
  readonly unit?: string | undefined;
  /** Where it is shown. @default {undefined} The notebook, else the terminal; nowhere in CI */
  readonly to?: ProgressTarget | undefined;
}

/** A bar that {@linkcode tick} updates, unless the last update is too recent. */
export class ProgressBar {
  readonly #state: { -readonly [Name in keyof ProgressState]: ProgressState[Name] };
  readonly #clock: () => number;
  readonly #began: number;
  #to: ProgressTarget | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #shownAt: number | undefined;

  /**
   * The time of the work begins here.
   *
   * @param clock Milliseconds of a clock that never goes back
   */
  constructor(label: string, { total, unit, to }: ProgressOptions, clock: () => number) {
    const named = unit === undefined ? undefined : cleanText(unit);
    this.#state = {
      ...{ label: cleanText(label), unit: named, note: "" },
      ...{ done: 0, total: undefined, seconds: 0 },
    };
    this.#to = to;
    this.#clock = clock;
    this.#began = clock();
    if (total !== undefined) this.total(total);
  }

  /** Starts a timer that ticks; it does not keep the process alive. */
  start(): void {
    if (!this.#to) return;
    this.#timer = setInterval(() => this.tick(), PAUSE);
    Deno.unrefTimer(this.#timer as unknown as number);
  }

  /** Shows the state, unless it is too early. Every change ticks too: work that never waits leaves no time for a timer. */
  tick(): void {
    if (!this.#to) return;
    const now = this.#clock();
    if (now - this.#began < DELAY) return;
    if (this.#shownAt !== undefined && now - this.#shownAt < PAUSE) return;
    this.#shownAt = now;
    this.#state.seconds = Math.floor((now - this.#began) / 1000);
    this.#attempt((to) => to.show({ ...this.#state }));
  }

  /** Adds to the amount that is done, 1 if not given; negative if a part is begun again. */
  advance(by = 1): void {
    if (Number.isFinite(by)) this.#state.done = Math.max(0, this.#state.done + by);
    this.tick();
  }

  /** Sets the note, such as the status of an order, on one line and without control characters. */
  say(note: string): void {
    this.#state.note = cleanText(note);
    this.tick();
  }

  /** Sets the amount of work; a number that is not positive and finite means that it is not known. */
  total(n: number): void {
    this.#state.total = Number.isFinite(n) && n > 0 ? n : undefined;
    this.tick();
  }

  /** Removes the bar; later changes are not shown. */
  end(): void {
    clearInterval(this.#timer);
    if (this.#shownAt !== undefined) this.#attempt((to) => to.clear());
    this.#to = undefined;
  }

  /** Removes the bar at the end of `using`. */
  [Symbol.dispose](): void {
    this.end();
  }

  /** The work must not fail because its terminal was closed. */
  #attempt(act: (to: ProgressTarget) => void): void {
    try {
      if (this.#to) act(this.#to);
    } catch {
      this.#to = undefined;
    }
  }
}

/** Work in progress. */
export type Progress = Omit<ProgressBar, "start" | "tick">;

/**
 * Shows the progress of a piece of work: nothing in the first second, then label, bar, figures, seconds and note at most
 * ten times a second. At the end it is removed.
 *
 * @param label Name of the work
 * @param options Amount of work, its unit, and where it is shown; `silent` shows nothing at all
 *
 * @example
 * ```ts ignore
 * using progress = startProgress("Turbines", { total: ids.length, unit: "turbines" });
 * for (const id of ids) {
 *   await turbineDetails(id);
 *   progress.advance();
 * }
 * ```
 */
export function startProgress(
  label: string,
  { silent = false, ...options }: ProgressOptions & { readonly silent?: boolean } = {},
): Progress {
  const to = silent ? undefined : options.to ?? detectTarget();
  const bar = new ProgressBar(label, { ...options, to }, () => performance.now());
  bar.start();
  return bar;
}
