import pl, { type DataFrame } from "nodejs-polars";
import { problemWithMonth } from "../../api/calendar.ts";
import type { Column } from "../../api/columns/column.ts";
import { month as monthColumn, windIndicesCsv } from "../../api/columns/columns.ts";
import { STAMP_NAMES } from "../../api/columns/model_columns.ts";
import { DataFormatError } from "../../api/errors.ts";
import { holdsNames, namesInHeader, renameInHeader } from "../../frames/csv/csv_names.ts";
import { openCsv } from "../../frames/csv/csv_reader.ts";
import { buildFrame } from "../../frames/frame.ts";
import { readTexts } from "../../frames/read_columns.ts";
import {
  amongColumns,
  checkTableForm,
  tableAdvice,
  type TableForm,
} from "../answers/table_form.ts";
import type { Body } from "../http/body.ts";

/** A month as another service may send it, instead of year and month. */
const dateOfMonth: Column = {
  ...monthColumn,
  name: "date",
  aliases: [...STAMP_NAMES, "period", "month"],
  dtype: "utf8",
};

/**
 * Checks the names that a caller gives for a table of indices.
 *
 * @throws {ArgumentError} If one is not the name of a column
 */
export function checkIndicesColumns(call: string, options: TableForm): void {
  checkTableForm(call, options, ...amongColumns([...windIndicesCsv, dateOfMonth]));
}

/** Reads the body of wind indices. */
export async function readIndices(
  body: Body,
  url: string,
  { columns = {} }: TableForm = {},
): Promise<DataFrame> {
  const [year, month, ...rest] = renameInHeader(windIndicesCsv, columns);
  const [date] = renameInHeader([dateOfMonth], columns);
  const figures = rest.filter(({ optional }) => !optional);
  const reader = openCsv(
    (
      names,
    ) => [
      ...holdsNames(names, [year, month].map(namesInHeader), true) ? [year, month] : [date],
      ...rest,
    ],
    { file: url, required: figures, advice: tableAdvice },
  );
  for await (const part of body.parts) reader.write(part);
  const frame = splitDates(reader.end().frame, url);
  assertMonths(frame, url);
  return frame;
}

/** Replaces a column of dates by those of years and months. */
function splitDates(frame: DataFrame, url: string): DataFrame {
  if (!frame.columns.includes(dateOfMonth.name)) return frame;
  const months = readTexts(frame, dateOfMonth.name).map((text, row) => {
    const [, year, month] = FIRST_OF_MONTH.exec(text ?? "") ?? [];
    if (month !== undefined) return { year: Number(year), month: Number(month) };
    throw new DataFormatError(
      `Cannot use the answer of ${url}: row ${row + 1}: ${
        JSON.stringify(text)
      } is not a month or its first day`,
      { operation: "wind_indices", url },
    );
  });
  const calendar = windIndicesCsv.slice(0, 2);
  const [years, numbers] = [months.map(({ year }) => year), months.map(({ month }) => month)];
  const split = buildFrame(calendar, { [calendar[0].name]: years, [calendar[1].name]: numbers });
  return pl.DataFrame([...split.getColumns(), ...frame.drop(dateOfMonth.name).getColumns()]);
}

/** A month, or midnight of its first day. */
const FIRST_OF_MONTH = /^(\d{4})-(\d{2})(?:-01(?:[T ]00:00.*)?)?$/;

/**
 * Refuses a table with a duplicate or invalid month: which of its rows counts cannot be guessed.
 *
 * @throws {DataFormatError} If a month is duplicated or invalid
 */
function assertMonths(frame: DataFrame, url: string): void {
  const [yearColumn, monthColumn] = windIndicesCsv;
  const years = frame.getColumn(yearColumn.name).toArray() as (number | null)[];
  const months = frame.getColumn(monthColumn.name).toArray() as (number | null)[];
  const seen = new Set<string>();
  for (const [row, year] of years.entries()) {
    const name = `${year}-${String(months[row]).padStart(2, "0")}`;
    const problem = seen.has(name)
      ? "is duplicated"
      : year === null || months[row] === null || problemWithMonth(name) !== null
      ? "is not a month"
      : undefined;
    if (problem) {
      throw new DataFormatError(
        `Cannot use the answer of ${url}: row ${row + 1}: ${name} ${problem}`,
        {
          operation: "wind_indices",
          url,
          hint: "Tell the provider of the service",
        },
      );
    }
    seen.add(name);
  }
}
