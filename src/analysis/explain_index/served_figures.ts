import pl, { type DataFrame } from "nodejs-polars";
import { pickColumns } from "../../api/columns/column.ts";
import { figures, monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { buildRefuse, readMonths, readNumbers, readTexts } from "../../frames/read_columns.ts";
import { monthOfNumber } from "../../time/zones.ts";
import type { ServedFigures } from "./index_steps.ts";

const [turbineColumn, monthColumn, statusColumn] = pickColumns(
  monthlyIndicesFrame,
  ["turbine_id", "month", "status"],
);

/** Figures and status of a month from the service. */
export interface ServedMonth {
  readonly figures: ServedFigures;
  /** Its status, such as "final"; `null` where it is missing. */
  readonly status: string | null;
}

/**
 * Reads figures and status of a month from the indices.
 *
 * @param month The month, "2023-05"
 * @throws {ArgumentError} If a column or the month is missing, or the month is duplicated
 */
export function readServedMonth(indices: DataFrame, id: string, month: string): ServedMonth {
  const names = Object.keys(indices);
  const missing = [monthColumn, ...figures].filter(({ name }) => !names.includes(name));
  if (missing.length > 0) {
    throw new ArgumentError(
      `Cannot explain the index of ${month}: the indices lack the columns ` +
        `${missing.map(({ name }) => name).join(", ")}. Give the frame of monthlyIndices()`,
    );
  }
  const own = names.includes(turbineColumn.name)
    ? indices.filter(pl.col(turbineColumn.name).eq(pl.lit(id)))
    : indices;
  const refuse = buildRefuse(`explain the index of ${month} from the indices`);
  const labels = readMonths(own, monthColumn.name, refuse)
    .map((number) => monthOfNumber(number).toString());
  const at = labels.flatMap((label, i) => label === month ? [i] : []);
  if (at.length !== 1) {
    const covered = labels.sort();
    const found = at.length > 1
      ? `have ${at.length} rows of it. Keep one turbine`
      : covered.length === 0
      ? `have no month of ${id}`
      : `cover ${covered[0]} to ${covered.at(-1)}. Ask monthlyIndices() for ${month}`;
    throw new ArgumentError(`Cannot explain the index of ${month}: the indices ${found}`);
  }
  const row = own.slice(at[0], 1);
  return {
    figures: ({ name }) => {
      const value = names.includes(name) ? readNumbers(row, name, refuse)[0] : NaN;
      return Number.isNaN(value) ? null : value;
    },
    status: names.includes(statusColumn.name) ? readTexts(row, statusColumn.name)[0] : null,
  };
}
