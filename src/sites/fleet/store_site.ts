import { ENGINE_CHANGE } from "../../windindex/power_model.ts";
import { formatNumber, formatSigned } from "../../show/text/numbers.ts";
import { median } from "../../stats/spread.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Store } from "../../storage/store/store.ts";
import { formatMonthLabel } from "../../time/zones.ts";
import { type CalibrationPeriod, isWhole } from "../../windindex/calibration/calibration.ts";
import { computeAll, type ComputeOptions, type ModelledTurbine } from "./compute_fleet.ts";
import type { ImportedTurbine } from "../calibration/compute_turbine.ts";
import {
  claimFiles,
  listSiteFiles,
  removeOrphanFiles,
  renewReplaced,
} from "../keep/named_files.ts";
import { checkOwner, putSite } from "../keep/put_site.ts";
import type {
  FreshMonth,
  RevisedMonths,
  SiteRecord,
  StoredCalibration,
  StoredTurbine,
} from "../keep/site_record.ts";
import { type Sites, sitesOf } from "../keep/sites.ts";
import type { KeptTurbine, SitePlan } from "./plan_site.ts";
import type { SiteData, TurbineFailure } from "../site_data.ts";
import { storePoints } from "./store_points.ts";

const formatEnergy = (energy: number) => `${formatNumber(energy / 1000, 1)} MWh`;

/** Describes by how many points the abnormality indices of common months changed. */
function describeMonths(before: readonly FreshMonth[], now: readonly FreshMonth[]): string[] {
  const known = new Map(
    before.map((month) => [formatMonthLabel(month), month.month_abnormality_index]),
  );
  const changes = now.flatMap((month) => {
    const label = formatMonthLabel(month);
    const [old, present] = [known.get(label) ?? null, month.month_abnormality_index];
    return old === null || present === null ? [] : [{ label, change: present - old }];
  });
  if (changes.length === 0) return [];
  const mean = changes.reduce((sum, { change }) => sum + Math.abs(change), 0) / changes.length;
  const most = changes.reduce((a, b) => Math.abs(b.change) > Math.abs(a.change) ? b : a);
  return [
    `the abnormality indices of ${changes.length} months by ${
      mean.toFixed(1)
    } points on average, ` +
    `most in ${most.label} (${formatSigned(most.change, 1)} points)`,
  ];
}

function formatHalfWidth({ uncertainty: { longTerm: { low, high } } }: StoredCalibration): string {
  return `${(100 * (Math.sqrt(high / low) - 1)).toFixed(1)} %`;
}

/**
 * Adds a note on the changes by another engine: mean annual energy, factor, interval, abnormality indices.
 *
 * @param before Its calibration by the former engine
 * @param months Its months as published with the former engine
 */
function noteEngineChange(
  computed: ImportedTurbine,
  before: StoredCalibration,
  months: readonly FreshMonth[],
): ImportedTurbine {
  const calibration = computed.calibration!;
  const [old, now] = [before.meanAnnualEnergy, calibration.meanAnnualEnergy];
  const [k, newK] = [before.calibration.k, calibration.calibration.k];
  const changes = [
    `the mean annual energy from ${formatEnergy(old)} to ${formatEnergy(now)} ` +
    `(${formatSigned(100 * (now / old - 1), 2)} %)`,
    `k from ${k.toFixed(4)} to ${newK.toFixed(4)}`,
    `the half width of its 90 % interval from ${formatHalfWidth(before)} to ${
      formatHalfWidth(calibration)
    }`,
    ...describeMonths(months, computed.months),
  ];
  const note = `Engine ${calibration.basis.engine} instead of ${before.basis.engine} changes ` +
    `${changes.join("; ")}. ${ENGINE_CHANGE}`;
  return { ...computed, calibration: { ...calibration, notes: [note, ...calibration.notes] } };
}

/** Median weight of the turbines below which a month is an outlier: beyond 2.5 robust standard deviations. */
const FAR = 0.4;

/** Fewest turbines: a single one may have a hidden fault. */
const MIN_TURBINES = 2;

/** Smallest deviation of the median turbine from the model, as a share. */
const MIN_DISTANCE = 0.1;

/** Smallest share of a month's hours to be compared. */
const MIN_SHARE = 0.5;

/** Ratio of produced to modelled energy of a month at one turbine. */
interface MonthRatio {
  readonly ratio: number;
  readonly weight: number;
}

