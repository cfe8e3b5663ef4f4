import type { DataFrame } from "nodejs-polars";
import { climateColumnByName } from "../../api/columns/climate_columns.ts";
import type { Column } from "../../api/columns/column.ts";
import { modelDataCsv, time, turbineId } from "../../api/columns/columns.ts";
import { readStamps, type Refuse, type Stamps } from "../../frames/read_columns.ts";
import { displayOf } from "../../show/frame_display.ts";
import { readTurbineZone } from "./turbine_zone.ts";

/**
 * Reads the stamps of a frame in the order of its rows; their zone is the turbine's where the frame has it.
 *
 * @param gaps Whether a row may have no stamp
 */
export function readTurbineStamps(
  frame: DataFrame,
  refuse: Refuse,
  gaps: "no gaps" | "gaps" = "no gaps",
): Stamps {
  const { epochs, timeZone } = readStamps(frame, time.name, refuse, gaps);
  return { epochs, timeZone: readTurbineZone(frame) ?? timeZone };
}

/** Refuses a frame of several turbines, whose rows would be mixed. */
export function assertOneTurbine(frame: DataFrame, refuse: Refuse): void {
  if (!frame.columns.includes(turbineId.name)) return;
  const ids = frame.getColumn(turbineId.name).unique().toArray();
  if (ids.length <= 1) return;
  refuse(
    `it has ${ids.length} turbines. Keep one with ` +
      `frame.filter(pl.col("${turbineId.name}").eq(pl.lit(${JSON.stringify(ids.sort()[0])})))`,
  );
}

/** The declaration of a column: from the frame, else from the contract; an unknown column is declared by its name. */
export function columnOf(frame: DataFrame, name: string): Column {
  const carried = displayOf(frame)?.columns ?? [];
  return [...carried, ...modelDataCsv].find((column) => column.name === name) ??
    climateColumnByName(name) ??
    { name, dtype: "f64", label: name, description: name, tag: "ours" };
}
