import { sha256 } from "../../disk/hashes.ts";
import { computeSiteWeights } from "../../windindex/climate/site_weights.ts";
import type { Turbine } from "../../windindex/turbine/turbine.ts";
import { selectPoints } from "./select_points.ts";
import type { SiteData } from "../site_data.ts";

/**
 * Hashes the inputs of a calibration besides production: the declared properties of the turbine that shape its power, the
 * reanalyses with the variables they have. Values of the climate are not included: replaced reanalysis belongs to the
 * same dataset.
 *
 * @param turbine One of its turbines
 */
export function hashDeclaration(
  { reanalyses }: Pick<SiteData, "reanalyses">,
  turbine: Turbine,
): string {
  const { name: _, id: __, rotorDiameter: ___, ...shaping } = turbine;
  const sources = reanalyses.map((reanalysis) => {
    const { dataset: { serviceId }, shear } = reanalysis;
    const climate = selectPoints(reanalysis, turbine);
    const { weights } = computeSiteWeights(climate, turbine);
    const points = climate.filter((_, i) => weights[i] > 0).map((point) => [
      point.latitude,
      point.longitude,
      point.elevation,
      point.stamp,
      point.levels.map(({ height }) => height),
      point.temperature !== undefined,
      point.pressure !== undefined,
      point.relativeHumidity !== undefined,
    ]);
    return { serviceId, points, shear };
  });
  return sha256(JSON.stringify({ shaping, sources }));
}
