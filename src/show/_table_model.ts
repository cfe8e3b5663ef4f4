import type { DataFrame, Series } from "nodejs-polars";
import { type Column, labelWithUnit } from "../api/column.ts";
import { formatNumber } from "./number.ts";
import { cellTexts, dtypeName, isNumeric } from "./_cells.ts";

/** One column of a table, ready to be written. */
export interface TableColumn {
  /** Name of the column in the frame. */
  readonly name: string;
  /** Unit, or nothing where the column has none or is not declared. */
  readonly unit: string;
  /** Dtype as Polars prints it. */
  readonly dtype: string;
  /** Whether the values stand at the right. */
  readonly numeric: boolean;
  /** Declared label and description, for a hint. */
  readonly hint: string;
  /** Values of the rows shown; `null` where a value is missing. */
  readonly texts: readonly (string | null)[];
}

/** A table, ready to be written as text or HTML. */
export interface TableModel {
  /** Line above the table. */
  readonly title: string | undefined;
  /** Lines below the table. */
  readonly caption: readonly string[];
  /** Whether the figures are invented. */
  readonly synthetic: boolean;
  /** Number of rows of the frame. */
  readonly height: number;
  /** Number of rows shown above those left out. */
  readonly headRows: number;
  /** Number of rows left out. */
  readonly hiddenRows: number;
  /** The columns. */
  readonly columns: readonly TableColumn[];
}

/** Columns of a frame by name. A column called `height`, `filter` or `columns` shadows that property of the frame, so no property is read. */
function seriesByName(frame: DataFrame): [string, Series][] {
  return Object.entries(frame as unknown as Record<string, Series>);
}

/** Reads what a table shows: the first and last rows of a frame, as texts. */
export function tableModel(
  frame: DataFrame,
  declared: readonly Column[],
  maxRows: number,
  about: Pick<TableModel, "title" | "caption" | "synthetic">,
): TableModel {
  const all = seriesByName(frame);
  const height = all.length === 0 ? 0 : all[0][1].length;
  const hiddenRows = Math.max(0, height - maxRows);
  const headRows = hiddenRows === 0 ? height : Math.ceil(maxRows / 2);
  const columns = all.map(([name, series]): TableColumn => {
    const column = declared.find((one) => one.name === name);
    const shown = hiddenRows === 0
      ? series
      : series.head(headRows).concat(series.tail(maxRows - headRows));
    return {
      name,
      unit: column?.unit ?? "",
      dtype: dtypeName(series.dtype),
      numeric: isNumeric(series.dtype),
      hint: column ? `${labelWithUnit(column)}: ${column.description}` : "",
      texts: cellTexts(shown),
    };
  });
  return { ...about, height, headRows, hiddenRows, columns };
}

function counted(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** "24 rows × 9 columns". */
export function shapeLine(model: TableModel): string {
  return `${counted(model.height, "row")} × ${counted(model.columns.length, "column")}`;
}

/** "… 8,740 rows not shown …". */
export function hiddenLine(model: TableModel): string {
  return `… ${counted(model.hiddenRows, "row")} not shown …`;
}

/** What a table of invented figures says above its head. */
export const SYNTHETIC_NOTE = "invented figures, not real data";
