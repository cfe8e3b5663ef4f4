import type { DataFrame } from "nodejs-polars";
import { findPoints } from "../../frames/grid_points.ts";
import { ArgumentError } from "../../api/errors.ts";
import { provenance } from "../../frames/origin/provenance.ts";
import { FrameFiles } from "../declaration/frame_files.ts";
import type { ClimateSource, SiteReanalysis } from "../declaration/site_file.ts";
import { partsOf, type Site, type SiteParts } from "../declaration/site.ts";
import type { ReanalysisSource } from "../declaration/site_definition.ts";

/** Whether a site names a source from which its climate is fetched. */
export function hasClimateSource(site: Site): boolean {
  const { declared } = partsOf(site, "read the climate of a site");
  return [declared, ...declared.other_reanalyses ?? []].some(({ source }) => source !== undefined);
}

/** Fetches ERA5 at a place, as `era5()` does. */
export type FetchEra5 = (
  options: ReanalysisSource & {
    /** Latitude of the place, deg. */
    latitude: number;
    /** Longitude of the place, deg. */
    longitude: number;
    /** Last year, month or day, included, UTC. */
    to: string | number;
    /** Cancels the call. */
    signal?: AbortSignal;
  },
) => Promise<DataFrame>;

/** A place, deg. */
interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Selects one place per set of grid points, so a farm within one cell needs only one request. */
function selectPlaces(places: readonly Place[], points: 1 | 4): Place[] {
  const cells = Map.groupBy(places, (place) => JSON.stringify(findPoints(place, points)));
  return [...cells.values()].map(([first]) => first);
}

/** Cuts points to their common hours: a point fetched later may have more hours at the end. */
function cutToCommon(points: readonly DataFrame[]): { frames: DataFrame[]; notes: string[] } {
  const heights = points.map(({ height }) => height);
  const common = Math.min(...heights);
  const more = Math.max(...heights) - common;
  return {
    frames: points.map((point) => point.head(common)),
    notes: more === 0
      ? []
      : [`${more} hours at the end are left out, because not all grid points have them`],
  };
}

/** Fetched climate. */
interface FetchedReanalyses {
  /** The reanalyses, the main one first, with climate in files. */
  readonly reanalyses: SiteReanalysis[];
  /** Fetched frames by the names of the files they replace. */
  readonly frames: Map<string, DataFrame>;
  /** Sentences about the sources for readers of the figures. */
  readonly notes: string[];
}

async function fetchReanalysis(
  reanalysis: SiteReanalysis,
  places: readonly Place[],
  fetch: (source: ReanalysisSource, place: Place) => Promise<DataFrame>,
  into: FetchedReanalyses,
): Promise<void> {
  const { source, dataset } = reanalysis;
  if (!source) return void into.reanalyses.push(reanalysis);
  const fetched: DataFrame[] = [];
  for (const place of selectPlaces(places, source.points)) {
    fetched.push(await fetch(source, place));
  }
  const all = fetched.flatMap((one) => one.partitionBy(["latitude", "longitude"], true));
  const nameOf = (point: DataFrame) =>
    ["latitude", "longitude"].map((name) => point.getColumn(name).get(0)).join(", ");
  const points = [...Map.groupBy(all, nameOf).values()].map(([first]) => first); // two cells may share a point
  const { frames, notes } = cutToCommon(points);
  const climate = frames.map((frame): ClimateSource => {
    const file = new FrameFiles(`${dataset.service_id} of ${nameOf(frame)}`);
    const { stamp, files: _, ...fields } = file.declareClimate({ frame, stamp: "instant" });
    for (const [name, frame] of file.frames) into.frames.set(name, frame);
    return { files: [...file.frames.keys()], stamp, ...fields };
  });
  const origins = fetched.flatMap(provenance);
  const attribution = dataset.attribution.length > 0
    ? dataset.attribution
    : [...new Set(origins.flatMap(({ attribution }) => attribution))];
  into.reanalyses.push({ ...reanalysis, climate, dataset: { ...dataset, attribution } });
  into.notes.push(
    ...[...new Set([...origins.flatMap((one) => one.notes ?? []), ...notes])]
      .map((note) => `${dataset.service_id}: ${note}`),
  );
}

/**
 * Fetches the climate of a site from its sources, for the grid points of its turbines: each point once, and only hours
 * that `era5()` has not stored yet. Imports nothing.
 *
 * @param site The site; reanalyses whose climate is files or frames are returned unchanged
 * @param era5 Fetches the climate
 * @param signal Cancels the call
 * @throws {ArgumentError} If climate has to be fetched and `era5` is missing
 * @throws {VindkitError} As `era5()` does
 */
export async function fetchReanalyses(
  { declared, label }: Pick<SiteParts, "declared" | "label">,
  era5?: FetchEra5,
  signal?: AbortSignal,
): Promise<FetchedReanalyses> {
  const today = Temporal.Now.plainDateISO("UTC").toString();
  const fetched: FetchedReanalyses = { reanalyses: [], frames: new Map(), notes: [] };
  for (const one of [declared, ...declared.other_reanalyses ?? []]) {
    await fetchReanalysis(one, declared.turbines, async ({ to = today, ...source }, place) => {
      if (!era5) {
        throw new ArgumentError(
          `Cannot import ${label}: its climate comes from "${source.source}", but importSite() has ` +
            "no function to fetch it. Give importSite() the function era5 of @vindkit/vindkit: { data, era5 }",
        );
      }
      const { latitude, longitude } = place;
      return await era5({ ...source, latitude, longitude, to, ...(signal ? { signal } : {}) });
    }, fetched);
  }
  return fetched;
}
