import { delay } from "@std/async";
import { checkOwner } from "./keep/put_site.ts";
import type { Sites } from "./keep/sites.ts";
import type { EarlierCalibration } from "./compute_turbine.ts";
import { type KeptTurbine, readKeptTurbine } from "./kept_turbine.ts";
import type { Neighbourhood } from "./neighbour_production.ts";
import { refuseByName } from "./refuse_by_name.ts";
import type { SiteData } from "./site_data.ts";
import { sha256 } from "../disk/hashes.ts";
import { ENGINE_VERSION } from "../windindex/power_model.ts";
import type { ClimatePoint } from "../windindex/climate/climate.ts";
import type { Production } from "../windindex/calibration/production.ts";
import { selectPoints } from "./select_points.ts";

/** Turbines that are asked for at once. */
const BATCH = 50;

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
class InputHashes {
  readonly #data: SiteData;
  readonly #neighbours: Neighbourhood;
  readonly #known = new Map<ClimatePoint | Production, string>();

  constructor(data: SiteData, neighbours: Neighbourhood) {
    this.#data = data;
    this.#neighbours = neighbours;
  }

  /**
   * Hashes what decides the figures of a turbine: engine, declaration, the climate around it, its production and that
   * of its neighbours, by value. Its earlier calibration is not included: it is stored in the same record as the hash.
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

/** Which turbines of a site are computed, and which stay as they are stored. */
export interface SitePlan {
  readonly kept: readonly KeptTurbine[];
  /** Hash of what decides the figures of each turbine, by its identifier. */
  readonly inputs: ReadonlyMap<string, string>;
  /** The earlier calibrations of those that are computed, by position in the site. */
  readonly earlier: ReadonlyMap<number, EarlierCalibration>;
}

/**
 * Compares the inputs of each turbine with those of what is stored.
 *
 * @param changed Files that are missing or were changed
 * @param options `recalibrate`: computes all turbines, and calibrates them again; `signal` stops it before the next one
 * @throws {ArgumentError} If a turbine belongs to another site, or climate points do not surround it
 */
export async function planSite(
  data: SiteData,
  neighbours: Neighbourhood,
  sites: Sites,
  changed: ReadonlySet<string>,
  { recalibrate, signal }: { recalibrate: boolean; signal: AbortSignal | undefined },
): Promise<SitePlan> {
  const hashes = new InputHashes(data, neighbours);
  const kept: KeptTurbine[] = [];
  const inputs = new Map<string, string>();
  const earlier = new Map<number, EarlierCalibration>();
  for (let first = 0; first < data.turbines.length; first += BATCH) {
    await delay(0, signal ? { signal } : {}); // Ctrl-C is heard only while the work waits
    const batch = data.turbines.slice(first, first + BATCH);
    const known = await sites.turbines(batch.map(({ turbine }) => turbine.id));
    const stored = new Map(known.map((one) => [one.turbine.id, one]));
    for (const [i, { turbine }] of batch.entries()) {
      const own = stored.get(turbine.id);
      checkOwner(data.site, turbine.id, own?.site); // before anything is computed
      const hash = refuseByName(turbine, () => hashes.hash(first + i));
      inputs.set(turbine.id, hash);
      const unchanged = recalibrate ? null : readKeptTurbine(own, hash, changed);
      if (unchanged) kept.push(unchanged);
      else earlier.set(first + i, { ...await sites.latestCalibration(turbine.id), recalibrate });
    }
  }
  return { kept, inputs, earlier };
}
