import type { ClimatePoint } from "../../windindex/climate/climate.ts";
import {
  computeDistance,
  computeSiteWeights,
  type Location,
} from "../../windindex/climate/site_weights.ts";
import type { Reanalysis, SiteData } from "../site_data.ts";
import { sha256 } from "../../disk/hashes.ts";
import type { Turbine } from "../../windindex/turbine/turbine.ts";

/**
 * Selects the points of a reanalysis that a turbine uses: the points around it, or the nearest one.
 *
 * @param turbine Location of the turbine
 * @throws {ArgumentError} If the points do not surround the turbine
 */
export function selectPoints(
  { climate, nearest = false }: Pick<Reanalysis, "climate" | "nearest">,
  turbine: Location,
): readonly ClimatePoint[] {
  const points = nearest
    ? climate.toSorted((a, b) => computeDistance(a, turbine) - computeDistance(b, turbine))
      .slice(0, 1)
    : climate;
  const { corners } = computeSiteWeights(points, turbine);
  return points.filter((_, i) => corners.includes(i));
}

/** Measures the distance of a turbine from its climate point, km; `null` if it uses several points. */
export function measurePointDistance(
  reanalyses: readonly Reanalysis[],
  serviceId: string,
  turbine: Location,
): number | null {
  const used = reanalyses.find(({ dataset }) => dataset.serviceId === serviceId);
  const points = used ? selectPoints(used, turbine) : [];
  return points.length === 1 ? computeDistance(points[0], turbine) : null;
}

/**
 * Hashes the inputs of a calibration other than production: the properties of the turbine that shape its power, and the
 * reanalyses with their points and variables. Climate values are not included, so a replaced reanalysis does not cause
 * a new calibration.
 *
 * @param turbine A turbine of the site
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
