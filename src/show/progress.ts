/**
 * Progress of work that takes longer than a second, shown in a terminal or a notebook, and only if a person can see it.
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
  /** Completed amount. */
  readonly done: number;
  /** Amount of work; `undefined` if unknown. */
  readonly total: number | undefined;
  /** Whole seconds since the start. */
  readonly seconds: number;
  /** Last note, such as the status of an order; may be empty. */
  readonly note: string;
}

const MAX_TEXT = 200; // characters; a service may send more as a status
const BAR = 24;
const MIN_NOTE = 12;

/**
 * Puts a text on one line without control characters: terminals, and notebooks in plain text, would execute escape
 * sequences in it. It also removes marks that change the direction of writing.
 */
export function cleanText(text: string): string {
  const short = Array.from(text.slice(0, 2 * MAX_TEXT)).slice(0, MAX_TEXT).join("");
  return short.replace(/[\p{C}\s]+/gu, " ").trim();
}

function cut(text: string, columns: number): string {
  if (measureText(text) <= columns) return text;
  let short = "";
  let space = columns - 1; // for the dots
  for (const character of text) {
    space -= measureText(character);
    if (space < 0) break;
    short += character;
  }
  return columns > 0 ? `${short.trimEnd()}…` : "";
}

/** Formats amounts and time, such as "3 of 10 turbines, 12 s"; without the amounts if they are unknown. */
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

/** Completed share, 0 to 1. It is capped at 1, because a server may announce too short a length. */
function computeShare({ done, total }: ProgressState): number | undefined {
  return total === undefined ? undefined : Math.min(1, done / total);
}

/**
 * Formats the state on one line of plain text.
 *
 * @param columns Width of the line; to fit it, first the note is cut, then the bar, then the label, then the end
 */
export function formatProgress(state: ProgressState, columns: number): string {
  const share = computeShare(state);
  const filled = Math.floor((share ?? 0) * BAR);
  const bar = share === undefined ? "" : ` [${"#".repeat(filled)}${"-".repeat(BAR - filled)}]`;
  const figures = ` ${formatFigures(state)}`;
  const line = state.label + bar + figures;
  if (measureText(line) > columns) {
    return cut(cut(state.label, Math.max(1, columns - measureText(figures))) + figures, columns);
  }
  const space = columns - measureText(line);
  if (state.note === "" || space < Math.min(MIN_NOTE, measureText(state.note) + 2)) return line;
  return `${line}, ${cut(state.note, space - 2)}`;
}

/** Renders the state as HTML; label, unit and note are escaped. */
export function renderProgress(state: ProgressState): string {
  const share = computeShare(state);
  const value = share === undefined ? "" : ` max="1" value="${share.toFixed(4)}"`;
  const words = [`${state.label} ${formatFigures(state)}`, state.note].filter(Boolean).join(", ");
  return `<div><progress${value}></progress> ${escapeHtml(words)}</div>`;
}

/** Display of one progress bar. */
export interface ProgressTarget {
  /** Shows a state in place of the last one. */
  show(state: ProgressState): void;
  /** Removes the bar. */
  clear(): void;
}

/** A terminal. Its last line has room for one progress bar, the `holder`. */
export interface Screen {
  /** Writes at the cursor. */
  write(text: string): void;
  /** Width, characters. */
  columns(): number;
  /** The visible bar. */
  holder?: ProgressTarget | undefined;
}

/** Sends a message to the front ends of a notebook. Deno declares a promise; Deno 2.9 returns nothing. */
type Broadcast = (type: string, content: Record<string, unknown>) => Promise<void> | void;

/** Properties of the process that decide where progress is shown. */
export interface Surroundings {
  /** An environment variable; `undefined` without the permission to read it. */
  variable(name: string): string | undefined;
  /** Function that sends to the front ends; `undefined` outside of Deno's Jupyter kernel. */
  broadcast(): Broadcast | undefined;
  /** The terminal of standard error; `undefined` if that is a file or a pipe. */
  screen(): Screen | undefined;
}

const ERASE_TO_END = "\x1b[K";
const PLAIN_COLUMNS = 79;

/**
 * Shows a bar on the last line of a terminal; if another bar is there, it waits until that ends.
 *
 * @param screen The terminal, shared by all bars of a process
 */
export function showInTerminal(screen: Screen): ProgressTarget {
  let lastLine = "";
  const target: ProgressTarget = {
    show(state) {
      screen.holder ??= target;
      if (screen.holder !== target) return;
      // A character in the last column makes some terminals go to the next line.
      const line = formatProgress(state, screen.columns() - 1);
      if (line !== lastLine) screen.write(`\r${line}${ERASE_TO_END}`);
      lastLine = line;
    },
    clear() { // leaves an empty line with the cursor at its beginning
      if (screen.holder !== target) return;
      screen.holder = undefined;
      screen.write(`\r${ERASE_TO_END}`);
    },
  };
  return target;
}

/**
 * Shows a bar as one output of the running cell; states are skipped while a message is being sent.
 *
 * @param broadcast Sends messages to the front ends
 */
