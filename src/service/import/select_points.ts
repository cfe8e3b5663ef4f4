import type { ClimatePoint } from "../../windindex/climate/climate.ts";
import { computeDistance, type Location } from "../../windindex/climate/site_weights.ts";
import type { Reanalysis } from "./site_data.ts";

/** Selects the points of a reanalysis that a turbine may use: all of them, or the nearest one. */
export function selectPoints(
  { climate, nearest = false }: Pick<Reanalysis, "climate" | "nearest">,
  turbine: Location,
): readonly ClimatePoint[] {
  if (!nearest) return climate;
  return climate.toSorted((a, b) => computeDistance(a, turbine) - computeDistance(b, turbine))
    .slice(0, 1);
}
