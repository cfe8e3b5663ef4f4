import type { DataFrame } from "nodejs-polars";
import type { Column } from "../../api/columns/column.ts";
import { DataFormatError } from "../../api/errors.ts";
import { wrapLongitude } from "../../frames/grid_points.ts";
import type { ClimateSource } from "../declaration/site_file.ts";
import { buildColumn } from "../source_files.ts";

/** Largest difference between the declared place and the file's place, deg: the error of rounding to one decimal. */
const PLACE_TOLERANCE = 0.05;

/**
 * Rejects a declared point that differs from the point of the file.
 *
 * @throws {DataFormatError} If they differ
 */
export function assertPlace(
  file: string,
  { latitude, longitude }: Pick<ClimateSource, "latitude" | "longitude">,
  place: { readonly latitude: number; readonly longitude: number },
): void {
  const isNear = (one = NaN, other: number) =>
    Number.isNaN(one) || Math.abs(wrapLongitude(one - other)) <= PLACE_TOLERANCE + 1e-9;
  if (isNear(latitude, place.latitude) && isNear(longitude, place.longitude)) return;
  throw new DataFormatError(
    `Cannot use ${file}: its point is latitude ${place.latitude}, longitude ${place.longitude}, but the declared point is ` +
      `latitude ${latitude}, longitude ${longitude}. Declare the point of the file`,
    { code: "place" },
  );
}

/** Names of columns with the point of each row, in lower case. */
const NAMES = { latitude: ["latitude", "lat"], longitude: ["longitude", "lon", "lng"] } as const;

/** Declares optional columns with the point of a table. They are read as text, so odd values in undeclared columns do not fail. */
export function buildPlaceColumns(
  columns: readonly Column[],
): (Column & { readonly wire: string; readonly aliases: readonly string[] })[] {
  const taken = columns.map(({ wire }) => wire!.toLowerCase());
  return Object.entries(NAMES).flatMap(([name, names]) => {
    const [wire, ...aliases] = names.filter((one) => !taken.includes(one));
    return wire === undefined
      ? []
      : [{ ...buildColumn(name, "utf8", wire), wire, aliases, optional: true }];
  });
}

/** Finds a place in the lines before a header: "Latitude: 55.5", or a row of names above a row of values. */
function findPlace(lines: readonly string[]): { latitude?: number; longitude?: number } {
  const place: { latitude?: number; longitude?: number } = {};
  const cells = lines.map((line) => line.split(/[,;\t]/).map((cell) => cell.trim()));
  for (const name of ["latitude", "longitude"] as const) {
    const names: readonly string[] = NAMES[name];
    const stated = new RegExp(
      `\\b(?:${names.join("|")})\\b["']?\\s*[:=,;]\\s*(-?\\d+(?:\\.\\d+)?)`,
      "i",
    );
    const [text] = lines.flatMap((line, row) => {
      const column = cells[row].findIndex((cell) => names.includes(cell.toLowerCase()));
      return [stated.exec(line)?.[1], cells[row + 1]?.[column]];
    }).filter((text) => text !== undefined && isNumber(text));
    if (text !== undefined) place[name] = toNumber(text);
  }
  return place;
}

const isNumber = (text: string) => /^-?\d+([.,]\d+)?$/.test(text.trim());
const toNumber = (text: string) => Number(text.replace(",", "."));

/**
 * Rejects a table with several points, or with another point than the declared one.
 *
 * @param frame Its columns `latitude` and `longitude`, if it has them
 * @param preamble Lines before the header, which may have the point
 * @throws {DataFormatError} If it has several points, or another one
 */
export function assertOnePlace(
  frame: DataFrame,
  preamble: readonly string[] = [],
  file: string,
  source: ClimateSource,
): void {
  const declared = { latitude: source.latitude!, longitude: source.longitude! };
  const place = { ...declared, ...findPlace(preamble) };
  for (const name of ["latitude", "longitude"] as const) {
    if (!frame.columns.includes(name)) continue;
    const texts = frame.getColumn(name).unique().toArray().map((value) => String(value ?? ""));
    const values = texts.filter(isNumber).map(toNumber);
    if (values.length > 1) {
      throw new DataFormatError(
        `Cannot use ${file}: it contains ${values.length} values of ${name}, such as ${
          values[0]
        } and ` +
          `${values[1]}. Give a file for each point, with only the rows of that point`,
        { code: "place", column: name },
      );
    }
    if (values.length === 1) place[name] = values[0];
  }
  assertPlace(file, source, place);
}
