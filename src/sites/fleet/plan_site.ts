import { delay } from "@std/async";
import { checkOwner } from "../keep/put_site.ts";
import type { Sites } from "../keep/sites.ts";
import type { StoredTurbine } from "../keep/site_record.ts";
import type { ComputedTurbine, EarlierCalibration } from "../calibration/compute_turbine.ts";
import type { Neighbourhood } from "../production/neighbour_production.ts";
import { type SiteData, toFailure, type TurbineFailure } from "../site_data.ts";
import { sha256 } from "../../disk/hashes.ts";
import { ENGINE_VERSION } from "../../windindex/power_model.ts";
import type { ClimatePoint } from "../../windindex/climate/climate.ts";
import type { Production } from "../../windindex/calibration/production.ts";
import { selectPoints } from "../calibration/select_points.ts";

/** Turbines read at once. */
const BATCH = 50;

/** Form of a stored turbine: raise it if the same inputs lead to another record or other months. */
const FORM = 3;

/** Hashes a value as JSON; number arrays count by the hash of their bytes, NaN as "NaN". */
function hashValue(value: unknown): string {
  return sha256(JSON.stringify(value, (_, part) => {
    if (part instanceof Float64Array || part instanceof Uint8Array) {
      return sha256(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
    }
    return Number.isNaN(part) ? "NaN" : part;
  }));
}

/**
 * Creates a function that hashes all inputs of a turbine: engine, declaration, and by value the climate around it, its
 * production and its neighbours' production. Each series is hashed once. The earlier calibration is not included,
 * because it is stored in the same record as the hash.
 *
 * @returns Function from a turbine's position to its hash; it throws an `ArgumentError` if the climate points do not
 * surround the turbine
 */
function createInputHash(
  { reanalyses, turbines }: SiteData,
  neighbours: Neighbourhood,
): (position: number) => string {
  const known = new Map<ClimatePoint | Production, string>();
  const hashSeries = (series: ClimatePoint | Production) => {
    const hash = known.get(series) ?? hashValue(series);
    known.set(series, hash);
    return hash;
  };
  return (position) => {
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
        points: selectPoints(reanalysis, turbine).map(hashSeries),
      })),
      production: production.map(hashSeries),
      neighbours: neighbours.listNearest(position).map((other) => ({
        ratedPower: turbines[other].turbine.ratedPower,
        production: turbines[other].production.filter(({ kind }) => kind === "hourly")
          .map(hashSeries),
      })),
    });
  };
}

/** A turbine after an import, computed or kept, for summaries. */
export type ImportedFigures = Pick<
  ComputedTurbine,
  "turbine" | "calibration" | "findings" | "production" | "doubts"
>;

/** A turbine with unchanged inputs: it is not computed, and stays as stored. */
export interface KeptTurbine extends ImportedFigures {
  /** Name of the file with its hourly model; `null` without calibration. */
  readonly modelFile: string | null;
}

/**
 * Returns a stored turbine if it need not be computed.
 *
 * @param stored The stored turbine, if any
 * @param inputs Hash of its present inputs
 * @param changed Files that are missing or were changed: a turbine whose model is one of them is computed again
 * @returns `null` if it must be computed
 */
function readKeptTurbine(
  stored: StoredTurbine | undefined,
  inputs: string,
  changed: ReadonlySet<string>,
): KeptTurbine | null {
  if (stored?.inputs !== inputs) return null;
  const { turbine, calibration, production, doubts, modelFile } = stored;
  if (modelFile !== null && changed.has(modelFile)) return null;
  const findings = calibration?.findings ?? [];
  return { turbine, calibration, findings, production, doubts, modelFile };
}

/** Which turbines of a site are computed, and which stay as stored. */
export interface SitePlan {
  readonly kept: readonly KeptTurbine[];
  /** Hash of the inputs of each turbine, by its identifier. */
  readonly inputs: ReadonlyMap<string, string>;
  /** The earlier calibrations of the turbines to compute, by position in the site. */
  readonly earlier: ReadonlyMap<number, EarlierCalibration>;
  /** Turbines that cannot be computed. */
  readonly failures: readonly TurbineFailure[];
}

/**
 * Compares the inputs of each turbine with the inputs of its stored figures.
 *
 * @param changed Files that are missing or were changed
 * @param options `recalibrate`: computes and calibrates all turbines again; `signal` stops before the next batch
 * @throws {ArgumentError} If a turbine belongs to another site
 */
export async function planSite(
  data: SiteData,
  neighbours: Neighbourhood,
  sites: Sites,
  changed: ReadonlySet<string>,
  { recalibrate, signal }: { recalibrate: boolean; signal: AbortSignal | undefined },
): Promise<SitePlan> {
  const hashInputs = createInputHash(data, neighbours);
  const kept: KeptTurbine[] = [];
  const inputs = new Map<string, string>();
  const failures: TurbineFailure[] = [];
  const earlier = new Map<number, EarlierCalibration>();
  for (let first = 0; first < data.turbines.length; first += BATCH) {
    await delay(0, signal ? { signal } : {}); // lets Ctrl-C through
    const batch = data.turbines.slice(first, first + BATCH);
    const known = await sites.turbines(batch.map(({ turbine }) => turbine.id));
    const stored = new Map(known.map((one) => [one.turbine.id, one]));
    for (const [i, { turbine }] of batch.entries()) {
      const storedTurbine = stored.get(turbine.id);
      checkOwner(data.site, turbine.id, storedTurbine?.site); // before anything is computed
      let hash: string;
      try {
        hash = hashInputs(first + i);
      } catch (error) { // its climate points do not surround it
        failures.push(toFailure(turbine.id, error));
        continue;
      }
      inputs.set(turbine.id, hash);
      const unchanged = recalibrate ? null : readKeptTurbine(storedTurbine, hash, changed);
      if (unchanged) kept.push(unchanged);
      else {
        const lacksNeighbours = neighbours.lacks(first + i);
        const latest = await sites.latestCalibration(turbine.id);
        earlier.set(first + i, { ...latest, recalibrate, lacksNeighbours });
      }
    }
  }
  return { kept, inputs, earlier, failures };
}
