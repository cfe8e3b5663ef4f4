import type { DataFrame } from "nodejs-polars";
import type { Column } from "../api/column.ts";
import { ArgumentError } from "../api/errors.ts";
import { type Bundle, CUSTOM_INSPECT, type Displayable, JUPYTER_DISPLAY } from "./jupyter.ts";
import { shownOf } from "./shown.ts";
import { tableHtml } from "./_table_html.ts";
import { type TableModel, tableModel } from "./_table_model.ts";
import { tableText } from "./_table_text.ts";

/** Options of {@linkcode table}. */
export interface TableOptions {
  /** Declarations that give the columns their units. @default those that the frame carries */
  readonly columns?: readonly Column[];
  /** Line above the table. @default none */
  readonly title?: string;
  /** Most rows shown: beyond, the first and the last. @default {20} */
  readonly maxRows?: number;
}

/** A frame as a table that shows itself in notebooks and on the console. */
export class Table implements Displayable {
  readonly #model: TableModel;

  /**
   * Reads what the table shows.
   *
   * @param frame The frame
   * @param options Declarations, title and number of rows
   * @throws {ArgumentError} If `maxRows` is not at least 1
   */
  constructor(frame: DataFrame, options: TableOptions = {}) {
    const { maxRows = 20 } = options;
    if (!(maxRows >= 1)) {
      throw new ArgumentError(`Cannot show a table of ${maxRows} rows: maxRows must be at least 1`);
    }
    const shown = shownOf(frame);
    this.#model = tableModel(frame, options.columns ?? shown?.columns ?? [], Math.floor(maxRows), {
      title: options.title,
      caption: shown?.caption ?? [],
      synthetic: shown?.synthetic ?? false,
    });
  }

  /** The table as HTML with inline styles; all texts are escaped. */
  html(): string {
    return tableHtml(this.#model);
  }

  /** The table as plain text. */
  text(): string {
    return tableText(this.#model);
  }

  /** The table as plain text. */
  toString(): string {
    return this.text();
  }

  /** The table for a notebook. */
  [JUPYTER_DISPLAY](): Bundle {
    return { "text/html": this.html(), "text/plain": this.text() };
  }

  /** The table for the console. */
  [CUSTOM_INSPECT](): string {
    return this.text();
  }
}

/**
 * Shows any frame as a table with units, dtypes and ISO dates.
 *
 * @param frame The frame
 * @param options Declarations, title and number of rows
 * @returns A table that shows itself in notebooks and on the console
 * @throws {ArgumentError} If `maxRows` is not at least 1
 *
 * @example A frame of one's own
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
  return new Table(frame, options);
}
