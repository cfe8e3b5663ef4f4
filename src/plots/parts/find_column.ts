import type { DataFrame } from "nodejs-polars";
import { climateColumnByName } from "../../api/columns/climate_columns.ts";
import type { Column } from "../../api/columns/column.ts";
import { modelDataCsv, monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { displayOf } from "../../show/frame_display.ts";
import { clipText } from "./text.ts";

/** Most characters of the name of a column that nobody declared. */
const MAX_NAME_LENGTH = 40;

/** The declaration of a column: that which a frame carries, or else that of the contract; an unknown one is called by its name. */
export function findColumn(name: string, frames: readonly (DataFrame | undefined)[]): Column {
  const carried = frames.flatMap((frame) => frame ? displayOf(frame)?.columns ?? [] : []);
  return [...carried, ...modelDataCsv, ...monthlyIndicesFrame]
    .find((column) => column.name === name) ?? climateColumnByName(name) ?? {
    name,
    dtype: "f64",
    label: clipText(name, MAX_NAME_LENGTH),
    description: name,
    tag: "ours",
  };
}