export function showInNotebook(broadcast: Broadcast): ProgressTarget {
  const display_id = crypto.randomUUID();
  let lastHtml = "";
  let pending = 0;
  const send = (data: Record<string, string>) => {
    const type = lastHtml === "" ? "display_data" : "update_display_data";
    const sent = broadcast(type, { data, metadata: {}, transient: { display_id } });
    if (!sent) return;
    pending++;
    // The work must not fail because a front end was closed.
    sent.catch(() => {}).finally(() => pending--);
  };
  return {
    show(state) {
      const html = renderProgress(state);
      if (html === lastHtml || pending > 0) return;
      send({ "text/html": html, "text/plain": formatProgress(state, PLAIN_COLUMNS) });
      lastHtml = html;
    },
    // The output cannot be removed: `clear_output` would remove the other outputs of the cell as well, and nbconvert warns
    // of an output without any format. The empty one is sent at once, so it arrives before the cell ends.
    clear() {
      if (lastHtml !== "") send({ "text/html": "", "text/plain": "" });
    },
  };
}

const encoder = new TextEncoder();

/** Shared by all bars, because only one can use the last line of standard error. */
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

/** This process; it requests no permission. */
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
 * Finds the place for progress: the notebook, else the terminal of standard error; none in CI or if standard error is a
 * file. The notebook comes first, because a kernel may have been started from a terminal.
 *
 * @param surroundings This process, or a substitute
 * @returns `undefined` if progress should not be shown
 */
export function detectTarget(surroundings: Surroundings = here): ProgressTarget | undefined {
  if (!["", "0", "false", undefined].includes(surroundings.variable("CI"))) return undefined;
  const broadcast = surroundings.broadcast();
  if (broadcast) return showInNotebook(broadcast);
  const screen = surroundings.screen();
  return screen && surroundings.variable("TERM") !== "dumb" ? showInTerminal(screen) : undefined;
}

const DELAY = 1000; // ms before it is first shown
const PAUSE = 100; // ms between updates

/** Options of {@linkcode startProgress}. */
interface ProgressOptions {
  /** Amount of work. @default {undefined} Unknown */
  readonly total?: number | undefined;
  /** Unit of the amount, such as `turbines`; `bytes` are shown as MB. @default {undefined} Only the figure is shown */
  readonly unit?: string | undefined;
  /** Place of the bar. @default {undefined} The notebook, else the terminal; none in CI */
  readonly to?: ProgressTarget | undefined;
}

/** Work in progress. */
export interface Progress extends Disposable {
  /** Adds to the completed amount, by default 1; negative if a part starts again. */
  readonly advance: (by?: number) => void;
  /** Sets the note, such as the status of an order, on one line and without control characters. */
  readonly say: (note: string) => void;
  /** Sets the amount of work; a number that is not positive and finite means unknown. */
  readonly total: (n: number) => void;
  /** Removes the bar, and ignores later changes. */
  readonly end: () => void;
}

/**
 * Builds a bar, which `tick()` updates unless the last update is too recent. Every change ticks too, because work that
 * never waits leaves no time for a timer. The time of the work starts here.
 *
 * @param clock Milliseconds of a monotonic clock
 */
export function buildBar(
  label: string,
  { total: amount, unit, to: target }: ProgressOptions,
  clock: () => number,
): Progress & { readonly tick: () => void } {
  const named = unit === undefined ? undefined : cleanText(unit);
  const about = { label: cleanText(label), unit: named };
  let [done, note, total] = [0, "", undefined as number | undefined];
  let to = target;
  let shownAt: number | undefined;
  const began = clock();
  /** The work must not fail because its terminal was closed. */
  const attempt = (act: (to: ProgressTarget) => void) => {
    try {
      if (to) act(to);
    } catch {
      to = undefined;
    }
  };
  const tick = () => {
    const now = clock();
    if (!to || now - began < DELAY || shownAt !== undefined && now - shownAt < PAUSE) return;
    shownAt = now;
    const seconds = Math.floor((now - began) / 1000);
    attempt((to) => to.show({ ...about, done, total, seconds, note }));
  };
  const end = () => {
    if (shownAt !== undefined) attempt((to) => to.clear());
    to = undefined;
  };
  const bar = {
    tick,
    advance(by = 1) {
      if (Number.isFinite(by)) done = Math.max(0, done + by);
      tick();
    },
    say(text: string) {
      note = cleanText(text);
      tick();
    },
    total(n: number) {
      total = Number.isFinite(n) && n > 0 ? n : undefined;
      tick();
    },
    end,
    [Symbol.dispose]: end,
  };
  if (amount !== undefined) bar.total(amount);
  return bar;
}

/**
 * Shows the progress of some work: nothing in the first second, then label, bar, figures, seconds and note at most ten
 * times a second. It disappears at the end.
 *
 * @param label Name of the work
 * @param options Amount of work, its unit, and the place of the bar; `silent` never shows it
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
  const bar = buildBar(label, { ...options, to }, () => performance.now());
  if (!to) return bar;
  const timer = setInterval(bar.tick, PAUSE);
  Deno.unrefTimer(timer as unknown as number); // so it does not keep the process alive
  const end = () => {
    clearInterval(timer);
    bar.end();
  };
  return { ...bar, end, [Symbol.dispose]: end };
}
