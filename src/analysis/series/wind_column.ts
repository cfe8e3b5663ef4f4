import { climateColumnByName } from "../../api/columns/climate_columns.ts";
import { type Column, pickColumns, wireName } from "../../api/columns/column.ts";
import { modelDataCsv } from "../../api/columns/columns.ts";

const [atHub] = pickColumns(modelDataCsv, ["wind_speed"]);
const windName = climateColumnByName(atHub.name)!;

/** Whether a column has wind speeds, by the names of the contract. */
export function isWind(name: string): boolean {
  const column = climateColumnByName(name);
  return column !== undefined &&
    (name === atHub.name || wireName(column).startsWith(`${wireName(windName)}.`));
}

/** Height above ground in the name of a wind column, m; -1 without one. */
function heightOf(column: Column): number {
  const height = wireName(column).slice(wireName(windName).length + 1);
  return height === "" ? -1 : Number(height);
}

/**
 * Finds the wind column by the names of the contract: of several heights the highest.
 *
 * @param names Names of the columns of a frame
 */
export function findWindColumn(names: readonly string[]): Column | undefined {
  return names.filter(isWind).map((name) => climateColumnByName(name)!)
    .sort((a, b) => heightOf(b) - heightOf(a))[0];
}
