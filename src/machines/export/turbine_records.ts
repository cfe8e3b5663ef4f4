import { Sha256 } from "../../disk/hashes.ts";
import { listMarks } from "../../sites/calibration/calibration_notes.ts";
import type { StoredTurbine } from "../../sites/keep/site_record.ts";
import type { Sites } from "../../sites/keep/sites.ts";
import type { ManifestGroup } from "./manifest.ts";

/** Turbine records read at a time. */
export const RECORDS = 100;

/** The manifest's facts about turbines, gathered one by one, because not all records fit into memory. */
export class TurbineRecords {
  readonly #turbines: ManifestGroup["turbines"] = [];
  readonly #attribution = new Set<string>();
  readonly #hash = new Sha256();

  add(stored: StoredTurbine): void {
    const { turbine: { id }, edition } = stored;
    this.#turbines.push({ turbine_id: id, edition });
    const marks = listMarks(stored.calibration).map((mark) => `${id}: ${mark}`);
    for (const line of [...stored.attribution, ...marks]) this.#attribution.add(line);
    this.#hash.update(`${JSON.stringify(stored)}\n`);
  }

  /** Returns the facts; `undefined` if no turbine was added. */
  end(): ManifestGroup | undefined {
    if (this.#turbines.length === 0) return undefined;
    return {
      turbines: this.#turbines,
      attribution: [...this.#attribution].sort(),
      fingerprint: this.#hash.hex(),
    };
  }
}

/**
 * Fingerprint of turbines as they are stored.
 *
 * @param ids Their identifiers, in the order of the rows
 * @returns Empty if none is stored
 */
export async function fingerprintTurbines(
  sites: Sites,
  ids: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string> {
  const records = new TurbineRecords();
  for (let i = 0; i < ids.length; i += RECORDS) {
    signal?.throwIfAborted();
    for (const turbine of await sites.turbines(ids.slice(i, i + RECORDS))) records.add(turbine);
  }
  return records.end()?.fingerprint ?? "";
}
