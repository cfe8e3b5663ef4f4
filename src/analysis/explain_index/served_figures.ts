import pl, { type DataFrame } from "nodejs-polars";
import { type Column, pickColumns } from "../../api/columns/column.ts";
import { figures, monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import type { ServedFigures } from "./index_steps.ts";

const [turbineColumn, monthColumn, statusColumn] = pickColumns(
  monthlyIndicesFrame,
  ["turbine_id", "month", "status"],
);

/** What the service says of a month. */
export interface ServedMonth {
  /** Its figures. */
  readonly figures: ServedFigures;
  /** Its status, such as "final"; `null` where none is said. */
  readonly status: string | null;
}

/**
 * Finds what the service says of a month.
 *
 * @param indices Frame of monthly indices
 * @param id Turbine
 * @param month The month, "2023-05"
 * @throws {ArgumentError} If a column or the month is missing, or it stands there twice
 */
export function servedMonth(indices: DataFrame, id: string, month: string): ServedMonth {
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
  const labels = own.getColumn(monthColumn.name).cast(pl.Utf8).toArray() as (string | null)[];
  const at = labels.flatMap((label, i) => label?.slice(0, 7) === month ? [i] : []);
  if (at.length !== 1) {
    const covered = labels.filter((label) => label !== null).map((label) => label!.slice(0, 7))
      .sort();
    const found = at.length > 1
      ? `hold ${at.length} rows of it. Keep one turbine`
      : covered.length === 0
      ? `hold no month of ${id}`
      : `cover ${covered[0]} to ${covered.at(-1)}. Ask monthlyIndices() for ${month}`;
    throw new ArgumentError(`Cannot explain the index of ${month}: the indices ${found}`);
  }
  const valueOf = ({ name }: Column) =>
    names.includes(name) ? own.getColumn(name).getIndex(at[0]) as unknown : null;
  const status = valueOf(statusColumn);
  return {
    figures: (column) => {
      const value = valueOf(column);
      return typeof value === "number" && Number.isFinite(value) ? value : null;
    },
    status: typeof status === "string" ? status : null,
  };
}
