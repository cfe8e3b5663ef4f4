import type { DataFrame } from "nodejs-polars";
import { turbineId } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import type { Origin } from "../../frames/provenance.ts";
import { readTextColumn } from "./read_columns.ts";
import { clipText } from "./text.ts";

/**
 * Checks that the rows of a frame are of one turbine: a picture of several mixed would be wrong for each.
 *
 * @returns Its id, or an empty text if the frame has no ids
 * @throws {ArgumentError} If there are several
 */
function readSingleTurbine(frame: DataFrame, what: string): string {
  const [first = "", second] = [...new Set(readTextColumn(frame, turbineId.name))]
    .filter((id) => id !== null);
  if (second === undefined) return first;
  throw new ArgumentError(
    `Cannot plot ${what}: the frame has several turbines, such as "${clipText(first)}" and ` +
      `"${clipText(second)}". ` +
      `Keep one with frame.filter(pl.col("${turbineId.name}").eq(pl.lit("${clipText(first)}")))`,
  );
}

function formatCoordinate(value: string | number, positive: string, negative: string): string {
  const number = Number(value);
  return `${Math.abs(number)} ${number < 0 ? negative : positive}`;
}

/**
 * Formats what a frame is of: a turbine, or a place in a dataset; an empty text if neither is known.
 *
 * @throws {ArgumentError} If the frame has several turbines
 */
export function formatSubject(
  frame: DataFrame,
  origin: Origin,
  what: string,
): string {
  const turbine = readSingleTurbine(frame, what);
  if (turbine !== "") return clipText(turbine);
  const all = origin.map(({ parameters }) => parameters);
  const ids = new Set(all.flatMap(({ turbine_id: id }) => id ?? []));
  const { turbine_id: id, service_id: dataset, lat, lon } = ids.size > 1
    ? {}
    : all.find(({ turbine_id: id }) => id !== undefined) ?? all[0] ?? {};
  if (id !== undefined) return clipText(String(id));
  if (dataset === undefined) return "";
  const place = lat === undefined || lon === undefined
    ? ""
    : ` at ${formatCoordinate(lat, "N", "S")}, ${formatCoordinate(lon, "E", "W")}`;
  return clipText(`${dataset}${place}`);
}

/**
 * Default title of a chart: what it shows, of which turbine or place, and when.
 *
 * @param subject Turbine, place or fleet; empty if it is not known
 * @param time Months or years; empty if the figures have none
 */
export function formatTitle(what: string, subject: string, time = ""): string {
  return (subject === "" ? what : `${what} of ${subject}`) + (time === "" ? "" : `, ${time}`);
}