function listRatios(periods: readonly CalibrationPeriod[]): [label: string, MonthRatio][] {
  return periods.filter((period) =>
    period.hourly && isWhole(period) && period.validHours >= MIN_SHARE * period.hours
  ).map(({ label, produced, modelled, weight }) => [label, {
    ratio: produced / modelled!,
    weight,
  }]);
}

/**
 * Describes months in which the reanalysis disagrees with a site: all turbines with hourly production deviate to the
 * same side, each by more than its usual scatter and the median turbine by far, in hours without stops.
 *
 * @param turbines All turbines of a site, including kept ones
 * @returns A sentence for each month, in order of time
 */
export function describeDisagreements(
  turbines: readonly Pick<ImportedTurbine, "calibration">[],
): string[] {
  const ratios = turbines.flatMap(({ calibration }) =>
    calibration ? listRatios(calibration.calibration.periods) : []
  );
  const months = Map.groupBy(ratios, ([label]) => label);
  return [...months].sort(([a], [b]) => a < b ? -1 : 1).flatMap(([label, entries]) => {
    const monthRatios = entries.map(([, entry]) => entry);
    const sides = new Set(monthRatios.map(({ ratio }) => Math.sign(ratio - 1)));
    const weights = monthRatios.map(({ weight }) => weight);
    const distance = Math.abs(median(monthRatios.map(({ ratio }) => ratio)) - 1);
    if (monthRatios.length < MIN_TURBINES || sides.size > 1) return [];
    if (weights.some((weight) => weight === 1) || median(weights) >= FAR) return [];
    if (distance < MIN_DISTANCE) return [];
    const shares = monthRatios.map(({ ratio }) => 100 * ratio).sort((a, b) => a - b);
    const [low, high] = [shares[0], shares[shares.length - 1]].map((share) => share.toFixed(0));
    const made = low === high ? `${low} %` : `${low} to ${high} %`;
    return [
      `Disagreement with the reanalysis in ${label}: each of the ${monthRatios.length} turbines made ${made} of the energy ` +
      `the reanalysis predicts, and their hours show no stop. The month stays in the fit, but counts for at most ${
        (100 * Math.max(...weights)).toFixed(0)
      } % of another month.`,
    ];
  });
}

/** Adds findings about the whole site to a newly calibrated turbine. */
function addFindings(computed: ModelledTurbine, more: readonly string[]): ModelledTurbine {
  const { calibration, outcome } = computed;
  if (!calibration || outcome === "unchanged" || outcome === "neighbours missing") return computed;
  const findings = [...computed.findings, ...more];
  return { ...computed, findings, calibration: { ...calibration, findings } };
}

/**
 * Adds findings from all turbines of a site together, and notes on the changes by another engine.
 *
 * @param turbines All turbines of the site
 * @param chunks The computed turbines, in any order
 * @returns The computed turbines in the order of the site
 */
async function assembleSite(
  turbines: SiteData["turbines"],
  { kept, earlier }: SitePlan,
  chunks: readonly ModelledTurbine[],
  sites: Sites,
): Promise<ModelledTurbine[]> {
  const known = new Map(chunks.map((one) => [one.turbine.id, one]));
  const computed: ModelledTurbine[] = [];
  for (const [position, { calibration }] of earlier) {
    const { id } = turbines[position].turbine;
    const turbine = known.get(id)!;
    computed.push(
      turbine.outcome === "other engine"
        ? { ...turbine, ...noteEngineChange(turbine, calibration!, await sites.months(id)) }
        : turbine,
    );
  }
  const disagreements = describeDisagreements([...computed, ...kept]);
  return computed.map((one) => addFindings(one, disagreements));
}

/**
 * Builds the records of computed turbines.
 *
 * @param inputs Hash of the inputs of each turbine, by its identifier
 */
