import type { DataFrame } from "nodejs-polars";
import { climateColumnByName } from "../../api/columns/climate_columns.ts";
import { type Column, pickColumns, wireName } from "../../api/columns/column.ts";
import { modelDataCsv, time, turbineId, zoneColumns } from "../../api/columns/columns.ts";
import type { TurbineDetails } from "../../api/resources/resources.ts";
import { readStamps, readTexts, type Refuse, type Stamps } from "../../frames/read_columns.ts";
import { displayOf } from "../../show/check_frame.ts";
import { resolveTimeZone } from "../../time/zones.ts";

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
 * Finds the wind column by the names of the contract; with several heights the highest.
 *
 * @param names Names of the columns of a frame
 */
export function findWindColumn(names: readonly string[]): Column | undefined {
  return names.filter(isWind).map((name) => climateColumnByName(name)!)
    .sort((a, b) => heightOf(b) - heightOf(a))[0];
}

const timeZoneColumn = zoneColumns[0].name;

/**
 * Reads the turbine's zone from the column of zones, which model data of several zones have next to timestamps in UTC.
 */
export function readTurbineZone(frame: DataFrame): string | undefined {
  if (!Object.keys(frame).includes(timeZoneColumn)) return undefined;
  const [zone, ...others] = new Set(readTexts(frame, timeZoneColumn));
  return others.length === 0 ? zone ?? undefined : undefined;
}

/** The turbine's zone in its details; `undefined` without one, or if the name is not a zone. */
export function zoneOfDetails(
  details: Partial<Pick<TurbineDetails, "time_zone">> | undefined,
): string | undefined {
  const name = details?.time_zone ?? undefined;
  return name === undefined ? undefined : resolveTimeZone(name);
}

/**
 * Reads the timestamps of a frame in the order of its rows, in the turbine's zone if the frame has it.
 *
 * @param gaps Whether a row may have no timestamp
 */
export function readTurbineStamps(
  frame: DataFrame,
  refuse: Refuse,
  gaps: "no gaps" | "gaps" = "no gaps",
): Stamps {
  const { epochs, timeZone } = readStamps(frame, time.name, refuse, gaps);
  return { epochs, timeZone: readTurbineZone(frame) ?? timeZone };
}

/** Rejects a frame of several turbines, because their rows would be mixed. */
export function assertOneTurbine(frame: DataFrame, refuse: Refuse): void {
  if (!frame.columns.includes(turbineId.name)) return;
  const ids = frame.getColumn(turbineId.name).unique().toArray();
  if (ids.length <= 1) return;
  refuse(
    `the frame has ${ids.length} turbines. Keep one with ` +
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
