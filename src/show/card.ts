import {
  CELL as TABLE_CELL,
  escapeHtml,
  FAINT,
  NO_VALUE,
  renderCaption,
  renderTitle,
  TABLE,
  wrapInBox,
} from "./text/html.ts";
import { formatHeading, measureText, padText, shortenText } from "./text/plain_text.ts";
import { type Bundle, CUSTOM_INSPECT, JUPYTER_DISPLAY } from "./jupyter.ts";
import { formatNumber } from "./text/numbers.ts";

/** Most rows of a card: a hostile service may send a record of any length. */
const MAX_ROWS = 60;

/** Longest label, value, and line above or below the rows, in characters. */
const MAX_LABEL = 40;
const MAX_VALUE = 600;
const MAX_LINE = 400;

/** Rows are closer together than in a table, because there are no figures to compare across columns. */
const CELL = `${TABLE_CELL};padding-top:1px;padding-bottom:1px`;

/** Sign of a missing value. */
const MISSING = "–";

/** One line of a card. */
export interface CardRow {
  /** Name of the value. */
  readonly label: string;
  /** The value as text; `null` if it is missing, `undefined` for the heading of the rows that follow. */
  readonly value: string | null | undefined;
  /** Unit of the value. */
  readonly unit?: string | undefined;
  /** Description, shown as a tooltip. */
  readonly hint?: string | undefined;
  /** Whether it belongs to the last heading. @default {false} */
  readonly part?: boolean;
}

/** A record as two columns: labels and values. */
export interface Card {
  /** Line above the rows. */
  readonly title: string;
  /** Rows in order. */
  readonly rows: readonly CardRow[];
  /** Lines below the rows: origin, licence, next steps. @default none */
  readonly caption?: readonly string[];
  /** Whether the figures are invented. @default {false} */
  readonly synthetic?: boolean;
}

/** Limits the number of rows and the length of texts, and makes invisible characters visible. */
function shortenCard({ title, rows, caption = [], synthetic = false }: Card): Required<Card> {
  const hidden = rows.length - MAX_ROWS;
  const short = rows.slice(0, MAX_ROWS).map((row) => ({
    ...row,
    label: shortenText(row.label, MAX_LABEL),
    value: row.value && shortenText(row.value, MAX_VALUE),
    hint: row.hint && shortenText(row.hint, MAX_LINE),
  }));
  const more = hidden > 0 ? [`… ${formatNumber(hidden)} more fields not shown …`] : [];
  return {
    title: shortenText(title, MAX_LINE),
    rows: short,
    caption: [...more, ...caption.map((line) => shortenText(line, MAX_LINE))],
    synthetic,
  };
}

function appendUnit(value: string, unit: string | undefined): string {
  return unit ? `${value} ${unit}` : value;
}

/** Formats a card as plain text. */
export function formatCard(card: Card): string {
  const { title, rows, caption, synthetic } = shortenCard(card);
  const labels = rows.map(({ label, part }) => part ? `  ${label}` : label);
  const width = Math.max(0, ...labels.map(measureText));
  const lines = rows.map(({ value, unit }, i) => {
    if (value === undefined) return labels[i];
    return `${padText(labels[i], width)}  ${value === null ? MISSING : appendUnit(value, unit)}`;
  });
  return [
    ...formatHeading({ title, synthetic }),
    ...(lines.length > 0 ? ["", ...lines] : []),
    ...(caption.length > 0 ? ["", ...caption] : []),
  ].join("\n");
}

/** Renders a row; values wrap, so a sentence does not make the card wider than the window. */
function renderRow({ label, value, unit, hint, part = false }: CardRow): string {
  const indent = part ? ";padding-left:16px" : "";
  const title = hint ? ` title="${escapeHtml(hint)}"` : "";
  const weight = value === undefined ? "bold" : "normal";
  const head = `<th scope="row"${title} style="${CELL};text-align:left;font-weight:${weight}` +
    `${indent};${value === undefined ? "" : FAINT}">${escapeHtml(label)}</th>`;
  const content = value === undefined
    ? ""
    : value === null
    ? NO_VALUE
    : escapeHtml(value) + (unit ? ` <span style="${FAINT}">${escapeHtml(unit)}</span>` : "");
  const cell =
    `<td style="${CELL};white-space:normal;text-align:left;max-width:48em">${content}</td>`;
  return `<tr style="background:none">${head}${cell}</tr>`;
}

/** Renders a card as HTML with inline styles; all texts are escaped. */
export function renderCard(card: Card): string {
  const { title, rows, caption, synthetic } = shortenCard(card);
  const table = rows.length === 0
    ? ""
    : `<table style="${TABLE}"><tbody>${rows.map(renderRow).join("\n")}</tbody></table>`;
  return wrapInBox(renderTitle({ title, synthetic }) + table + renderCaption(caption));
}

/** Builds the MIME bundle of a card for a notebook. */
export function buildCardBundle(card: Card): Bundle {
  return { "text/html": renderCard(card), "text/plain": formatCard(card) };
}

/**
 * Makes a plain object display itself as a card, in notebooks and on the console. Spread, JSON, clones and comparisons are
 * not affected.
 *
 * @param card Builds the card on display
 */
export function showAsCard<T extends object>(object: T, card: () => Card): T {
  const hidden = (value: unknown) => ({ value, enumerable: false, configurable: true });
  return Object.defineProperties(object, {
    [JUPYTER_DISPLAY]: hidden(() => buildCardBundle(card())),
    [CUSTOM_INSPECT]: hidden(() => formatCard(card())),
  });
}
