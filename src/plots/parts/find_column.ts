import type { DataFrame } from "nodejs-polars";
import { climateColumnByName } from "../../api/columns/climate_columns.ts";
import type { Column } from "../../api/columns/column.ts";
import { modelDataCsv, monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { displayOf } from "../../show/frame_display.ts";
import { clipText } from "./text.ts";

/** Characters shown of the name of a column without a declaration. */
const MAX_NAME_LENGTH = 40;

/** Finds the declaration of a column: in the frames, else in the contract. An unknown column has its name as label, and no unit. */
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
