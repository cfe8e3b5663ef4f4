import { ArgumentError } from "../../api/errors.ts";
import { homeFolder } from "../../disk/home.ts";
import { loadService } from "../connection/connection.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";

/** Options of {@linkcode exampleFile}. */
export interface ExampleFileOptions {
  /** Folder below which the files are stored. @default VINDKIT_HOME, else `~/.vindkit` */
  home?: string;
}

const OPTIONS = declareOptions<ExampleFileOptions>()("home");

/**
 * Path of one of the sample's own files: SYNTHETIC data in the formats that owners use. The file is written at first
 * use.
 *
 * @param name `site.json` (for an import), `climate.csv`, `production.csv` (hourly, kW), `production_monthly.csv` (MWh)
 * or `power_curve.csv`
 * @param options `home`: the folder below which the files are written, VINDKIT_HOME by default
 * @throws {ArgumentError} If there is no file of that name
 *
 * @example
 * ```ts
 * import { exampleFile, readProduction } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const production = await readProduction(await exampleFile("production_monthly.csv"), {
 *   column: "energy",
 *   time: "month",
 *   resolution: "month",
 *   unit: "MWh",
 * });
 * assertEquals(production.columns, ["month", "energy"]);
 * ```
 */
export async function exampleFile(
  name: string,
  options: ExampleFileOptions = {},
): Promise<string> {
  readOptions("exampleFile()", options, OPTIONS);
  const { EXAMPLE_FILES, SAMPLE_FOLDER, writeExampleFiles } = await loadService();
  if (!(EXAMPLE_FILES as readonly string[]).includes(name)) {
    throw new ArgumentError(
      `Cannot find the example file "${name}": there are ${EXAMPLE_FILES.join(", ")}`,
    );
  }
  const folder = `${options.home ?? homeFolder()}/${SAMPLE_FOLDER}/examples`;
  const complete = await Deno.stat(`${folder}/site.json`).then(() => true, () => false);
  if (!complete) await writeExampleFiles(folder);
  return `${folder}/${name}`;
}
