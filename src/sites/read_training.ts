import { ArgumentError } from "../api/errors.ts";
import { attachProvenance } from "../frames/origin/provenance.ts";
import { declareOptions, readOptions } from "../show/options/read_options.ts";
import type { TurbineTraining } from "../windindex/calibration/training.ts";
import type { Site } from "./declaration/site.ts";
import { computeHubReanalyses } from "./calibration/fit_reanalyses.ts";
import { type ImportSiteOptions, readSite } from "./import_site.ts";
import { Neighbourhood } from "./production/neighbour_production.ts";
import { describeSource } from "./site_data.ts";
import { checkProduction } from "./production/training_inputs.ts";

/** Options of {@linkcode readTraining}. */
export type ReadTrainingOptions = Pick<ImportSiteOptions, "era5" | "signal">;

const OPTIONS = declareOptions<ReadTrainingOptions>()("era5 signal");

/**
 * Reads the inputs of a site's calibrations: production with its masks, and climate at the hub. Stores nothing.
 *
 * @param site The site, of `defineSite()` or `readSiteFile()`
 * @param options The function that fetches climate, and signal
 * @returns One entry for each turbine with production, in the order declared
 * @throws {ArgumentError} If files and declaration do not match, or no turbine has production
 * @throws {DataFormatError} If a file is not as declared; the message names file, line and column
 *
 * @example Measure the error of the index of the sample's files
 * ```ts
 * import { exampleFile, proveIndex } from "@vindkit/vindkit";
 * import { readSiteFile, readTraining } from "@vindkit/vindkit/sites";
 * import { assert } from "@std/assert";
 *
 * const [training] = await readTraining(await readSiteFile(await exampleFile("site.json")));
 * const proof = proveIndex(training);
 * assert(proof.error! < 20);
 * ```
 */
export async function readTraining(
  site: Site,
  options: ReadTrainingOptions = {},
): Promise<TurbineTraining[]> {
  const data = await readSite(site, readOptions("readTraining()", options, OPTIONS));
  const neighbourhood = new Neighbourhood(data);
  const training = data.turbines.flatMap((read, position) => {
    const { turbine, production, exclusions, format, stampZone } = read;
    if (production.length === 0) return [];
    const climates = computeHubReanalyses(data, turbine);
    const neighbours = neighbourhood.findNearest(position);
    const { inputs } = checkProduction(
      production,
      turbine,
      exclusions,
      neighbours,
      climates[0].hub,
      { format, zone: stampZone },
    );
    const parameters = { site: data.site, turbine_id: turbine.id };
    const source = describeSource(data, "readTraining", parameters);
    return attachProvenance({ turbine, inputs, climates }, source);
  });
  if (training.length > 0) return training;
  throw new ArgumentError(
    `Cannot read the training data of ${data.site}: no turbine has production. Declare production in the site file`,
  );
}
