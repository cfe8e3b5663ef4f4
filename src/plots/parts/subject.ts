import type { DataFrame } from "nodejs-polars";
import { turbineId } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import type { Provenance } from "../../frames/provenance.ts";
import { textsIn } from "./input.ts";
import { clipped } from "./text.ts";

/**
 * Makes sure that the rows of a frame are of one turbine: mixed ones would make a picture of none.
 *
 * @returns Its id, or an empty text where the frame names none
 * @throws {ArgumentError} If there are several
 */
function oneTurbine(frame: DataFrame, what: string): string {
  const [first = "", second] = [...new Set(textsIn(frame, turbineId.name))]
    .filter((id) => id !== null);
  if (second === undefined) return first;
  throw new ArgumentError(
    `Cannot plot ${what}: the frame holds several turbines, "${clipped(first)}" and ` +
      `"${clipped(second)}" among them. ` +
      `Keep one with frame.filter(pl.col("${turbineId.name}").eq(pl.lit("${clipped(first)}")))`,
  );
}

function coordinate(value: string | number, positive: string, negative: string): string {
  const number = Number(value);
  return `${Math.abs(number)} ${number < 0 ? negative : positive}`;
}

/**
 * What a frame is about: a turbine, or a place of a dataset; an empty text where nothing says so.
 *
 * @throws {ArgumentError} If the frame holds several turbines
 */
export function subjectOf(
  frame: DataFrame,
  origin: Provenance | undefined,
  what: string,
): string {
  const turbine = oneTurbine(frame, what);
  if (turbine !== "") return clipped(turbine);
  const { turbine_id: id, service_id: dataset, lat, lon } = origin?.parameters ?? {};
  if (id !== undefined) return clipped(String(id));
  if (dataset === undefined) return "";
  const place = lat === undefined || lon === undefined
    ? ""
    : ` at ${coordinate(lat, "N", "S")}, ${coordinate(lon, "E", "W")}`;
  return clipped(`${dataset}${place}`);
}

/** Title that a chart has when none was given: what it shows, and of what. */
export function titled(what: string, subject: string): string {
  return subject === "" ? what : `${what} of ${subject}`;
}
