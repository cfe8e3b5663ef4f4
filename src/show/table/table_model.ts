import type { DataFrame, Series } from "nodejs-polars";
import { type Column, labelWithUnit } from "../../api/columns/column.ts";
import { formatCount, formatNumber } from "../text/numbers.ts";
import { dtypeName, formatCells, isNumeric, showsShares } from "./cells.ts";
import { shortenText } from "../text/plain_text.ts";

/** Longest line above or below a table, characters: a licence takes a few hundred. */
const MAX_LINE = 400;

/** Most rows of a table shown in full, and rows shown of a longer one. */
const FULL_ROWS = 40;
const PART_ROWS = 20;

/** One column of a table with formatted values. */
export interface TableColumn {
  /** Name of the column in the frame. */
  readonly name: string;
  /** Unit; "" without a unit or declaration. */
  readonly unit: string;
  /** Dtype as printed by Polars. */
  readonly dtype: string;
  /** Whether the values are aligned right. */
  readonly numeric: boolean;
  /** Declared label and description, for a tooltip. */
  readonly hint: string;
  /** Values of the visible rows; `null` for a missing value. */
  readonly texts: readonly (string | null)[];
}

/** A table with formatted values, for text or HTML. */
export interface TableModel {
  /** Line above the table. */
  readonly title: string | undefined;
  /** Lines below the table. */
  readonly caption: readonly string[];
  /** Whether the figures are invented. */
  readonly synthetic: boolean;
  /** Number of rows of the frame. */
  readonly height: number;
  /** Number of rows above the omitted ones. */
  readonly headRows: number;
  /** Number of omitted rows. */
  readonly hiddenRows: number;
  /** Number of columns of the frame. */
  readonly width: number;
  /** Number of omitted columns. */
  readonly hiddenColumns: number;
  /** The visible columns, with a gap in place of omitted ones. */
  readonly columns: readonly TableColumn[];
}

/**
 * Columns of a frame by name. It reads no property of the frame, because a column called `height`, `filter` or `columns`
 * would hide it.
 */
function seriesByName(frame: DataFrame): [string, Series][] {
  return Object.entries(frame as unknown as Record<string, Series>);
}

/** Name and values of the column in place of omitted ones. */
const GAP = "…";

/** Builds the column in place of omitted ones, the only one without a dtype. */
export function buildGap({ texts }: TableColumn): TableColumn {
  const none = { unit: "", dtype: "", numeric: false, hint: "" };
  return { ...none, name: GAP, texts: texts.map(() => GAP) };
}

/** Whether a column comes from {@linkcode buildGap}. */
export function isGap({ dtype }: TableColumn): boolean {
  return dtype === "";
}

/** Formats the first and last rows and columns of a frame. */
export function buildTableModel(
  frame: DataFrame,
  declared: readonly Column[],
  { maxRows: given, maxColumns }: { readonly maxRows?: number; readonly maxColumns: number },
  about: Pick<TableModel, "title" | "caption" | "synthetic">,
): TableModel {
  const all = seriesByName(frame);
  const last = Math.floor(maxColumns / 2);
  const shownColumns = all.length <= maxColumns
    ? all
    : [...all.slice(0, maxColumns - last), ...all.slice(all.length - last)];
  const height = all.length === 0 ? 0 : all[0][1].length;
  const maxRows = given ?? (height <= FULL_ROWS ? height : PART_ROWS);
  const hiddenRows = Math.max(0, height - maxRows);
  const headRows = hiddenRows === 0 ? height : Math.ceil(maxRows / 2);
  const columns = shownColumns.map(([name, series]): TableColumn => {
    const column = declared.find((one) => one.name === name);
    const visible = hiddenRows === 0
      ? series
      : series.head(headRows).concat(series.tail(maxRows - headRows));
    return {
      name: shortenText(name),
      unit: shortenText(showsShares(visible, column) ? "%" : column?.unit ?? ""),
      dtype: dtypeName(series.dtype),
      numeric: isNumeric(series.dtype),
      hint: column ? shortenText(`${labelWithUnit(column)}: ${column.description}`, MAX_LINE) : "",
      texts: formatCells(visible, column),
    };
  });
  const hiddenColumns = all.length - columns.length;
  if (hiddenColumns > 0) columns.splice(maxColumns - last, 0, buildGap(columns[0]));
  const { title, caption, synthetic } = about;
  return {
    title: title === undefined ? undefined : shortenText(title, MAX_LINE),
    caption: caption.map((line) => shortenText(line, MAX_LINE)),
    synthetic,
    height,
    headRows,
    hiddenRows,
    width: all.length,
    hiddenColumns,
    columns,
  };
}

/** Formats the size of a frame, such as "24 rows × 9 columns", and the number of omitted columns. */
export function formatShape({ height, width, hiddenColumns }: TableModel): string {
  const shape = `${formatCount(height, "row")} × ${formatCount(width, "column")}`;
  return hiddenColumns === 0 ? shape : `${shape}, ${formatNumber(hiddenColumns)} not shown`;
}

/** Formats the number of omitted rows, such as "… 8,740 rows not shown …". */
export function formatHiddenRows(model: TableModel): string {
  return `… ${formatCount(model.hiddenRows, "row")} not shown …`;
}
