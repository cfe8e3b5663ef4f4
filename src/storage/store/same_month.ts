import type { Column } from "../../api/columns/column.ts";
import { figures, intervalTable, type MonthFigures } from "../../api/columns/month_columns.ts";

/** Relative difference below which figures are the same: a recalculation on another machine is not a revision. */
const SAME = 1e-9;

/** Figures of a month that no other month is part of. */
const ownFigures = figures.filter(({ name }) =>
  name === "month_index" || name === "month_abnormality_index" || name === "predicted_production"
);

/** Whether a value of a month is the same. An interval that was drawn again counts as the same, a new one does not. */
export function isSameValue(
  { name }: Column,
  x: string | number | null,
  y: string | number | null,
): boolean {
  if (x === y) return true;
  if (x === null || y === null) return false;
  if (name in intervalTable) return true;
  return typeof x === "number" && typeof y === "number" && Math.abs(x - y) <= SAME * Math.abs(x);
}

/** Whether the figures of a month that no other month is part of are the same. */
export function hasSameEnergy(a: MonthFigures, b: MonthFigures): boolean {
  return ownFigures.every((one) => isSameValue(one, a[one.name], b[one.name]));
}
