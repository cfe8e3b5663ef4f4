import { delay } from "@std/async";
import { ArgumentError } from "../../api/errors.ts";
import { climateColumnByName } from "../../api/columns/climate_columns.ts";
import type { ClimatePoint } from "../../windindex/climate/climate.ts";
import { roundDirection } from "../../windindex/climate/round_direction.ts";
import type { Turbine } from "../../windindex/turbine/turbine.ts";
import type { Files } from "../files/files.ts";
import { StagedFiles } from "../files/staged_files.ts";
import { seriesToParquet } from "../files/series.ts";
import { removeOrphanFiles } from "../files/orphan_files.ts";
import { checkOwner } from "../store/check_owner.ts";
import type {
  RevisedMonths,
  SiteRecord,
  StoredCalibration,
  StoredTurbine,
} from "../store/site_record.ts";
import type { SiteStore, Store } from "../store/store.ts";
import {
  computeTurbine,
  type EarlierCalibration,
  type ImportedTurbine,
} from "./compute_turbine.ts";
import { describeDisagreements } from "./disagreements.ts";
import { noteEngineChange } from "./engine_change.ts";
import { InputHashes } from "./inputs_hash.ts";
import { type KeptTurbine, readKeptTurbine } from "./kept_turbine.ts";
import { Neighbourhood } from "./neighbour_production.ts";
import type { SiteData } from "./site_data.ts";

/** Result of an import. */
export interface ImportResult {
  /** Name of the site. */
  readonly site: string;
  /** Whether the same declaration and sources were imported before: then nothing was done. */
  readonly unchanged: boolean;
  /** The turbines as computed; empty where nothing was done. */
  readonly turbines: readonly ImportedTurbine[];
  /** Those whose inputs are unchanged: they stay as they are stored. */
  readonly kept: readonly KeptTurbine[];
  /** Published months whose figures changed, by turbine. */
  readonly revised: ReadonlyMap<string, RevisedMonths>;
}

/** Columns of a climate point as stored and delivered: speed and direction at each height, then the air. */
function buildPointColumns(point: ClimatePoint): Record<string, Float64Array> {
  const columns: Record<string, Float64Array> = {};
  for (const { height, u, v } of point.levels) {
    const speed = new Float64Array(u.length);
    const direction = new Float64Array(u.length);
    for (let i = 0; i < u.length; i++) {
      speed[i] = round(Math.sqrt(u[i] * u[i] + v[i] * v[i]), 1000);
      direction[i] = roundDirection(u[i], v[i]);
    }
    columns[`wind_speed_${height}`.replace(".", "_")] = speed;
    columns[`wind_direction_${height}`.replace(".", "_")] = direction;
  }
  if (point.temperature) columns.temperature = point.temperature.map((value) => round(value, 100));
  if (point.pressure) columns.pressure = point.pressure.map((value) => round(value, 1));
  if (point.relativeHumidity) {
    columns.relative_humidity = point.relativeHumidity.map((value) => round(value, 10));
  }
  for (const name of Object.keys(columns)) {
    if (!climateColumnByName(name)) {
      throw new Error(`Cannot store "${name}": the column is not declared`);
    }
  }
  return columns;
}

function round(value: number, perUnit: number): number {
  return Math.round(value * perUnit) / perUnit;
}

function listPoints({ reanalyses }: SiteData): { serviceId: string; point: ClimatePoint }[] {
  return reanalyses.flatMap(({ dataset: { serviceId }, climate }) =>
    climate.map((point) => ({ serviceId, point }))
  );
}

async function storePoints(data: SiteData, files: StagedFiles): Promise<SiteRecord["points"]> {
  const points: SiteRecord["points"][number][] = [];
  for (const { point, serviceId } of listPoints(data)) {
    points.push({
      serviceId,
      latitude: point.latitude,
      longitude: point.longitude,
      elevation: point.elevation,
      start: point.axis.start,
      hours: point.axis.length,
      stamp: point.stamp,
      file: await files.put(seriesToParquet(point.axis, buildPointColumns(point)), "parquet"),
    });
  }
  return points;
}

/** Reports errors in the data of a turbine under its name. */
function refuseByName<T>({ id }: Turbine, compute: () => T): T {
  try {
    return compute();
  } catch (cause) {
    if (!(cause instanceof ArgumentError)) throw cause;
    throw new ArgumentError(`Cannot import ${id}: ${cause.message}`, { cause });
  }
}

