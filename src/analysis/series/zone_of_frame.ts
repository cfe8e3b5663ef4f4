import type { DataFrame, DataType } from "nodejs-polars";
import { zoneColumns } from "../../api/columns/columns.ts";
import type { TurbineDetailsResource } from "../../api/resources/resources.ts";
import { resolveTimeZone } from "../../time/zones.ts";

const timeZoneColumn = zoneColumns[0].name;

/** Zone of a datetime; only its printed form holds it. */
export function zoneOf(dtype: DataType): string | undefined {
  return /^DataType\(Datetime\(\w+,(.+)\)\)$/.exec(String(dtype))?.[1];
}

/** The turbine's zone, where a frame has it in a column of its own: model data of several zones have stamps in UTC. */
export function turbineZone(frame: DataFrame): string | undefined {
  if (!Object.keys(frame).includes(timeZoneColumn)) return undefined;
  const zones = frame.getColumn(timeZoneColumn).unique().toArray();
  return zones.length === 1 && typeof zones[0] === "string" ? zones[0] : undefined;
}

/** The turbine's zone as its details declare it; `undefined` where they do not, or by a name that is no zone. */
export function zoneOfDetails(
  details: Partial<Pick<TurbineDetailsResource, "time_zone">> | undefined,
): string | undefined {
  return details?.time_zone === undefined ? undefined : resolveTimeZone(details.time_zone);
}
