import type { DataFrame } from "nodejs-polars";

/** Values of a column. */
export function readColumn<T = unknown>(frame: DataFrame, name: string): T[] {
  return frame.getColumn(name).toArray() as T[];
}

/** Types of the columns, such as `Float64`. */
export function typesOf(frame: DataFrame): string[] {
  return frame.dtypes.map((dtype) => String(dtype).replace(/^DataType\((.*)\)$/, "$1"));
}