/** Adds findings about the whole site to a turbine that was calibrated anew. */
function addFindings(computed: ImportedTurbine, more: readonly string[]): ImportedTurbine {
  const { calibration, outcome } = computed;
  if (!calibration || outcome === "unchanged") return computed;
  const findings = [...computed.findings, ...more];
  return { ...computed, findings, calibration: { ...calibration, findings } };
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

/** Restarts the time for which replaced files stay: answers and backups may be reading them. */
async function renewReplacedFiles(
  before: readonly string[],
  store: Store,
  files: Files,
): Promise<void> {
  const wanted = new Set(await store.wantedFiles(Date.now()));
  const replaced = before.filter((name) => !wanted.has(name));
  for (const name of await files.names()) {
    if (replaced.some((old) => name.startsWith(old))) await files.renew(name);
  }
}

/** Whether no file of a site is missing or damaged: a damaged one is stored anew by an import, also of the same data. */
async function areFilesSound(site: string, { sites }: Store, files: Files): Promise<boolean> {
  for (const { name } of await sites.files(site)) if (!await files.isSound(name)) return false;
  return true;
}

/**
 * Computes a site and stores all of it or, if anything fails, nothing.
 *
 * @param data The site as read
 * @param store Where it is stored
 * @param files Where its series are stored
 * @param options `recalibrate`: calibrates and chooses the reference period again, also where nothing changed; `edition`
 * of the stored site before the data were read, that of now unless given; `signal` stops it before the next turbine;
 * `onTurbine` is called when one is computed
 * @throws {ArgumentError} If figures cannot be computed, a turbine belongs to another site, or invented figures would be
 * stored beside real ones
 * @throws {SiteChangedError} If another import has stored the site since that edition: the data are to be read again
 */
export async function storeSite(
  data: SiteData,
  store: Store,
  files: Files,
  options: {
    recalibrate?: boolean | undefined;
    edition?: number;
    signal?: AbortSignal | undefined;
    onTurbine?: () => void;
  } = {},
): Promise<ImportResult> {
  const { site, fingerprint, siteFile, world } = data;
  const { recalibrate = false, signal, onTurbine } = options;
  const edition = options.edition ?? await store.sites.edition(site);
  const datasets = data.reanalyses.map(({ dataset }) => dataset);
  const known = !recalibrate && await store.sites.fingerprint(site) === fingerprint;
  if (known && await store.world() === world && await areFilesSound(site, store, files)) {
    await store.sites.setSiteFile(site, siteFile); // the same files may have been moved
    return { site, unchanged: true, turbines: [], kept: [], revised: new Map() };
  }
  await removeOrphanFiles(store, files);
  await using staged = new StagedFiles(files);
  const neighbours = new Neighbourhood(data);
  const hashes = new InputHashes(data, neighbours);
  const kept: KeptTurbine[] = [];
  const computed: ImportedTurbine[] = [];
  const stored: Pick<StoredTurbine, "inputs" | "modelFile">[] = [];
  for (const [position, { turbine }] of data.turbines.entries()) {
    await delay(0, signal ? { signal } : {}); // Ctrl-C is heard only while the work waits
    const before = await store.sites.turbine(turbine.id);
    checkOwner(site, before); // before all of it is computed
    const inputs = refuseByName(turbine, () => hashes.hash(position));
    const unchanged = recalibrate ? null : await readKeptTurbine(before, inputs, files);
    if (unchanged) kept.push(unchanged);
    else {
      const earlier = await findEarlierCalibration(store.sites, turbine.id);
      const { model, ...rest } = refuseByName(
        turbine,
        () =>
          computeTurbine(data, position, neighbours.findNearest(position), {
            ...earlier,
            recalibrate,
          }),
      );
      computed.push(
        rest.outcome === "other engine"
          ? noteEngineChange(rest, earlier.calibration!, await store.sites.months(turbine.id))
          : rest,
      );
      // On the disk at once: the models of a large fleet would not fit into memory.
      const modelFile = model ? await staged.put(model, "parquet") : null;
      stored.push({ inputs, modelFile });
    }
    onTurbine?.();
  }
  const disagreements = describeDisagreements([...computed, ...kept]);
  const imported = computed.map((one) => addFindings(one, disagreements));
  const turbines = imported.map(({ turbine, calibration, production, doubts, months }, i) => ({
    stored: {
      turbine,
      calibration,
      production,
      doubts: doubts.map(({ text, cause }) => ({ text, cause })),
      ...stored[i],
    },
    months,
  }));
  const keptTurbines = kept.map(({ turbine }) => turbine.id);
  const points = await storePoints(data, staged);
  await staged.commit();
  const before = await store.wantedFiles(Date.now());
  const record = { site, fingerprint, siteFile, world, datasets, points, turbines, keptTurbines };
  const revised = await store.sites.put(record, edition);
  await renewReplacedFiles(before, store, files);
  return { site, unchanged: false, turbines: imported, kept, revised };
}
