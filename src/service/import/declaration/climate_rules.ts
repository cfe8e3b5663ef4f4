import type { z } from "zod";
import type { FieldName } from "./field_names.ts";

/** Format of a climate file. */
type ClimateFormat = "netcdf" | "parquet" | "csv";

/** Format of a climate file, as declared or by its ending; `undefined` if neither says it. */
export function findClimateFormat(
  declared: ClimateFormat | undefined,
  file: string,
): ClimateFormat | undefined {
  if (declared) return declared;
  if (/\.nc4?$/.test(file)) return "netcdf";
  if (/\.parquet$/.test(file)) return "parquet";
  if (/\.(csv|tsv|txt)(\.gz)?$/.test(file)) return "csv";
}

/** What a climate source of valid fields declares. */
interface Source {
  readonly files: readonly string[];
  readonly format?: ClimateFormat | undefined;
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
  readonly time?: unknown;
  readonly variables?: unknown;
}

/** What tables need, as NetCDF4 does not. */
const needed = {
  latitude: "the latitude of the point in deg, north positive",
  longitude: "the longitude of the point in deg, east positive",
  time: '{ "column": "time" }, the name of the column with the time',
  variables:
    '{ "wind_speed_100": { "column": "…", "unit": "m/s" } } and so on: names of variables, ' +
    "each with its column and unit",
} as const;

/**
 * Finds what a climate source lacks: a table does not say its point, and has columns of any name.
 *
 * @param source What the user declared
 * @param name Names of the fields as the user writes them
 * @param context Collects the problems
 */
export function addClimateProblems(
  source: Source,
  name: FieldName,
  context: z.core.$RefinementCtx,
): void {
  const report = (path: (string | number)[], message: string) =>
    context.addIssue({ code: "custom", path, message });
  const formats = source.files.map((file) => findClimateFormat(source.format, file));
  for (const [i, format] of formats.entries()) {
    if (format) continue;
    report(
      [name("files"), i],
      `the ending of ${
        JSON.stringify(source.files[i])
      } says no format. Give format "netcdf", "parquet" or "csv"`,
    );
  }
  if (formats.every((format) => format === "netcdf" || format === undefined)) return;
  for (const field of Object.keys(needed) as (keyof typeof needed)[]) {
    if (source[field] === undefined) {
      report([name(field)], `is missing. Give ${needed[field]}: only NetCDF4 has its own`);
    }
  }
}
