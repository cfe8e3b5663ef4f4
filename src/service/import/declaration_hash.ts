import { sha256 } from "../../disk/sha256.ts";
import { ENGINE_VERSION } from "../../windindex/engine_version.ts";
import { computeSiteWeights } from "../../windindex/climate/site_weights.ts";
import type { Turbine } from "../../windindex/turbine/turbine.ts";
import type { SiteData } from "./site_data.ts";

/**
 * Hash of all that a calibration rests on besides production: what is declared of the turbine and shapes its power, where
 * its climate comes from and what that has, and the engine. Values of the climate are none of it: reanalysis that is
 * replaced belongs to the same dataset.
 *
 * @param data The site's data
 * @param turbine One of its turbines
 */
export function hashDeclaration(data: SiteData, turbine: Turbine): string {
  const { name: _, id: __, rotorDiameter: ___, ...shaping } = turbine;
  const { weights } = computeSiteWeights(data.climate, turbine);
  const points = data.climate.filter((_, i) => weights[i] > 0).map((point) => [
    point.latitude,
    point.longitude,
    point.elevation,
    point.stamp,
    point.levels.map(({ height }) => height),
    point.temperature !== undefined,
    point.pressure !== undefined,
    point.relativeHumidity !== undefined,
  ]);
  const { shear, dataset: { serviceId } } = data;
  return sha256(JSON.stringify({ shaping, shear, serviceId, points, engine: ENGINE_VERSION }));
}
