import { delay } from "@std/async";
import type { Files } from "../storage/files/files.ts";
import { checkOwner } from "../storage/store/check_owner.ts";
import type { StoredCalibration } from "../storage/store/site_record.ts";
import type { SiteStore } from "../storage/store/store.ts";
import type { EarlierCalibration } from "./compute_turbine.ts";
import { InputHashes } from "./inputs_hash.ts";
import { type KeptTurbine, readKeptTurbine } from "./kept_turbine.ts";
import type { Neighbourhood } from "./neighbour_production.ts";
import { refuseByName } from "./refuse_by_name.ts";
import type { SiteData } from "./site_data.ts";

/** Which turbines of a site are computed, and which stay as they are stored. */
export interface SitePlan {
  readonly kept: readonly KeptTurbine[];
  /** Hash of what decides the figures of each turbine, by its identifier. */
  readonly inputs: ReadonlyMap<string, string>;
  /** The earlier calibrations of those that are computed, by position in the site. */
  readonly earlier: ReadonlyMap<number, EarlierCalibration>;
}

/** Finds the latest calibration of a turbine, also where the turbine has lost its production since. */
async function findEarlierCalibration(
  sites: SiteStore,
  turbineId: string,
): Promise<Pick<EarlierCalibration, "calibration" | "nextRevision">> {
  let latest: StoredCalibration | null = null;
  for (let revision = 1;; revision++) {
    const calibration = await sites.calibration(turbineId, revision);
    if (!calibration) return { calibration: latest, nextRevision: revision };
    latest = calibration;
  }
}

/**
 * Compares the inputs of each turbine with those of what is stored.
 *
 * @param options `recalibrate`: computes all turbines, and calibrates them again; `signal` stops it before the next one
 * @throws {ArgumentError} If a turbine belongs to another site, or climate points do not surround it
 */
export async function planSite(
  data: SiteData,
  neighbours: Neighbourhood,
  sites: SiteStore,
  files: Files,
  { recalibrate, signal }: { recalibrate: boolean; signal: AbortSignal | undefined },
): Promise<SitePlan> {
  const hashes = new InputHashes(data, neighbours);
  const kept: KeptTurbine[] = [];
  const inputs = new Map<string, string>();
  const earlier = new Map<number, EarlierCalibration>();
  for (const [position, { turbine }] of data.turbines.entries()) {
    await delay(0, signal ? { signal } : {}); // Ctrl-C is heard only while the work waits
    const stored = await sites.turbine(turbine.id);
    checkOwner(data.site, stored); // before anything is computed
    const hash = refuseByName(turbine, () => hashes.hash(position));
    inputs.set(turbine.id, hash);
    const unchanged = recalibrate ? null : await readKeptTurbine(stored, hash, files);
    if (unchanged) kept.push(unchanged);
    else {
      const calibration = await findEarlierCalibration(sites, turbine.id);
      earlier.set(position, { ...calibration, recalibrate });
    }
  }
  return { kept, inputs, earlier };
}
