import type { DataFrame } from "nodejs-polars";
import { ArgumentError } from "../../api/errors.ts";
import { provenance } from "../../frames/provenance.ts";
import { flagPreliminary } from "./declaration/frame_files.ts";
import type { ClimateSource, SiteReanalysis } from "./declaration/site_reanalysis.ts";
import type { SiteParts } from "./declaration/site.ts";
import type { ReanalysisSource } from "./declaration/site_definition.ts";

/** Gets ERA5 of a place, as `era5()` does. */
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

/** Grid points of ERA5 on a degree. */
const PER_DEGREE = 4;

/** Selects places of which each has other grid points than those before it: a farm within a cell is asked for once. */
function selectPlaces(places: readonly Place[], points: 1 | 4): Place[] {
  const round = points === 1 ? Math.round : Math.floor;
  const cellOf = ({ latitude, longitude }: Place) =>
    `${round(latitude * PER_DEGREE)} ${round(longitude * PER_DEGREE)}`;
  return [...Map.groupBy(places, cellOf).values()].map(([first]) => first);
}

/** Units of the variables of `era5()`; the wind as components where the source has them. */
function selectVariables({ columns }: DataFrame): NonNullable<ClimateSource["variables"]> {
  const wind = columns.includes("wind_u_100")
    ? { wind_u: "m/s", wind_v: "m/s" }
    : { wind_speed: "m/s", wind_direction: "deg" };
  const units = Object.entries(wind).flatMap(([name, unit]) =>
    [100, 10].map((height) => [`${name}_${height}`, unit])
  );
  const all = [...units, ["temperature", "degC"], ["pressure", "Pa"], ["preliminary", "1"]];
  return Object.fromEntries(all.map(([column, unit]) => [column, { column, unit }]));
}

/** The hours that all points have: one that was fetched later may have some more at its end. */
function cutToCommon(points: readonly DataFrame[]): { frames: DataFrame[]; notes: string[] } {
  const heights = points.map(({ height }) => height);
  const common = Math.min(...heights);
  const more = Math.max(...heights) - common;
  return {
    frames: points.map((point) => point.head(common)),
    notes: more === 0
      ? []
      : [`${more} hours at the end are left out: not all grid points have them`],
  };
}

/** Climate that was fetched. */
export interface FetchedReanalyses {
  /** The reanalyses, the usual one first; their climate is of files. */
  readonly reanalyses: readonly SiteReanalysis[];
  /** Frames that are some of these files, by their names. */
  readonly frames: ReadonlyMap<string, DataFrame>;
  /** What a reader of the figures should know of the sources, in sentences. */
  readonly notes: readonly string[];
}

async function fetchReanalysis(
  reanalysis: SiteReanalysis,
  places: readonly Place[],
  fetch: (source: ReanalysisSource, place: Place) => Promise<DataFrame>,
): Promise<FetchedReanalyses> {
  const { source, dataset } = reanalysis;
  if (!source) return { reanalyses: [reanalysis], frames: new Map(), notes: [] };
  const fetched: DataFrame[] = [];
  for (const place of selectPlaces(places, source.points)) {
    fetched.push(await fetch(source, place));
  }
  const variables = selectVariables(fetched[0]);
  const points = new Map<string, { latitude: number; longitude: number; frame: DataFrame }>();
  for (const frame of fetched.flatMap((one) => one.partitionBy(["latitude", "longitude"], true))) {
    const [latitude, longitude] = ["latitude", "longitude"]
      .map((name) => frame.getColumn(name).get(0) as number);
    const file = `${dataset.service_id} of ${latitude}, ${longitude}`;
    if (!points.has(file)) points.set(file, { latitude, longitude, frame }); // two cells may share it
  }
  const { frames, notes } = cutToCommon([...points.values()].map(({ frame }) => frame));
  const origins = fetched.flatMap(provenance);
  return {
    reanalyses: [{
      ...reanalysis,
      climate: [...points].map(([file, { latitude, longitude }]) => ({
        files: [file],
        format: "parquet",
        latitude,
        longitude,
        stamp: "instant",
        time: "time",
        variables,
      })),
      dataset: {
        ...dataset,
        attribution: dataset.attribution.length > 0
          ? dataset.attribution
          : [...new Set(origins.flatMap(({ attribution }) => attribution))],
      },
    }],
    frames: new Map([...points.keys()].map((file, i) => [
      file,
      flagPreliminary(frames[i]).select("time", ...Object.keys(variables)),
    ])),
    notes: [...new Set([...origins.flatMap((one) => one.notes ?? []), ...notes])]
      .map((note) => `${dataset.service_id}: ${note}`),
  };
}

/**
 * Fetches the climate that a site has from its source, of the grid points of its turbines: each point once, and of what
 * `era5()` has stored what is missing. Nothing is imported yet.
 *
 * @param site The site; reanalyses whose climate is files or frames are returned unchanged
 * @param era5 Gets it
 * @param signal Cancels the call
 * @throws {ArgumentError} If climate has to be fetched, and nothing is given that gets it
 * @throws {VindkitError} As `era5()` does
 */
export async function fetchReanalyses(
  { declared, label }: Pick<SiteParts, "declared" | "label">,
  era5?: FetchEra5,
  signal?: AbortSignal,
): Promise<FetchedReanalyses> {
  const today = Temporal.Now.plainDateISO("UTC").toString();
  const all: FetchedReanalyses[] = [];
  for (const one of [declared, ...declared.other_reanalyses ?? []]) {
    all.push(
      await fetchReanalysis(one, declared.turbines, async ({ to = today, ...source }, place) => {
        if (!era5) {
          throw new ArgumentError(
            `Cannot import ${label}: its climate comes from "${source.source}", and nothing is given ` +
              "that gets it. Give importSite() the function era5 of @vindkit/vindkit: { data, era5 }",
          );
        }
        const { latitude, longitude } = place;
        return await era5({ ...source, latitude, longitude, to, ...(signal ? { signal } : {}) });
      }),
    );
  }
  return {
    reanalyses: all.flatMap(({ reanalyses }) => reanalyses),
    frames: new Map(all.flatMap(({ frames }) => [...frames])),
    notes: all.flatMap(({ notes }) => notes),
  };
}
