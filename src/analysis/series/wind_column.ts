import { climateColumnByName } from "../../api/columns/climate_columns.ts";
import { type Column, pickColumns, wireName } from "../../api/columns/column.ts";
import { modelDataCsv } from "../../api/columns/columns.ts";

const [atHub] = pickColumns(modelDataCsv, ["wind_speed"]);
const windName = climateColumnByName(atHub.name)!;

/** Whether a column holds wind speeds, by the names of the contract. */
export function isWind(name: string): boolean {
  const column = climateColumnByName(name);
  return column !== undefined &&
    (name === atHub.name || wireName(column).startsWith(`${wireName(windName)}.`));
}

/** Height above ground that the name of a wind column tells, m; -1 where it tells none. */
function heightOf(column: Column): number {
  const height = wireName(column).slice(wireName(windName).length + 1);
  return height === "" ? -1 : Number(height);
}

/**
 * The column of the wind among names of columns: by the names of the contract, of several heights the highest.
 *
 * @param names Names of the columns of a frame
 */
export function findWindColumn(names: readonly string[]): Column | undefined {
  return names.filter(isWind).map((name) => climateColumnByName(name)!)
    .sort((a, b) => heightOf(b) - heightOf(a))[0];
}
