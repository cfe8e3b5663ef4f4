import type { DataFrame, Series } from "nodejs-polars";
import { ArgumentError } from "../../api/errors.ts";
import { joinOrigins, type Origin } from "../../frames/provenance.ts";
import { buildRefuse, readMonths, readNumbers, readTexts } from "../../frames/read_columns.ts";
import { formatMonthLabel } from "../../time/zones.ts";
import type { PlotOptions } from "./plot_options.ts";
import { clipText } from "./text.ts";
import { checkFrame } from "../../show/check_frame.ts";

/** Whether a frame has a column; Object.keys() would build a series of each column. */
function hasColumn(frame: DataFrame, name: string): boolean {
  return Reflect.ownKeys(frame).includes(name);
}

/** Columns that a message lists before "and N more". */
const MAX_NAMES = 8;

/**
 * Checks that a frame can be plotted.
 *
 * @throws {ArgumentError} If it has no rows or lacks a column
 */
export function requireColumns(
  frame: DataFrame,
  names: readonly string[],
  what: string,
  madeBy: string,
): void {
  checkFrame(frame, `plot ${what}`, madeBy);
  const missing = names.filter((name) => !hasColumn(frame, name));
  if (missing.length > 0) {
    const quoteNames = (names: readonly string[]) =>
      names.map((name) => `"${clipText(name)}"`).join(", ") || "no columns";
    const { columns } = frame;
    const more = columns.length > MAX_NAMES ? ` and ${columns.length - MAX_NAMES} more` : "";
    throw new ArgumentError(
      `Cannot plot ${what}: the frame has no ${missing.length > 1 ? "columns" : "column"} ${
        quoteNames(missing)
      }; it has ${quoteNames(columns.slice(0, MAX_NAMES))}${more}. ` +
        `Give a frame from ${madeBy}, or rename your column`,
    );
  }
  if (frame.getColumn(names[0]).length === 0) {
    throw new ArgumentError(`Cannot plot ${what}: the frame has no rows`);
  }
}

function buildNulls(frame: DataFrame): null[] {
  const length = Object.values(frame as unknown as Record<string, Series>)[0]?.length ?? 0;
  return Array.from({ length }, () => null);
}

/**
 * Values of a column as numbers; `null` where a value is missing or not finite, and in all rows if the column is missing.
 *
 * @throws {ArgumentError} If the column is not numeric
 */
export function readNumberColumn(frame: DataFrame, name: string, what: string): (number | null)[] {
  if (!hasColumn(frame, name)) return buildNulls(frame);
  const values = readNumbers(frame, name, buildRefuse(`plot ${what}`));
  return Array.from(values, (value) => Number.isNaN(value) ? null : value);
}

/** Values of a column as texts; `null` where a value is missing, and in all rows if the column is missing. */
export function readTextColumn(frame: DataFrame, name: string): (string | null)[] {
  if (!hasColumn(frame, name)) return buildNulls(frame);
  return readTexts(frame, name);
}

/**
 * Values of a column of dates as months, "2023-05".
 *
 * @throws {ArgumentError} If the column has no dates, or one is missing
 */
export function readMonthColumn(frame: DataFrame, name: string, what: string): string[] {
  return readMonths(frame, name, buildRefuse(`plot ${what}`)).map((number) =>
    formatMonthLabel({ year: Math.floor(number / 12), month: number % 12 + 1 })
  );
}

/** Origin of the plotted figures: the sources of the frame, and of `options.source`. */
export function readOrigin(
  frame: DataFrame | undefined,
  options: PlotOptions,
): Origin {
  if (options.source !== undefined) checkFrame(options.source, "take a source", "a call");
  return joinOrigins([options.source, frame]);
}
