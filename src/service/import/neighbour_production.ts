import type { HourlyProduction } from "../../windindex/production.ts";
import { distance } from "../../windindex/site_weights.ts";
import type { SiteData } from "./site_data.ts";

/** Farthest that a turbine stands whose running says something of another one, km. */
const FARTHEST = 20;

/** Most neighbours that are asked: the nearest. */
const MOST = 8;

/** Hourly production of a turbine nearby. */
export interface NeighbourProduction {
  /** Rated power of one unit, kW. */
  readonly ratedPower: number;
  /** Production of one unit. */
  readonly production: HourlyProduction;
}

/**
 * Hourly production of the turbines nearest to one of a site.
 *
 * @param data The site's data
 * @param position Which of its turbines
 */
export function neighboursOf(data: SiteData, position: number): NeighbourProduction[] {
  const own = data.turbines[position].turbine;
  return data.turbines
    .filter((_, i) => i !== position)
    .map(({ turbine, production }) => ({ turbine, production, away: distance(own, turbine) }))
    .filter(({ away, production }) =>
      away <= FARTHEST && production.some((entry) => entry.kind === "hourly")
    )
    .sort((a, b) => a.away - b.away)
    .slice(0, MOST)
    .flatMap(({ turbine, production }) =>
      production.filter((entry) => entry.kind === "hourly")
        .map((entry) => ({ ratedPower: turbine.ratedPower, production: entry }))
    );
}
