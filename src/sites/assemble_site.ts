import type { SiteRecord } from "../storage/store/site_record.ts";
import type { SiteStore } from "../storage/store/store.ts";
import type { ModelledTurbine } from "./compute_chunk.ts";
import { describeDisagreements } from "./disagreements.ts";
import { noteEngineChange } from "./engine_change.ts";
import type { SitePlan } from "./plan_site.ts";
import type { SiteData } from "./site_data.ts";

/** Adds findings about the whole site to a turbine that was calibrated anew. */
function addFindings(computed: ModelledTurbine, more: readonly string[]): ModelledTurbine {
  const { calibration, outcome } = computed;
  if (!calibration || outcome === "unchanged") return computed;
  const findings = [...computed.findings, ...more];
  return { ...computed, findings, calibration: { ...calibration, findings } };
}

/**
 * Adds to the turbines of a site what only all of them show, or what is stored of them.
 *
 * @param turbines All turbines of the site
 * @param chunks The computed turbines, in any order
 * @returns The computed turbines in the order of the site
 */
export async function assembleSite(
  turbines: SiteData["turbines"],
  { kept, earlier }: SitePlan,
  chunks: readonly ModelledTurbine[],
  sites: SiteStore,
): Promise<ModelledTurbine[]> {
  const known = new Map(chunks.map((one) => [one.turbine.id, one]));
  const computed: ModelledTurbine[] = [];
  for (const [position, { calibration }] of earlier) {
    const { id } = turbines[position].turbine;
    const own = known.get(id)!;
    computed.push(
      own.outcome === "other engine"
        ? { ...own, ...noteEngineChange(own, calibration!, await sites.months(id)) }
        : own,
    );
  }
  const disagreements = describeDisagreements([...computed, ...kept]);
  return computed.map((one) => addFindings(one, disagreements));
}

/**
 * Builds the records of computed turbines.
 *
 * @param inputs Hash of what decides the figures of each, by its identifier
 */
export function buildTurbineRecords(
  computed: readonly ModelledTurbine[],
  inputs: SitePlan["inputs"],
): SiteRecord["turbines"] {
  return computed.map(({ turbine, calibration, production, doubts, modelFile, months }) => ({
    stored: {
      turbine,
      calibration,
      production,
      doubts: doubts.map(({ text, cause }) => ({ text, cause })),
      modelFile,
      inputs: inputs.get(turbine.id)!,
    },
    months,
  }));
}
