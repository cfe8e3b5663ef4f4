import { blankFaults } from "../../screening/values/hourly_power.ts";
import type { HourlyProduction } from "../../windindex/calibration/production.ts";
import { computeDistance } from "../../windindex/climate/site_weights.ts";
import type { SiteData } from "../site_data.ts";

/** Largest distance of a neighbour from a turbine, km. */
const MAX_DISTANCE = 20;

/** Kilometres per degree of latitude, rounded down. */
const KM_PER_DEGREE = 110;

/** Most neighbours; the nearest ones are used. */
const MAX_NEIGHBOURS = 8;

/** Hourly production of a turbine nearby. */
export interface NeighbourProduction {
  /** Rated power of one unit, kW. */
  readonly ratedPower: number;
  readonly production: HourlyProduction;
}

/** The turbines of a site as neighbours of each other. */
export class Neighbourhood {
  readonly #turbines: SiteData["turbines"];
  readonly #failures: SiteData["failures"];
  /** Positions of turbines with hourly production. */
  readonly #producing: readonly number[];
  readonly #nearest = new Map<number, readonly number[]>();
  readonly #known = new Map<number, readonly NeighbourProduction[]>();

  /** @param data The site's data, or a part of the site */
  constructor({ turbines, failures }: Pick<SiteData, "turbines" | "failures">) {
    this.#turbines = turbines;
    this.#failures = failures;
    this.#producing = turbines.flatMap(({ production }, i) =>
      production.some(({ kind }) => kind === "hourly") ? [i] : []
    );
  }

  /**
   * Lists the turbines with hourly production that are nearest to one, by position, the nearest first.
   *
   * @param position Position of the turbine in the site
   */
  listNearest(position: number): readonly number[] {
    const known = this.#nearest.get(position);
    if (known) return known;
    const turbines = this.#turbines;
    const place = turbines[position].turbine;
    const nearest = this.#producing
      .filter((other) =>
        other !== position &&
        // A cheap test first: latitude alone excludes most of ten thousand turbines.
        Math.abs(turbines[other].turbine.latitude - place.latitude) <=
          MAX_DISTANCE / KM_PER_DEGREE
      )
      .map((other) => ({ other, km: computeDistance(place, turbines[other].turbine) }))
      .filter(({ km }) => km <= MAX_DISTANCE)
      .sort((a, b) => a.km - b.km)
      .slice(0, MAX_NEIGHBOURS)
      .map(({ other }) => other);
    this.#nearest.set(position, nearest);
    return nearest;
  }

  /**
   * Finds the hourly production of the turbines nearest to one, with faulty values blanked.
   *
   * @param position Position of the turbine in the site
   */
  findNearest(position: number): NeighbourProduction[] {
    return this.listNearest(position).flatMap((other) => this.#productionOf(other));
  }

  /** Whether a failed turbine is nearby, so a former neighbour may be missing. */
  lacks(position: number): boolean {
    const place = this.#turbines[position].turbine;
    return this.#failures?.some((other) => computeDistance(place, other) <= MAX_DISTANCE) ??
      false;
  }

  #productionOf(position: number): readonly NeighbourProduction[] {
    const { turbine: { ratedPower }, production } = this.#turbines[position];
    let known = this.#known.get(position);
    if (!known) {
      known = production.filter((entry) => entry.kind === "hourly")
        .map((entry) => {
          const power = blankFaults(entry.power, ratedPower);
          return { ratedPower, production: { ...entry, power } };
        });
      this.#known.set(position, known);
    }
    return known;
  }
}
