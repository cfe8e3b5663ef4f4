import type { DataFrame } from "nodejs-polars";
import { turbineId } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import type { Provenance } from "../../frames/provenance.ts";
import { readTextColumn } from "./read_columns.ts";
import { clipText } from "./text.ts";

/**
 * Makes sure that the rows of a frame are of one turbine: mixed ones would make a picture of none.
 *
 * @returns Its id, or an empty text where the frame names none
 * @throws {ArgumentError} If there are several
 */
function readSingleTurbine(frame: DataFrame, what: string): string {
  const [first = "", second] = [...new Set(readTextColumn(frame, turbineId.name))]
    .filter((id) => id !== null);
  if (second === undefined) return first;
  throw new ArgumentError(
    `Cannot plot ${what}: the frame holds several turbines, "${clipText(first)}" and ` +
      `"${clipText(second)}" among them. ` +
      `Keep one with frame.filter(pl.col("${turbineId.name}").eq(pl.lit("${clipText(first)}")))`,
  );
}

function formatCoordinate(value: string | number, positive: string, negative: string): string {
  const number = Number(value);
  return `${Math.abs(number)} ${number < 0 ? negative : positive}`;
}

/**
 * What a frame is about: a turbine, or a place of a dataset; an empty text where nothing says so.
 *
 * @throws {ArgumentError} If the frame holds several turbines
 */
export function formatSubject(
  frame: DataFrame,
  origin: Provenance | undefined,
  what: string,
): string {
  const turbine = readSingleTurbine(frame, what);
  if (turbine !== "") return clipText(turbine);
  const { turbine_id: id, service_id: dataset, lat, lon } = origin?.parameters ?? {};
  if (id !== undefined) return clipText(String(id));
  if (dataset === undefined) return "";
  const place = lat === undefined || lon === undefined
    ? ""
    : ` at ${formatCoordinate(lat, "N", "S")}, ${formatCoordinate(lon, "E", "W")}`;
  return clipText(`${dataset}${place}`);
}

/** Title that a chart has when none was given: what it shows, and of what. */
export function formatTitle(what: string, subject: string): string {
  return subject === "" ? what : `${what} of ${subject}`;
}
