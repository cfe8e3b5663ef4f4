import { measureText } from "../text/text_width.ts";
import { escapeHtml } from "../text/escape.ts";
import { formatNumber } from "../text/number.ts";

/** What a progress bar shows. */
export interface ProgressState {
  /** What is going on. */
  readonly label: string;
  /** What is counted: `bytes` are shown as MB. */
  readonly unit: string | undefined;
  /** How much is done. */
  readonly done: number;
  /** How much there is, if that is known. */
  readonly total: number | undefined;
  /** Whole seconds since the beginning. */
  readonly seconds: number;
  /** The last thing said, such as the status of an order; may be empty. */
  readonly note: string;
}

const MAX_TEXT = 200; // characters; a service may send more as a status
const BAR = 24;
const MIN_NOTE = 12;

/**
 * A text on one line without control characters: terminals, and notebooks in plain text, would obey escape sequences in
 * it. Marks that turn the direction of writing go as well.
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

/** "3 of 10 turbines, 12 s": counts where something is counted. */
function formatFigures({ unit, done, total, seconds }: ProgressState): string {
  const amount = (value: number) =>
    unit === "bytes" ? formatNumber(value / 1e6, 1) : formatNumber(value);
  const counted = total === undefined
    ? done > 0 ? amount(done) : undefined
    : `${amount(done)} of ${amount(total)}`;
  const named = unit === "bytes" ? "MB" : unit;
  const count = counted && named ? `${counted} ${named}` : counted;
  return [count, `${formatNumber(seconds)} s`].filter(Boolean).join(", ");
}

/** Share that is done, 0 to 1: a length that a server announced may turn out to be too short. */
function computeShare({ done, total }: ProgressState): number | undefined {
  return total === undefined ? undefined : Math.min(1, done / total);
}

/**
 * The state on one line of plain text.
 *
 * @param columns Columns that the line may take: the note gives way first, then the bar, then the label, then the end
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

/** The state as HTML; label, unit and note are escaped. */
export function renderProgress(state: ProgressState): string {
  const share = computeShare(state);
  const value = share === undefined ? "" : ` max="1" value="${share.toFixed(4)}"`;
  const words = [`${state.label} ${formatFigures(state)}`, state.note].filter(Boolean).join(", ");
  return `<div><progress${value}></progress> ${escapeHtml(words)}</div>`;
}
