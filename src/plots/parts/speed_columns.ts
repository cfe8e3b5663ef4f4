import type { DataFrame } from "nodejs-polars";
import { modelDataCsv } from "../../api/columns/columns.ts";
import { pickColumns } from "../../api/columns/column.ts";
import { ArgumentError } from "../../api/errors.ts";
import { clipText } from "./text.ts";

const [speedColumn, directionColumn] = pickColumns(modelDataCsv, ["wind_speed", "wind_direction"]);

/** The column of wind speeds: the chosen one, else `wind_speed`, else that of the greatest height. */
export function chooseSpeedColumn(frame: DataFrame, chosen: string | undefined): string {
  if (chosen !== undefined) return chosen;
  const { name } = speedColumn;
  if (frame.columns.includes(name)) return name;
  const height = (column: string) => Number(column.slice(name.length + 1).replace("_", "."));
  const [highest] = frame.columns.filter((column) => column.startsWith(`${name}_`))
    .filter((column) => Number.isFinite(height(column)))
    .sort((a, b) => height(b) - height(a));
  return highest ?? name;
}

/** The column of directions at the height of a column of speeds: `wind_direction_100` for `wind_speed_100`. */
export function findDirectionColumn(speed: string): string {
  return speed.startsWith(speedColumn.name)
    ? speed.replace(speedColumn.name, directionColumn.name)
    : directionColumn.name;
}

/** Highest possible wind speed, m/s: a value above it is in another unit, or a code for a missing value. */
const MAX_WIND_SPEED = 150;

/**
 * Checks that wind speeds are possible in m/s; NaN is a missing value.
 *
 * @throws {ArgumentError} If one is above 150 m/s
 */
export function assertSpeeds(speeds: Float64Array, column: string, what: string): void {
  const wrong = speeds.find((speed) => speed > MAX_WIND_SPEED);
  if (wrong === undefined) return;
  throw new ArgumentError(
    `Cannot plot ${what}: column "${clipText(column)}" has a wind speed of ${wrong}, above ` +
      `${MAX_WIND_SPEED} m/s. Convert it to m/s, or replace such values with null`,
  );
}
