import type { ClimatePoint } from "../../windindex/climate/climate.ts";
import {
  computeDistance,
  computeSiteWeights,
  type Location,
} from "../../windindex/climate/site_weights.ts";
import type { Reanalysis } from "../site_data.ts";

/**
 * Selects the points of a reanalysis that a turbine uses: those around it, or the nearest one.
 *
 * @param turbine Where the turbine is
 * @throws {ArgumentError} If they do not surround it
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

/** Measures the distance of a turbine from the only climate point that it uses, km; `null` where it uses several. */
export function measurePointDistance(
  reanalyses: readonly Reanalysis[],
  serviceId: string,
  turbine: Location,
): number | null {
  const used = reanalyses.find(({ dataset }) => dataset.serviceId === serviceId);
  const points = used ? selectPoints(used, turbine) : [];
  return points.length === 1 ? computeDistance(points[0], turbine) : null;
}
