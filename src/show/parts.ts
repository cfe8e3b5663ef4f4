import type { DataFrame } from "nodejs-polars";
import { type Card, type CardRow, formatCard, renderCard } from "./card.ts";
import { formatTable, readConsoleWidth } from "./table/table_text.ts";
import { renderCaption, renderSentences, wrapInBox } from "./text/html.ts";
import { CUSTOM_INSPECT, JUPYTER_DISPLAY } from "./jupyter.ts";
import { shortenText } from "./text/plain_text.ts";
import { displayOf } from "./check_frame.ts";
import { renderTable } from "./table/table_html.ts";
import { buildTableModel, type TableModel } from "./table/table_model.ts";

/** An answer with several frames: facts and sentences, the frames, and the lines below all of them. */
export interface Parts {
  /** Line above everything. */
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

/** Most columns shown of each table. */
const MAX_SIZE = { maxColumns: 30 } as const;

/** Property with the parts of an answer. */
const PARTS: unique symbol = Symbol.for("vindkit.parts") as never;

/** The displayed parts of an object; `undefined` if it has none. */
export function partsOf(object: object): Parts | undefined {
  return (object as { [PARTS]?: () => Parts } | undefined)?.[PARTS]?.();
}

/** Builds the card above the tables, the only part with the mark of invented figures. */
function buildHead({ title, facts, synthetic }: Parts): Card {
  return { title, rows: facts, synthetic };
}

/** Builds the tables without origin and mark, which are shown once for all of them. */
function buildModels({ tables }: Parts): TableModel[] {
  return tables.map(({ title, frame }) =>
    buildTableModel(frame, displayOf(frame)?.columns ?? [], MAX_SIZE, {
      title,
      caption: [],
      synthetic: false,
    })
  );
}

const shortenLines = (lines: readonly string[]) => lines.map((line) => shortenText(line, MAX_LINE));

/** Formats the parts as plain text. */
export function formatParts(parts: Parts, width?: number): string {
  return [
    formatCard(buildHead(parts)),
    shortenLines(parts.summary).join("\n"),
    ...buildModels(parts).map((model) => formatTable(model, width)),
    shortenLines(parts.caption).join("\n"),
  ].filter((text) => text !== "").join("\n\n");
}

/** Renders the parts as HTML with inline styles; all texts are escaped. */
export function renderParts(parts: Parts): string {
  return [
    renderCard(buildHead(parts)),
    wrapInBox(renderSentences(shortenLines(parts.summary))),
    ...buildModels(parts).map(renderTable),
    wrapInBox(renderCaption(shortenLines(parts.caption))),
  ].join("\n");
}

/**
 * Makes a plain object display itself as its parts, in notebooks and on the console. Spread, JSON, clones and comparisons
 * are not affected.
 */
export function showAsParts<T extends object>(object: T, parts: () => Parts): T {
  const hidden = (value: unknown) => ({ value, enumerable: false, configurable: true });
  const bundle = () => {
    const current = parts();
    return { "text/html": renderParts(current), "text/plain": formatParts(current) };
  };
  return Object.defineProperties(object, {
    [PARTS]: hidden(parts),
    [JUPYTER_DISPLAY]: hidden(bundle),
    [CUSTOM_INSPECT]: hidden(() => formatParts(parts(), readConsoleWidth())),
  });
}
