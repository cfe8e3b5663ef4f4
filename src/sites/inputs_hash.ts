import { sha256 } from "../disk/sha256.ts";
import { ENGINE_VERSION } from "../windindex/engine_version.ts";
import type { ClimatePoint } from "../windindex/climate/climate.ts";
import type { Production } from "../windindex/calibration/production.ts";
import type { Neighbourhood } from "./neighbour_production.ts";
import { selectPoints } from "./select_points.ts";
import type { SiteData } from "./site_data.ts";

/** Form of what an import stores of a turbine: raise it where the same inputs lead to another record or other months. */
const FORM = 2;

/** Hashes a value as JSON, with the hash of its bytes for an array of numbers, and "NaN" for NaN, which JSON has not. */
function hashValue(value: unknown): string {
  return sha256(JSON.stringify(value, (_, part) => {
    if (part instanceof Float64Array || part instanceof Uint8Array) {
      return sha256(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
    }
    return Number.isNaN(part) ? "NaN" : part;
  }));
}

/** Hashes of all that decides the figures of the turbines of a site; each series is read once. */
export class InputHashes {
  readonly #data: SiteData;
  readonly #neighbours: Neighbourhood;
  readonly #known = new Map<ClimatePoint | Production, string>();

  constructor(data: SiteData, neighbours: Neighbourhood) {
    this.#data = data;
    this.#neighbours = neighbours;
  }

  /**
   * Hashes what decides the figures of a turbine: engine, declaration, the climate around it, its production and that of
   * its neighbours, by value. Its earlier calibration is none of it: it is stored in the same record as the hash.
   *
   * @param position Which of the site's turbines
   * @throws {ArgumentError} If the climate points do not surround the turbine
   */
  hash(position: number): string {
    const { reanalyses, turbines } = this.#data;
    const { turbine, production, ...declared } = turbines[position];
    return hashValue({
      form: FORM,
      engine: ENGINE_VERSION,
      turbine,
      declared,
      reanalyses: reanalyses.map((reanalysis) => ({
        serviceId: reanalysis.dataset.serviceId,
        attribution: reanalysis.dataset.attribution,
        shear: reanalysis.shear,
        points: selectPoints(reanalysis, turbine).map((point) => this.#hashSeries(point)),
      })),
      production: production.map((entry) => this.#hashSeries(entry)),
      neighbours: this.#neighbours.listNearest(position).map((other) => ({
        ratedPower: turbines[other].turbine.ratedPower,
        production: turbines[other].production.filter(({ kind }) => kind === "hourly")
          .map((entry) => this.#hashSeries(entry)),
      })),
    });
  }

  #hashSeries(series: ClimatePoint | Production): string {
    const known = this.#known.get(series) ?? hashValue(series);
    this.#known.set(series, known);
    return known;
  }
}
