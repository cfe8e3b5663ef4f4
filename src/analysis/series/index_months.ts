import type { DataFrame } from "nodejs-polars";
import { type Column, pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame, turbineId } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { buildRefuse, readMonths, readNumbers } from "../../frames/read_columns.ts";

/** A month of a frame of monthly indices; figures that are missing are `null`. */
export interface IndexMonth {
  /** Months since year 0: year x 12 + month - 1. */
  readonly number: number;
  /** Calendar year. */
  readonly year: number;
  /** Calendar month, 1 to 12. */
  readonly month: number;
  /** Month index, %. */
  readonly index: number | null;
  /** Month abnormality index, %. */
  readonly abnormality: number | null;
  /** Predicted production, MWh. */
  readonly predicted: number | null;
  /** Share of valid hours. */
  readonly completeness: number | null;
}

const [month, index, abnormality, predicted, completeness] = pickColumns(monthlyIndicesFrame, [
  "month",
  "month_index",
  "month_abnormality_index",
  "predicted_production",
  "completeness",
]);

/**
 * Reads a frame of monthly indices of one turbine.
 *
 * @param indices Frame with `month` and `month_index`, and other columns of `monthlyIndices()`
 * @param what Action, for messages: "estimate the long-term production"
 * @returns The months in order of time
 * @throws {ArgumentError} If a column is missing or of another type, or a month is duplicated
 */
export function readIndexMonths(indices: DataFrame, what: string): IndexMonth[] {
  const names = Object.keys(indices);
  const refuse = (problem: string): never => {
    throw new ArgumentError(`Cannot ${what}: the indices ${problem}`);
  };
  const missing = [month, index].filter(({ name }) => !names.includes(name));
  if (missing.length > 0) {
    const list = missing.map(({ name, unit }) => unit ? `"${name}" (${unit})` : `"${name}"`);
    refuse(
      `lack ${list.join(", ")}; they have ${names.join(", ") || "no columns"}. ` +
        "Give the frame of monthlyIndices(), or rename a column of yours",
    );
  }
  const refuseColumn = buildRefuse(`${what} from the indices`);
  const numbers = readMonths(indices, month.name, refuseColumn);
  if (names.includes(turbineId.name) && indices.getColumn(turbineId.name).nUnique() > 1) {
    refuse(`are of several turbines. Keep one by "${turbineId.name}"`);
  }
  const values = ({ name }: Column): (number | null)[] => {
    if (!names.includes(name)) return numbers.map(() => null);
    const read = readNumbers(indices, name, refuseColumn);
    return Array.from(read, (value) => Number.isNaN(value) ? null : value);
  };
  const columns = [index, abnormality, predicted, completeness].map(values);
  const rows = numbers.map((number, i): IndexMonth => ({
    number,
    year: Math.floor(number / 12),
    month: number % 12 + 1,
    index: columns[0][i],
    abnormality: columns[1][i],
    predicted: columns[2][i],
    completeness: columns[3][i],
  })).sort((a, b) => a.number - b.number);
  const duplicate = rows.find((row, i) => i > 0 && row.number === rows[i - 1].number);
  if (duplicate) {
    refuse(
      `have duplicate rows of ${duplicate.year}-${
        String(duplicate.month).padStart(2, "0")
      }. Keep one row a month`,
    );
  }
  return rows;
}
