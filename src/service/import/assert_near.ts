import { computeSiteWeights, type Location } from "../../windindex/climate/site_weights.ts";

/**
 * Checks that climate is around a place, before anything is computed of it.
 *
 * @param points Points of the climate
 * @param place The turbine, deg
 * @throws {ArgumentError} If they are too far away; the message says how far
 */
export function assertNear(points: readonly Location[], place: Location): void {
  computeSiteWeights(points, place);
}
