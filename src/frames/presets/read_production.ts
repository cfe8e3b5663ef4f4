import type { DataFrame } from "nodejs-polars";
import { OPERATION } from "../production/production.ts";
import type { ProductionFormat } from "../production/production_format.ts";
import { describeFiles, eachFile, type FileNames } from "./named_files.ts";
import { planReading, type PresetFormat, wantedFiles } from "./preset_format.ts";
import type { PresetName } from "./presets.ts";
import { ProductionReader } from "./production_reader.ts";

/**
 * Reads production from files: CSV and other delimited texts, Excel (.xlsx) or Parquet, also packed as `.gz`.
 *
 * @param files Path or URL of a file, a list of them, a folder, a pattern like "data/*.csv", or a zip archive of many. Files
 * are joined in the order of time; rows of the same turbine and time with equal values are counted once
 * @param how Columns, unit, resolution, zone and format of the files: nothing is guessed. Or the name of a preset, a layout
 * that is known: "greenbyte", "hill-of-towie", "edp" or "danish-register"; or `{ preset, … }` with what differs from it
 * @returns A frame of `time` (Datetime, in the zone given or UTC) and `power` (Float64, kW) for hours, parts of them and days;
 * `month` (Date) and `energy` (Float64, MWh) for months; `year` (Int32) and `energy` for years. Of several turbines
 * `turbine_id` comes first, one turbine after the other; `status` (Utf8), `availability` (Float64, 0 to 1) and
 * `valid_hours` (Float64, h) come last if they are declared. Missing values are null
 * @throws {DataFormatError} If a file does not fit, two rows of a time have different values, an availability is not a share, or valid hours are more than the
 * period has; the message names line and column, or the cell
 * @throws {ArgumentError} If there is no such file or preset, fields contradict each other, or what a file does not say,
 * such as its zone, is not given
 *
 * @example Monthly production
 * ```ts
 * import { readProduction } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const file = await Deno.makeTempFile({ suffix: ".csv" });
 * await Deno.writeTextFile(file, "month;energy\n2023-01;412.5\n2023-02;\n");
 * const production = await readProduction(file, {
 *   column: "energy",
 *   time: "month",
 *   resolution: "month",
 *   unit: "MWh",
 * });
 * assertEquals(production.getColumn("energy").nullCount(), 1);
 * await Deno.remove(file);
 * ```
 *
 * @example Ten minutes of two turbines side by side, with a merged header and decimal commas
 * ```ts
 * import { readProduction } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const file = await Deno.makeTempFile({ suffix: ".csv" });
 * await Deno.writeTextFile(
 *   file,
 *   "Zeit;WTG 03;;WTG 04;\n;Power;Status;Power;Status\n;kW;;kW;\n" +
 *     "01.05.2023 00:10;1.840,5;Run;1.902,0;Run\n",
 * );
 * const production = await readProduction(file, {
 *   column: { T3: "WTG 03 / Power / kW", T4: "WTG 04 / Power / kW" },
 *   status: { T3: "WTG 03 / Status", T4: "WTG 04 / Status" },
 *   time: "Zeit",
 *   time_format: "DD.MM.YYYY HH:mm",
 *   time_zone: "Europe/Berlin",
 *   stamp: "end",
 *   resolution: "10min",
 *   unit: "kW",
 *   header_rows: 3,
 *   decimal: ",",
 *   thousands: ".",
 * });
 * assertEquals(production.columns, ["turbine_id", "time", "power", "status"]);
 * assertEquals(production.getColumn("power").toArray(), [1840.5, 1902]);
 * await Deno.remove(file);
 * ```
 */
export async function readProduction(
  files: FileNames,
  how: ProductionFormat | PresetName | PresetFormat,
): Promise<DataFrame> {
  const name = describeFiles(files);
  const plan = planReading(name, how);
  const reader = new ProductionReader(plan, name);
  const choice = { wanted: wantedFiles(plan), operation: OPERATION };
  await eachFile(files, choice, (file) => reader.add(file));
  return reader.end();
}
