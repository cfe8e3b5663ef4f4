import type { DataFrame } from "nodejs-polars";
import { modelDataCsv } from "../api/columns.ts";
import { pickColumns } from "../api/column.ts";

const [speedColumn, directionColumn] = pickColumns(modelDataCsv, ["wind_speed", "wind_direction"]);

/** The column of wind speeds: the one chosen, that without a height, or that of the greatest height. */
export function speedColumnIn(frame: DataFrame, chosen: string | undefined): string {
  if (chosen !== undefined) return chosen;
  const { name } = speedColumn;
  if (frame.columns.includes(name)) return name;
  const height = (column: string) => Number(column.slice(name.length + 1).replace("_", "."));
  const [highest] = frame.columns.filter((column) => column.startsWith(`${name}_`))
    .filter((column) => Number.isFinite(height(column)))
    .sort((a, b) => height(b) - height(a));
  return highest ?? name;
}

/** The column of directions that belongs to one of speeds: `wind_direction_100` to `wind_speed_100`. */
export function directionColumnFor(speed: string): string {
  return speed.startsWith(speedColumn.name)
    ? speed.replace(speedColumn.name, directionColumn.name)
    : directionColumn.name;
}
