import type { StoredPoint } from "./site_record.ts";

/**
 * Selects the series that readers get of each place that several sites have: the longest, of equally long ones that which
 * ends last, then the first.
 *
 * @param points Points of a dataset, those of a place one after the other, by site
 */
export function selectServed(points: readonly StoredPoint[]): StoredPoint[] {
  const served: StoredPoint[] = [];
  for (const point of points) {
    const known = served.at(-1);
    if (known?.latitude !== point.latitude || known.longitude !== point.longitude) {
      served.push(point);
    } else if (
      point.hours > known.hours || point.hours === known.hours && point.start > known.start
    ) served[served.length - 1] = point;
  }
  return served;
}