function buildTurbineRecords(
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

/** Options of {@linkcode storeSite}. */
export interface StoreSiteOptions extends ComputeOptions {
  /** Edition of the stored site before the data were read. @default the present edition */
  readonly edition?: number;
}

/** Result of an import. */
export interface ImportResult {
  readonly site: string;
  /** Whether the same declaration and sources were imported before, so there was nothing to do. */
  readonly unchanged: boolean;
  /** The computed turbines; empty if nothing was done. */
  readonly turbines: readonly ImportedTurbine[];
  /** Turbines with unchanged inputs, which stay as stored. */
  readonly kept: readonly KeptTurbine[];
  /** Published months whose figures changed, by turbine. */
  readonly revised: ReadonlyMap<string, RevisedMonths>;
  /** Turbines that were not imported; their stored figures, if any, stay unchanged. */
  readonly failures: readonly TurbineFailure[];
}

/** Describes the stored figures of a failed turbine. */
function describeStored(stored: StoredTurbine | undefined): string {
  if (!stored?.calibration) return "It has no indices yet";
  const at = stored.published.at(-1)?.at;
  const since = at === undefined
    ? ""
    : `, stored on ${new Date(at).toISOString().slice(0, 10)} (UTC)`;
  return `It keeps the indices of edition ${stored.edition}${since}`;
}

/** Lists the files that no row of the site will name any more. */
async function listReplaced(
  site: string,
  named: ReadonlySet<string>,
  kept: readonly Pick<KeptTurbine, "modelFile">[],
  { documents }: Store,
): Promise<Set<string>> {
  const before = new Set((await listSiteFiles(documents, site)).map(({ name }) => name));
  return before.difference(named).difference(new Set(kept.map(({ modelFile }) => modelFile)));
}

function listFiles({ points, turbines }: SiteRecord): Set<string> {
  const models = turbines.flatMap(({ stored: { modelFile } }) => modelFile ?? []);
  return new Set([...points.map(({ file }) => file), ...models]);
}

/**
 * Computes a site and stores it in one transaction. Computes only turbines whose inputs changed, in chunks. A turbine
 * that cannot be computed stays as stored, and does not prevent storing the others.
 *
 * @throws {ArgumentError} If no turbine can be computed, one belongs to another site, or invented and real figures
 * would be mixed
 * @throws {ConfigurationError} If the files do not belong to the database
 * @throws {SiteChangedError} If another import has stored the site since that edition: read the data again
 */
export async function storeSite(
  data: SiteData,
  { store, files }: Storage,
  options: StoreSiteOptions = {},
): Promise<ImportResult> {
  const { site, fingerprint, siteFile, world } = data;
  const { recalibrate = false } = options;
  await claimFiles(store, files);
  const edition = options.edition ?? await sitesOf(store).edition(site);
  const stored = (await listSiteFiles(store.documents, site)).map(({ name }) => name);
  const changed = new Set(await files.selectChanged(stored)); // stored again, even from the same data
  const isKnown = changed.size === 0 && await sitesOf(store).fingerprint(site) === fingerprint;
  if (isKnown && !recalibrate && !data.failures?.length && await store.world() === world) {
    await sitesOf(store).setSiteFile(site, siteFile); // the same files may have been moved
    return { site, unchanged: true, turbines: [], kept: [], revised: new Map(), failures: [] };
  }
  await removeOrphanFiles(store, files);
  const { rest, plan, computed } = await computeAll(data, sitesOf(store), changed, files, options);
  const { kept } = plan;
  const failed = rest.failures ?? [];
  const known = await sitesOf(store).turbines(failed.map(({ id }) => id));
  for (const { turbine, site: owner } of known) checkOwner(site, turbine.id, owner);
  const failures = failed.map(({ id, message }): TurbineFailure => {
    const stored = known.find(({ turbine }) => turbine.id === id);
    return { id, message: `${message}. ${describeStored(stored)}` };
  });
  const turbines = await assembleSite(rest.turbines, plan, computed, sitesOf(store));
  const points = await storePoints(data, files);
  const record: SiteRecord = {
    site,
    // Never matches, so the next import of the same files tries the failed turbines again.
    fingerprint: failures.length > 0 ? `partial ${fingerprint}` : fingerprint,
    siteFile,
    world,
    datasets: data.reanalyses.map(({ dataset }) => dataset),
    points,
    turbines: buildTurbineRecords(turbines, plan.inputs),
    keptTurbines: [...kept, ...known].map(({ turbine }) => turbine.id),
  };
  const named = listFiles(record);
  await renewReplaced(await listReplaced(site, named, [...kept, ...known], store), files);
  await files.assertPresent(named); // outside the transaction, because renewing many old files takes time
  const revised = await store.transaction(async (all) => {
    const months = await putSite(all, record, edition);
    await files.assertPresent(named); // after they are named, so no cleanup can remove them
    return months;
  });
  return { site, unchanged: false, turbines, kept, revised, failures };
}
