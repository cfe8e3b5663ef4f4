import pl, { type DataFrame } from "nodejs-polars";
import { time, turbineId, zoneColumns } from "../../api/columns/columns.ts";
import type { FanOutResult } from "../answers/fan_out.ts";
import { joinRows, listOtherColumns, type TurbineFrame } from "../answers/join_frames.ts";

const [timeZone, localTime] = zoneColumns;

type Parts = FanOutResult<TurbineFrame>["done"];

/** IANA name of the zone of the stamps. */
function zoneOf(frame: DataFrame): string {
  return (frame.getColumn(time.name).dtype as unknown as { timeZone: string }).timeZone;
}

/**
 * Joins the hours of several turbines. A column has one zone: if there are several, the stamps are in UTC, with zone and
 * local time in columns beside them.
 */
export function joinHours(parts: Parts): DataFrame {
  const zones = parts.map(({ value }) => zoneOf(value.frame));
  const one = zones.every((zone) => zone === zones[0]);
  return joinRows(parts.map(({ turbineId: id, value }, i) => {
    const { frame, bodies } = value;
    const front = [turbineId, time, ...(one ? [] : zoneColumns)];
    const others = listOtherColumns(frame, front);
    const stamp = pl.col(time.name);
    const stamps = one ? [stamp] : [
      stamp.dt.convertTimeZone("UTC").alias(time.name),
      pl.lit(zones[i]).alias(timeZone.name),
      stamp.dt.strftime("%Y-%m-%dT%H:%M:%S%:z").alias(localTime.name),
    ];
    const columns = [
      pl.lit(id).alias(turbineId.name),
      ...stamps,
      ...others.map((name) => pl.col(name)),
    ];
    return { turbineId: id, value: { frame: frame.select(...columns), bodies } };
  }));
}
