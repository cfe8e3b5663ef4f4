import type { DataFrame } from "nodejs-polars";
import { type Card, cardHtml, type CardRow, cardText } from "./card.ts";
import { consoleWidth } from "./table/fitted.ts";
import { captionHtml, framed, sentencesHtml } from "./html_parts.ts";
import { CUSTOM_INSPECT, JUPYTER_DISPLAY } from "./jupyter.ts";
import { shortText } from "./text/short_text.ts";
import { shownOf } from "./shown.ts";
import { tableHtml } from "./table/table_html.ts";
import { type TableModel, tableModel } from "./table/table_model.ts";
import { tableText } from "./table/table_text.ts";

/** A thing made of several frames: what it says, the frames, and what stands below all of them. */
export interface Parts {
  /** What it is. */
  readonly title: string;
  /** Figures above the tables. */
  readonly facts: readonly CardRow[];
  /** Sentences above the tables. */
  readonly summary: readonly string[];
  /** The frames, each with a line above it. */
  readonly tables: readonly { readonly title: string; readonly frame: DataFrame }[];
  /** Lines below: notes, origin, licence. */
  readonly caption: readonly string[];
  /** Whether the figures are invented. */
  readonly synthetic: boolean;
}

/** Longest sentence above the tables and line below them, in characters. */
const MAX_LINE = 600;

/** Rows and columns that are shown of each table. */
const MOST = { maxRows: 24, maxColumns: 30 } as const;

/** What stands above all; the mark of invented figures stands there once. */
function headOf({ title, facts, synthetic }: Parts): Card {
  return { title, rows: facts, synthetic };
}

/** The tables without what is said of all of them: origin and mark. */
function modelsOf({ tables }: Parts): TableModel[] {
  return tables.map(({ title, frame }) =>
    tableModel(frame, shownOf(frame)?.columns ?? [], MOST, { title, caption: [], synthetic: false })
  );
}

const short = (lines: readonly string[]) => lines.map((line) => shortText(line, MAX_LINE));

/** Writes the parts as plain text. */
export function partsText(parts: Parts, width?: number): string {
  return [
    cardText(headOf(parts)),
    short(parts.summary).join("\n"),
    ...modelsOf(parts).map((model) => tableText(model, width)),
    short(parts.caption).join("\n"),
  ].filter((text) => text !== "").join("\n\n");
}

/** Writes the parts as HTML with inline styles; all texts are escaped. */
export function partsHtml(parts: Parts): string {
  return [
    cardHtml(headOf(parts)),
    framed(sentencesHtml(short(parts.summary))),
    ...modelsOf(parts).map(tableHtml),
    framed(captionHtml(short(parts.caption))),
  ].join("\n");
}

/**
 * Makes a plain object show itself as its parts, in notebooks and on the console. Spread, JSON, clones and comparisons
 * do not see it.
 *
 * @param object The object; it is changed in place and given back
 * @param parts Makes the parts when it is shown
 */
export function showAsParts<T extends object>(object: T, parts: () => Parts): T {
  const hidden = (value: unknown) => ({ value, enumerable: false, configurable: true });
  const bundle = () => {
    const shown = parts();
    return { "text/html": partsHtml(shown), "text/plain": partsText(shown) };
  };
  return Object.defineProperties(object, {
    [JUPYTER_DISPLAY]: hidden(bundle),
    [CUSTOM_INSPECT]: hidden(() => partsText(parts(), consoleWidth())),
  });
}
