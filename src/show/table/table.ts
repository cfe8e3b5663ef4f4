import type { DataFrame } from "nodejs-polars";
import type { Column } from "../../api/columns/column.ts";
import { ArgumentError } from "../../api/errors.ts";
import { formatTable, readConsoleWidth } from "./table_text.ts";
import { type Bundle, CUSTOM_INSPECT, type Displayable, JUPYTER_DISPLAY } from "../jupyter.ts";
import { checkFrame, displayOf, formatMissingSource, hasUsedSample } from "../check_frame.ts";
import { renderTable } from "./table_html.ts";
import { buildTableModel, type TableModel } from "./table_model.ts";
import { declareOptions, readOptions } from "../options/read_options.ts";

/** Options of {@linkcode table}. */
export interface TableOptions {
  /** Declarations with the units of the columns. @default those of the frame */
  readonly columns?: readonly Column[];
  /** Line above the table. @default none */
  readonly title?: string;
  /** Most rows shown: the first and the last. @default all of up to 40, else 20 */
  readonly maxRows?: number;
  /** Most columns shown: the first and the last. @default {30} */
  readonly maxColumns?: number;
}

/** A frame as a table, with its own display in notebooks and on the console. */
export class Table implements Displayable {
  readonly #model: TableModel;

  /**
   * Reads the rows and columns to show.
   *
   * @param options Declarations, title, number of rows and columns
   * @throws {ArgumentError} If `maxRows` or `maxColumns` is not at least 1
   */
  constructor(frame: DataFrame, options: TableOptions = {}) {
    const { maxRows, maxColumns } = readOptions("table()", options, OPTIONS);
    for (const [name, most] of Object.entries({ maxRows, maxColumns })) {
      if (most === undefined || most >= 1) continue;
      throw new ArgumentError(`Cannot show a table: "${name}" is ${most}. Give at least 1`);
    }
    const display = displayOf(frame);
    const most = {
      ...(maxRows === undefined ? {} : { maxRows: Math.floor(maxRows) }),
      maxColumns: Math.floor(maxColumns),
    };
    const caption = display?.caption ?? [];
    const stated = display?.synthetic !== undefined;
    this.#model = buildTableModel(frame, options.columns ?? display?.columns ?? [], most, {
      title: options.title,
      caption: stated ? caption : [...caption, formatMissingSource()],
      synthetic: display?.synthetic ?? hasUsedSample(),
    });
  }

  /** Renders the table as HTML with inline styles; all texts are escaped. */
  html(): string {
    return renderTable(this.#model);
  }

  /**
   * Formats the table as plain text.
   *
   * @param width Longest line of its rows, in characters; it omits columns in the middle. @default no limit
   */
  text(width?: number): string {
    return formatTable(this.#model, width);
  }

  /** Formats the table as plain text of any width. */
  toString(): string {
    return this.text();
  }

  /** Builds the MIME bundle for a notebook. */
  [JUPYTER_DISPLAY](): Bundle {
    return { "text/html": this.html(), "text/plain": this.text() };
  }

  /** Formats the table for the console, no wider than the terminal. */
  [CUSTOM_INSPECT](): string {
    return this.text(readConsoleWidth());
  }
}

const OPTIONS = declareOptions<TableOptions>()("columns title maxRows", { maxColumns: 30 });

/**
 * Shows any frame as a table with units, dtypes and ISO dates.
 *
 * @param frame The frame
 * @param options Declarations, title, number of rows and columns
 * @returns A table with its own display in notebooks and on the console
 * @throws {ArgumentError} If `maxRows` or `maxColumns` is not at least 1
 *
 * @example Your own frame
 * ```ts
 * import { table } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 * import pl from "nodejs-polars";
 *
 * const frame = pl.DataFrame({ site: ["North", "South"], wind_speed: [7.25, null] });
 * assertStringIncludes(table(frame).text(), "2 rows × 2 columns");
 * ```
 */
export function table(frame: DataFrame, options: TableOptions = {}): Table {
  readOptions("table()", options, OPTIONS);
  checkFrame(frame, "show a table", "monthlyIndices() or another call");
  return new Table(frame, options);
}
