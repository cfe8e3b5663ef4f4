import type { DataFrame } from "nodejs-polars";
import { zoneColumns } from "../../api/columns/columns.ts";
import { readTexts } from "../../frames/read_columns.ts";
import type { TurbineDetailsResource } from "../../api/resources/resources.ts";
import { resolveTimeZone } from "../../time/zones.ts";

const timeZoneColumn = zoneColumns[0].name;

/** The turbine's zone, where a frame has it in a column of its own: model data of several zones have stamps in UTC. */
export function readTurbineZone(frame: DataFrame): string | undefined {
  if (!Object.keys(frame).includes(timeZoneColumn)) return undefined;
  const [zone, ...others] = new Set(readTexts(frame, timeZoneColumn));
  return others.length === 0 ? zone ?? undefined : undefined;
}

/** The turbine's zone as its details declare it; `undefined` where they do not, or by a name that is no zone. */
export function zoneOfDetails(
  details: Partial<Pick<TurbineDetailsResource, "time_zone">> | undefined,
): string | undefined {
  return details?.time_zone === undefined ? undefined : resolveTimeZone(details.time_zone);
}
