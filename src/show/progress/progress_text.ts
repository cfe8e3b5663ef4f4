import { measureText } from "../text/text_width.ts";
import { escapeHtml } from "../text/escape.ts";
import { formatNumber } from "../text/number.ts";

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
