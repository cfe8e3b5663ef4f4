import type { DataFrame } from "nodejs-polars";
import { zoneColumns } from "../../api/columns/columns.ts";
import { readTexts } from "../../frames/read_columns.ts";
import type { TurbineDetails } from "../../api/resources/resources.ts";
import { resolveTimeZone } from "../../time/zones.ts";

const timeZoneColumn = zoneColumns[0].name;

/** Reads the turbine's zone from the column of zones, which model data of several zones have beside stamps in UTC. */
export function readTurbineZone(frame: DataFrame): string | undefined {
  if (!Object.keys(frame).includes(timeZoneColumn)) return undefined;
  const [zone, ...others] = new Set(readTexts(frame, timeZoneColumn));
  return others.length === 0 ? zone ?? undefined : undefined;
}

/** The turbine's zone in its details; `undefined` without one, or with a name that is not a zone. */
export function zoneOfDetails(
  details: Partial<Pick<TurbineDetails, "time_zone">> | undefined,
): string | undefined {
  const name = details?.time_zone ?? undefined;
  return name === undefined ? undefined : resolveTimeZone(name);
}
